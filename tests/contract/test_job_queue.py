"""What every job queue does."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.job_queue import SqliteJobQueue
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.errors import NotFoundError
from chatmem.domain.turn import Role, SessionId, Stretch, TurnId, TurnStatus
from chatmem.ports.job_queue import Job, JobQueue, Postponed, Progress
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import NOON, a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.job_queue import FakeJobQueue
from tests.fakes.session_log import FakeSessionLog

S1, S2 = SessionId("s1"), SessionId("s2")
LATER = NOON + timedelta(minutes=10)


@pytest.fixture(params=["fake", "sqlite"])
def both(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[tuple[SessionLog, JobQueue]]:
    if request.param == "fake":
        fake = FakeSessionLog(clock)
        yield fake, FakeJobQueue(fake)
        return
    with Database(tmp_path / "chatmem.db") as database:
        yield SqliteSessionLog(database, clock), SqliteJobQueue(database)


@pytest.fixture
def log(both: tuple[SessionLog, JobQueue]) -> SessionLog:
    return both[0]


@pytest.fixture
def queue(both: tuple[SessionLog, JobQueue]) -> JobQueue:
    return both[1]


def talk(log: SessionLog, turns: int, number: int = 1) -> None:
    session_id = SessionId(f"s{number}")
    log.open_session(a_session(number))
    done = log.session(session_id).turn_count
    for seq in range(done + 1, done + turns + 1):
        log.append(a_turn(seq, id=TurnId(f"s{number}t{seq}"), session_id=session_id))


def claimed(queue: JobQueue) -> Job:
    job = queue.claim(NOON, lease_s=60)
    assert job is not None
    return job


def test_a_job_covers_the_turns_of_a_session(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 3)

    assert queue.enqueue(S1)

    job = claimed(queue)
    assert job.stretch == Stretch(session_id=S1, first=1, last=3)
    assert job.attempts == 1


def test_a_job_covers_the_turns_of_the_current_branch(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2)
    log.append_beside(a_turn(1, "Other words.", id=TurnId("edited")), TurnId("s1t1"))

    queue.enqueue(S1)

    assert claimed(queue).stretch == Stretch(session_id=S1, first=3, last=3)
    assert not queue.enqueue(S1)


def branched(log: SessionLog) -> None:
    """A question, an answer that was left with what followed it, and another answer, which is current."""
    talk(log, 3)
    log.append_beside(a_turn(4, "Other words.", id=TurnId("beside")), TurnId("s1t2"))


def test_a_branch_that_was_left_before_its_job_is_covered_when_it_is_followed_again(
    log: SessionLog, queue: JobQueue
) -> None:
    branched(log)
    queue.enqueue(S1)
    queue.finish(claimed(queue))

    log.follow(TurnId("s1t3"))
    assert queue.enqueue(S1)
    again = claimed(queue)
    queue.finish(again)
    log.follow(TurnId("beside"))

    assert again.stretch == Stretch(session_id=S1, first=2, last=3)
    assert not queue.enqueue(S1)
    assert queue.enqueue_all() == 0


def test_a_branch_that_is_left_while_its_job_runs_waits_until_it_is_followed_again(
    log: SessionLog, queue: JobQueue
) -> None:
    talk(log, 3)
    queue.enqueue(S1)
    running = claimed(queue)
    log.append_beside(a_turn(4, "Other words.", id=TurnId("beside")), TurnId("s1t2"))

    queue.finish(running)

    assert queue.enqueue(S1)
    assert claimed(queue).stretch == Stretch(session_id=S1, first=4, last=4)
    log.follow(TurnId("s1t3"))
    assert queue.enqueue(S1)
    assert claimed(queue).stretch == Stretch(session_id=S1, first=2, last=3)


def test_a_stretch_that_is_read_again_has_a_job_of_its_own(log: SessionLog, queue: JobQueue) -> None:
    branched(log)
    log.follow(TurnId("s1t3"))
    queue.enqueue(S1)
    first = claimed(queue)
    log.follow(TurnId("beside"))
    queue.finish(first)
    log.follow(TurnId("s1t3"))

    queue.enqueue(S1)

    again = claimed(queue)
    assert again.stretch == Stretch(session_id=S1, first=2, last=3)
    log.follow(TurnId("beside"))
    queue.finish(again)
    log.follow(TurnId("s1t3"))
    queue.enqueue(S1)
    third = claimed(queue)
    assert third.stretch == again.stretch
    assert len({first.id, again.id, third.id}) == 3


def test_a_branch_that_waits_in_a_job_is_not_queued_again(log: SessionLog, queue: JobQueue) -> None:
    branched(log)
    queue.enqueue(S1)

    log.follow(TurnId("s1t3"))

    assert not queue.enqueue(S1)


def test_a_branch_that_was_just_gone_to_is_left_alone(log: SessionLog, queue: JobQueue, clock: FakeClock) -> None:
    branched(log)
    queue.enqueue(S1)
    queue.finish(claimed(queue))
    clock.advance(3600)

    log.follow(TurnId("s1t3"))

    assert not queue.enqueue(S1, quiet_since=clock.now() - timedelta(seconds=1))
    assert queue.enqueue(S1, quiet_since=clock.now())


def test_turns_that_a_job_covers_are_not_queued_again(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 3)
    queue.enqueue(S1)

    assert not queue.enqueue(S1)
    talk(log, 2)
    assert queue.enqueue(S1)

    assert claimed(queue).stretch.last == 3
    assert claimed(queue).stretch == Stretch(session_id=S1, first=4, last=5)


def test_turns_of_a_job_that_is_done_stay_covered(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 3)
    queue.enqueue(S1)
    queue.finish(claimed(queue))

    assert not queue.enqueue(S1)


def test_a_stretch_ends_before_a_reply_that_is_arriving(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2)
    log.append(a_turn(3, "", role=Role.ASSISTANT, status=TurnStatus.STREAMING))

    assert queue.enqueue(S1)
    assert claimed(queue).stretch.last == 2

    assert not queue.enqueue(S1)
    log.save_reply(TurnId("s1t3"), text="Done.", status=TurnStatus.COMPLETE)
    assert queue.enqueue(S1)


def test_too_few_turns_wait(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 3)

    assert not queue.enqueue(S1, at_least=4)
    assert queue.enqueue(S1, at_least=3)


def test_a_session_that_was_spoken_in_since_is_left_alone(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 3)
    last_at = NOON + timedelta(minutes=3)

    assert not queue.enqueue(S1, quiet_since=last_at - timedelta(seconds=1))
    assert queue.enqueue(S1, quiet_since=last_at)


def test_an_empty_session_gives_no_job(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 0)

    assert not queue.enqueue(S1)
    assert queue.enqueue_all() == 0


def test_an_unknown_session_is_named(queue: JobQueue) -> None:
    with pytest.raises(NotFoundError, match="no session s1"):
        queue.enqueue(S1)


def test_all_sessions_can_be_queued_at_once(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2, number=1)
    talk(log, 5, number=2)

    assert queue.enqueue_all(quiet_since=NOON + timedelta(minutes=3)) == 1
    assert queue.enqueue_all() == 1
    assert queue.enqueue_all() == 0
    assert queue.pending() == 2


def test_the_oldest_job_is_claimed_first_and_only_once(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2, number=2)
    talk(log, 2, number=1)
    queue.enqueue(S2)
    queue.enqueue(S1)

    assert [claimed(queue).stretch.session_id, claimed(queue).stretch.session_id] == [S2, S1]
    assert queue.claim(NOON, lease_s=60) is None


def test_jobs_of_one_session_can_be_claimed(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2, number=1)
    talk(log, 2, number=2)
    queue.enqueue_all()

    job = queue.claim(NOON, lease_s=60, session_id=S2)

    assert job is not None
    assert job.stretch.session_id == S2
    assert queue.claim(NOON, lease_s=60, session_id=S2) is None


def test_a_job_whose_holder_died_comes_back(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2)
    queue.enqueue(S1)
    first = claimed(queue)

    assert queue.claim(NOON + timedelta(seconds=59), lease_s=60) is None
    again = queue.claim(NOON + timedelta(seconds=60), lease_s=60)

    assert again is not None
    assert (again.id, again.attempts) == (first.id, 2)


def test_a_lease_can_be_prolonged(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2)
    queue.enqueue(S1)
    job = claimed(queue)

    assert queue.renew(job, NOON + timedelta(seconds=50), lease_s=60)
    assert queue.claim(NOON + timedelta(seconds=100), lease_s=60) is None


def test_a_lease_that_another_took_over_is_lost(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2)
    queue.enqueue(S1)
    stale = claimed(queue)
    queue.claim(LATER, lease_s=60)

    queue.postpone(stale, LATER, "too late")

    assert not queue.renew(stale, LATER, lease_s=60)
    assert queue.claim(LATER, lease_s=60) is None


def test_a_job_given_back_is_not_claimed_before_its_time(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2)
    queue.enqueue(S1)

    queue.postpone(claimed(queue), LATER, "The model is away.")

    assert queue.claim(LATER - timedelta(seconds=1), lease_s=60) is None
    assert queue.pending() == 1
    again = queue.claim(LATER, lease_s=60)
    assert again is not None
    assert again.attempts == 2


def test_a_finished_job_is_pending_no_more(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2, number=1)
    talk(log, 2, number=2)
    queue.enqueue_all()

    job = claimed(queue)
    queue.finish(job)

    assert queue.pending() == 1
    assert queue.pending(job.stretch.session_id) == 0
    assert not queue.renew(job, NOON, lease_s=60)
    assert claimed(queue).id != job.id


def test_what_was_said_here_comes_before_what_was_imported(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2, number=1)
    talk(log, 2, number=2)
    queue.enqueue(S1, batch="b")
    queue.enqueue(S2)

    first, second = claimed(queue), claimed(queue)

    assert (first.stretch.session_id, first.batch) == (S2, None)
    assert (second.stretch.session_id, second.batch) == (S1, "b")


def test_imports_can_be_left_waiting(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 2)
    queue.enqueue(S1, batch="b")

    assert queue.claim(NOON, lease_s=60, imports=False) is None
    assert queue.pending() == 1


def test_the_progress_of_an_import_counts_the_sessions_of_which_all_is_done(log: SessionLog, queue: JobQueue) -> None:
    for number in (1, 2):
        talk(log, 2, number)
        queue.enqueue(SessionId(f"s{number}"), batch="b")
    queue.finish(claimed(queue))
    talk(log, 1, number=1)
    queue.enqueue(S1, batch="b")

    before = queue.imported("b")
    queue.finish(claimed(queue))
    queue.finish(claimed(queue))

    assert before == Progress(done=0, sessions=2)
    assert queue.imported("b") == Progress(done=2, sessions=2)
    assert queue.imported("other") == Progress(done=0, sessions=0)


def test_the_next_attempt_knows_how_far_the_one_before_came(log: SessionLog, queue: JobQueue) -> None:
    talk(log, 4)
    queue.enqueue(S1)
    job = claimed(queue)
    queue.note_done(job, 3)
    queue.note_done(job, 2)
    queue.postpone(job, NOON, "stopped")

    assert claimed(queue).done_to == 3


def test_what_failed_is_told_until_it_is_due(log: SessionLog, queue: JobQueue) -> None:
    for number in (1, 2):
        talk(log, 2, number)
        queue.enqueue(SessionId(f"s{number}"))
    queue.postpone(claimed(queue), LATER + timedelta(hours=1), "ProviderError")
    queue.postpone(claimed(queue), LATER, "StoreError")

    assert queue.postponed(NOON) == [
        Postponed(session_id=S2, attempts=1, until=LATER, error="StoreError"),
        Postponed(session_id=S1, attempts=1, until=LATER + timedelta(hours=1), error="ProviderError"),
    ]
    assert [one.session_id for one in queue.postponed(LATER)] == [S1]
