"""What every session log does with replies that are on their way: saved, taken up again, cut."""

from datetime import timedelta

import pytest

from chatmem.domain.turn import Role, SessionId, Turn, TurnId, TurnStatus
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock

CUT = "Something was forgotten."
ENDED = [TurnStatus.COMPLETE, TurnStatus.STOPPED, TurnStatus.FAILED]


def begun(log: SessionLog, text: str = "", **changes: object) -> Turn:
    log.open_session(a_session())
    return log.append(a_turn(1, text, **({"role": Role.ASSISTANT, "status": TurnStatus.STREAMING} | changes)))


@pytest.mark.parametrize("status", ENDED)
def test_a_reply_that_has_ended_is_not_saved_again(log: SessionLog, status: TurnStatus) -> None:
    reply = begun(log)

    assert log.save_reply(reply.id, text="Whole.", status=status)
    assert not log.save_reply(reply.id, text="More.", status=TurnStatus.COMPLETE)

    assert (log.turn(reply.id).text, log.turn(reply.id).status) == ("Whole.", status)


def test_a_reply_that_was_taken_for_interrupted_can_be_saved_when_its_window_wakes(
    log: SessionLog, clock: FakeClock
) -> None:
    reply = begun(log, "Half")
    log.close_interrupted(clock.now() + timedelta(hours=1))

    assert log.save_reply(reply.id, text="Whole.", status=TurnStatus.COMPLETE)

    assert (log.turn(reply.id).text, log.turn(reply.id).status) == ("Whole.", TurnStatus.COMPLETE)


@pytest.mark.parametrize("status", ENDED)
def test_a_reply_that_has_ended_can_be_taken_up_again(log: SessionLog, status: TurnStatus) -> None:
    reply = begun(log, "Half", status=status, error="Gone.", finish_reason="length", model="first", reasoning="Hm.")

    resumed = log.resume_reply(reply.id, "second")

    assert resumed == log.turn(reply.id)
    assert (resumed.text, resumed.reasoning, resumed.model) == ("Half", "Hm.", "second")
    assert (resumed.status, resumed.error, resumed.finish_reason) == (TurnStatus.STREAMING, None, None)
    assert log.save_reply(reply.id, text="Half and half.", status=TurnStatus.COMPLETE)


def test_a_reply_that_is_taken_up_again_has_given_a_sign_of_life(log: SessionLog, clock: FakeClock) -> None:
    reply = begun(log, "Half", status=TurnStatus.STOPPED)
    clock.advance(60)

    log.resume_reply(reply.id, "second")

    assert log.close_interrupted(clock.now() - timedelta(seconds=30)) == 0


def test_what_arrives_of_a_reply_that_was_cut_is_not_kept(log: SessionLog) -> None:
    reply = begun(log, "Half")

    cut = log.cut_replies(CUT)

    assert cut == [log.turn(reply.id)]
    assert (cut[0].text, cut[0].status, cut[0].error) == ("Half", TurnStatus.FAILED, CUT)
    assert not log.save_reply(reply.id, text="Whole.", status=TurnStatus.COMPLETE)
    assert log.turn(reply.id).text == "Half"
    assert log.cut_replies(CUT) == []


def test_a_reply_whose_window_only_sleeps_is_cut_too(log: SessionLog, clock: FakeClock) -> None:
    reply = begun(log, "Half")
    log.close_interrupted(clock.now() + timedelta(hours=1))

    log.cut_replies(CUT)

    assert not log.save_reply(reply.id, text="Whole.", status=TurnStatus.COMPLETE)
    assert (log.turn(reply.id).text, log.turn(reply.id).status) == ("Half", TurnStatus.INTERRUPTED)


def test_replies_of_all_sessions_and_branches_are_cut_and_nothing_else(log: SessionLog) -> None:
    here = begun(log)
    log.append_beside(a_turn(2, "Other.", id=TurnId("beside"), role=Role.ASSISTANT), here.id)
    log.open_session(a_session(2))
    there = log.append(
        a_turn(1, id=TurnId("there"), session_id=SessionId("s2"), role=Role.ASSISTANT, status=TurnStatus.STREAMING)
    )

    assert {turn.id for turn in log.cut_replies(CUT)} == {here.id, there.id}
    assert log.turn(TurnId("beside")).status is TurnStatus.COMPLETE


def test_a_reply_that_was_cut_can_be_taken_up_again(log: SessionLog) -> None:
    reply = begun(log, "Half")
    log.cut_replies(CUT)

    log.resume_reply(reply.id, "second")

    assert log.save_reply(reply.id, text="Whole.", status=TurnStatus.COMPLETE)
