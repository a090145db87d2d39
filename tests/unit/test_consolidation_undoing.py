from dataclasses import replace

import pytest

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.undoing import Undo
from chatmem.domain.change import Cause, ChangeSetId
from chatmem.domain.errors import NotFoundError, RefusedError
from chatmem.domain.forgetting import Tombstone, TombstoneId, text_hash
from chatmem.domain.memory import Memory
from tests.fakes.builders import NOON
from tests.unit.consolidation_setup import Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def curator(bench: Bench) -> Curator:
    return Curator(bench.writer)


@pytest.fixture
def undo(bench: Bench) -> Undo:
    return Undo(bench.writer)


def last(bench: Bench) -> ChangeSetId:
    return bench.journal.change_sets()[0].id


def moved(bench: Bench, curator: Curator) -> tuple[Memory, Memory]:
    before = curator.add("I live in Ghent.")
    bench.clock.advance(60)
    return before, curator.add("I live in Antwerp.")


def test_undoing_restores_exactly_what_was_and_undoing_that_brings_it_again(
    bench: Bench, curator: Curator, undo: Undo
) -> None:
    before, _ = moved(bench, curator)
    both = bench.memories()

    undone = undo.run(last(bench))
    assert bench.memories() == [before]
    assert (undone.cause, bench.journal.taken_back()[0].text) == (Cause.UNDO, "I live in Antwerp.")

    bench.clock.advance(60)
    undo.run(undone.id)
    assert bench.memories() == both
    assert bench.journal.taken_back() == []


def test_a_change_to_memories_that_changed_again_is_not_undone_before_the_later_one(
    bench: Bench, curator: Curator, undo: Undo
) -> None:
    memory = curator.add("I row.")
    added = last(bench)
    curator.pin(memory.id)
    pinned = last(bench)

    with pytest.raises(RefusedError, match=pinned):
        undo.run(added)

    undo.run(pinned)
    bench.clock.advance(60)
    undo.run(added)
    assert bench.memories() == []


def test_a_change_is_not_undone_twice(bench: Bench, curator: Curator, undo: Undo) -> None:
    curator.add("I row.")
    added = last(bench)
    undone = undo.run(added)

    with pytest.raises(RefusedError, match=f"taken back already; undo {undone.id}"):
        undo.run(added)


def test_an_unknown_change_is_not_found(undo: Undo) -> None:
    with pytest.raises(NotFoundError):
        undo.run(ChangeSetId("c404"))


def test_what_was_forgotten_does_not_come_back(bench: Bench, curator: Curator, undo: Undo) -> None:
    curator.add("I row.")
    undone = undo.run(last(bench))
    hashes = (text_hash("i row", bench.journal.tombstone_key()),)
    bench.journal.bury([Tombstone(id=TombstoneId("t"), made_at=NOON, turn_ids=(), hashes=hashes)])

    with pytest.raises(RefusedError, match="forgotten"):
        undo.run(undone.id)

    assert bench.memories() == []


def test_an_undo_that_was_interrupted_is_finished(bench: Bench, curator: Curator, undo: Undo) -> None:
    memory = curator.add("I row.")
    undone = undo.run(last(bench))
    bench.store.put([memory], [None])
    bench.journal.record(replace(undone, id=ChangeSetId("again")))

    bench.writer.finish_interrupted()

    assert bench.memories() == []
