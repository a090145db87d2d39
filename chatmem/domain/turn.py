"""Turns and sessions: what was said, by whom, and when."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

SessionId = NewType("SessionId", str)
TurnId = NewType("TurnId", str)
AttachmentId = NewType("AttachmentId", str)


class Role(StrEnum):
    """Whose words a turn holds."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class TurnStatus(StrEnum):
    """How a turn came to its end, or that it has not."""

    COMPLETE = "complete"
    STREAMING = "streaming"
    STOPPED = "stopped"
    """The person stopped the answer."""
    FAILED = "failed"
    """The provider failed before the answer was whole."""
    INTERRUPTED = "interrupted"
    """chatmem ended while the answer was arriving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """An image that was sent with a turn; its content lies in the session log.

    Attributes:
        size: In bytes.
    """

    id: AttachmentId
    name: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One utterance.

    A session is a tree: an answer given again, or a turn that was edited, stands beside the one before. `SessionLog`
    gives the turns of the branch that is current, unless it is asked for all.

    Attributes:
        seq: Place in the order in which the session's turns were added, counted from 1 without gaps over all branches.
        speaker: The name of who spoke where an import knows it; else `None`.
        model: The model that answered, for an assistant's turn.
        error: Why the answer failed, in a sentence; `None` unless the status is `FAILED`.
        parent_id: The turn it follows; `None` for the first. The session log knows it; what is appended need not.
        reasoning: What the model thought before it answered; never sent back, indexed or learned from.
        finish_reason: Why the model ended: `stop`, `length`, or its own word; `None` where it did not end by itself.
        off_record: Said while learning was paused: it is neither learned from nor recalled elsewhere.
    """

    id: TurnId
    session_id: SessionId
    seq: int
    role: Role
    text: str
    said_at: datetime
    status: TurnStatus = TurnStatus.COMPLETE
    speaker: str | None = None
    model: str | None = None
    error: str | None = None
    parent_id: TurnId | None = None
    reasoning: str = ""
    finish_reason: str | None = None
    attachments: tuple[Attachment, ...] = ()
    off_record: bool = False


def indexed_text(turn: Turn) -> str:
    """What full text sees of a turn (`Ana, 4 March 2025: I moved to Porto.`): its words, who said them and when."""
    return f"{said_by(turn)}, {turn.said_at.day} {turn.said_at:%B %Y}: {turn.text}"


def embedded_text(turn: Turn) -> str:
    """What is embedded of a turn: its words alone. Who said them, and when, would only blur their meaning."""
    return turn.text


def said_by(turn: Turn) -> str:
    """Who spoke: the name where it is known, else the role."""
    return turn.speaker or turn.role.value.capitalize()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A run of turns between opening and closing a conversation.

    Attributes:
        title: What the session list shows; from the first turn until the person renames it.
        summary: The running summary of the turns up to `summarised_to`; empty where nothing was folded.
        summarised_to: `seq` of the last turn that the summary covers; 0 for none.
        turn_count: Number of its turns, over all branches.
        aside_count: How many of them are on branches that were left.
        last_at: When its last turn was said; `started_at` while it has none.
        off_record: Whether learning is paused: what is said from now on is off the record.
    """

    id: SessionId
    title: str
    started_at: datetime
    model: str | None = None
    summary: str = ""
    summarised_to: int = 0
    turn_count: int = 0
    aside_count: int = 0
    last_at: datetime | None = None
    off_record: bool = False

    @property
    def current_count(self) -> int:
        """Number of turns of the current branch: those that the person reads."""
        return self.turn_count - self.aside_count


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Consecutive turns of one session, `first` to `last` by `seq`, both included: what one job consolidates."""

    session_id: SessionId
    first: int
    last: int

    def __post_init__(self) -> None:
        """Refuse an empty stretch."""
        if not 1 <= self.first <= self.last:
            raise ValueError(f"a stretch needs 1 <= first <= last, not {self.first}..{self.last}")
