"""Which candidates have to do with a question, and what is shown of them."""

import re
from datetime import datetime

from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.domain.recall import Recalled, Said, Source
from chatmem.domain.turn import Role
from chatmem.recall.memories import RankedMemory, told_at
from chatmem.recall.router import ASSISTANT, USER
from chatmem.recall.turns import RankedTurn

MEMORY_SIMILARITY = 0.2
TURN_SIMILARITY = 0.35
"""Without a word in common, what is less alike than this says nothing about the question. Memories stand alone and were
found worth keeping, so they need less."""

_ISO = re.compile(r"\d{4}(?:-\d\d){0,2}")

EXCERPT_TOKENS = 120
"""Of an earlier turn, so that one long answer does not take the whole budget."""


def bears(candidate: RankedMemory | RankedTurn, similarity: float) -> bool:
    """Whether a candidate has to do with the question: a word in common, likeness in meaning, or what is asked for.

    What another memory links to does where it scores.
    """
    if candidate.worded or (candidate.similarity or 0.0) >= similarity:
        return True
    parts = {name for name, _ in candidate.parts}
    return "slot" in parts or ("link" in parts and candidate.score > 0)


def held(memory: Memory, moment: datetime) -> bool:
    """Whether a memory was true at a moment, as far as is known."""
    return memory.valid_from <= moment and (memory.valid_to is None or moment < memory.valid_to)


def recalled_memory(ranked: RankedMemory) -> Recalled:
    """A memory as recall shows it."""
    return _memory_item(ranked.memory, ranked.score, ranked.parts)


def standing_instruction(memory: Memory) -> Recalled:
    """A memory that needs no rank."""
    return _memory_item(memory, 0.0, ())


def _memory_item(memory: Memory, score: float, parts: tuple[tuple[str, float], ...]) -> Recalled:
    return Recalled(
        id=memory.id,
        source=Source(memory.kind.value),
        text=memory.text,
        score=score,
        parts=parts,
        said_at=told_at(memory),
        session_id=memory.quotes[-1].session_id if memory.quotes else None,
        valid_to=memory.valid_to if memory.status is Status.SUPERSEDED else None,
        event_date=_other_day(memory),
    )


def _other_day(memory: Memory) -> str | None:
    """The time a memory speaks of, unless that is the day on which it was said."""
    date = memory.event_date or ""
    return date if _ISO.fullmatch(date) and date != f"{told_at(memory):%Y-%m-%d}" else None


def recalled_turn(turn: RankedTurn, excerpt: str) -> Recalled:
    """A turn as recall shows it: its beginning, where it is long."""
    return turn_item(turn.said, excerpt, score=turn.score, parts=turn.parts)


def turn_item(
    said: Said, excerpt: str, *, score: float, parts: tuple[tuple[str, float], ...], beside: MemoryId | None = None
) -> Recalled:
    """A turn as it is shown, for its own sake or `beside` an episode."""
    ours = said.role is Role.ASSISTANT and said.speaker is None
    return Recalled(
        id=said.turn_id,
        source=Source.TURN,
        text=excerpt if excerpt == said.text else f"{excerpt}…",
        score=score,
        parts=parts,
        beside=beside,
        said_at=said.said_at,
        session_id=said.session_id,
        speaker=said.speaker or (ASSISTANT if ours else USER),
    )
