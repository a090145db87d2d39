"""The commands, run as a user runs them, against a real server on loopback."""

import json
import os
from pathlib import Path

import pytest

from tests.e2e.home import Home
from tests.fakes.openai_server import Answer, OpenAIServer

ANA = "Hi, I'm Ana. I live in Porto and I'm allergic to peanuts."


def test_what_was_told_in_one_session_is_recalled_in_the_next(place: Home, server: OpenAIServer) -> None:
    assert place.run("ask", ANA).out.strip() == "Noted."
    learned = place.run("consolidate", "--wait", "--json").json()

    answer = place.run("ask", "Can I eat peanuts?", "--json").json()

    assert learned["added"] >= 2
    assert any("allergic to peanuts" in item["text"] and item["injected"] for item in answer["recalled"])
    assert "allergic to peanuts" in server.requests[-1].last_text
    assert server.requests[-1].headers["authorization"] == "Bearer fake-key-for-tests"


def test_a_dry_run_tells_what_each_session_would_teach_the_oldest_first(place: Home) -> None:
    for said in (ANA, "I work as a nurse."):
        place.run("ask", said)
    newest, oldest = [session["id"] for session in place.run("sessions", "list", "--json").json()]

    would = place.run("consolidate", "--dry-run", "--json").json()
    lines = place.run("consolidate", "--dry-run").out.splitlines()

    of = [change["session_id"] for change in would]
    assert (set(of), of) == ({oldest, newest}, sorted(of, key=[oldest, newest].index))
    assert "nurse" in would[-1]["after"]["text"]
    assert [line.split()[0] for line in lines] == of
    assert place.run("memory", "list", "--json").json() == []


def test_a_memory_can_be_listed_shown_edited_and_traced_to_its_words(place: Home) -> None:
    place.run("ask", ANA)
    place.run("consolidate", "--wait")
    (memory,) = [m for m in place.run("memory", "list", "--json").json() if "peanuts" in m["text"]]

    shown = place.run("memory", "show", memory["id"], "--json").json()
    edited = place.run("memory", "edit", memory["id"], "Ana must not eat peanuts.", "--json").json()

    history = [step["cause"] for step in place.run("memory", "show", memory["id"], "--json").json()["history"]]
    before = place.run("memory", "search", "peanuts", "--as-of", "2020-01-01", "--json").json()

    assert (history, before) == (["consolidation", "edit"], [])
    assert shown["provenance"][0]["turn_text"] == ANA
    assert shown["provenance"][0]["quote"] in ANA
    assert (edited["id"], edited["text"]) == (memory["id"], "Ana must not eat peanuts.")


def test_forgetting_leaves_no_byte_and_says_so(place: Home) -> None:
    place.run("ask", ANA)
    place.run("consolidate", "--wait")

    refused = place.run("memory", "forget", "--search", "peanuts")
    proof = place.run("memory", "forget", "--search", "peanuts", "--yes", "--json").json()

    assert refused.code == 2
    assert (proof["erased"], proof["residue"]) == (1, 0)
    assert place.files_holding("peanut") == []
    assert "Porto" in place.run("memory", "list").out


def test_what_was_forgotten_is_not_learned_again(place: Home) -> None:
    place.run("ask", ANA)
    place.run("consolidate", "--wait")
    place.run("memory", "forget", "--search", "peanuts", "--yes")

    place.run("ask", "I'm allergic to peanuts.")
    place.run("consolidate", "--wait")

    assert all("peanut" not in m["text"] for m in place.run("memory", "list", "--json").json())


def test_a_memory_added_by_hand_is_found_and_pinned(place: Home) -> None:
    added = place.run("memory", "add", "Ana's sister Rita plays the cello.", "--json").json()

    found = place.run("memory", "search", "who plays the cello", "--json").json()
    pinned = place.run("memory", "pin", added["id"], "--json").json()

    assert [m["id"] for m in found] == [added["id"]]
    assert pinned["pinned"]


def test_a_session_goes_on_with_what_was_said_in_it(place: Home, server: OpenAIServer) -> None:
    first = place.run("ask", "My favourite number is 42.", "--json").json()

    second = place.run("ask", "--session", first["session_id"], "What is it?", "--json").json()

    sent = [message["content"] for message in server.requests[-1].body["messages"]]
    assert second["session_id"] == first["session_id"]
    assert sent[1:3] == ["My favourite number is 42.", "Noted."]
    assert len(place.run("sessions", "list", "--json").json()) == 1


def test_standard_input_is_added_to_the_text(place: Home, server: OpenAIServer) -> None:
    place.run("ask", "Summarise this:", stdin=b"one two three")

    assert server.requests[-1].last_text.endswith("Summarise this:\n\none two three")


def test_incognito_leaves_nothing_on_disk(place: Home) -> None:
    answer = place.run("ask", "--incognito", "My secret word is zanzibar.")

    assert answer.out.strip() == "Noted."
    assert place.files_holding("zanzibar") == []


def test_an_export_is_imported_once_and_queued(place: Home) -> None:
    export = [
        {
            "uuid": "c1",
            "name": "Boats",
            "created_at": "2025-05-01T10:00:00Z",
            "chat_messages": [
                {"uuid": "m1", "sender": "human", "text": "I own a small boat called Maré.", "created_at": None},
                {"uuid": "m2", "sender": "assistant", "text": "Lovely."},
            ],
        }
    ]
    file = place.folder / "conversations.json"
    file.write_text(json.dumps(export))

    first = place.run("sessions", "import", str(file), "--json").json()
    again = place.run("sessions", "import", str(file), "--json").json()
    place.run("consolidate", "--wait")

    assert first == {"sessions": 1, "turns": 2, "already_there": 0, "removed": 0, "forgotten": 0}
    assert again == {"sessions": 0, "turns": 0, "already_there": 2, "removed": 0, "forgotten": 0}
    assert any("boat" in m["text"] for m in place.run("memory", "list", "--json").json())


def test_a_failing_provider_loses_nothing_and_exits_with_4(place: Home, server: OpenAIServer) -> None:
    server.replies.append(Answer(status=401, error="wrong key"))

    failed = place.run("ask", "Remember that I sail.")
    session = place.run("sessions", "list", "--json").json()[0]
    turns = place.run("sessions", "show", session["id"], "--json").json()["turns"]

    assert failed.code == 4
    assert "key" in failed.err
    assert "fake-key-for-tests" not in failed.err
    assert [(turn["role"], turn["status"]) for turn in turns] == [("user", "complete"), ("assistant", "failed")]


def test_without_a_model_the_sentence_names_the_ways_out(home: Home) -> None:
    ran = home.run("ask", "Hello")

    assert ran.code == 4
    assert "chatmem models pull" in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("ask", ""), 2, "nothing to ask"),
        (("ask", "--session", "nope", "Hello"), 3, "nope"),
        (("memory", "show", "m0"), 3, "no memory m0"),
        (("memory", "forget", "m0", "--yes"), 3, "no memory m0"),
        (("memory", "forget"), 2, "Say what to forget"),
        (("memory", "list", "--kind", "dream"), 2, "fact, episode and procedure"),
        (("memory", "add", "  "), 2, "text"),
        (("sessions", "show", "nope"), 3, "nope"),
        (("sessions", "import", "missing.json"), 2, "missing.json"),
        (("models", "pull", "gpt-17"), 3, "gpt-17"),
        (("--profile", "../up", "sessions", "list"), 2, "profile"),
        (("nonsense",), 2, "nonsense"),
        ((), 2, "needs a terminal"),
    ],
)
def test_wrong_input_gets_a_sentence_and_the_right_code(
    place: Home, arguments: tuple[str, ...], code: int, says: str
) -> None:
    ran = place.run(*arguments)

    assert (ran.code, says in ran.err) == (code, True), ran.err


def test_an_unknown_key_in_the_settings_is_named_with_its_file(place: Home) -> None:
    (place.folder / "config.toml").write_text("colour = 'red'\n")

    ran = place.run("sessions", "list")

    assert ran.code == 2
    assert "colour" in ran.err
    assert "config.toml" in ran.err


def test_settings_are_shown_with_where_they_came_from(place: Home) -> None:
    place.env["CHATMEM_THEME"] = "chatmem-light"

    rows = {row["key"]: row for row in place.run("--model", "other", "config", "show", "--json").json()}

    assert rows["model"]["from"] == "the command line"
    assert rows["theme"]["from"] == "CHATMEM_THEME"
    assert rows["consolidation.extractor"]["from"].endswith("config.toml")
    assert rows["recall.budget_tokens"]["from"] == "default"


@pytest.mark.parametrize("text", ["a\x01b", "emoji 🦊🏳️‍🌈 und ümläute", "'; DROP TABLE turns; --", '"(((* AND NOT'])
def test_strange_text_is_taken_as_it_is(place: Home, text: str) -> None:
    assert place.run("ask", text).code == 0
    assert place.run("memory", "search", text).code == 0


def test_bytes_that_are_no_text_and_a_megabyte_are_taken(place: Home) -> None:
    assert place.run("ask", stdin=b"\xff\xfe\x00\xed\xa0\x80 rubbish").code == 0
    assert place.run("ask", "Read this", stdin=b"word " * 200_000).code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_named(place: Home) -> None:
    locked = place.folder / "locked"
    locked.mkdir(mode=0o500)

    ran = place.run("--data-dir", str(locked), "sessions", "list")

    assert ran.code == 1
    assert str(locked) in ran.err


def test_a_data_folder_that_is_a_file_is_named(place: Home) -> None:
    file = place.folder / "file"
    file.write_text("")

    ran = place.run("--data-dir", str(file), "sessions", "list")

    assert ran.code == 1
    assert str(file) in ran.err


def test_the_memory_store_is_rebuilt_from_the_session_log(place: Home) -> None:
    place.run("ask", ANA)
    place.run("consolidate", "--wait")
    data = next((place.folder / "data").rglob("memories.lance/data/*.lance"))
    data.write_bytes(b"rubbish")

    assert place.run("doctor").code == 1
    assert place.run("doctor", "--repair").code == 0
    assert any("peanuts" in m["text"] for m in place.run("memory", "list", "--json").json())


def test_profiles_share_nothing(place: Home) -> None:
    place.run("--profile", "work", "memory", "add", "The wifi is called Albatross.")

    assert place.run("memory", "list", "--json").json() == []
    assert place.run("memory", "search", "Albatross", "--json").json() == []
    assert len(place.run("--profile", "work", "memory", "list", "--json").json()) == 1


def test_files_are_readable_by_their_owner_only(place: Home) -> None:
    place.run("ask", ANA)
    place.run("consolidate", "--wait")

    profile = place.folder / "data" / "profiles" / "default"
    assert [f for f in profile.rglob("*") if f.is_file() and f.stat().st_mode & 0o077] == []
    assert profile.stat().st_mode & 0o077 == 0


def test_figures_are_counted(place: Home, tmp_path: Path) -> None:
    place.run("ask", ANA)

    figures = place.run("stats", "--json").json()

    assert (figures["sessions"], figures["turns"]) == (1, 2)
    assert figures["llm_calls"][0]["purpose"] == "chat"
    assert figures["disk_bytes"] > 0
