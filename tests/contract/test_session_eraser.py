"""Taking whole sessions out, whoever keeps them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.job_queue import SqliteJobQueue
from chatmem.adapters.sqlite.session_eraser import SqliteSessionEraser
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.errors import NotFoundError
from chatmem.domain.model import Usage
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.turn import Attachment, AttachmentId, SessionId, TurnId
from chatmem.ports.job_queue import JobQueue
from chatmem.ports.session_eraser import SessionEraser
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import NOON, a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.job_queue import FakeJobQueue
from tests.fakes.session_eraser import FakeSessionEraser
from tests.fakes.session_log import FakeSessionLog

Trio = tuple[SessionLog, JobQueue, SessionEraser]

S1, S2 = SessionId("s1"), SessionId("s2")
IMAGE = Attachment(id=AttachmentId("i1"), name="door.png", media_type="image/png", size=3)


@pytest.fixture(params=["fake", "sqlite"])
def trio(request: pytest.FixtureRequest) -> Iterator[Trio]:
    if request.param == "fake":
        log = FakeSessionLog()
        yield log, FakeJobQueue(log), FakeSessionEraser(log)
        return
    with Database(None) as database:
        yield SqliteSessionLog(database, FakeClock()), SqliteJobQueue(database), SqliteSessionEraser(database)


def filled(trio: Trio) -> SessionLog:
    """Two sessions; in the second one, a turn of the first was recalled."""
    log, queue, _ = trio
    log.open_session(a_session(1))
    log.append(a_turn(1, attachments=(IMAGE,)), [b"123"])
    log.append(a_turn(2))
    log.append_beside(a_turn(3), TurnId("s1t2"))
    log.save_usage(TurnId("s1t2"), Usage(prompt_tokens=1, completion_tokens=1, cost_usd=None), ms=1.0)
    log.save_draft(S1, "unsent")
    queue.enqueue(S1)
    log.open_session(a_session(2))
    log.append(a_turn(1, id=TurnId("s2t1"), session_id=S2))
    recalled = Recalled(id=TurnId("s1t1"), source=Source.TURN, text="", score=1.0, said_at=NOON)
    log.save_recalled(TurnId("s2t1"), [recalled], ms=1.0)
    return log


def test_a_session_goes_with_its_turns_of_every_branch(trio: Trio) -> None:
    log = filled(trio)

    gone = trio[2].erase([S1])

    assert sorted(gone) == ["s1t1", "s1t2", "s1t3"]
    assert trio[2].every() == [S2]
    assert [session.id for session in log.sessions()] == [S2]
    with pytest.raises(NotFoundError):
        log.turn(TurnId("s1t3"))
    with pytest.raises(NotFoundError):
        log.attachment(IMAGE.id)
    with pytest.raises(NotFoundError):
        log.draft(S1)


def test_its_mention_in_what_was_recalled_elsewhere_goes(trio: Trio) -> None:
    log = filled(trio)

    trio[2].erase([S1])

    assert log.recalled(TurnId("s2t1")) == []


@pytest.mark.parametrize(("injected", "shown"), [(True, {"s2t1"}), (False, set())])
def test_it_is_known_to_whom_a_turn_was_shown(trio: Trio, injected: bool, shown: set[str]) -> None:
    log = filled(trio)
    recalled = Recalled(id=TurnId("s1t2"), source=Source.TURN, text="", score=1.0, said_at=NOON, injected=injected)
    log.save_recalled(TurnId("s2t1"), [recalled], ms=1.0)

    assert log.shown({"s1t2", "s1t3"}) == shown


def test_one_that_is_not_there_is_passed_over(trio: Trio) -> None:
    filled(trio)

    assert trio[2].erase([SessionId("s9")]) == []


def test_a_session_in_which_nothing_was_said_is_one_of_all(trio: Trio) -> None:
    trio[0].open_session(a_session(1))

    assert trio[2].every() == [S1]


def test_what_was_begun_is_known_until_it_is_ended_and_the_hashes_after(trio: Trio) -> None:
    eraser = trio[2]
    eraser.begin([S2, S1], [b"one"], NOON)
    eraser.begin([S1], [b"one", b"two"], NOON)
    begun = eraser.unfinished()

    eraser.end()

    assert begun == [S1, S2]
    assert eraser.unfinished() == []
    assert eraser.known() == {b"one", b"two"}


def test_a_session_of_thousands_of_turns_goes() -> None:
    with Database(None) as database:
        log = SqliteSessionLog(database, FakeClock())
        log.open_session(a_session(1))
        with log.together():
            for seq in range(1, 3001):
                log.append(a_turn(seq))

        gone = SqliteSessionEraser(database).erase([S1])

    assert len(gone) == 3000


def test_hashes_are_known_since_they_were_noted_until_they_are_dropped(trio: Trio) -> None:
    _, _, sessions = trio
    later = NOON + timedelta(hours=1)
    sessions.begin([S1], {b"1" * 16, b"2" * 16}, NOON)
    sessions.begin([S2], {b"3" * 16}, later)

    before = dict(sessions.known_since())
    sessions.know_no_more(NOON)

    assert before == {NOON: 2, later: 1}
    assert sessions.known() == {b"3" * 16}
