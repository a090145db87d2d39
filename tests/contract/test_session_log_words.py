"""What every session log finds again: words, what was said before, models, drafts."""

from datetime import timedelta

import pytest

from chatmem.domain.turn import Role, SessionId, Turn, TurnId
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import NOON, a_session, a_turn

S1 = SessionId("s1")
S2 = SessionId("s2")


def say(log: SessionLog, name: str, text: str, *, minutes: float = 0, **changes: object) -> Turn:
    values = {"id": TurnId(name), "said_at": NOON + timedelta(minutes=minutes)}
    turn = a_turn(1, text, **(values | changes))
    log.open_session(a_session(id=turn.session_id))
    return log.append(turn)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("I live in Porto.", "PORTO"),
        ("ÉCOLE normale", "école"),
        ("Ich wohne in der Hauptstraße.", "HAUPTSTRASSE"),
        ("Die STRASSE ist laut.", "straße"),
        ("Привет, МИР", "привет, мир"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
        ("ポルトに住んでいます", "住んで"),
        ("a 100% sure_thing \\o/", "100% SURE_thing \\O/"),
        ("two\nlines", "two\nlines"),
        ("🦓 lives", "🦓 LIVES"),
        ("x" * 5000 + "END", "x" * 3000 + "end"),
    ],
)
def test_words_are_found_whatever_their_case(log: SessionLog, said: str, wanted: str) -> None:
    turn = say(log, "a", said)
    say(log, "b", "Something else, with a 100 percent sure thing.")

    assert log.search(wanted) == [turn]
    assert log.search(wanted, session_id=S1) == [turn]


@pytest.mark.parametrize("wanted", ["", "Lisbon", "p_rto", "p%o", "\udcff"])
def test_what_was_not_said_is_not_found(log: SessionLog, wanted: str) -> None:
    say(log, "a", "I live in Porto.")

    assert log.search(wanted) == []
    assert log.search(wanted, session_id=S1) == []


def test_the_newest_is_found_first(log: SessionLog) -> None:
    say(log, "a", "Porto, early", minutes=1)
    say(log, "b", "Porto, late", minutes=9)
    say(log, "c", "Porto, between", minutes=5, session_id=S2)
    say(log, "d", "Porto, late too", minutes=9)

    assert [turn.id for turn in log.search("porto")] == ["d", "b", "c", "a"]
    assert [turn.id for turn in log.search("porto", limit=2)] == ["d", "b"]
    assert [turn.id for turn in log.search("porto", session_id=S1)] == ["d", "b", "a"]
    assert [turn.id for turn in log.search("porto", session_id=S1, limit=1)] == ["d"]


def test_words_that_were_taken_back_are_not_found(log: SessionLog) -> None:
    say(log, "a", "I live in Porto.")
    log.append_beside(a_turn(1, "I live in Lisbon.", id=TurnId("b")), TurnId("a"))

    assert log.search("porto") == []
    assert [turn.id for turn in log.search("lisbon")] == ["b"]

    log.follow(TurnId("a"))

    assert [turn.id for turn in log.search("porto", session_id=S1)] == ["a"]


def test_what_the_user_said_comes_newest_first_and_once(log: SessionLog) -> None:
    say(log, "a", "Again.", minutes=1)
    say(log, "b", "Something new.", minutes=2, session_id=S2)
    say(log, "c", "An answer.", minutes=3, role=Role.ASSISTANT)
    for number in range(10):
        say(log, f"d{number}", "Again.", minutes=4 + number)

    assert log.said(limit=10) == ["Again.", "Something new."]
    assert log.said(limit=2) == ["Again.", "Something new."]
    assert log.said(limit=1) == ["Again."]


def test_before_the_first_turn_nothing_was_said(log: SessionLog) -> None:
    assert log.said(limit=10) == []
    assert log.models_used(limit=10) == []
    assert log.search("x") == []


def test_models_come_last_used_first(log: SessionLog) -> None:
    say(log, "a", "One.", minutes=1, role=Role.ASSISTANT, model="llama")
    say(log, "b", "Two.", minutes=2, role=Role.ASSISTANT, model="gpt")
    say(log, "c", "Three.", minutes=3, role=Role.ASSISTANT, model="llama")
    say(log, "d", "Four.", minutes=4)
    say(log, "e", "Five.", minutes=2.5, session_id=S2)
    log.set_model(S2, "claude")
    log.open_session(a_session(3, model="never talked to"))

    assert log.models_used(limit=10) == ["llama", "claude", "gpt"]
    assert log.models_used(limit=1) == ["llama"]


def test_a_draft_is_kept_for_each_session_and_for_the_next_new_one(log: SessionLog) -> None:
    log.open_session(a_session(1))
    log.open_session(a_session(2))

    log.save_draft(S1, "Half a th")
    log.save_draft(S1, "Half a thought")
    log.save_draft(None, "For a new one")

    assert (log.draft(S1), log.draft(S2), log.draft(None)) == ("Half a thought", "", "For a new one")


def test_an_empty_draft_is_none(log: SessionLog) -> None:
    log.open_session(a_session())
    log.save_draft(S1, "Half a thought")
    log.save_draft(None, "Half a thought")

    log.save_draft(S1, "")
    log.save_draft(None, "")

    assert (log.draft(S1), log.draft(None)) == ("", "")
