import hashlib
import json
import sqlite3
import zipfile
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.bootstrap import Installation
from chatmem.bootstrap.profile_archive import ProfileArchive
from chatmem.domain.errors import ChatMemError, NotFoundError, SettingsError, StoreError, UsageError
from tests.fakes.builders import a_session, a_turn
from tests.fakes.clock import FakeClock

NOW = datetime(2026, 3, 4, tzinfo=UTC)


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(config_file=tmp_path / "config.toml", flags={"data_dir": tmp_path / "data"})


@pytest.fixture
def profiles(installation: Installation) -> ProfileArchive:
    return ProfileArchive(installation)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of a profile in which something was said."""
    folder = tmp_path / "data" / "profiles" / "home"
    with Database(folder / "sessions.db") as database:
        log = SqliteSessionLog(database, FakeClock())
        log.open_session(a_session())
        log.append(a_turn(1, "I live in Porto."))
    (folder / "learning.lock").touch()
    return folder


def said_in(folder: Path) -> list[str]:
    with Database(folder / "sessions.db") as database:
        return [turn.text for turn in SqliteSessionLog(database, FakeClock()).turns(a_session().id)]


def archived(file: Path, content: bytes, *, names: Mapping[str, bytes] | None = None, **more: object) -> Path:
    manifest: dict[str, object] = {
        "format": "chatmem profile",
        "version": 1,
        "chatmem": "0.1.0",
        "profile": "home",
        "exported_at": NOW.isoformat(),
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest | more))
        archive.writestr("sessions.db", content)
        for name, extra in (names or {}).items():
            archive.writestr(name, extra)
    return file


def test_a_profile_goes_to_one_file_and_comes_back_under_another_name(
    tmp_path: Path, home: Path, profiles: ProfileArchive
) -> None:
    file = tmp_path / "home.zip"

    profiles.write("home", file, NOW)
    name = profiles.read(file, "again")

    assert (name, said_in(home.parent / "again")) == ("again", ["I live in Porto."])
    assert file.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in home.parent.iterdir() if entry.name.startswith(".")] == []
    with zipfile.ZipFile(file) as archive:
        assert sorted(archive.namelist()) == ["manifest.json", "sessions.db"]


def test_a_profile_that_is_open_and_written_to_is_copied_as_it_is_at_one_moment(
    tmp_path: Path, home: Path, profiles: ProfileArchive
) -> None:
    with Database(home / "sessions.db") as database:
        log = SqliteSessionLog(database, FakeClock())
        log.append(a_turn(2, "And I row."))
        with database.writing() as statements:
            statements.execute("UPDATE sessions SET title = 'half done'")
            profiles.write("home", tmp_path / "home.zip", NOW)
    profiles.read(tmp_path / "home.zip", "again")

    assert said_in(home.parent / "again") == ["I live in Porto.", "And I row."]
    with Database(home.parent / "again" / "sessions.db") as database:
        assert SqliteSessionLog(database, FakeClock()).session(a_session().id).title == "Session 1"


def test_an_archive_takes_no_place_that_is_taken(tmp_path: Path, home: Path, profiles: ProfileArchive) -> None:
    profiles.write("home", tmp_path / "home.zip", NOW)

    with pytest.raises(UsageError, match="there already"):
        profiles.write("home", tmp_path / "home.zip", NOW)
    with pytest.raises(UsageError, match="a profile home already"):
        profiles.read(tmp_path / "home.zip")
    profiles.write("home", tmp_path / "home.zip", NOW, overwrite=True)


def test_a_profile_that_is_not_there_is_named(tmp_path: Path, profiles: ProfileArchive) -> None:
    with pytest.raises(NotFoundError, match="no profile nobody"):
        profiles.write("nobody", tmp_path / "x.zip", NOW)


def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, home: Path, profiles: ProfileArchive) -> None:
    content = (home / "sessions.db").read_bytes()
    outside = archived(tmp_path / "a.zip", content, names={"../../evil.txt": b"x"})
    absolute = archived(tmp_path / "b.zip", content, names={"/etc/evil": b"x"})
    named = archived(tmp_path / "c.zip", content, profile="../../evil")

    for file in (outside, absolute):
        with pytest.raises(UsageError, match=r"it holds .*evil"):
            profiles.read(file, "again")
    with pytest.raises(SettingsError, match="can't be called"):
        profiles.read(named)
    assert list(tmp_path.rglob("*evil*")) == []
    assert not (home.parent / "again").exists()


def test_what_is_not_whole_or_not_ours_leaves_nothing_behind(
    tmp_path: Path, home: Path, profiles: ProfileArchive
) -> None:
    content = (home / "sessions.db").read_bytes()
    whole = archived(tmp_path / "whole.zip", content).read_bytes()
    cases: list[tuple[bytes, type[ChatMemError], str]] = [
        (b"", UsageError, "no archive"),
        (b"not a zip", UsageError, "no archive"),
        (whole[: len(whole) // 2], UsageError, "no archive"),
        (archived(tmp_path / "x.zip", content, sha256="0" * 64).read_bytes(), UsageError, "damaged"),
        (archived(tmp_path / "x.zip", content, size=10).read_bytes(), UsageError, "damaged"),
        (archived(tmp_path / "x.zip", content, size=2**50).read_bytes(), UsageError, "larger than"),
        (archived(tmp_path / "x.zip", content, version=7, chatmem="9.9").read_bytes(), UsageError, "chatmem 9.9"),
        (archived(tmp_path / "x.zip", content, format=3).read_bytes(), UsageError, "no archive"),
        (archived(tmp_path / "x.zip", b"no database" * 100).read_bytes(), StoreError, "can't be used"),
    ]

    for number, (found, kind, complaint) in enumerate(cases):
        file = tmp_path / f"{number}.zip"
        file.write_bytes(found)
        with pytest.raises(kind, match=complaint):
            profiles.read(file, "again")

    assert [entry.name for entry in home.parent.iterdir()] == ["home"]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TRIGGER spy AFTER INSERT ON turns BEGIN DELETE FROM turns; END",
        "CREATE VIEW odd AS SELECT 1",
        "CREATE TABLE extra (x)",
    ],
)
def test_a_database_with_anything_that_is_not_ours_is_refused(
    tmp_path: Path, home: Path, profiles: ProfileArchive, sql: str
) -> None:
    with closing(sqlite3.connect(home / "sessions.db")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(sql)
        connection.commit()
    file = archived(tmp_path / "x.zip", (home / "sessions.db").read_bytes())

    with pytest.raises(UsageError, match="can't be used"):
        profiles.read(file, "again")


def test_a_profile_of_a_newer_chatmem_is_named(tmp_path: Path, home: Path, profiles: ProfileArchive) -> None:
    with closing(sqlite3.connect(home / "sessions.db")) as connection:
        connection.execute("INSERT INTO migrations (name) VALUES ('9999_future')")
        connection.commit()
    profiles.write("home", tmp_path / "x.zip", NOW)

    with pytest.raises(StoreError, match="newer chatmem"):
        profiles.read(tmp_path / "x.zip", "again")
