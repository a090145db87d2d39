"""Memories, and the words they rest on."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from chatmem.domain.text import normalised
from chatmem.domain.turn import SessionId, TurnId

MemoryId = NewType("MemoryId", str)


class Kind(StrEnum):
    """The kinds of long-term memory, by their names in CoALA (Sumers et al. 2023, section 4.1)."""

    FACT = "semantic"
    EPISODE = "episodic"
    PROCEDURE = "procedural"

    @property
    def word(self) -> str:
        """The everyday word for a memory of this kind."""
        return self.name.lower()


class Status(StrEnum):
    """Whether a memory takes part in recall."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    PENDING = "pending"


class Extractor(StrEnum):
    """Who drew a memory from the talk."""

    MODEL = "model"
    RULES = "rules"
    USER = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words of a user's turn that a memory rests on; `text` is a substring of the turn."""

    session_id: SessionId
    turn_id: TurnId
    text: str
    said_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory proposed by extraction, not yet reconciled.

    Attributes:
        subject: Whom it is about: `user`, or a name.
        slot: What about the subject it says (`name`, `home`, `diet`), where that is known.
        event_date: When it happened, as precise as is known: `2025`, `2025-03` or `2025-03-04`.
        importance: How much losing it would matter, [0, 1].
        confidence: How sure the extractor is, [0, 1].
    """

    kind: Kind
    text: str
    quote: Quote
    extractor: Extractor
    subject: str = "user"
    slot: str | None = None
    event_date: str | None = None
    importance: float = 0.5
    confidence: float = 0.8
    model: str | None = None
    prompt_version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A fact, episode or procedure, as stored.

    Attributes:
        quotes: What it rests on, oldest first; empty only for what the person wrote by hand.
        extractor: Who drew it from the talk; `model` and `prompt_version` say with what.
        valid_from: Since when it holds; the time it was said unless more is known.
        valid_to: Until when it held; `None` while it does.
        superseded_by: The memory that replaced it, when `status` is `SUPERSEDED`.
        pinned: Exempt from decay and expiry.
    """

    id: MemoryId
    kind: Kind
    text: str
    extractor: Extractor
    created_at: datetime
    updated_at: datetime
    valid_from: datetime
    quotes: tuple[Quote, ...] = ()
    subject: str = "user"
    slot: str | None = None
    event_date: str | None = None
    status: Status = Status.ACTIVE
    importance: float = 0.5
    confidence: float = 0.8
    pinned: bool = False
    model: str | None = None
    prompt_version: str | None = None
    valid_to: datetime | None = None
    superseded_by: MemoryId | None = None

    def __post_init__(self) -> None:
        """Refuse an empty text."""
        if not self.text.strip():
            raise ValueError("a memory needs a text")


def memory_id(kind: Kind, text: str, turn_id: TurnId | None) -> MemoryId:
    """Derive a memory's id from what it says and the turn it rests on, so that learning it twice gives one id."""
    key = "\x1f".join((kind.value, normalised(text), turn_id or ""))
    return MemoryId("m" + hashlib.blake2b(key.encode(), digest_size=8).hexdigest())
