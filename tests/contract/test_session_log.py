"""What every session log does."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest

from chatmem.domain.errors import NotFoundError
from chatmem.domain.memory import MemoryId
from chatmem.domain.model import Usage
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.turn import Attachment, AttachmentId, Role, SessionId, Turn, TurnId, TurnStatus
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import NOON, a_session, a_turn
from tests.fakes.clock import FakeClock

S1 = SessionId("s1")
NOWHERE = SessionId("nowhere")
NO_TURN = TurnId("none")


def a_reply(seq: int = 1, text: str = "", **changes: object) -> Turn:
    return a_turn(seq, text, **({"role": Role.ASSISTANT, "status": TurnStatus.STREAMING} | changes))


def an_image(name: str = "cat.png", content: bytes = b"\x89PNG", **changes: object) -> Attachment:
    values: dict[str, object] = {"id": AttachmentId(name), "name": name, "media_type": "image/png"}
    return Attachment(**({"size": len(content)} | values | changes))  # type: ignore[arg-type]  # a builder takes any field


def a_recalled(item_id: str, score: float, *, injected: bool = False) -> Recalled:
    return Recalled(
        id=MemoryId(item_id), source=Source.FACT, text="not kept", score=score, said_at=NOON, injected=injected
    )


def test_an_opened_session_is_there_and_empty(log: SessionLog) -> None:
    log.open_session(a_session(model="openai/fake"))

    session = log.session(S1)
    assert session == a_session(model="openai/fake", last_at=NOON)
    assert log.turns(S1) == []


def test_opening_a_session_again_leaves_it_as_it_is(log: SessionLog) -> None:
    log.open_session(a_session())
    log.append(a_turn(1))

    log.open_session(a_session(title="Another"))

    assert log.session(S1).title == "Session 1"
    assert log.session(S1).turn_count == 1


def test_a_turn_comes_back_as_it_was_given(log: SessionLog) -> None:
    log.open_session(a_session())
    given = a_turn(1, "Žluťoučký 🐎\n\ttabbed", speaker="Ana", model="m", error="e", status=TurnStatus.FAILED)

    assert log.append(given) == given
    assert log.turn(given.id) == given


def test_turns_are_numbered_from_one_whatever_they_say(log: SessionLog) -> None:
    log.open_session(a_session())

    seqs = [log.append(a_turn(77, id=TurnId(turn_id))).seq for turn_id in ("a", "b", "c")]

    assert seqs == [1, 2, 3]
    assert [turn.seq for turn in log.turns(S1)] == [1, 2, 3]


def test_appending_a_turn_twice_changes_nothing(log: SessionLog) -> None:
    log.open_session(a_session())
    first = log.append(a_turn(1))

    again = log.append(a_turn(1, "Other words."))

    assert again == first
    assert log.turns(S1) == [first]


def test_what_is_written_together_is_all_there_afterwards(log: SessionLog) -> None:
    with log.together():
        log.open_session(a_session())
        log.append(a_turn(1))
        log.append(a_turn(2))

    assert [turn.seq for turn in log.turns(S1)] == [1, 2]


def test_an_error_undoes_all_that_was_to_be_written_together(log: SessionLog) -> None:
    log.open_session(a_session())

    def append_and_fail() -> None:
        with log.together():
            log.append(a_turn(1))
            log.rename(NOWHERE, "Title")

    with pytest.raises(NotFoundError):
        append_and_fail()

    assert log.turns(S1) == []


def test_an_error_that_is_dealt_with_undoes_only_what_failed(log: SessionLog) -> None:
    log.open_session(a_session())

    with log.together():
        log.append(a_turn(1))
        with suppress(NotFoundError):
            log.rename(NOWHERE, "Title")

    assert [turn.seq for turn in log.turns(S1)] == [1]


def test_a_lone_surrogate_does_no_harm(log: SessionLog) -> None:
    log.open_session(a_session())

    stored = log.append(a_turn(1, "half \ud83d and whole \U0001f40e"))
    log.rename(S1, "\udcff")

    assert stored.text == "half \ufffd and whole \U0001f40e"
    assert log.turn(stored.id) == stored
    assert log.session(S1).title == "\ufffd"
    with pytest.raises(NotFoundError):
        log.session(SessionId("\udcff"))


def test_a_long_text_with_nul_is_kept_whole(log: SessionLog) -> None:
    log.open_session(a_session())
    text = "a\x00b" * 300_000

    log.append(a_turn(1, text))

    assert log.turn(TurnId("s1t1")).text == text


def test_part_of_a_session_can_be_read(log: SessionLog) -> None:
    log.open_session(a_session())
    for number in range(1, 6):
        log.append(a_turn(number))

    assert [turn.seq for turn in log.turns(S1, first=2, last=4)] == [2, 3, 4]
    assert [turn.seq for turn in log.turns(S1, first=4)] == [4, 5]
    assert log.turns(S1, first=6) == []


def test_sessions_with_turns_are_listed_the_last_spoken_in_first(log: SessionLog) -> None:
    for number in (1, 2, 3, 4):
        log.open_session(a_session(number))
    for number, minutes in ((1, 5), (2, 30), (3, 10)):
        at = NOON + timedelta(minutes=minutes)
        log.append(a_turn(1, id=TurnId(f"t{number}"), session_id=SessionId(f"s{number}"), said_at=at))

    assert [session.id for session in log.sessions()] == ["s2", "s3", "s1"]
    assert [session.id for session in log.sessions(limit=2)] == ["s2", "s3"]
    assert log.sessions()[0].last_at == NOON + timedelta(minutes=30)
    assert log.sessions()[0].turn_count == 1


def test_a_session_is_changed_without_touching_the_rest(log: SessionLog) -> None:
    log.open_session(a_session())

    log.rename(S1, "Moving house")
    log.set_model(S1, "ollama/llama3")
    log.save_summary(S1, "They talked.", 4)

    session = log.session(S1)
    assert (session.title, session.model) == ("Moving house", "ollama/llama3")
    assert (session.summary, session.summarised_to) == ("They talked.", 4)


def test_a_reply_is_saved_as_it_arrives(log: SessionLog) -> None:
    log.open_session(a_session())
    reply = log.append(a_reply())

    log.save_reply(reply.id, text="Por", status=TurnStatus.STREAMING)
    log.save_reply(reply.id, text="Porto.", status=TurnStatus.FAILED, error="The line was cut.")

    saved = log.turn(reply.id)
    assert (saved.text, saved.status, saved.error) == ("Porto.", TurnStatus.FAILED, "The line was cut.")


def test_a_reply_keeps_what_the_model_thought_and_why_it_ended(log: SessionLog) -> None:
    log.open_session(a_session())
    reply = log.append(a_reply())

    log.save_reply(reply.id, text="Por", status=TurnStatus.COMPLETE, reasoning="A city…", finish_reason="length")

    saved = log.turns(S1)[0]
    assert (saved.reasoning, saved.finish_reason) == ("A city…", "length")


def test_a_reply_names_the_model_that_gave_it_in_the_end(log: SessionLog) -> None:
    log.open_session(a_session())
    reply = log.append(a_reply(text="Porto.", model="first", status=TurnStatus.COMPLETE))
    log.mark_indexed([reply])

    log.answered_by(reply.id, "second")

    assert log.turn(reply.id).model == "second"
    assert log.unindexed(limit=10) == []


def test_usage_of_a_reply_can_be_noted_again(log: SessionLog) -> None:
    log.open_session(a_session())
    reply = log.append(a_reply())

    log.save_usage(reply.id, Usage(prompt_tokens=3, completion_tokens=4), ms=10.0)
    log.save_usage(reply.id, Usage(prompt_tokens=3, completion_tokens=9, cost_usd=0.01), ms=12.0)

    assert log.turn(reply.id) == reply
    assert log.usage(S1) == {reply.id: Usage(prompt_tokens=3, completion_tokens=9, cost_usd=0.01)}


def test_usage_is_told_of_the_replies_of_one_session_on_all_its_branches(log: SessionLog) -> None:
    log.open_session(a_session(1))
    log.open_session(a_session(2))
    first = log.append(a_reply(1))
    second = log.append_beside(a_reply(2), first.id)
    other = log.append(a_reply(3, session_id=SessionId("s2")))
    for tokens, reply in enumerate((first, second, other), 1):
        log.save_usage(reply.id, Usage(prompt_tokens=tokens), ms=1.0)

    assert log.usage(S1) == {first.id: Usage(prompt_tokens=1), second.id: Usage(prompt_tokens=2)}


def test_before_the_first_reply_nothing_was_used(log: SessionLog) -> None:
    log.open_session(a_session())

    assert log.usage(S1) == {}


def test_images_of_a_turn_are_kept_in_their_order(log: SessionLog) -> None:
    log.open_session(a_session())
    given = a_turn(1, attachments=(an_image("b.png"), an_image("a.jpg", media_type="image/jpeg")))

    assert log.append(given, [b"\x89PNG", bytes(300_000)]) == given
    assert log.turns(S1) == [given]
    assert log.attachment(AttachmentId("b.png")) == b"\x89PNG"
    assert log.attachment(AttachmentId("a.jpg")) == bytes(300_000)


def test_redaction_takes_the_reasoning_and_the_images_of_a_turn(log: SessionLog) -> None:
    log.open_session(a_session())
    given = a_reply(1, "Words.", reasoning="Thoughts.", error="Words failed.", attachments=(an_image(),))
    turn = log.append(given, [b"\x89PNG"])

    log.redact(turn.id, "▇▇▇▇.", "▇▇▇▇ failed.")

    left = log.turn(turn.id)
    assert (left.text, left.reasoning, left.error, left.attachments) == ("▇▇▇▇.", "", "▇▇▇▇ failed.", ())
    with pytest.raises(NotFoundError, match=r"no attachment cat\.png"):
        log.attachment(AttachmentId("cat.png"))


def test_a_reply_not_saved_for_long_is_interrupted(log: SessionLog, clock: FakeClock) -> None:
    log.open_session(a_session())
    lost = log.append(a_reply(1, "Half an ans"))
    ended = log.append(a_reply(2, "Whole.", status=TurnStatus.COMPLETE))
    running = log.append(a_reply(3))
    clock.advance(60)
    log.save_reply(running.id, text="Still", status=TurnStatus.STREAMING)

    assert log.close_interrupted(clock.now() - timedelta(seconds=30)) == 1
    assert log.turn(lost.id).status is TurnStatus.INTERRUPTED
    assert log.turn(lost.id).text == "Half an ans"
    assert log.turn(ended.id).status is TurnStatus.COMPLETE
    assert log.turn(running.id).status is TurnStatus.STREAMING


def test_what_was_recalled_is_read_back_best_first(log: SessionLog) -> None:
    log.open_session(a_session())
    turn = log.append(a_turn(1))

    log.save_recalled(turn.id, [a_recalled("m1", 0.5), a_recalled("m2", 0.75, injected=True)], ms=3.0)

    assert log.recalled(turn.id) == [("m2", 0.75, True), ("m1", 0.5, False)]


def test_recall_noted_again_keeps_what_an_earlier_answer_was_shown(log: SessionLog) -> None:
    log.open_session(a_session())
    turn = log.append(a_turn(1))
    before = [a_recalled("m1", 0.5, injected=True), a_recalled("m2", 0.25), a_recalled("m4", 0.2, injected=True)]
    log.save_recalled(turn.id, before, ms=3.0)

    log.save_recalled(turn.id, [a_recalled("m3", 1.0), a_recalled("m4", 0.3)], ms=3.0)

    assert log.recalled(turn.id) == [("m3", 1.0, False), ("m1", 0.5, True), ("m4", 0.3, True)]


def test_a_turn_without_recall_has_nothing_recalled(log: SessionLog) -> None:
    log.open_session(a_session())

    assert log.recalled(log.append(a_turn(1)).id) == []


def test_ended_turns_wait_to_be_indexed_newest_first(log: SessionLog) -> None:
    log.open_session(a_session())
    late = log.append(a_turn(1, said_at=NOON + timedelta(hours=2)))
    early = log.append(a_turn(2, said_at=NOON + timedelta(hours=1)))
    log.append(a_reply(3))

    assert log.unindexed(limit=10) == [late, early]
    assert log.unindexed(limit=1) == [late]


def test_an_indexed_turn_waits_no_longer(log: SessionLog) -> None:
    log.open_session(a_session())
    first, second = log.append(a_turn(1)), log.append(a_turn(2))

    log.mark_indexed([first])

    assert log.unindexed(limit=10) == [second]


def test_a_turn_that_changed_while_it_was_indexed_still_waits(log: SessionLog) -> None:
    log.open_session(a_session())
    turn = log.append(a_turn(1, "My card is 1234."))
    log.redact(turn.id, "My card is ▇▇▇▇.")

    log.mark_indexed([turn])

    assert [waiting.text for waiting in log.unindexed(limit=10)] == ["My card is ▇▇▇▇."]


@pytest.mark.parametrize("change", ["redact", "save_reply", "mark_all_unindexed"])
def test_a_new_wording_is_indexed_anew(log: SessionLog, change: str) -> None:
    log.open_session(a_session())
    turn = log.append(a_reply(1, "Words."))
    log.mark_indexed([turn])

    if change == "redact":
        log.redact(turn.id, "▇▇▇▇.")
    elif change == "mark_all_unindexed":
        log.mark_all_unindexed()
    log.save_reply(turn.id, text="More words.", status=TurnStatus.COMPLETE)

    assert [waiting.id for waiting in log.unindexed(limit=10)] == [turn.id]


def test_an_interrupted_reply_waits_to_be_indexed(log: SessionLog, clock: FakeClock) -> None:
    log.open_session(a_session())
    reply = log.append(a_reply(1, "Half"))
    clock.advance(60)

    log.close_interrupted(clock.now())

    assert [waiting.id for waiting in log.unindexed(limit=10)] == [reply.id]


@pytest.mark.parametrize(
    "ask",
    [
        lambda log: log.session(NOWHERE),
        lambda log: log.turns(NOWHERE),
        lambda log: log.rename(NOWHERE, "x"),
        lambda log: log.set_model(NOWHERE, "x"),
        lambda log: log.save_summary(NOWHERE, "x", 1),
        lambda log: log.append(a_turn(1, session_id=NOWHERE)),
        lambda log: log.alternatives(NOWHERE),
        lambda log: log.usage(NOWHERE),
        lambda log: log.search("x", session_id=NOWHERE),
        lambda log: log.save_draft(NOWHERE, "x"),
        lambda log: log.draft(NOWHERE),
    ],
)
def test_an_unknown_session_is_named(log: SessionLog, ask: Callable[[SessionLog], object]) -> None:
    with pytest.raises(NotFoundError, match="no session nowhere"):
        ask(log)


@pytest.mark.parametrize(
    "ask",
    [
        lambda log: log.turn(NO_TURN),
        lambda log: log.redact(NO_TURN, "x"),
        lambda log: log.save_reply(NO_TURN, text="x", status=TurnStatus.COMPLETE),
        lambda log: log.resume_reply(NO_TURN, "x"),
        lambda log: log.save_usage(NO_TURN, Usage(), ms=1.0),
        lambda log: log.save_recalled(NO_TURN, [], ms=1.0),
        lambda log: log.recalled(NO_TURN),
        lambda log: log.follow(NO_TURN),
        lambda log: log.answered_by(NO_TURN, "x"),
    ],
)
def test_an_unknown_turn_is_named(log: SessionLog, ask: Callable[[SessionLog], object]) -> None:
    with pytest.raises(NotFoundError, match="no turn none"):
        ask(log)
