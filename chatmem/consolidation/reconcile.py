"""What becomes of each new memory beside what is remembered already: it strengthens a memory, or is added.

Superseding a memory that says something else of the same slot has its place in `reconcile`, after `is_same`.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from chatmem.consolidation.wording import contradict, only_in, overlap
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId, JobId
from chatmem.domain.memory import Candidate, Extractor, Kind, Memory, MemoryId, Quote, memory_id
from chatmem.domain.text import words
from chatmem.ports.embedder import Vector

_SAME_COSINE = 0.92
_SAME_OVERLAP = 0.8
_TOLD_AGAIN = 0.05
_SUREST = 0.99


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A memory near a new one; `similarity` is the cosine, `None` where one of them has no vector."""

    memory: Memory
    similarity: float | None = None


def reconcile(new: Memory, neighbours: Iterable[Neighbour], now: datetime) -> Change | None:
    """Decide what a new memory changes; `None` when all of it is remembered, from these very words.

    Args:
        new: The new memory.
        neighbours: Memories that may say the same; the most similar first.
        now: When the change is made.
    """
    known = next((near.memory for near in neighbours if near.memory.id == new.id or is_same(new, near)), None)
    if known is None:
        return Change(before=None, after=new)
    unknown = [quote for quote in new.quotes if not _quoted(quote, known.quotes)]
    if not unknown:
        return None
    return Change(before=known, after=_told_again(known, unknown, now))


def is_same(new: Memory, neighbour: Neighbour) -> bool:
    """Whether two memories say the same: the same words, or nearly, with nothing that sets them apart."""
    known = neighbour.memory
    if words(known.text) == words(new.text):
        return True
    if (known.kind is Kind.PROCEDURE) != (new.kind is Kind.PROCEDURE):
        return False
    if known.subject.casefold() != new.subject.casefold() or contradict(known.text, new.text):
        return False
    # Where each has a word that the other lacks, they may say two things of one matter: `tea` and `coffee`.
    swapped = min(len(only_in(known.text, new.text)), len(only_in(new.text, known.text)))
    if overlap(known.text, new.text) >= _SAME_OVERLAP:
        return swapped == 0
    return swapped <= 1 and (neighbour.similarity or 0.0) >= _SAME_COSINE


def memory_from(candidate: Candidate, now: datetime) -> Memory:
    """The memory that a candidate becomes if nothing like it is remembered."""
    return Memory(
        id=memory_id(candidate.kind, candidate.text, candidate.quote.turn_id),
        kind=candidate.kind,
        text=candidate.text,
        extractor=candidate.extractor,
        created_at=now,
        updated_at=now,
        valid_from=candidate.quote.said_at,
        quotes=(candidate.quote,),
        subject=candidate.subject,
        slot=candidate.slot,
        event_date=candidate.event_date,
        importance=candidate.importance,
        confidence=candidate.confidence,
        model=candidate.model,
        prompt_version=candidate.prompt_version,
    )


def combined(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes made one after another, as at most one for each memory."""
    by_memory: dict[MemoryId, Change] = {}
    for change in changes:
        first = by_memory.get(change.memory_id, change)
        by_memory[change.memory_id] = Change(before=first.before, after=change.after)
    return tuple(by_memory.values())


def change_set(cause: Cause, changes: Iterable[Change], made_at: datetime, *origin: str) -> ChangeSet:
    """A change set whose id derives from where it comes from, so that making it twice gives one id."""
    digest = hashlib.blake2b("\x1f".join((cause.value, *origin)).encode(), digest_size=8).hexdigest()
    return ChangeSet(id=ChangeSetId("c" + digest), made_at=made_at, cause=cause, changes=combined(changes))


def job_change_set(job_id: JobId, first: int, by: Extractor, changes: Iterable[Change], made_at: datetime) -> ChangeSet:
    """What one extractor of a job found in the part of its stretch that begins with turn `first`."""
    return replace(change_set(Cause.CONSOLIDATION, changes, made_at, job_id, str(first), by), job_id=job_id)


def cosine(one: Vector | None, other: Vector | None) -> float | None:
    """Cosine of two vectors of norm 1; `None` where one is missing."""
    if one is None or other is None:
        return None
    return sum(a * b for a, b in zip(one, other, strict=True))


def _quoted(quote: Quote, known: Sequence[Quote]) -> bool:
    """Whether these words of this turn, or more of them, are quoted already."""
    told = f" {' '.join(words(quote.text))} "
    return any(quote.turn_id == other.turn_id and told in f" {' '.join(words(other.text))} " for other in known)


def _told_again(known: Memory, quotes: Sequence[Quote], now: datetime) -> Memory:
    return replace(
        known,
        quotes=tuple(sorted((*known.quotes, *quotes), key=lambda quote: quote.said_at)),
        confidence=max(known.confidence, min(_SUREST, known.confidence + _TOLD_AGAIN)),
        updated_at=now,
    )
