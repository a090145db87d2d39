"""Pausing learning from scripts, as a person would."""

from tests.e2e.home import Home

SECRET = "My favourite colour is vermilion."


def test_what_is_asked_without_learning_is_kept_in_its_session_and_nowhere_else(place: Home) -> None:
    place.run("ask", "--no-learn", SECRET)
    place.run("ask", "--continue", "My grandmother is called Ottilie.")
    place.run("consolidate", "--wait", "--extractor", "rules")

    (session,) = place.run("sessions", "list", "--json").json()
    turns = place.run("sessions", "show", session["id"], "--json").json()["turns"]
    assert not session["learning_paused"]
    assert [turn["off_record"] for turn in turns] == [True, True, False, False]
    assert [memory["text"] for memory in place.run("memory", "list", "--json").json()] == [
        "My grandmother is called Ottilie."
    ]


def test_learning_is_paused_in_a_session_and_gone_on_with(place: Home) -> None:
    place.run("ask", "I live in Porto.")
    (session,) = place.run("sessions", "list", "--json").json()

    assert place.run("sessions", "pause", session["id"]).code == 0
    place.run("ask", "--continue", SECRET)
    assert place.run("sessions", "resume", session["id"]).code == 0
    place.run("ask", "--continue", "My sister is called Rita.")
    place.run("consolidate", "--wait", "--extractor", "rules")

    learned = [memory["text"] for memory in place.run("memory", "list", "--json").json()]
    assert sorted(learned) == ["I live in Porto.", "My sister is called Rita."]
    assert place.run("sessions", "pause", "nowhere").code == 3
