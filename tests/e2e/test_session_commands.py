"""`chatmem sessions`, run as a user runs it, against a real server on loopback."""

import json
import stat

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.model import Usage
from chatmem.domain.turn import Attachment, AttachmentId, Role, SessionId, TurnId
from tests.e2e.home import Home
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock

S1 = SessionId("s1")


@pytest.fixture
def place(home: Home) -> Home:
    """A home in which something was said: with an image, and with an answer that was given again."""
    folder = home.folder / "data" / "profiles" / "default"
    image = Attachment(id=AttachmentId("i1"), name="door.png", media_type="image/png", size=2048)
    answer = {"role": Role.ASSISTANT, "model": "fake"}
    with Database(folder / "sessions.db") as database:
        log = SqliteSessionLog(database, FakeClock())
        log.open_session(a_session(title="A green door"))
        log.append(a_turn(1, "What is this?", attachments=(image,)), [bytes(2048)])
        log.append(a_turn(2, "A door.", **answer))
        log.append_beside(
            a_turn(3, "Look:\nA GREEN DOOR, I", reasoning="Green, or blue?", finish_reason="length", **answer),
            TurnId("s1t2"),
        )
        log.save_usage(TurnId("s1t3"), Usage(prompt_tokens=10, completion_tokens=5, cost_usd=0.01), ms=5.0)
    return home


def everything(home: Home, name: str = "data") -> dict[str, object]:
    with Database(home.folder / name / "profiles" / "default" / "sessions.db") as database:
        log = SqliteSessionLog(database, FakeClock())
        return {
            "turns": log.turns(S1, every_branch=True),
            "current": [turn.id for turn in log.turns(S1)],
            "alternatives": log.alternatives(S1),
            "usage": log.usage(S1),
            "image": log.attachment(AttachmentId("i1")),
            "title": log.session(S1).title,
        }


def test_what_was_said_is_found_with_the_line_that_holds_it(place: Home) -> None:
    found = place.run("sessions", "search", "green door")
    (as_json,) = place.run("sessions", "search", "green door", "--json", "--session", "s1").json()

    assert found.out.strip() == "s1  assistant, 2026-03-04 12:03: A GREEN DOOR, I"
    assert (as_json["id"], as_json["session_id"], as_json["line"]) == ("s1t3", "s1", "A GREEN DOOR, I")


def test_what_nobody_said_is_not_found(place: Home) -> None:
    nothing = place.run("sessions", "search", "zebra")

    assert (nothing.code, nothing.out) == (0, "")
    assert "Nobody said" in nothing.err
    assert place.run("sessions", "search", " ").code == 2
    assert place.run("sessions", "search", "door", "--session", "s9").code == 3


def test_a_session_is_shown_with_its_alternatives_images_and_ends(place: Home) -> None:
    shown = place.run("sessions", "show", "s1").out
    turns = place.run("sessions", "show", "s1", "--json").json()["turns"]

    assert "[image: door.png, 2 KiB]" in shown
    assert "assistant, 2026-03-04 12:03 · 2 of 2 · cut by the limit of its length:" in shown
    assert "A door." not in shown
    assert turns[1]["alternatives"] == ["s1t2", "s1t3"]
    assert (turns[1]["reasoning"], turns[1]["finish_reason"]) == ("Green, or blue?", "length")
    assert turns[0]["attachments"][0]["name"] == "door.png"


def test_an_exported_session_is_imported_whole_into_another_home(place: Home) -> None:
    file = place.folder / "door.json"
    exported = place.run("sessions", "export", "s1", str(file))
    before = everything(place)
    place.env["CHATMEM_DATA_DIR"] = str(place.folder / "other")

    first = place.run("sessions", "import", str(file), "--json").json()
    again = place.run("sessions", "import", str(file), "--json").json()

    assert exported.code == 0, exported.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (first["sessions"], first["turns"], first["already_there"]) == (1, 3, 0)
    assert (again["sessions"], again["turns"], again["already_there"]) == (0, 0, 3)
    assert everything(place, "other") == before


def test_markdown_is_for_people_and_overwrites_nothing(place: Home) -> None:
    file = place.folder / "door.md"

    assert place.run("sessions", "export", "s1", str(file)).code == 0
    refused = place.run("sessions", "export", "s1", str(file))
    forced = place.run("sessions", "export", "s1", str(file), "--force")

    assert file.read_text().startswith("# A green door\n")
    assert "A GREEN DOOR" in file.read_text()
    assert (refused.code, forced.code) == (2, 0)
    assert "--force" in refused.err
    assert place.run("sessions", "export", "s1", str(place.folder / "door.pdf")).code == 2
    assert place.run("sessions", "export", "s9", str(place.folder / "no.md")).code == 3


def test_an_export_that_is_not_whole_is_refused(place: Home) -> None:
    file = place.folder / "door.json"
    place.run("sessions", "export", "s1", str(file))
    content = json.loads(file.read_text())
    content["turns"][1]["parent_id"] = "nobody"
    file.write_text(json.dumps(content))

    refused = place.run("sessions", "import", str(file))

    assert refused.code == 2
    assert "does not follow" in refused.err


def test_all_sessions_of_an_empty_profile_are_imported_without_a_word_on_learning(home: Home) -> None:
    file = home.folder / "all.jsonl"

    exported, imported = home.run("sessions", "export", "--all", str(file)), home.run("sessions", "import", str(file))

    assert (exported.code, imported.code) == (0, 0), imported.err
    assert imported.out.startswith("Imported 0 sessions, 0 turns")
    assert "consolidate" not in imported.out
