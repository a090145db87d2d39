"""What was said around a turn, whoever reads it."""

from collections.abc import Iterator

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.adapters.sqlite.talk import SqliteTalk
from chatmem.domain.turn import Role, SessionId, TurnId
from chatmem.ports.session_log import SessionLog
from chatmem.ports.talk import Talk
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.session_log import FakeSessionLog
from tests.fakes.talk import FakeTalk

Pair = tuple[SessionLog, Talk]


@pytest.fixture(params=["fake", "sqlite"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    if request.param == "fake":
        log = FakeSessionLog()
        yield log, FakeTalk(log)
        return
    with Database(None) as database:
        yield SqliteSessionLog(database, FakeClock()), SqliteTalk(database)


def filled(log: SessionLog) -> None:
    log.open_session(a_session(1))
    for seq in range(1, 6):
        log.append(a_turn(seq, f"Turn {seq}.", speaker="Ana" if seq == 2 else None))
    log.open_session(a_session(2))
    log.append(a_turn(9, "Elsewhere.", session_id=SessionId("s2"), role=Role.ASSISTANT))


def test_turns_come_with_those_around_them_once_each_and_in_order(pair: Pair) -> None:
    log, talk = pair
    filled(log)

    said = talk.around([TurnId("s1t9"), TurnId("s1t2"), TurnId("s1t3")], before=1, after=1)

    assert [(item.turn_id, item.seq) for item in said] == [
        ("s1t1", 1), ("s1t2", 2), ("s1t3", 3), ("s1t4", 4), ("s1t9", 1),
    ]  # fmt: skip


def test_who_said_it_and_when_is_told(pair: Pair) -> None:
    log, talk = pair
    filled(log)

    (said,) = talk.around([TurnId("s1t2")], before=0, after=0)

    assert (said.speaker, said.role, said.text) == ("Ana", Role.USER, "Turn 2.")
    assert said.said_at == a_turn(2).said_at


def test_ids_that_are_not_there_and_turns_without_words_are_left_out(pair: Pair) -> None:
    log, talk = pair
    filled(log)
    log.append(a_turn(6, ""))

    assert talk.around([TurnId("gone"), TurnId("s1t6")], before=0, after=0) == []
    assert talk.around([], before=1, after=1) == []


def test_words_that_were_taken_back_and_answers_that_were_given_again_are_left_out(pair: Pair) -> None:
    log, talk = pair
    filled(log)
    log.append_beside(a_turn(6, "Other words."), TurnId("s1t4"))

    said = talk.around([TurnId("s1t4"), TurnId("s1t6")], before=3, after=3)

    assert [item.turn_id for item in said] == ["s1t3", "s1t6"]


def test_the_names_of_all_who_spoke_are_known(pair: Pair) -> None:
    log, talk = pair
    assert talk.speakers() == frozenset()

    filled(log)
    for seq, name in enumerate(("Zoë", "Ana", "Bo"), 20):
        log.append(a_turn(seq, "Hello.", speaker=name))

    assert talk.speakers() == {"Ana", "Bo", "Zoë"}


def test_summaries_are_told_of_the_sessions_that_have_one(pair: Pair) -> None:
    log, talk = pair
    filled(log)
    log.save_summary(SessionId("s2"), "They spoke of elsewhere.", 1)

    summaries = talk.summaries([SessionId("s1"), SessionId("s2"), SessionId("s9")])

    assert {id_: summary.text for id_, summary in summaries.items()} == {"s2": "They spoke of elsewhere."}
    assert summaries[SessionId("s2")].last_at == a_turn(9).said_at
