"""What is said while learning is paused: it stays in its session, and goes nowhere else."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.job_queue import SqliteJobQueue
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.adapters.sqlite.talk import SqliteTalk
from chatmem.domain.errors import NotFoundError
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ports.job_queue import JobQueue
from chatmem.ports.session_log import SessionLog
from chatmem.ports.talk import Talk
from tests.fakes.builders import NOON, a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.job_queue import FakeJobQueue
from tests.fakes.session_log import FakeSessionLog
from tests.fakes.talk import FakeTalk

S1 = SessionId("s1")


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    log: SessionLog
    queue: JobQueue
    talk: Talk


@pytest.fixture(params=["fake", "sqlite"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[File]:
    clock = FakeClock()
    if request.param == "fake":
        log = FakeSessionLog(clock)
        yield File(log=log, queue=FakeJobQueue(log), talk=FakeTalk(log))
        return
    with Database(tmp_path / "chatmem.db") as database:
        yield File(log=SqliteSessionLog(database, clock), queue=SqliteJobQueue(database), talk=SqliteTalk(database))


def paused_after_two(log: SessionLog) -> None:
    """Turns 1 and 2 are on the record, 3 and 4 off it, 5 on it again."""
    log.open_session(a_session())
    for seq in range(1, 6):
        if seq in {3, 5}:
            log.set_off_record(S1, seq == 3)
        log.append(a_turn(seq, f"Turn {seq}."))


def test_a_session_remembers_that_learning_is_paused(file: File) -> None:
    file.log.open_session(a_session())

    file.log.set_off_record(S1, True)

    assert file.log.session(S1).off_record
    file.log.set_off_record(S1, False)
    assert not file.log.session(S1).off_record


def test_a_session_can_begin_off_the_record(file: File) -> None:
    file.log.open_session(a_session(off_record=True))

    assert file.log.session(S1).off_record
    assert file.log.append(a_turn(1)).off_record


def test_learning_can_be_paused_only_in_a_session_that_is_there(file: File) -> None:
    with pytest.raises(NotFoundError):
        file.log.set_off_record(S1, True)


def test_a_turn_stays_as_it_was_said_whatever_comes_later(file: File) -> None:
    paused_after_two(file.log)

    assert [turn.off_record for turn in file.log.turns(S1)] == [False, False, True, True, False]


def test_a_turn_that_comes_off_the_record_stays_so(file: File) -> None:
    file.log.open_session(a_session())

    assert file.log.append(a_turn(1, off_record=True)).off_record


def test_turns_off_the_record_are_not_indexed_even_when_all_are_indexed_anew(file: File) -> None:
    paused_after_two(file.log)
    file.log.mark_indexed(file.log.unindexed(limit=9))

    file.log.mark_all_unindexed()

    assert {turn.seq for turn in file.log.unindexed(limit=9)} == {1, 2, 5}


def test_a_session_all_off_the_record_waits_for_no_job(file: File) -> None:
    file.log.open_session(a_session(off_record=True))
    file.log.append(a_turn(1))

    assert file.queue.enqueue_all() == 0
    assert not file.queue.enqueue(S1)


def test_a_job_ends_with_what_is_on_the_record(file: File) -> None:
    paused_after_two(file.log)
    file.log.set_off_record(S1, True)
    file.log.append(a_turn(6))

    file.queue.enqueue(S1)

    job = file.queue.claim(NOON, lease_s=60)
    assert job is not None
    assert (job.stretch.first, job.stretch.last) == (1, 5)


def test_words_off_the_record_do_not_come_along_with_those_around_them(file: File) -> None:
    paused_after_two(file.log)

    said = file.talk.around([TurnId("s1t2")], before=1, after=3)

    assert [one.text for one in said] == ["Turn 1.", "Turn 2.", "Turn 5."]


def test_a_summary_that_may_tell_of_them_is_not_recalled(file: File) -> None:
    paused_after_two(file.log)

    file.log.save_summary(S1, "They spoke.", 4)

    assert file.talk.summaries([S1]) == {}
