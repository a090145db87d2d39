"""What the screen needs, built of fakes."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp

from chatmem.consolidation import Curator
from chatmem.consolidation.news import ConsolidationNews
from chatmem.consolidation.writer import MemoryWriter
from chatmem.conversation import Conversations, ModelDirectory, Origin, Strategy
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import SessionId
from tests.fakes.model_store import FakeModelStore
from tests.fakes.world import World

THEMES = Path(__file__).parents[2] / "themes"


@dataclass
class FakeServices(World):
    """The services of the screen.

    Attributes:
        saved: Settings that were saved, in order.
        found: Models that are found beside the built-in ones.
        copied: What was put on the clipboard.
        warmed_up: Set when `warm_up` has been called; `news` and `status` are what it was given.
    """

    model_store: FakeModelStore = field(default_factory=lambda: FakeModelStore(Path(mkdtemp())))
    configured: dict[str, ModelChoice] = field(default_factory=dict)
    found: dict[Origin, list[ModelChoice]] = field(default_factory=dict)
    strategy: Strategy = Strategy.SUMMARISING
    theme_folders: tuple[Path, ...] = (THEMES,)
    saved: list[tuple[str, str]] = field(default_factory=list)
    consolidated: list[SessionId | None] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    warmed_up: threading.Event = field(default_factory=threading.Event)
    news: Callable[[ConsolidationNews], None] = lambda _: None
    status: Callable[[str], None] = lambda _: None

    @cached_property
    def conversations(self) -> Conversations:
        return Conversations(self.parts, self.strategy)

    @cached_property
    def curator(self) -> Curator:
        return Curator(
            MemoryWriter(journal=self.journal, store=self.memories, embedder=self.embedder, clock=self.clock)
        )

    @cached_property
    def models(self) -> ModelDirectory:
        found = {origin: lambda choices=choices: choices for origin, choices in self.found.items()}
        return ModelDirectory(self.model_store, self.configured, found)

    def save_setting(self, key: str, value: str) -> None:
        self.saved.append((key, value))

    def warm_up(self, news: Callable[[ConsolidationNews], None], status: Callable[[str], None]) -> None:
        self.news, self.status = news, status
        self.warmed_up.set()

    def consolidate(self, session_id: SessionId | None = None) -> None:
        self.consolidated.append(session_id)

    def copy_text(self, text: str) -> None:
        self.copied.append(text)
