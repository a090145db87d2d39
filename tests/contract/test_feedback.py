"""What became of what was recalled, whoever keeps it."""

from collections.abc import Iterator

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.feedback import SqliteFeedback
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.errors import NotFoundError
from chatmem.domain.memory import MemoryId
from chatmem.domain.recall import Opinion, Recalled, Source, Tier
from chatmem.domain.turn import TurnId
from chatmem.ports.feedback import Feedback
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import NOON, a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.feedback import FakeFeedback
from tests.fakes.session_log import FakeSessionLog

Pair = tuple[SessionLog, Feedback]
TURN = TurnId("s1t1")


@pytest.fixture(params=["fake", "sqlite"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    if request.param == "fake":
        fake = FakeSessionLog()
        yield fake, FakeFeedback(fake)
        return
    with Database(None) as database:
        yield SqliteSessionLog(database, FakeClock()), SqliteFeedback(database)


def recalled(log: SessionLog, *ids: str) -> None:
    log.open_session(a_session())
    log.append(a_turn(1))
    items = [Recalled(id=MemoryId(id_), source=Source.FACT, text="x", score=1.0, said_at=NOON) for id_ in ids]
    log.save_recalled(TURN, items, ms=1.0)


def test_where_the_best_lay_and_what_was_used_is_kept(pair: Pair) -> None:
    log, feedback = pair
    recalled(log, "m1", "m2")

    feedback.save(TURN, Tier.LEARNED, ["m2"])

    assert feedback.tier(TURN) is Tier.LEARNED
    assert feedback.used(TURN) == {"m1": False, "m2": True}


def test_nothing_is_known_before_the_answer(pair: Pair) -> None:
    log, feedback = pair
    recalled(log, "m1")

    assert feedback.tier(TURN) is None
    assert feedback.used(TURN) == {}


def test_where_nothing_bore_on_the_question_there_is_no_tier(pair: Pair) -> None:
    log, feedback = pair
    recalled(log, "m1")
    feedback.save(TURN, Tier.SAID, [])

    feedback.save(TURN, None, [])

    assert feedback.tier(TURN) is None


def test_the_word_of_the_person_stands(pair: Pair) -> None:
    log, feedback = pair
    recalled(log, "m1", "m2")
    feedback.mark(TURN, "m1", used=False)

    feedback.save(TURN, Tier.LEARNED, ["m1", "m2"])

    assert feedback.used(TURN) == {"m1": False, "m2": True}


def test_what_was_not_recalled_can_not_be_marked(pair: Pair) -> None:
    log, feedback = pair
    recalled(log, "m1")

    with pytest.raises(NotFoundError, match="m9"):
        feedback.mark(TURN, "m9", used=True)


def test_a_turn_for_which_nothing_was_recalled_is_passed_over(pair: Pair) -> None:
    log, feedback = pair
    log.open_session(a_session())
    log.append(a_turn(1))

    feedback.save(TURN, Tier.SAID, ["m1"])

    assert (feedback.tier(TURN), feedback.used(TURN)) == (None, {})


def test_the_last_opinion_of_an_answer_stands(pair: Pair) -> None:
    log, feedback = pair
    log.open_session(a_session())
    answer = log.append(a_turn(1))
    before = feedback.opinion(answer.id)

    feedback.save_opinion(answer.id, Opinion(liked=True, marked=False))
    feedback.save_opinion(answer.id, Opinion(liked=False, marked=True))

    assert before is None
    assert feedback.opinion(answer.id) == Opinion(liked=False, marked=True)


def test_how_a_score_came_about_is_kept(pair: Pair) -> None:
    log, feedback = pair
    recalled(log, "m1")
    parts = (("words", 1.25), ("meaning", -0.5))
    item = Recalled(
        id=MemoryId("m2"), source=Source.FACT, text="x", score=0.75, said_at=NOON, parts=parts, injected=True
    )

    log.save_recalled(TURN, [item], ms=1.0)
    assert feedback.parts(TURN) == {"m2": parts}

    log.save_recalled(TURN, [], ms=1.0)
    assert feedback.parts(TURN) == {"m2": parts}
    assert feedback.parts(TurnId("t404")) == {}
