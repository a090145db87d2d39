"""What the screen needs, built of fakes."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.feedback import AnswerFeedback
from chatmem.consolidation.hygiene import Hygiene
from chatmem.consolidation.news import ConsolidationNews
from chatmem.consolidation.undoing import Undo
from chatmem.consolidation.writer import MemoryWriter
from chatmem.conversation import Conversations, Known, ModelDirectory, Origin, Profile, ProviderProfiles, Strategy
from chatmem.conversation.profiles import ProfileFile
from chatmem.domain.errors import UsageError
from chatmem.domain.model import Image, ModelChoice, ModelFacts
from chatmem.domain.turn import SessionId
from chatmem.forgetting.tombstones import Tombstones
from chatmem.ui.services import DiskUse, ProfileFolder, ScreenSettings
from tests.fakes.keys import FakeKeys
from tests.fakes.model_store import FakeModelStore
from tests.fakes.world import World

PNG = b"\x89PNG\r\n\x1a\n"
THEMES = Path(__file__).parents[2] / "themes"


class FakeProfileFolders:
    """Profiles in memory, with sizes."""

    def __init__(self) -> None:
        self.sizes = {"default": 1_200_000, "work": 34_000_000}

    def list(self) -> Sequence[ProfileFolder]:
        return [
            ProfileFolder(name=name, current=name == "default", size=size) for name, size in sorted(self.sizes.items())
        ]

    def create(self, name: str) -> Path:
        if name in self.sizes:
            raise UsageError(f"There is a profile {name} already.")
        self.sizes[name] = 0
        return Path(name)

    def forget(self, name: str) -> int:
        return self.sizes.pop(name)


@dataclass
class FakeServices(World):
    """The services of the screen.

    Attributes:
        saved: Settings that were saved, in order.
        found: Models that are found beside the built-in ones.
        copied: What was put on the clipboard.
        known_facts: What is known of models, by `ModelChoice.model`.
        on_clipboard: The picture on the clipboard.
        exported: Sessions that were exported, and the files.
        warmed_up: Set when `warm_up` has been called; `news` and `status` are what it was given.
    """

    model_store: FakeModelStore = field(default_factory=lambda: FakeModelStore(Path(mkdtemp())))
    configured: dict[str, ModelChoice] = field(default_factory=dict)
    found: dict[Origin, list[ModelChoice]] = field(default_factory=dict)
    strategy: Strategy = Strategy.SUMMARISING
    incognito: bool = False
    profile: str = "default"
    profile_folders: FakeProfileFolders = field(default_factory=FakeProfileFolders)
    theme_folders: tuple[Path, ...] = (THEMES,)
    saved: list[tuple[str, str]] = field(default_factory=list)
    consolidated: list[SessionId | None] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    keys: FakeKeys = field(default_factory=FakeKeys)
    known_facts: dict[str, ModelFacts] = field(default_factory=dict)
    profiles: list[Profile] = field(default_factory=list)
    on_clipboard: Image | None = None
    disk: DiskUse = field(default_factory=lambda: DiskUse(total=1_200_000, dead=300_000))
    exported: list[tuple[SessionId, Path]] = field(default_factory=list)
    screen_settings: ScreenSettings = field(default_factory=ScreenSettings)
    warmed_up: threading.Event = field(default_factory=threading.Event)
    news: Callable[[ConsolidationNews], None] = lambda _: None
    status: Callable[[str], None] = lambda _: None

    @cached_property
    def conversations(self) -> Conversations:
        return Conversations(self.parts, self.strategy)

    @cached_property
    def writer(self) -> MemoryWriter:
        return MemoryWriter(journal=self.journal, store=self.memories, embedder=self.embedder, clock=self.clock)

    @cached_property
    def curator(self) -> Curator:
        return Curator(self.writer)

    @cached_property
    def tombstones(self) -> Tombstones:
        return Tombstones(self.journal, self.eraser)

    @cached_property
    def undo(self) -> Undo:
        return Undo(self.writer)

    @cached_property
    def hygiene(self) -> Hygiene:
        return Hygiene(journal=self.journal, store=self.memories)

    @cached_property
    def answer_feedback(self) -> AnswerFeedback:
        return AnswerFeedback(self.log, self.feedback, self.writer)

    @cached_property
    def models(self) -> ModelDirectory:
        found = {origin: lambda choices=choices: choices for origin, choices in self.found.items()}
        known = Known(
            facts=self.facts, models=lambda prefix: [name for name in self.known_facts if name.startswith(f"{prefix}/")]
        )
        return ModelDirectory(self.model_store, self.configured, found, known, lambda n: self.log.models_used(limit=n))

    @cached_property
    def providers(self) -> ProviderProfiles:
        return ProviderProfiles(
            self.profiles,
            file=ProfileFile(write=lambda _, __: None, remove=lambda _: None),
            keys=self.keys,
            chat_model=self.chat_model,
            changed=self._configure,
        )

    def facts(self, choice: ModelChoice) -> ModelFacts:
        return self.known_facts.get(choice.model, ModelFacts())

    def read_image(self, path: Path) -> Image:
        if not path.is_file() or not path.read_bytes().startswith(PNG):
            raise UsageError(f"{path} is no picture that models take.")
        return Image(name=path.name, media_type="image/png", content=path.read_bytes())

    def clipboard_image(self) -> Image | None:
        return self.on_clipboard

    def export(self, session_id: SessionId, file: Path) -> None:
        file.write_text("\n\n".join(turn.text for turn in self.log.turns(session_id)))
        self.exported.append((session_id, file))

    def save_setting(self, key: str, value: str) -> None:
        self.saved.append((key, value))

    def warm_up(self, news: Callable[[ConsolidationNews], None], status: Callable[[str], None]) -> None:
        self.news, self.status = news, status
        self.warmed_up.set()

    def consolidate(self, session_id: SessionId | None = None) -> None:
        self.consolidated.append(session_id)

    def disk_use(self) -> DiskUse:
        return self.disk

    def copy_text(self, text: str) -> None:
        self.copied.append(text)

    def _configure(self, choices: dict[str, ModelChoice]) -> None:
        self.configured = choices
        self.models.configure(choices)
