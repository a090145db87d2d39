"""What the screen needs of the rest; `bootstrap` gives it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from chatmem.domain.model import Image, ModelChoice, ModelFacts
from chatmem.domain.turn import SessionId
from chatmem.ports.clock import Clock
from chatmem.ports.journal import Journal
from chatmem.ports.keys import Keys
from chatmem.ports.memory_store import MemoryStore
from chatmem.ports.meter import Meter
from chatmem.ports.model_store import ModelStore
from chatmem.ports.session_log import SessionLog

if TYPE_CHECKING:
    from chatmem.consolidation.curator import Curator
    from chatmem.consolidation.feedback import AnswerFeedback
    from chatmem.consolidation.hygiene import Hygiene
    from chatmem.consolidation.news import ConsolidationNews
    from chatmem.consolidation.undoing import Undo
    from chatmem.conversation import Conversations, ModelDirectory, ProviderProfiles
    from chatmem.conversation.explaining import Explaining
    from chatmem.forgetting.forgetting import Forgetting
    from chatmem.forgetting.tombstones import Tombstones
    from chatmem.recall.recall import Recall


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSettings:
    """What the person set for the screen.

    Attributes:
        enter_sends: Whether Enter sends; otherwise it makes a new line, and the keys that make one send.
        vi_keys: Whether the prompt has the modes and keys of vi.
        editor: Command of the external editor; empty for `$VISUAL` or `$EDITOR`.
    """

    enter_sends: bool = True
    vi_keys: bool = False
    editor: str = ""


class MemoryDesk(Protocol):
    """What the memory screen needs. Everything here blocks: call it from a worker."""

    @property
    def log(self) -> SessionLog:
        """The session log."""

    @property
    def recall(self) -> "Recall":
        """Searches memories."""

    @property
    def memories(self) -> MemoryStore:
        """Lists memories."""

    @property
    def curator(self) -> "Curator":
        """Adds, edits and pins memories."""

    @property
    def forgetting(self) -> "Forgetting":
        """Erases memories."""

    @property
    def journal(self) -> Journal:
        """Knows how often memories were used."""

    @property
    def clock(self) -> Clock:
        """Tells the time."""


class ChangesDesk(Protocol):
    """What the changes screen needs. Everything here blocks: call it from a worker."""

    @property
    def journal(self) -> Journal:
        """Every change."""

    @property
    def undo(self) -> "Undo":
        """Takes changes back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskUse:
    """What a profile takes on the disk, in bytes.

    Attributes:
        dead: Held by rows that are gone, in bytes; the next erasure, or upkeep, gives them back.
    """

    total: int
    dead: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFolder:
    """A profile on disk.

    Attributes:
        current: Whether it is the one in use.
        size: Of its files, in bytes.
    """

    name: str
    current: bool
    size: int


class ProfilesDesk(Protocol):
    """What the profiles screen needs. Everything here blocks: call it from a worker."""

    def list(self) -> Sequence[ProfileFolder]:
        """The profiles that are there, by name."""

    def create(self, name: str) -> Path:
        """Make an empty profile; returns its folder.

        Raises:
            UsageError: If there is one of this name, or no profile can be called so.
            StoreError: If it could not be made.
        """

    def forget(self, name: str) -> int:
        """Erase a profile with everything in it; returns how many bytes that were.

        Raises:
            NotFoundError: If there is none of this name.
            RefusedError: If it is open; nothing was changed then.
            StoreError: If a file could not be erased; forgetting any profile again goes on with it.
        """


class HealthDesk(MemoryDesk, Protocol):
    """What the health screen needs. Everything here blocks: call it from a worker."""

    @property
    def meter(self) -> Meter:
        """Counts."""

    @property
    def hygiene(self) -> "Hygiene":
        """Finds what has become stale."""

    @property
    def clock(self) -> Clock:
        """Tells the time."""

    def disk_use(self) -> DiskUse:
        """What the profile takes on the disk.

        Raises:
            StoreError: If its files could not be read.
        """


class Services(HealthDesk, ChangesDesk, Protocol):
    """The services behind the screen. Everything here blocks unless it is a coroutine: call it from a worker."""

    @property
    def conversations(self) -> "Conversations":
        """Begins and resumes conversations."""

    @property
    def tombstones(self) -> "Tombstones":
        """What forgetting left behind."""

    @property
    def explaining(self) -> "Explaining":
        """Tells what answers rested on."""

    @property
    def answer_feedback(self) -> "AnswerFeedback":
        """Counts what the person thinks of answers."""

    @property
    def models(self) -> "ModelDirectory":
        """Lists and resolves models."""

    @property
    def providers(self) -> "ProviderProfiles":
        """Adds, changes, checks and removes provider profiles."""

    @property
    def keys(self) -> Keys:
        """Finds and keeps keys."""

    @property
    def model_store(self) -> ModelStore:
        """Fetches model files."""

    @property
    def meter(self) -> Meter:
        """Counts."""

    @property
    def screen_settings(self) -> ScreenSettings:
        """What the person set for the screen; does not block."""

    @property
    def profile(self) -> str:
        """The name of the profile in use; does not block."""

    @property
    def profile_folders(self) -> ProfilesDesk:
        """Lists, makes and erases profiles."""

    @property
    def incognito(self) -> bool:
        """Whether nothing is kept; does not block."""

    @property
    def theme_folders(self) -> tuple[Path, ...]:
        """Folders of themes; later ones win."""

    def save_setting(self, key: str, value: str) -> None:
        """Write one setting into the settings file."""

    def warm_up(self, news: "Callable[[ConsolidationNews], None]", status: Callable[[str], None]) -> None:
        """Load what is heavy, one library at a time, and start consolidation. Called once, after the first paint.

        `news` tells of consolidation, `status` what is being loaded (empty when done); both are called from threads.
        """

    def consolidate(self, session_id: SessionId | None = None) -> None:
        """Queue what waits, of one session or of all, and have it consolidated now."""

    def copy_text(self, text: str) -> None:
        """Put a text on this machine's clipboard; does nothing where there is none."""

    def facts(self, choice: ModelChoice) -> ModelFacts:
        """What is known of a model, without asking anybody."""

    def read_image(self, path: Path) -> Image:
        """Read a picture.

        Raises:
            UsageError: If there is none, or it is no picture that models take.
        """

    def clipboard_image(self) -> Image | None:
        """The picture on this machine's clipboard; `None` where there is none, or no clipboard."""

    def export(self, session_id: SessionId, file: Path) -> None:
        """Write a session to a file, as Markdown or JSON by its suffix; a file that is there is replaced.

        Raises:
            UsageError: If it can't be written, or its suffix is another.
        """
