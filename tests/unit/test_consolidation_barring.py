"""What "never learn again" bars, what it leaves alone, and what a crash or a refusal leaves of it."""

import pytest

from chatmem.consolidation.curator import Curator
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.undoing import Undo
from chatmem.domain.change import Cause, Change, ChangeSet
from chatmem.domain.errors import RefusedError, StoreError
from chatmem.domain.forgetting import Tombstone, TombstoneId, text_hash
from chatmem.domain.memory import Memory, Status, Wait
from tests.fakes.builders import NOON, a_fact, a_quote
from tests.fakes.journal import FakeJournal
from tests.unit.consolidation_setup import Bench

SENTENCE = "I live in Porto and work as a nurse."
BOTH = a_fact(SENTENCE, quotes=(a_quote(SENTENCE),))
HOME = a_fact("The user lives in Porto.", quotes=(a_quote(SENTENCE),))
WORK = a_fact("The user is a nurse.", quotes=(a_quote(SENTENCE),))


class FullJournal(FakeJournal):
    """A journal that takes no more change sets once it is full."""

    full = False

    def record(self, changes: ChangeSet) -> None:
        if self.full:
            raise StoreError("The disk is full.")
        super().record(changes)


@pytest.fixture
def journal() -> FullJournal:
    return FullJournal()


@pytest.fixture
def bench(journal: FullJournal) -> Bench:
    return Bench(journal=journal)


@pytest.fixture
def curator(bench: Bench) -> Curator:
    return Curator(bench.writer)


def stored(bench: Bench, *memories: Memory) -> None:
    changes = [Change(before=None, after=memory) for memory in memories]
    bench.writer.write(change_set(Cause.ADD, changes, bench.clock.now(), "stored"))
    bench.clock.advance(60)


def undo_last(bench: Bench) -> None:
    bench.clock.advance(60)
    Undo(bench.writer).run(bench.journal.change_sets()[0].id)


def hashed(bench: Bench, text: str) -> bool:
    told = text_hash(text, bench.journal.tombstone_key())
    return any(told in tombstone.hashes for tombstone in bench.journal.tombstones())


def test_the_other_part_of_a_split_memory_can_still_be_restored(bench: Bench, curator: Curator) -> None:
    stored(bench, BOTH)
    home, work = curator.split(BOTH.id, ["I live in Porto.", "I work as a nurse."])
    bench.clock.advance(60)
    curator.wrong([home.id], bar_it=True)
    curator.retire([work.id])

    (restored,) = curator.restore([work.id])

    assert restored.status is Status.ACTIVE
    with pytest.raises(RefusedError):
        curator.restore([home.id])


def test_another_fact_of_the_sentence_can_still_be_accepted(bench: Bench, curator: Curator) -> None:
    waiting = a_fact(WORK.text, quotes=WORK.quotes, status=Status.PENDING, waits_for=Wait.CONFIDENCE)
    stored(bench, HOME, waiting)

    curator.wrong([HOME.id], bar_it=True)

    assert [one.status for one in curator.accept([waiting.id])] == [Status.ACTIVE]


def test_another_fact_of_the_sentence_can_still_be_brought_back_by_undo(bench: Bench, curator: Curator) -> None:
    stored(bench, HOME, WORK)
    curator.retire([WORK.id])
    retired = bench.journal.change_sets()[0].id
    curator.wrong([HOME.id], bar_it=True)
    bench.clock.advance(60)

    Undo(bench.writer).run(retired)

    assert bench.store.get([WORK.id]) == [WORK]


def test_what_else_is_true_of_the_sentence_is_learned(bench: Bench, curator: Curator) -> None:
    stored(bench, HOME, WORK)

    curator.wrong([HOME.id], bar_it=True)

    married = a_fact("The user has three sisters.", quotes=(a_quote(SENTENCE),))
    assert bench.writer.forbidden([married, HOME]) == {HOME.id}


def test_a_fact_that_rests_on_the_very_text_of_a_barred_one_can_still_be_restored(
    bench: Bench, curator: Curator
) -> None:
    sisters = a_fact("The user has three sisters.", quotes=BOTH.quotes)
    stored(bench, BOTH, sisters)
    curator.wrong([BOTH.id], bar_it=True)
    curator.retire([sisters.id])

    (restored,) = curator.restore([sisters.id])

    assert restored.status is Status.ACTIVE
    with pytest.raises(RefusedError):
        curator.restore([BOTH.id])
    with pytest.raises(RefusedError):
        curator.add(SENTENCE)


def test_words_that_nothing_else_rests_on_are_barred(bench: Bench, curator: Curator) -> None:
    stored(bench, HOME)

    curator.wrong([HOME.id], bar_it=True)

    assert hashed(bench, HOME.text)
    assert hashed(bench, SENTENCE)


def test_what_a_wrong_memory_was_made_of_and_what_was_called_wrong_too_does_not_keep_words_free(
    bench: Bench, curator: Curator
) -> None:
    stored(bench, BOTH)
    home, work = curator.split(BOTH.id, ["I live in Porto.", "I work as a nurse."])
    bench.clock.advance(60)

    curator.wrong([home.id], bar_it=True)
    assert not hashed(bench, SENTENCE)

    bench.clock.advance(60)
    curator.wrong([work.id], bar_it=True)
    assert hashed(bench, SENTENCE)


def test_an_undo_that_is_refused_leaves_the_bar(bench: Bench, curator: Curator) -> None:
    stored(bench, HOME)
    curator.wrong([HOME.id], bar_it=True)
    (bar,) = bench.journal.tombstones()
    hashes = (text_hash(HOME.text, bench.journal.tombstone_key()),)
    bench.journal.bury([Tombstone(id=TombstoneId("forgotten"), made_at=NOON, turn_ids=(), hashes=hashes)])

    with pytest.raises(RefusedError, match="forgotten for good"):
        undo_last(bench)

    assert bar in bench.journal.tombstones()


def test_an_undo_that_fails_leaves_the_bar(bench: Bench, curator: Curator, journal: FullJournal) -> None:
    stored(bench, HOME)
    curator.wrong([HOME.id], bar_it=True)
    journal.full = True

    with pytest.raises(StoreError):
        undo_last(bench)

    assert len(journal.tombstones()) == 1


def test_what_is_barred_is_barred_before_it_is_written(bench: Bench, curator: Curator, journal: FullJournal) -> None:
    stored(bench, HOME)
    journal.full = True

    with pytest.raises(StoreError):
        curator.wrong([HOME.id], bar_it=True)

    assert len(journal.tombstones()) == 1


def test_what_is_barred_anew_is_barred_before_it_is_written(
    bench: Bench, curator: Curator, journal: FullJournal
) -> None:
    stored(bench, HOME)
    curator.wrong([HOME.id], bar_it=True)
    undo_last(bench)
    assert journal.tombstones() == []
    journal.full = True

    with pytest.raises(StoreError):
        undo_last(bench)

    assert len(journal.tombstones()) == 1


def test_what_a_barred_memory_was_made_of_is_put_back_in_its_place(bench: Bench, curator: Curator) -> None:
    stored(bench, HOME, WORK)
    whole = curator.merge([HOME.id, WORK.id])
    superseded = bench.store.get([HOME.id])
    bench.clock.advance(60)
    curator.wrong([whole.id], bar_it=True)
    bench.clock.advance(60)
    curator.wrong([HOME.id])

    undo_last(bench)

    assert bench.store.get([HOME.id]) == superseded
