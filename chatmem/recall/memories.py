"""Ranking what was learned."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from chatmem.domain.recall import Match
from chatmem.domain.text import words
from chatmem.ports.embedder import Vector
from chatmem.ports.memory_store import MemoryStore
from chatmem.recall.asked import attribute
from chatmem.recall.fusion import Ranked, fuse
from chatmem.recall.fusion import best as first
from chatmem.recall.links import LINKING, lifts, linked_to
from chatmem.recall.newest import SINGLE, Told
from chatmem.recall.newest import lifts as newer
from chatmem.recall.question import Question
from chatmem.recall.retention import retention
from chatmem.recall.terms import DATE, age_days, total
from chatmem.recall.use import Counts

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
        linking: The best of them, whose links are followed.
    """

    memories: tuple[Memory, ...]
    by_words: tuple[Match, ...]
    by_meaning: tuple[Match, ...]
    linking: tuple[Memory, ...]


def find_memories(
    store: MemoryStore,
    vector: Vector | None,
    by_words: Sequence[Match],
    by_vector: Sequence[Match],
    best: int | None = None,
) -> Found:
    """The memories that either list names, or only the best so many of them, and those that the best link to.

    Raises:
        StoreError: If the store could not be read.
    """
    ids = [MemoryId(id_) for id_ in first(by_words, by_vector, best)]
    there = {memory.id: memory for memory in store.get(ids)}
    linking = [there[id_] for id_ in ids[:LINKING] if id_ in there and there[id_].links]
    if linked := linked_to(linking, there):
        there |= {memory.id: memory for memory in store.get(linked)}
    return Found(
        memories=tuple(there.values()),
        by_words=tuple(by_words),
        by_meaning=tuple(store.likeness(vector, list(there))) if vector is not None else (),
        linking=tuple(linking),
    )


def rank_memories(question: Question, found: Found, uses: Counts, now: datetime) -> list[RankedMemory]:
    """All memories found that may be shown, best first; ties go to the newest.

    What was superseded comes after what replaced it.
    """
    memories = {memory.id: memory for memory in found.memories if lives(memory, now)}
    fused = fuse(
        [match for match in found.by_words if match.id in memories],
        [match for match in found.by_meaning if match.id in memories],
        memories,
    )
    ranked = [_scored(question, memories[MemoryId(candidate.id)], candidate, uses, now) for candidate in fused]
    if found.linking:
        ranked = _linked(ranked, found.linking)
    if not question.past:
        ranked = _newest_first(question, ranked)
    there = {item.memory.id: item for item in ranked}
    behind = (_behind(item, there) for item in ranked)
    return sorted(behind, key=lambda item: (-item.score, -item.memory.created_at.timestamp(), item.memory.id))


def lives(memory: Memory, now: datetime) -> bool:
    """Whether a memory may be shown at all: what waits, was taken out of recall, or has expired, may not."""
    if memory.status not in {Status.ACTIVE, Status.SUPERSEDED}:
        return False
    return memory.pinned or memory.expires_at is None or memory.expires_at > now


def _linked(ranked: Sequence[RankedMemory], linking: Sequence[Memory]) -> list[RankedMemory]:
    scores = {item.memory.id: item.score for item in ranked}
    gained = lifts(scores, [memory for memory in linking if memory.id in scores])
    return [
        replace(item, score=item.score + lift, parts=(*item.parts, ("link", lift)))
        if (lift := gained.get(item.memory.id, 0.0)) > 0
        else item
        for item in ranked
    ]


def _scored(question: Question, memory: Memory, candidate: Ranked, uses: Counts, now: datetime) -> RankedMemory:
    parts = (*candidate.parts, *_terms(question, memory, uses, now))
    return RankedMemory(
        memory=memory,
        score=total(parts),
        parts=parts,
        similarity=candidate.similarity,
        worded=candidate.worded,
    )


def _terms(question: Question, memory: Memory, uses: Counts, now: datetime) -> Iterator[tuple[str, float]]:
    count, last = uses.get(memory.id, (0, told_at(memory)))
    days = age_days(max(last, told_at(memory)), now)
    kept = retention(days, count, pinned=memory.pinned, doubted=bool(memory.doubt))
    yield "retention", RETENTION * kept
    yield "importance", IMPORTANCE * (memory.importance - MIDDLING_IMPORTANCE)
    yield "confidence", CONFIDENCE * (memory.confidence - MIDDLING_CONFIDENCE)
    if is_about(memory, question):
        yield "subject", SUBJECT
        if memory.slot in question.slots:
            yield "slot", SLOT
    if question.period:
        yield "date", DATE * max(map(question.period.match, (told_at(memory), happened_at(memory))))


def _newest_first(question: Question, ranked: Sequence[RankedMemory]) -> list[RankedMemory]:
    active = [item for item in ranked if item.memory.status is Status.ACTIVE]
    slots = question.slots & SINGLE
    told = [
        Told(
            text=item.memory.text,
            at=told_at(item.memory),
            score=item.score,
            filling=_filling(item.memory, slots),
        )
        for item in active
    ]
    lifted = {item.memory.id: lift for item, lift in zip(active, newer(attribute(question.text), told), strict=True)}
    return [
        replace(item, score=item.score + lift, parts=(*item.parts, ("newer", lift)))
        if (lift := lifted.get(item.memory.id))
        else item
        for item in ranked
    ]


def _filling(memory: Memory, slots: Collection[str]) -> tuple[str, str] | None:
    fills = memory.kind is Kind.FACT and memory.slot in slots
    return (memory.subject, memory.slot) if fills and memory.slot else None


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


def happened_at(memory: Memory) -> datetime:
    """When what a memory tells of was, as far as is known, or else when it was told."""
    known = [int(part) for part in (memory.event_date or "").split("-") if part.isdecimal()]
    year, month, day = (*known, *(0, 1, 1)[len(known) :])[:3]
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return told_at(memory)


def told_at(memory: Memory) -> datetime:
    """When the words a memory rests on were last said."""
    return memory.quotes[-1].said_at if memory.quotes else memory.created_at
