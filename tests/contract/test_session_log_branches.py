"""What every session log does with answers given again and turns that were edited: a session is a tree."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chatmem.domain.errors import NotFoundError
from chatmem.domain.turn import Attachment, AttachmentId, Role, SessionId, Turn, TurnId, TurnStatus
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import NOON, a_session, a_turn

S1 = SessionId("s1")


def named(name: str, **changes: object) -> Turn:
    return a_turn(1, f"The words of {name}.", **({"id": TurnId(name)} | changes))


def talk(log: SessionLog, *names: str) -> None:
    log.open_session(a_session())
    for name in names:
        log.append(named(name))


def beside(log: SessionLog, name: str, other: str) -> Turn:
    return log.append_beside(named(name), TurnId(other))


def current(log: SessionLog) -> list[str]:
    return [turn.id for turn in log.turns(S1)]


def test_each_turn_follows_the_one_before(log: SessionLog) -> None:
    talk(log, "a", "b", "c")

    assert [turn.parent_id for turn in log.turns(S1)] == [None, "a", "b"]
    assert log.alternatives(S1) == {}


def test_what_a_turn_says_of_its_own_place_is_ignored(log: SessionLog) -> None:
    talk(log, "a")

    added = log.append(replace(named("b"), seq=9, parent_id=TurnId("nobody")))

    assert (added.seq, added.parent_id) == (2, "a")


def test_an_answer_given_again_takes_the_place_of_the_other(log: SessionLog) -> None:
    talk(log, "q", "a", "q2", "a2")

    added = beside(log, "b", "a")

    assert (added.seq, added.parent_id) == (5, "q")
    assert current(log) == ["q", "b"]
    assert log.alternatives(S1) == {"b": ("a", "b")}


def test_what_is_said_next_follows_the_new_answer(log: SessionLog) -> None:
    talk(log, "q", "a")
    beside(log, "b", "a")

    added = log.append(named("q2"))

    assert added.parent_id == "b"
    assert current(log) == ["q", "b", "q2"]


def test_the_first_turn_can_be_edited(log: SessionLog) -> None:
    talk(log, "q", "a")

    assert beside(log, "r", "q").parent_id is None
    assert current(log) == ["r"]
    assert log.alternatives(S1) == {"r": ("q", "r")}


def test_turns_of_all_branches_are_counted_and_can_be_read(log: SessionLog) -> None:
    talk(log, "q", "a")
    beside(log, "b", "a")

    assert [turn.id for turn in log.turns(S1, every_branch=True)] == ["q", "a", "b"]
    assert [turn.id for turn in log.turns(S1, first=2, last=2, every_branch=True)] == ["a"]
    assert log.turns(S1, first=2, last=2) == []
    assert log.session(S1).turn_count == 3
    assert [session.current_count for session in (log.session(S1), *log.sessions())] == [2, 2]
    assert log.turn(TurnId("a")).text == "The words of a."


def test_following_a_turn_leads_to_the_newest_that_was_said_after_it(log: SessionLog) -> None:
    talk(log, "q", "a", "q2", "a2")
    beside(log, "b2", "a2")
    beside(log, "b", "a")
    log.append(named("q3"))

    log.follow(TurnId("a"))

    assert current(log) == ["q", "a", "q2", "b2"]
    assert log.alternatives(S1) == {"a": ("a", "b"), "b2": ("a2", "b2")}


def test_one_can_go_back_and_forth_between_branches(log: SessionLog) -> None:
    talk(log, "q", "a")
    beside(log, "b", "a")
    beside(log, "c", "b")
    seen = []

    for name in ("a", "b", "c", "b", "q"):
        log.follow(TurnId(name))
        seen.append(current(log)[-1])

    assert seen == ["a", "b", "c", "b", "c"]
    assert log.alternatives(S1) == {"c": ("a", "b", "c")}


def test_following_a_turn_that_is_current_changes_nothing(log: SessionLog) -> None:
    talk(log, "q", "a")
    log.save_summary(S1, "They talked.", 2)

    log.follow(TurnId("q"))

    assert current(log) == ["q", "a"]
    assert log.session(S1).summary == "They talked."


def test_adding_a_turn_beside_twice_changes_nothing(log: SessionLog) -> None:
    talk(log, "q", "a")
    first = beside(log, "b", "a")
    log.follow(TurnId("a"))

    assert beside(log, "b", "a") == first
    assert current(log) == ["q", "a"]


def test_a_turn_beside_another_may_bring_images(log: SessionLog) -> None:
    talk(log, "q")
    image = Attachment(id=AttachmentId("i"), name="cat.png", media_type="image/png", size=3)

    added = log.append_beside(named("r", attachments=(image,)), TurnId("q"), [b"PNG"])

    assert added.attachments == (image,)
    assert log.attachment(image.id) == b"PNG"


@pytest.mark.parametrize(("summarised_to", "left"), [(1, "They talked."), (2, ""), (4, "")])
def test_a_summary_that_tells_of_turns_no_longer_current_is_dropped(
    log: SessionLog, summarised_to: int, left: str
) -> None:
    talk(log, "q", "a", "q2", "a2")
    log.save_summary(S1, "They talked.", summarised_to)

    beside(log, "b", "a")

    session = log.session(S1)
    assert (session.summary, session.summarised_to) == (left, summarised_to if left else 0)


def test_a_summary_of_the_branch_that_is_left_is_dropped(log: SessionLog) -> None:
    talk(log, "q", "a")
    beside(log, "b", "a")
    log.append(named("q2"))
    log.save_summary(S1, "They talked.", 3)

    log.follow(TurnId("a"))

    assert (log.session(S1).summary, log.session(S1).summarised_to) == ("", 0)


def test_branches_of_one_session_leave_others_alone(log: SessionLog) -> None:
    talk(log, "q", "a")
    log.open_session(a_session(2))
    log.append(named("q2", session_id=SessionId("s2")))
    log.save_summary(SessionId("s2"), "Others talked.", 1)

    log.append_beside(named("r"), TurnId("q"))
    log.follow(TurnId("q"))

    assert [turn.id for turn in log.turns(SessionId("s2"))] == ["q2"]
    assert log.session(SessionId("s2")).summary == "Others talked."
    assert log.alternatives(SessionId("s2")) == {}


def test_turns_of_every_branch_wait_to_be_indexed(log: SessionLog) -> None:
    talk(log, "q", "a")
    beside(log, "b", "a")

    assert {turn.id for turn in log.unindexed(limit=10)} == {"q", "a", "b"}


def test_a_reply_that_streams_beside_another_is_interrupted_like_any(log: SessionLog) -> None:
    talk(log, "q", "a")
    log.append_beside(named("b", role=Role.ASSISTANT, status=TurnStatus.STREAMING), TurnId("a"))
    log.follow(TurnId("a"))

    assert log.close_interrupted(NOON + timedelta(hours=1)) == 1
    assert log.turn(TurnId("b")).status is TurnStatus.INTERRUPTED


def test_a_turn_stands_beside_one_that_is_there(log: SessionLog) -> None:
    talk(log, "q")

    with pytest.raises(NotFoundError, match="no turn nobody"):
        log.append_beside(named("r"), TurnId("nobody"))

    assert current(log) == ["q"]
    assert log.session(S1).turn_count == 1
    with pytest.raises(NotFoundError, match="no attachment none"):
        log.attachment(AttachmentId("none"))


def test_a_long_session_is_no_harder_to_turn_around(log: SessionLog) -> None:
    talk(log, *(f"t{number}" for number in range(1, 1501)))

    beside(log, "u", "t1")
    log.follow(TurnId("t700"))

    assert current(log) == [f"t{number}" for number in range(1, 1501)]
