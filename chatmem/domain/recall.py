"""What recall finds."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chatmem.domain.memory import MemoryId
from chatmem.domain.turn import Role, SessionId, TurnId


class Source(StrEnum):
    """What a recalled item is: a kind of memory, a turn said earlier, a session's summary, or from another store."""

    FACT = "semantic"
    EPISODE = "episodic"
    PROCEDURE = "procedural"
    TURN = "turn"
    SUMMARY = "summary"
    REMOTE = "remote"

    @property
    def is_memory(self) -> bool:
        """Whether it is one of the kinds of memory that are kept here."""
        return self not in {Source.TURN, Source.SUMMARY, Source.REMOTE}


class Tier(StrEnum):
    """Where something lay that bears on a question, the nearest first."""

    WORKING = "working"
    """In the working memory: the model sees it anyway."""

    LEARNED = "learned"
    """Among the memories and the summaries of sessions."""

    SAID = "said"
    """Among all that was ever said."""

    REMOTE = "remote"
    """In the store on another machine that the person configured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A row that one index found.

    Attributes:
        value: Similarity (cosine, [-1, 1]) from the vector index; BM25 score (>= 0) from full text.
    """

    id: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a turn says, as recall reads it.

    Attributes:
        seq: Its place in the session.
        speaker: The name of who spoke where an import knows it; else `None`.
    """

    turn_id: TurnId
    session_id: SessionId
    seq: int
    role: Role
    speaker: str | None
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The running summary of a session.

    Attributes:
        last_at: When the session was last spoken in.
    """

    text: str
    last_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """A memory or an earlier turn that recall found for a question.

    Attributes:
        id: Of the memory, the turn or the session.
        score: Final rank value; higher is better; comparable only within one recall.
        parts: The terms that add up to `score`, by name.
        injected: Whether it was put into the prompt.
        valid_to: Until when it held, of a memory that was superseded; `None` of all else.
        event_date: The day, month or year that a memory speaks of, where that is another day than it was said on:
            `2025`, `2025-03` or `2025-03-04`.
        beside: The episode beside whose words a turn was said, where that is why it is shown.
        used: Whether the answer used it, as far as its words tell.
    """

    id: MemoryId | TurnId | SessionId
    source: Source
    text: str
    score: float
    said_at: datetime
    session_id: SessionId | None = None
    speaker: str | None = None
    parts: tuple[tuple[str, float], ...] = ()
    injected: bool = False
    valid_to: datetime | None = None
    event_date: str | None = None
    beside: MemoryId | None = None
    used: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What the person thinks of an answer.

    Attributes:
        marked: Whether they marked it; else the words of their next turn told.
    """

    liked: bool
    marked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """All that recall found for a question.

    Attributes:
        items: Best first, after the standing instructions; they say which were put into the prompt.
        tier: Where the best of it lies; `None` where nothing bears on the question.
    """

    items: tuple[Recalled, ...] = ()
    tier: Tier | None = None
