"""What the screen needs of the rest; `bootstrap` gives it."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from chatmem.consolidation import Curator
from chatmem.consolidation.news import ConsolidationNews
from chatmem.conversation import Conversations, ModelDirectory
from chatmem.domain.turn import SessionId
from chatmem.forgetting import Forgetting
from chatmem.ports.memory_store import MemoryStore
from chatmem.ports.meter import Meter
from chatmem.ports.model_store import ModelStore
from chatmem.ports.session_log import SessionLog
from chatmem.recall import Recall


class Services(Protocol):
    """The services behind the screen. Everything here blocks unless it is a coroutine: call it from a worker."""

    @property
    def conversations(self) -> Conversations:
        """Begins and resumes conversations."""

    @property
    def log(self) -> SessionLog:
        """The session log."""

    @property
    def recall(self) -> Recall:
        """Searches memories."""

    @property
    def memories(self) -> MemoryStore:
        """Lists memories."""

    @property
    def curator(self) -> Curator:
        """Adds, edits and pins memories."""

    @property
    def forgetting(self) -> Forgetting:
        """Erases memories."""

    @property
    def models(self) -> ModelDirectory:
        """Lists and resolves models."""

    @property
    def model_store(self) -> ModelStore:
        """Fetches model files."""

    @property
    def meter(self) -> Meter:
        """Counts."""

    @property
    def theme_folders(self) -> tuple[Path, ...]:
        """Folders of themes; later ones win."""

    def save_setting(self, key: str, value: str) -> None:
        """Write one setting into the settings file."""

    def warm_up(self, news: Callable[[ConsolidationNews], None], status: Callable[[str], None]) -> None:
        """Load what is heavy, one library at a time, and start consolidation. Called once, after the first paint.

        `news` tells of consolidation, `status` what is being loaded (empty when done); both are called from threads.
        """

    def consolidate(self, session_id: SessionId | None = None) -> None:
        """Queue what waits, of one session or of all, and have it consolidated now."""

    def copy_text(self, text: str) -> None:
        """Put a text on this machine's clipboard; does nothing where there is none."""
