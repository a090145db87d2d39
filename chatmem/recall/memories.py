"""Ranking what was learned."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.domain.recall import Match
from chatmem.domain.text import words
from chatmem.ports.embedder import Vector
from chatmem.ports.memory_store import MemoryStore
from chatmem.recall.fusion import Ranked, fuse
from chatmem.recall.question import Question
from chatmem.recall.retention import retention
from chatmem.recall.terms import DATE, age_days, total

RETENTION = 0.3
"""What a fresh memory is ahead of a faded one: decay nudges and never hides."""

IMPORTANCE = CONFIDENCE = 0.4
"""Of the difference to a middling memory, so at most .2 and .3 either way."""

MIDDLING_IMPORTANCE, MIDDLING_CONFIDENCE = 0.5, 0.8

SUBJECT = 0.5
"""For a memory about the one the question is about; "I" is the user."""

SLOT = 1.0
"""For a memory that says of its subject what is asked ("where do I live": home)."""

BEHIND = 0.01
"""How far a superseded memory stands behind what replaced it."""

Uses = Mapping[MemoryId, tuple[int, datetime]]
"""How often, and when last, each memory was used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMemory:
    """A memory and its score.

    Attributes:
        parts: The terms of `score`, by name.
        similarity: Cosine, where it has a vector.
        worded: Whether full text found it.
    """

    memory: Memory
    score: float
    parts: tuple[tuple[str, float], ...]
    similarity: float | None
    worded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The memories that the indexes found, and what these say of them.

    Attributes:
        by_meaning: The likeness of all that have a vector.
    """

    memories: tuple[Memory, ...]
    by_words: tuple[Match, ...]
    by_meaning: tuple[Match, ...]


def find_memories(
    store: MemoryStore,
    vector: Vector | None,
    by_words: Sequence[Match],
    by_vector: Sequence[Match],
    best: int | None = None,
) -> Found:
    """The memories that either list names, or only the best so many of them, with the likeness of each.

    Raises:
        StoreError: If the store could not be read.
    """
    ids = [MemoryId(candidate.id) for candidate in fuse(by_words, by_vector)[:best]]
    return Found(
        memories=tuple(store.get(ids)),
        by_words=tuple(by_words),
        by_meaning=tuple(store.likeness(vector, ids)) if vector is not None else (),
    )


def rank_memories(question: Question, found: Found, uses: Uses, now: datetime) -> list[RankedMemory]:
    """All memories found, best first; ties go to the newest. What was superseded comes after what replaced it."""
    memories = {memory.id: memory for memory in found.memories}
    fused = fuse(
        [match for match in found.by_words if match.id in memories],
        [match for match in found.by_meaning if match.id in memories],
        memories,
    )
    ranked = [_scored(question, memories[MemoryId(candidate.id)], candidate, uses, now) for candidate in fused]
    there = {item.memory.id: item for item in ranked}
    behind = (_behind(item, there) for item in ranked)
    return sorted(behind, key=lambda item: (-item.score, -item.memory.created_at.timestamp(), item.memory.id))


def _scored(question: Question, memory: Memory, candidate: Ranked, uses: Uses, now: datetime) -> RankedMemory:
    parts = (*candidate.parts, *_terms(question, memory, uses, now))
    return RankedMemory(
        memory=memory,
        score=total(parts),
        parts=parts,
        similarity=candidate.similarity,
        worded=candidate.worded,
    )


def _terms(question: Question, memory: Memory, uses: Uses, now: datetime) -> Iterator[tuple[str, float]]:
    count, last = uses.get(memory.id, (0, told_at(memory)))
    kept = retention(age_days(max(last, told_at(memory)), now), count, pinned=memory.pinned)
    yield "retention", RETENTION * kept
    yield "importance", IMPORTANCE * (memory.importance - MIDDLING_IMPORTANCE)
    yield "confidence", CONFIDENCE * (memory.confidence - MIDDLING_CONFIDENCE)
    if is_about(memory, question):
        yield "subject", SUBJECT
        if memory.slot in question.slots:
            yield "slot", SLOT
    if question.period:
        yield "date", DATE * question.period.match(told_at(memory))


def _behind(item: RankedMemory, there: Mapping[MemoryId, RankedMemory]) -> RankedMemory:
    """A superseded memory with its score lowered below those of the memories that replaced it, one after another."""
    least, steps, newer = item.score, 0, _successor(item, there)
    while newer and steps < len(there):
        steps += 1
        least = min(least, newer.score - steps * BEHIND)
        newer = _successor(newer, there)
    return item if not steps else replace(item, score=least, parts=(*item.parts, ("superseded", least - item.score)))


def _successor(item: RankedMemory, there: Mapping[MemoryId, RankedMemory]) -> RankedMemory | None:
    successor = item.memory.superseded_by
    return there.get(successor) if successor and item.memory.status is Status.SUPERSEDED else None


def is_about(memory: Memory, question: Question) -> bool:
    """Whether a memory is about the one the question asks about: someone it names, or else the user."""
    if memory.subject == "user":
        return question.by_self
    return not question.spoken.isdisjoint(words(memory.subject))


def told_at(memory: Memory) -> datetime:
    """When the words a memory rests on were last said."""
    return memory.quotes[-1].said_at if memory.quotes else memory.created_at
