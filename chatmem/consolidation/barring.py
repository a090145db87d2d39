"""Keeping what the person called wrong from being learned again, by a tombstone; the memory stays readable."""

from collections.abc import Sequence
from datetime import datetime

from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, ChangeSet
from chatmem.domain.embedding import Vector, model_of
from chatmem.domain.forgetting import Tombstone, TombstoneId, marks, sign_code, text_hash
from chatmem.domain.memory import Memory, Status
from chatmem.ports.journal import Journal


def bar(writer: MemoryWriter, memories: Sequence[Memory]) -> None:
    """Leave a tombstone of each memory.

    Raises:
        StoreError: If the journal could not be written.
    """
    key, now = writer.journal.tombstone_key(), writer.clock.now()
    vectors = writer.vectors([memory.text for memory in memories])
    writer.journal.bury(
        [_tombstone(memory, vector, key, now) for memory, vector in zip(memories, vectors, strict=True)]
    )


def lift(writer: MemoryWriter, memories: Sequence[Memory]) -> None:
    """Take the tombstones away that `bar` left of these memories.

    Raises:
        StoreError: If the journal could not be written.
    """
    key = writer.journal.tombstone_key()
    writer.journal.unbury([_id(memory, key) for memory in memories])


def bars(changes: ChangeSet, journal: Journal) -> bool | None:
    """Whether a change set barred what it called wrong or, as an undo, lifted that; `None` where it did neither.

    Raises:
        NotFoundError: If it undoes what is not there any more.
        StoreError: If the journal could not be read.
    """
    if changes.cause is Cause.BARRED:
        return True
    if changes.cause is not Cause.UNDO or changes.undoes is None:
        return None
    barred = bars(journal.change_set(changes.undoes), journal)
    return None if barred is None else not barred


def called_wrong_by(changes: ChangeSet) -> list[Memory]:
    """The memories that a change set took out of recall; others it only put in doubt."""
    return [change.memory for change in changes.changes if change.memory.status is Status.RETIRED]


def _tombstone(memory: Memory, vector: Vector | None, key: bytes, now: datetime) -> Tombstone:
    told = dict.fromkeys([memory.text, *(quote.text for quote in memory.quotes)])
    return Tombstone(
        id=_id(memory, key),
        made_at=now,
        turn_ids=tuple(dict.fromkeys(quote.turn_id for quote in memory.quotes)),
        hashes=tuple(text_hash(text, key) for text in told),
        code=sign_code(vector) if vector is not None else None,
        model=model_of(vector),
        marks=marks(memory.text, key),
        kind=memory.kind,
    )


def _id(memory: Memory, key: bytes) -> TombstoneId:
    # Of the id by itself anybody could tell whether it is that of a text they think of.
    return TombstoneId(text_hash(memory.id, key).hex())
