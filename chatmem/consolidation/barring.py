"""Keeping what the person called wrong from being learned again, by a tombstone; the memory stays readable."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from chatmem.consolidation.reshaping import CALLED_WRONG
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, ChangeSet
from chatmem.domain.embedding import Vector, model_of
from chatmem.domain.forgetting import Tombstone, TombstoneId, marks, saying_hash, sign_code, text_hash
from chatmem.domain.memory import Memory, Relation, Status
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import MemoryFilter


def bar(writer: MemoryWriter, memories: Sequence[Memory]) -> None:
    """Leave a tombstone of each memory; what else was said in the words it rests on may still be learned.

    To be called before what is barred is written: what a crash leaves between the two is barred, not learned again.

    Raises:
        StoreError: If the journal could not be written, or the store not be read.
    """
    key, now = writer.journal.tombstone_key(), writer.clock.now()
    vectors = writer.vectors([memory.text for memory in memories])
    shared = {text_hash(text, key) for text in _told_by_others(memories, writer.store.select(MemoryFilter()))}
    writer.journal.bury(
        [_tombstone(memory, vector, key, now, shared) for memory, vector in zip(memories, vectors, strict=True)]
    )


def lift(writer: MemoryWriter, memories: Sequence[Memory]) -> None:
    """Take the tombstones away that `bar` left of these memories.

    Raises:
        StoreError: If the journal could not be written.
    """
    writer.journal.unbury(bars_of(writer, memories))


def bars_of(writer: MemoryWriter, memories: Sequence[Memory]) -> list[TombstoneId]:
    """The ids of the tombstones that `bar` leaves of these memories, whether they are there or not.

    Raises:
        StoreError: If the journal could not be read.
    """
    key = writer.journal.tombstone_key()
    return [_id(memory, key) for memory in memories]


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


def _told_by_others(wrong: Sequence[Memory], everything: Sequence[Memory]) -> Iterator[str]:
    """What the memories that live beside those called wrong say, and rest on."""
    ids = {one.id for one in wrong}
    origins = {link.to for one in wrong for link in one.links if link.relation is Relation.DERIVED_FROM}
    for one in everything:
        superseded = one.status is Status.SUPERSEDED and (one.id in origins or one.superseded_by in ids)
        called_wrong = one.status is Status.RETIRED and one.doubt == CALLED_WRONG
        if one.id not in ids and not superseded and not called_wrong:
            yield one.text
            yield from (quote.text for quote in one.quotes)


def _tombstone(
    memory: Memory, vector: Vector | None, key: bytes, now: datetime, shared: Collection[bytes]
) -> Tombstone:
    # Its own text bars it in any case, but where others rest on these very words, them it does not.
    text = text_hash(memory.text, key)
    quoted = (text_hash(quote.text, key) for quote in memory.quotes)
    told = [saying_hash(memory.text, key) if text in shared else text, *(one for one in quoted if one not in shared)]
    return Tombstone(
        id=_id(memory, key),
        made_at=now,
        turn_ids=tuple(dict.fromkeys(quote.turn_id for quote in memory.quotes)),
        hashes=tuple(dict.fromkeys(told)),
        code=sign_code(vector) if vector is not None else None,
        model=model_of(vector),
        marks=marks(memory.text, key),
        kind=memory.kind,
    )


def _id(memory: Memory, key: bytes) -> TombstoneId:
    # Of the id by itself anybody could tell whether it is that of a text they think of.
    return TombstoneId(text_hash(memory.id, key).hex())
