"""What every journal does."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.journal import SqliteJournal
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId, JobId
from chatmem.domain.errors import NotFoundError
from chatmem.domain.forgetting import Tombstone, TombstoneId
from chatmem.domain.memory import Extractor, Kind, Link, Memory, MemoryId, Relation, Status
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.turn import TurnId
from chatmem.ports.journal import Journal
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import NOON, a_fact, a_quote, a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.journal import FakeJournal
from tests.fakes.session_log import FakeSessionLog

HOME = a_fact("The user lives in Porto.")
DIET = a_fact("The user is allergic to peanuts.")


@pytest.fixture(params=["fake", "sqlite"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[SessionLog, Journal]]:
    if request.param == "fake":
        fake = FakeSessionLog()
        yield fake, FakeJournal(fake)
        return
    with Database(tmp_path / "chatmem.db") as database:
        yield SqliteSessionLog(database, FakeClock()), SqliteJournal(database)


@pytest.fixture
def log(both: tuple[SessionLog, Journal]) -> SessionLog:
    return both[0]


@pytest.fixture
def journal(both: tuple[SessionLog, Journal]) -> Journal:
    return both[1]


def a_change_set(number: int, *memories: Memory, cause: Cause = Cause.ADD) -> ChangeSet:
    return ChangeSet(
        id=ChangeSetId(f"c{number}"),
        made_at=NOON + timedelta(minutes=number),
        cause=cause,
        changes=tuple(Change(before=None, after=memory) for memory in memories),
    )


def a_tombstone(number: int) -> Tombstone:
    return Tombstone(
        id=TombstoneId(f"x{number}"),
        made_at=NOON + timedelta(minutes=number),
        turn_ids=(TurnId("s1t1"), TurnId("s1t2")),
        hashes=(b"\x00\xff", b"\x01" * 16),
        code=b"\xa5" if number % 2 else None,
        marks=b"\x01\xa5" if number % 2 else b"",
        model="tiny" if number % 2 else None,
    )


def test_a_change_set_comes_back_as_it_was_given(journal: Journal) -> None:
    full = a_fact(
        'Says "olá"\nand \\ more 🐎',
        kind=Kind.PROCEDURE,
        extractor=Extractor.MODEL,
        quotes=(a_quote("one"), a_quote("two", "s1t2")),
        subject="Ana",
        slot="home",
        event_date="2025-03",
        status=Status.SUPERSEDED,
        importance=0.1,
        confidence=1 / 3,
        pinned=True,
        model="m",
        prompt_version="abc",
        valid_to=NOON + timedelta(microseconds=1),
        superseded_by=MemoryId("m2"),
    )
    given = ChangeSet(
        id=ChangeSetId("c1"),
        made_at=NOON,
        cause=Cause.CONSOLIDATION,
        changes=(Change(before=HOME, after=full), Change(before=None, after=DIET)),
        job_id=JobId("j1"),
    )

    journal.record(given)

    assert journal.change_sets() == [given]


def test_recording_a_change_set_twice_changes_nothing(journal: Journal) -> None:
    journal.record(a_change_set(1, HOME))
    journal.record(a_change_set(1, DIET))

    assert journal.change_sets() == [a_change_set(1, HOME)]


def test_an_empty_change_set_is_kept(journal: Journal) -> None:
    journal.record(a_change_set(1))

    assert journal.change_sets() == [a_change_set(1)]


def test_change_sets_are_listed_newest_first(journal: Journal) -> None:
    for number in (1, 2, 3):
        journal.record(a_change_set(number, HOME, DIET))

    assert [changes.id for changes in journal.change_sets()] == ["c3", "c2", "c1"]
    assert journal.change_sets(limit=2) == [a_change_set(3, HOME, DIET), a_change_set(2, HOME, DIET)]


def test_change_sets_wait_oldest_first_until_they_are_applied(journal: Journal) -> None:
    for number in (1, 2, 3):
        journal.record(a_change_set(number, HOME))

    journal.mark_applied(ChangeSetId("c2"))

    assert [changes.id for changes in journal.unapplied()] == ["c1", "c3"]


def test_the_latest_state_of_each_memory_is_known(journal: Journal) -> None:
    moved = replace(HOME, text="The user lives in Lisbon.")
    journal.record(a_change_set(1, HOME, DIET))
    journal.record(
        ChangeSet(id=ChangeSetId("c2"), made_at=NOON, cause=Cause.EDIT, changes=(Change(before=HOME, after=moved),))
    )

    assert journal.latest() == [DIET, moved]


def test_an_erased_memory_leaves_no_change(journal: Journal) -> None:
    journal.record(a_change_set(1, HOME))
    journal.record(a_change_set(2, HOME, DIET))
    journal.record(a_change_set(3))

    journal.erase_memories([HOME.id])

    assert journal.change_sets() == [a_change_set(3), a_change_set(2, DIET)]
    assert journal.latest() == [DIET]


def test_memories_that_share_a_change_set_can_be_erased_together(journal: Journal) -> None:
    journal.record(a_change_set(1, HOME, DIET))

    journal.erase_memories([HOME.id, DIET.id])

    assert journal.change_sets() == []


def test_an_erased_memory_leaves_no_use_and_no_mention(log: SessionLog, journal: Journal) -> None:
    log.open_session(a_session())
    turn = log.append(a_turn(1))
    found = [
        Recalled(id=memory.id, source=Source.FACT, text=memory.text, score=1.0, said_at=NOON) for memory in (HOME, DIET)
    ]
    log.save_recalled(turn.id, found, ms=1.0)
    journal.note_use([HOME.id, DIET.id], NOON)

    journal.erase_memories([HOME.id])

    assert [item_id for item_id, _, _ in log.recalled(turn.id)] == [DIET.id]
    assert list(journal.uses()) == [DIET.id]


def test_a_rewritten_memory_has_no_older_wording_left(journal: Journal) -> None:
    blotted = replace(HOME, text="The user lives in [forgotten].")
    edited = ChangeSet(id=ChangeSetId("c2"), made_at=NOON, cause=Cause.EDIT, changes=(Change(before=HOME, after=HOME),))
    journal.record(a_change_set(1, HOME, DIET))
    journal.record(edited)

    journal.rewrite([blotted])

    assert journal.change_sets() == [
        replace(edited, changes=(Change(before=blotted, after=blotted),)),
        a_change_set(1, blotted, DIET),
    ]


def test_erasing_what_is_not_there_does_nothing(journal: Journal) -> None:
    journal.record(a_change_set(1, HOME))

    journal.erase_memories([MemoryId("m0")])

    assert journal.latest() == [HOME]


def test_tombstones_come_back_as_they_were_given_oldest_first(journal: Journal) -> None:
    journal.bury([a_tombstone(1), a_tombstone(2)])
    journal.bury([a_tombstone(2)])

    assert journal.tombstones() == [a_tombstone(1), a_tombstone(2)]


def test_the_key_of_tombstones_stays_the_same(journal: Journal) -> None:
    key = journal.tombstone_key()

    assert len(key) == 32
    assert journal.tombstone_key() == key


def test_forgetting_that_was_begun_is_known_until_it_ends(journal: Journal) -> None:
    assert journal.unfinished_forgetting() == ([], [])

    journal.begin_forgetting([HOME.id, DIET.id], [TurnId("s1t1")])
    journal.begin_forgetting([HOME.id], [TurnId("s1t2")])
    assert journal.unfinished_forgetting() == ([HOME.id, DIET.id], ["s1t1", "s1t2"])

    journal.end_forgetting()
    assert journal.unfinished_forgetting() == ([], [])


def test_use_is_counted_once_a_time_however_often_it_is_named(journal: Journal) -> None:
    later = NOON + timedelta(hours=1)
    journal.note_use([HOME.id, HOME.id], later)
    journal.note_use([HOME.id, DIET.id], NOON)

    assert journal.uses() == {HOME.id: (2, later), DIET.id: (1, NOON)}


def test_the_last_word_on_some_memories_can_be_asked_for(journal: Journal) -> None:
    journal.record(a_change_set(1, HOME, DIET))
    moved = replace(HOME, text="The user lives in Faro.")
    journal.record(
        ChangeSet(id=ChangeSetId("c2"), made_at=NOON, cause=Cause.ADD, changes=(Change(before=HOME, after=moved),))
    )

    assert journal.latest([HOME.id, MemoryId("none")]) == [moved]
    assert journal.latest([]) == []


def test_one_change_set_is_found_by_its_id(journal: Journal) -> None:
    journal.record(a_change_set(1, HOME))
    journal.record(a_change_set(2, DIET))

    assert journal.change_set(ChangeSetId("c1")) == a_change_set(1, HOME)
    with pytest.raises(NotFoundError):
        journal.change_set(ChangeSetId("c9"))


def test_a_memory_that_was_taken_back_is_known_as_such_and_no_more_among_the_latest(journal: Journal) -> None:
    undo = ChangeSet(
        id=ChangeSetId("c2"),
        made_at=NOON,
        cause=Cause.UNDO,
        changes=(Change(before=HOME, after=None),),
        undoes=ChangeSetId("c1"),
    )
    journal.record(a_change_set(1, HOME, DIET))
    journal.record(undo)

    assert journal.change_sets(limit=1) == [undo]
    assert journal.latest() == [DIET]
    assert journal.taken_back() == [HOME]
    assert journal.latest([HOME.id, DIET.id]) == [DIET]


def test_rewriting_leaves_a_memory_that_was_taken_back_as_it_is(journal: Journal) -> None:
    journal.record(a_change_set(1, HOME))
    gone = (Change(before=HOME, after=None),)
    journal.record(ChangeSet(id=ChangeSetId("c2"), made_at=NOON, cause=Cause.UNDO, changes=gone))

    journal.rewrite([replace(HOME, text="[forgotten]")])

    assert journal.latest() == []
    assert [memory.text for memory in journal.taken_back()] == ["[forgotten]"]


def test_the_last_upkeep_is_kept(journal: Journal) -> None:
    assert journal.last_upkeep() is None

    journal.note_upkeep(NOON)
    journal.note_upkeep(NOON + timedelta(days=1))

    assert journal.last_upkeep() == NOON + timedelta(days=1)


def test_a_use_that_was_none_is_taken_back(journal: Journal) -> None:
    journal.note_use([HOME.id, DIET.id], NOON)
    journal.note_use([HOME.id], NOON)

    journal.take_back_use([HOME.id, DIET.id])
    journal.take_back_use([DIET.id])

    assert journal.uses() == {HOME.id: (1, NOON)}


def a_part(number: int, *changes: Change, job: str = "j1") -> ChangeSet:
    return replace(a_change_set(number), cause=Cause.CONSOLIDATION, changes=changes, job_id=JobId(job))


def test_what_a_job_records_in_parts_is_read_as_one_change_set(journal: Journal) -> None:
    surer = replace(HOME, confidence=0.9)
    first, last = Change(before=None, after=HOME), Change(before=HOME, after=surer)
    also = Change(before=None, after=DIET)
    journal.record(a_part(1, first))
    journal.record(a_change_set(2, DIET))
    journal.record(a_part(3, last, also))

    expected = replace(a_part(3, Change(before=None, after=surer), also), id=ChangeSetId("c1"))
    assert journal.change_sets() == [expected, a_change_set(2, DIET)]
    assert journal.change_sets(limit=1) == [expected]
    assert [journal.change_set(ChangeSetId(id_)) for id_ in ("c1", "c3")] == [expected, expected]
    assert journal.parts(JobId("j1")) == [a_part(1, first), a_part(3, last, also)]
    assert [waiting.id for waiting in journal.unapplied()] == ["c1", "c2", "c3"]


def test_the_change_set_of_a_job_outlives_a_part_of_it_that_is_forgotten(journal: Journal) -> None:
    journal.record(a_part(1, Change(before=None, after=HOME)))
    journal.record(a_part(2, Change(before=None, after=DIET)))

    journal.erase_memories([HOME.id])

    assert journal.change_sets() == [a_part(2, Change(before=None, after=DIET))]
    assert journal.parts(JobId("j2")) == []


def an_edit(number: int, before: Memory, after: Memory) -> ChangeSet:
    changes = (Change(before=before, after=after),)
    return replace(a_change_set(number, cause=Cause.EDIT), changes=changes)


def test_the_history_of_a_memory_holds_its_own_changes_only(journal: Journal) -> None:
    moved = replace(HOME, text="The user lives in Lisbon.")
    journal.record(a_change_set(1, HOME, DIET))
    journal.record(a_change_set(2, replace(DIET, pinned=True)))
    journal.record(an_edit(3, HOME, moved))

    assert journal.history(HOME.id) == [an_edit(3, HOME, moved), a_change_set(1, HOME)]
    assert journal.history(MemoryId("m404")) == []


def test_a_link_is_known_from_its_other_end(journal: Journal) -> None:
    diet = replace(DIET, links=(Link(to=HOME.id, relation=Relation.RELATED),))
    journal.record(a_change_set(1, HOME, diet))
    journal.record(a_change_set(2, a_fact("The user lived in Braga.", superseded_by=HOME.id)))

    assert set(journal.linking(HOME.id)) == {DIET.id, a_fact("The user lived in Braga.").id}
    assert journal.linking(DIET.id) == []


def test_a_forgotten_memory_is_at_neither_end_of_a_link(journal: Journal) -> None:
    diet = replace(DIET, links=(Link(to=HOME.id, relation=Relation.RELATED),))
    journal.record(a_change_set(1, HOME, diet))

    journal.erase_memories([DIET.id])

    assert journal.linking(HOME.id) == []


def test_memories_are_known_as_they_once_read(journal: Journal) -> None:
    moved = replace(HOME, text="The user lives in Lisbon.")
    journal.record(a_change_set(1, HOME))
    journal.record(an_edit(3, HOME, moved))
    journal.record(a_change_set(4, DIET))
    journal.record(replace(a_change_set(5), changes=(Change(before=moved, after=None),)))

    assert journal.as_of(NOON) == []
    assert journal.as_of(NOON + timedelta(minutes=2)) == [HOME]
    assert journal.as_of(NOON + timedelta(minutes=3)) == [moved]
    assert journal.as_of(NOON + timedelta(minutes=4)) == [moved, DIET]
    assert journal.as_of(NOON + timedelta(minutes=9)) == [DIET]


def test_uses_can_be_asked_of_some(journal: Journal) -> None:
    journal.note_use([HOME.id, DIET.id], NOON)

    assert journal.uses([HOME.id, MemoryId("m404")]) == {HOME.id: (1, NOON)}


def test_a_tombstone_can_be_taken_away(journal: Journal) -> None:
    journal.bury([a_tombstone(1), a_tombstone(2)])

    journal.unbury([TombstoneId("x1"), TombstoneId("x404")])

    assert journal.tombstones() == [a_tombstone(2)]
