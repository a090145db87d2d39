"""What becomes of memories that wait for the person's word, and of those that contradict one another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from chatmem.consolidation.reconcile import closed
from chatmem.domain.change import Change
from chatmem.domain.memory import Link, Memory, Relation, Status

Keep = Literal["new", "old", "both"]
"""Which side of a contradiction stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A memory, and those that it contradicts."""

    new: Memory
    old: tuple[Memory, ...]


def resolved(conflict: Conflict, keep: Keep, now: datetime) -> list[Change]:
    """What settles a contradiction: the side that goes stays readable."""
    new, old = conflict.new, conflict.old
    settled = replace(new, status=Status.ACTIVE, waits_for=None, updated_at=now)
    match keep:
        case "new":
            links = _links(new, Relation.REPLACES)
            gone = [(one, closed(one, by=new)) for one in old]
            return [
                Change(before=new, after=replace(settled, links=links)),
                *(Change(before=before, after=replace(after, updated_at=now)) for before, after in gone),
            ]
        case "old":
            return [Change(before=new, after=put_aside(new, now))]
        case "both":
            return [Change(before=new, after=replace(settled, links=_links(new, Relation.RELATED)))]


def put_aside(memory: Memory, now: datetime) -> Memory:
    """A memory that is taken out of recall, and can be brought back."""
    return replace(memory, status=Status.RETIRED, waits_for=None, updated_at=now)


def taken_up(memory: Memory, now: datetime) -> Memory:
    """A memory that takes part in recall, after it waited or was put aside."""
    return replace(memory, status=Status.ACTIVE, waits_for=None, updated_at=now)


def contradicted(memory: Memory, others: Sequence[Memory]) -> tuple[Memory, ...]:
    """Those of other memories that a memory is known to contradict, and that still hold."""
    ids = {link.to for link in memory.links if link.relation is Relation.CONTRADICTS}
    return tuple(other for other in others if other.id in ids and other.status is Status.ACTIVE)


def _links(memory: Memory, relation: Relation) -> tuple[Link, ...]:
    """A memory's links, with those to what it contradicts made another."""
    return tuple(
        replace(link, relation=relation) if link.relation is Relation.CONTRADICTS else link for link in memory.links
    )
