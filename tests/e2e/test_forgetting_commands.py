"""Forgetting by scope and by profile, run as a user runs it."""

import json
import os
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.turn import Role, SessionId, TurnId
from tests.e2e.home import Home
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock

SAID = ("I'm allergic to quagglefruit.", "My sister Eva lives in Zanzibar.")


def profile(home: Home, name: str = "default") -> Path:
    return home.folder / "data" / "profiles" / name


def talk(home: Home, name: str = "default") -> None:
    """Two sessions, of which something is learned."""
    with Database(profile(home, name) / "sessions.db") as database:
        log = SqliteSessionLog(database, FakeClock())
        for number, text in enumerate(SAID, 1):
            session_id = SessionId(f"s{number}")
            log.open_session(a_session(number, title=text))
            log.append(a_turn(1, text, id=TurnId(f"s{number}t1"), session_id=session_id))
            log.append(a_turn(2, "Noted.", id=TurnId(f"s{number}t2"), session_id=session_id, role=Role.ASSISTANT))
    home.run("--profile", name, "consolidate", "--wait")


def digests(folder: Path) -> dict[str, str]:
    return {str(file): sha256(file.read_bytes()).hexdigest() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def place(home: Home) -> Home:
    (home.folder / "config.toml").write_text("[embedding]\nenabled = false\n")
    home.run("profiles", "create", "default")
    talk(home)
    return home


def test_a_forgotten_session_is_gone_from_every_file_and_no_import_brings_it_back(place: Home) -> None:
    export = place.folder.parent / f"{place.folder.name}-export.json"
    place.run("sessions", "export", "s1", str(export))

    asked = place.run("sessions", "forget", "s1")
    proof = place.run("sessions", "forget", "s1", "--yes", "--json").json()
    again = place.run("sessions", "import", str(export), "--json").json()

    assert asked.code == 2
    assert "(2 turns, all of them)" in asked.err
    assert (proof["residue"], proof["turns_redacted"]) == (0, 2)
    assert proof["erased"] >= 1
    assert (again["sessions"], again["forgotten"]) == (0, 1)
    assert [session["id"] for session in place.run("sessions", "list", "--json").json()] == ["s2"]
    assert place.files_holding("quagglefruit") == []
    assert any("Zanzibar" in memory["text"] for memory in place.run("memory", "list", "--json").json())


def test_everything_is_forgotten_and_stays_so(place: Home) -> None:
    proof = place.run("memory", "forget", "--all", "--yes", "--json").json()

    assert (proof["residue"], proof["turns_redacted"]) == (0, 4)
    assert place.run("memory", "list", "--json").json() == []
    assert place.run("sessions", "list", "--json").json() == []
    assert place.run("stats", "--json").json()["tombstones"] >= 2
    assert place.files_holding("quagglefruit") + place.files_holding("zanzibar") == []


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        (("sessions", "forget", "s9", "--yes"), 3, "no session s9"),
        (("memory", "forget", "--session", "s9", "--yes"), 3, "no session s9"),
        (("memory", "forget", "--search", "zebra", "--yes"), 3, "no such memory"),
        (("memory", "forget", "m0", "--all"), 2, "in one way"),
        (("profiles", "forget", "nobody", "--yes"), 3, "no profile nobody"),
        (("profiles", "forget", "nobody"), 3, "no profile nobody"),
        (("profiles", "forget", "default"), 2, "can't be undone"),
        (("profiles", "create", "default"), 2, "already"),
        (("profiles", "create", "../elsewhere"), 2, "can't be called"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    place: Home, command: tuple[str, ...], code: int, says: str
) -> None:
    ran = place.run(*command)

    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err


def test_forgetting_in_one_profile_leaves_the_other_byte_for_byte_as_it_was(place: Home) -> None:
    place.run("profiles", "create", "work")
    talk(place, "work")
    before = digests(profile(place, "work"))

    place.run("memory", "forget", "--search", "quagglefruit", "--yes")
    place.run("sessions", "forget", "s2", "--yes")
    place.run("profiles", "forget", "default", "--yes")

    assert len(before) > 10
    assert digests(profile(place, "work")) == before
    assert not profile(place).exists()
    assert [one["name"] for one in place.run("profiles", "list", "--json").json()] == ["work"]


def test_a_profile_that_is_open_in_a_window_is_not_forgotten(place: Home) -> None:
    with Database(profile(place) / "sessions.db"):
        refused = place.run("profiles", "forget", "default", "--yes")

    assert refused.code == 5
    assert "Close it" in refused.err
    assert len(place.run("sessions", "list", "--json").json()) == 2


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_folders_and_files_of_a_profile_are_for_their_owner_alone(place: Home) -> None:
    place.run("profiles", "create", "work")
    talk(place, "work")

    modes = {path: stat.S_IMODE(path.lstat().st_mode) for path in (place.folder / "data").rglob("*")}
    assert {str(path): oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_doctor_names_a_file_that_others_can_read(place: Home) -> None:
    (profile(place) / "sessions.db").chmod(0o644)

    (finding,) = [one for one in doctor(place) if one["check"] == "folder"]

    assert not finding["ok"]
    assert "sessions.db" in finding["says"]
    assert "chmod -R go=" in finding["cure"]


@pytest.mark.skipif(os.name != "posix", reason="other systems ask for a privilege to make links")
def test_a_link_out_of_a_profile_is_refused(place: Home) -> None:
    (profile(place) / "memories.lock").unlink(missing_ok=True)
    (profile(place) / "memories.lock").symlink_to(place.folder / "elsewhere")

    refused = place.run("sessions", "list")

    assert refused.code == 5
    assert "is a link out of the folder" in refused.err
    assert "is a link out of the folder" in doctor(place)[0]["says"]


def doctor(home: Home) -> list[dict[str, str]]:
    return list(json.loads(home.run("doctor", "--json").out))
