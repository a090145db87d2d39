"""What a list shows of every memory, by columns: 100,000 memories one by one would take 5 s to read."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from chatmem.domain.memory import Kind, Memory, MemoryId, Relation, Status

KINDS = tuple(Kind)
STATUSES = tuple(Status)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outline:
    """All memories, the newest first (`created_at`, then id): memory i is item i of each column.

    Attributes:
        kinds: Places in `KINDS`.
        statuses: Places in `STATUSES`.
        slots: Places in `slot_names`; -1 for none.
        slot_names: In alphabetical order.
        created: When each was learned, in microseconds since 1970.
        told: When the words that it rests on were last said, or else when it was learned; likewise.
        importances: [0, 1].
        pinned: 1 or 0.
        contradictions: Memories, and the one that each contradicts.
    """

    ids: Sequence[MemoryId]
    texts: Sequence[str]
    kinds: "array[int]"
    statuses: "array[int]"
    slots: "array[int]"
    slot_names: tuple[str, ...]
    created: "array[int]"
    told: "array[int]"
    importances: "array[float]"
    pinned: "array[int]"
    contradictions: tuple[tuple[MemoryId, MemoryId], ...]

    def __len__(self) -> int:
        """Number of memories."""
        return len(self.ids)

    def kind(self, at: int) -> Kind:
        """The kind of one memory."""
        return KINDS[self.kinds[at]]

    def status(self, at: int) -> Status:
        """The status of one memory."""
        return STATUSES[self.statuses[at]]

    def slot(self, at: int) -> str | None:
        """The slot of one memory."""
        place = self.slots[at]
        return None if place < 0 else self.slot_names[place]


def outlined(memories: Iterable[Memory]) -> Outline:
    """The outline of some memories, in any order."""
    ordered = sorted(memories, key=lambda memory: (memory.created_at, memory.id), reverse=True)
    slot_names = tuple(sorted({memory.slot for memory in ordered if memory.slot is not None}))
    place = {name: at for at, name in enumerate(slot_names)}
    return Outline(
        ids=[memory.id for memory in ordered],
        texts=[memory.text for memory in ordered],
        kinds=array("b", (KINDS.index(memory.kind) for memory in ordered)),
        statuses=array("b", (STATUSES.index(memory.status) for memory in ordered)),
        slots=array("i", (-1 if memory.slot is None else place[memory.slot] for memory in ordered)),
        slot_names=slot_names,
        created=array("q", (microseconds(memory.created_at) for memory in ordered)),
        told=array("q", (microseconds(told_at(memory)) for memory in ordered)),
        importances=array("d", (memory.importance for memory in ordered)),
        pinned=array("b", (memory.pinned for memory in ordered)),
        contradictions=tuple(
            (memory.id, link.to) for memory in ordered for link in memory.links if link.relation is Relation.CONTRADICTS
        ),
    )


def told_at(memory: Memory) -> datetime:
    """When the words that a memory rests on were last said, or else when it was learned."""
    return memory.quotes[-1].said_at if memory.quotes else memory.created_at


def microseconds(at: datetime) -> int:
    """A time in microseconds since 1970."""
    return (at - _EPOCH) // _MICROSECOND


def moment(since_epoch: int) -> datetime:
    """The time of so many microseconds since 1970."""
    return _EPOCH + since_epoch * _MICROSECOND
