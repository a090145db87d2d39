"""What becomes of each new memory beside what is remembered: it strengthens a memory, supersedes some, or is added."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import mul
from typing import Literal

from chatmem.consolidation.certainty import told_again
from chatmem.consolidation.superseding import restated, supersedes
from chatmem.consolidation.wording import contradict, only_in, overlap
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId, JobId, joined
from chatmem.domain.memory import (
    Candidate,
    Extractor,
    Kind,
    Link,
    Memory,
    MemoryId,
    Quote,
    Relation,
    Status,
    Wait,
    memory_id,
)
from chatmem.domain.text import words
from chatmem.ports.embedder import Vector

_SAME_COSINE = 0.92
_SAME_OVERLAP = 0.8
_FEW_RETIRED = 5
_SHARE_RETIRED = 0.2
"""So many memories, or this share of those that hold, a job may retire by itself; more waits for the person."""

Conflicts = Literal["newest", "both", "ask"]
"""What becomes of two memories that contradict one another: the newest holds, both do, or the person is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A memory near a new one; `similarity` is the cosine, `None` where one of them has no vector."""

    memory: Memory
    similarity: float | None = None


def reconcile(
    new: Memory, neighbours: Sequence[Neighbour], now: datetime, conflicts: Conflicts, said: str = ""
) -> tuple[Change, ...]:
    """Decide what a new memory changes; nothing, when all of it is remembered, from these very words.

    It strengthens the memory that says the same, which may be what that one waited for. Else it is added, and takes the
    place that its time gives it among those that it contradicts: it supersedes the earlier ones, and is itself
    superseded where a later one is known.

    Args:
        new: The new memory; one that is pending supersedes nothing.
        neighbours: Memories that may say the same or be superseded; the most similar first.
        now: When the change is made.
        conflicts: What to do with a memory that another contradicts.
        said: What else was stated with it.
    """
    known = next((near.memory for near in neighbours if near.memory.id == new.id or says_it(new, near)), None)
    if known is None:
        return _added(new, neighbours, now, conflicts, said)
    after = told_again(known, new, [quote for quote in new.quotes if not _quoted(quote, known.quotes)], now)
    if after == known:
        return ()
    if known.status is Status.PENDING and after.status is Status.ACTIVE:
        others = [near for near in neighbours if near.memory.id != known.id]
        taken_up, *closed_ones = _added(after, others, now, conflicts, said)
        return (replace(taken_up, before=known), *closed_ones)
    return (Change(before=known, after=after),)


def _added(
    new: Memory, neighbours: Sequence[Neighbour], now: datetime, conflicts: Conflicts, said: str
) -> tuple[Change, ...]:
    if new.status is not Status.ACTIVE:
        return (Change(before=None, after=new),)
    earlier, later = _beside(new, neighbours, said)
    if conflicts != "newest" and (earlier or later):
        links = tuple(Link(to=one.id, relation=Relation.CONTRADICTS, reason=why) for one, why in (*earlier, *later))
        new = replace(new, links=(*new.links, *links))
        if conflicts == "ask":
            new = replace(new, status=Status.PENDING, waits_for=Wait.CONFLICT)
        return (Change(before=None, after=new),)
    links = tuple(Link(to=one.id, relation=Relation.REPLACES, reason=why) for one, why in earlier)
    new = replace(new, links=(*new.links, *links))
    for one, why in earlier:
        new = restated(new, one, why)
    if later:
        new = closed(new, by=min((one for one, _ in later), key=_since))
    return (
        Change(before=None, after=new),
        *(Change(before=one, after=_closed_now(one, new, now)) for one, _ in earlier),
    )


def _beside(
    new: Memory, neighbours: Sequence[Neighbour], said: str
) -> tuple[list[tuple[Memory, str]], list[tuple[Memory, str]]]:
    """The memories that hold before a new one takes their place, and those that take its own, each with the reason."""
    earlier, later = [], []
    for near in neighbours:
        other = near.memory
        if other.status not in {Status.ACTIVE, Status.SUPERSEDED}:
            continue
        if other.valid_from <= new.valid_from:
            holds = other.valid_to is None or other.valid_to > new.valid_from
            if holds and (why := supersedes(new, other, near.similarity, said)):
                earlier.append((other, why))
        elif why := supersedes(other, new, near.similarity):
            later.append((other, why))
    return earlier, later


def closed(memory: Memory, *, by: Memory) -> Memory:
    """A memory that held until another took its place."""
    return replace(
        memory, status=Status.SUPERSEDED, valid_to=max(by.valid_from, memory.valid_from), superseded_by=by.id
    )


def _closed_now(memory: Memory, by: Memory, now: datetime) -> Memory:
    return replace(closed(memory, by=by), updated_at=now)


def _since(memory: Memory) -> datetime:
    return memory.valid_from


def says_it(new: Memory, near: Neighbour) -> bool:
    """Whether a neighbour says the same, and of the same time."""
    known = near.memory
    if known.status is Status.RETIRED or (known.valid_to is not None and known.valid_to <= new.valid_from):
        return False
    return is_same(new, near)


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
        tags=candidate.tags,
        happening=candidate.happening,
        practice=candidate.practice,
    )


def combined(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes made one after another, as at most one for each memory; what comes to nothing is left out."""
    return tuple(change for change in joined(changes) if change.before != change.after)


def change_set(cause: Cause, changes: Iterable[Change], made_at: datetime, *origin: str) -> ChangeSet:
    """A change set whose id derives from where it comes from, so that making it twice gives one id."""
    digest = hashlib.blake2b("\x1f".join((cause.value, *origin)).encode(), digest_size=8).hexdigest()
    return ChangeSet(id=ChangeSetId("c" + digest), made_at=made_at, cause=cause, changes=combined(changes))


def job_change_set(
    job_id: JobId, seqs: tuple[int, int], by: Extractor, changes: Iterable[Change], made_at: datetime
) -> ChangeSet:
    """What one extractor of a job found in the part of its stretch between two turns, both included.

    An attempt without an embedder may have cut the talk in other places, so a part is known by where it ends, too.
    """
    first, last = map(str, seqs)
    return replace(change_set(Cause.CONSOLIDATION, changes, made_at, job_id, first, last, by), job_id=job_id)


def restrained(changes: ChangeSet, active: Callable[[], int], earlier: int = 0) -> ChangeSet:
    """A change set that retires no more than a bounded share of what is remembered; else, what is new waits.

    Args:
        changes: The change set.
        active: Counts the memories that take part in recall; asked only where several would be retired.
        earlier: How many were retired by earlier parts of the same job.
    """
    retired = {change.memory_id for change in changes.changes if retires(change)}
    number = len(retired) + earlier
    if not retired or number <= _FEW_RETIRED or number <= _SHARE_RETIRED * (active() + earlier):
        return changes
    kept = (change for change in changes.changes if change.memory_id not in retired)
    return replace(changes, changes=tuple(_waiting(change, retired) for change in kept))


def retires(change: Change) -> bool:
    """Whether a change takes a memory out of recall."""
    before, after = change.before, change.after
    return before is not None and before.status is Status.ACTIVE and not (after and after.status is Status.ACTIVE)


def _waiting(change: Change, retired: set[MemoryId]) -> Change:
    """A change whose memory waits for review where it would have retired others."""
    after = change.after
    if after is None or after.status is not Status.ACTIVE or retired.isdisjoint(link.to for link in after.links):
        return change
    return replace(change, after=replace(after, status=Status.PENDING, waits_for=Wait.REVIEW))


def cosine(one: Vector | None, other: Vector | None) -> float | None:
    """Cosine of two vectors of norm 1; `None` where one is missing."""
    if one is None or other is None:
        return None
    product: float = sum(map(mul, one, other))
    return product


def _quoted(quote: Quote, known: Sequence[Quote]) -> bool:
    """Whether these words of this turn, or more of them, are quoted already."""
    told = f" {' '.join(words(quote.text))} "
    return any(quote.turn_id == other.turn_id and told in f" {' '.join(words(other.text))} " for other in known)
