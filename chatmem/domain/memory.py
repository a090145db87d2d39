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
    """Whether a memory takes part in recall.

    Active ones do; superseded ones where the past is asked for; pending ones wait in the inbox for the person's word;
    retired ones were taken out of recall, by the person or by pruning, and can be brought back.
    """

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    PENDING = "pending"
    RETIRED = "retired"


class Wait(StrEnum):
    """What a pending memory waits for."""

    CONSENT = "consent"
    """It is of a kind that the person is asked about first (see `Sensitivity`)."""

    CONFIDENCE = "confidence"
    """The extractor was not sure of it."""

    CONFLICT = "conflict"
    """It contradicts another memory (a `Link` of `Relation.CONTRADICTS` names it), and the profile asks."""

    REVIEW = "review"
    """Everything is reviewed first in this profile."""

    INSTRUCTION = "instruction"
    """It reads like an instruction to the model, which nobody but the person gives."""


class Sensitivity(StrEnum):
    """A kind of content that the policy treats with care."""

    MEDICAL = "medical"
    FINANCIAL = "financial"
    OTHERS_PRIVATE = "others_private"


class Relation(StrEnum):
    """How one memory is linked to another."""

    RELATED = "related"
    DERIVED_FROM = "derived_from"
    """It was distilled or merged from the other."""

    RESTS_ON = "rests_on"
    """It may no longer hold when the other changes."""

    CONTRADICTS = "contradicts"
    REPLACES = "replaces"


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
class Link:
    """A link from one memory to another, with the reason in words."""

    to: MemoryId
    relation: Relation
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """What an episode tells, as far as it was said.

    Attributes:
        sentiment: How the person felt about it, [-1, 1].
    """

    situation: str = ""
    actions: str = ""
    outcome: str = ""
    why: str = ""
    sentiment: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """When a procedure applies, and how it has done.

    Attributes:
        trigger: What it is for (`code reviews`); empty where it always holds.
        successes: Answers under it that the person liked.
        failures: Answers under it that they did not.
    """

    trigger: str = ""
    steps: tuple[str, ...] = ()
    successes: int = 0
    failures: int = 0

    @property
    def record(self) -> str:
        """How it has done, in words."""
        return f"{self.successes} of {self.successes + self.failures} answers liked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory proposed by extraction, not yet reconciled.

    Attributes:
        subject: Whom it is about: `user`, or a name.
        slot: What about the subject it says (`name`, `home`, `diet`), where that is known.
        event_date: When it happened, as precise as is known: `2025`, `2025-03` or `2025-03-04`.
        importance: How much losing it would matter, [0, 1].
        confidence: How sure the extractor is, [0, 1].
        tags: Keywords.
        happening: Of an episode.
        practice: Of a procedure.
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
    tags: tuple[str, ...] = ()
    happening: Happening | None = None
    practice: Practice | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A fact, episode or procedure, as stored.

    Attributes:
        quotes: What it rests on, oldest first; empty only for what was written by hand or taken over from elsewhere.
        extractor: Who drew it from the talk; `model` and `prompt_version` say with what.
        valid_from: Since when it holds; the time it was said unless more is known.
        valid_to: Until when it held; `None` while it does.
        superseded_by: The memory that replaced it, when `status` is `SUPERSEDED`.
        pinned: Exempt from decay and expiry.
        waits_for: What a `PENDING` memory waits for.
        sensitivity: The kind of sensitive content it holds, if any.
        expires_at: When it leaves recall by itself; `None` for never.
        links: To other memories.
        tags: Keywords.
        doubt: Why it should be checked (`The home it rests on has changed.`); empty where nothing speaks against it.
        happening: Of an episode.
        practice: Of a procedure.
        imported_from: The file or the program that it was taken over from; empty for what was learned or written here.
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
    waits_for: Wait | None = None
    sensitivity: Sensitivity | None = None
    expires_at: datetime | None = None
    links: tuple[Link, ...] = ()
    tags: tuple[str, ...] = ()
    doubt: str = ""
    happening: Happening | None = None
    practice: Practice | None = None
    imported_from: str = ""

    def __post_init__(self) -> None:
        """Refuse an empty text."""
        if not self.text.strip():
            raise ValueError("a memory needs a text")


def memory_id(kind: Kind, text: str, turn_id: TurnId | None) -> MemoryId:
    """Derive a memory's id from what it says and the turn it rests on, so that learning it twice gives one id."""
    key = "\x1f".join((kind.value, normalised(text), turn_id or ""))
    return MemoryId("m" + hashlib.blake2b(key.encode(), digest_size=8).hexdigest())
