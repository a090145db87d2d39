"""The SQLite file: what survives a crash, what several windows do to it, and what it says when it can't go on."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.job_queue import SqliteJobQueue
from chatmem.adapters.sqlite.journal import SqliteJournal
from chatmem.adapters.sqlite.meter import SqliteMeter
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId, JobId
from chatmem.domain.errors import StoreError
from chatmem.domain.turn import SessionId, TurnId
from tests.fakes.builders import NOON, a_fact, a_session, a_turn
from tests.fakes.clock import FakeClock

S1 = SessionId("s1")
ROOT = Path(__file__).parents[2]
NOBODY = 65534

TALK = """
import resource, sys
from itertools import count
from pathlib import Path
from tests.integration.test_sqlite import *

path, name, turns, limit = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
log = a_log(Database(path))
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    for number in range(turns):
        print(log.append(a_turn(id=TurnId(f"{name}{number}"), text="Words. " * 100)).id, flush=True)
except StoreError as error:
    print(error, file=sys.stderr)
"""


def a_log(database: Database) -> SqliteSessionLog:
    log = SqliteSessionLog(database, FakeClock())
    log.open_session(a_session())
    return log


def talking(path: Path, name: str, *, turns: int, limit: int = 0) -> subprocess.Popen[str]:
    """A process that appends turns, and prints the id of each when it is durable."""
    arguments = [sys.executable, "-c", TALK, str(path), name, str(turns), str(limit)]
    return subprocess.Popen(arguments, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@contextmanager
def without_rights() -> Iterator[None]:
    """Not as root, for whom every folder is writable."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "profile" / "chatmem.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with Database(path) as database:
        yield database


def test_every_acknowledged_turn_survives_kill_9(path: Path) -> None:
    with talking(path, "t", turns=1_000_000) as process:
        assert process.stdout
        acknowledged = [process.stdout.readline().strip() for _ in range(100)]
        process.kill()
        acknowledged += process.stdout.read().split()

    with Database(path) as database:
        turns = a_log(database).turns(S1)
        database.check()
    assert [turn.id for turn in turns[: len(acknowledged)]] == acknowledged
    assert [turn.seq for turn in turns] == list(range(1, len(turns) + 1))


def test_two_processes_in_one_session_leave_no_gap(path: Path) -> None:
    with talking(path, "a", turns=150) as one, talking(path, "b", turns=150) as other:
        failures = [process.communicate()[1] for process in (one, other)]

    with Database(path) as database:
        turns = a_log(database).turns(S1)
    assert failures == ["", ""]
    assert [turn.seq for turn in turns] == list(range(1, 301))
    assert [turn.id for turn in turns if turn.id.startswith("a")] == [f"a{number}" for number in range(150)]


def test_threads_may_share_a_database(database: Database) -> None:
    log = a_log(database)

    with ThreadPoolExecutor(8) as pool:
        added = list(pool.map(lambda number: log.append(a_turn(id=TurnId(f"t{number}"))), range(200)))

    assert sorted(turn.seq for turn in added) == list(range(1, 201))
    assert [turn.id for turn in log.turns(S1)] == [turn.id for turn in sorted(added, key=lambda turn: turn.seq)]


def test_windows_may_open_a_new_profile_at_the_same_moment(tmp_path: Path) -> None:
    together = threading.Barrier(4)

    def open_all(_: int) -> list[bytes]:
        keys = []
        for number in range(10):
            together.wait(30)
            with Database(tmp_path / f"{number}.db") as database:
                keys.append(SqliteJournal(database).tombstone_key())
        return keys

    with ThreadPoolExecutor(4) as pool:
        keys = list(pool.map(open_all, range(4)))

    assert keys == [keys[0]] * 4


def test_a_job_is_claimed_by_one_window_only(path: Path, database: Database) -> None:
    log = a_log(database)
    for number in range(50):
        log.append(a_turn(id=TurnId(f"t{number}")))
        SqliteJobQueue(database).enqueue(S1)

    def claim_all(_: int) -> list[JobId]:
        with Database(path) as window:
            queue = SqliteJobQueue(window)
            return [job.id for job in iter(lambda: queue.claim(NOON, lease_s=60), None)]

    with ThreadPoolExecutor(4) as pool:
        claimed = [job_id for ids in pool.map(claim_all, range(4)) for job_id in ids]

    assert sorted(claimed) == sorted(JobId(f"s1:{number}-{number}") for number in range(1, 51))


def test_windows_see_what_others_wrote(path: Path, database: Database) -> None:
    log = a_log(database)
    with Database(path) as other:
        log.append(a_turn(1))

        assert SqliteSessionLog(other, FakeClock()).turns(S1) == [a_turn(1)]


def test_an_error_in_the_middle_undoes_the_whole_change(database: Database) -> None:
    journal = SqliteJournal(database)
    half_a_pair = replace(a_fact(), text="half a pair: \ud800")
    unwritable = ChangeSet(
        id=ChangeSetId("c1"),
        made_at=NOON,
        cause=Cause.ADD,
        changes=(Change(before=None, after=a_fact()), Change(before=None, after=half_a_pair)),
    )

    with pytest.raises(UnicodeEncodeError):
        journal.record(unwritable)

    assert journal.change_sets() == []
    journal.note_use([a_fact().id], NOON)


def test_files_are_for_the_owner_only(path: Path, database: Database) -> None:
    a_log(database)

    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert modes == {"chatmem.db": 0o600, "chatmem.db-wal": 0o600, "chatmem.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_closing_leaves_one_file(path: Path) -> None:
    with Database(path) as database:
        a_log(database).append(a_turn(1))

    assert [file.name for file in path.parent.iterdir()] == ["chatmem.db"]


def test_migrations_are_recorded_by_name_and_applied_once(path: Path) -> None:
    for _ in range(2):
        with Database(path) as database:
            names = [row["name"] for row in database.rows("SELECT name FROM migrations ORDER BY name")]

    package = ROOT / "chatmem" / "adapters" / "sqlite" / "migrations"
    assert names == sorted(file.stem for file in package.iterdir())


def test_a_database_of_a_newer_chatmem_is_not_touched(path: Path) -> None:
    Database(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO migrations (name) VALUES ('9999_of_tomorrow')")

    with pytest.raises(StoreError, match=r"newer chatmem\. Upgrade"):
        Database(path)


def test_a_session_is_kept_in_memory_where_no_file_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Database(None) as database:
        a_log(database).append(a_turn(1))
        database.scrub()

        assert database.residue(["never said"]) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_and_loses_nothing(path: Path) -> None:
    with Database(path) as database:
        log = a_log(database)
        log.append(a_turn(1))
        database.rows("PRAGMA max_page_count = 1")

        with pytest.raises(StoreError, match=r"disk is full.*make room"):
            log.append(a_turn(2, "Words. " * 100_000))

        assert log.turns(S1) == [a_turn(1)]
    with Database(path) as database:
        assert a_log(database).append(a_turn(2)).seq == 2


def test_a_write_that_the_system_refuses_is_told_and_loses_nothing(path: Path) -> None:
    with talking(path, "t", turns=1_000_000, limit=500_000) as process:
        acknowledged, failure = process.communicate()

    assert "Check the disk and try again." in failure
    assert "Traceback" not in failure
    with Database(path) as database:
        assert [turn.id for turn in a_log(database).turns(S1)] == acknowledged.split()
        database.check()


def test_a_folder_without_rights_is_told() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o555)
        with without_rights(), pytest.raises(StoreError, match=r"can't be opened for writing\. Check"):
            Database(folder / "chatmem.db")
        with without_rights(), pytest.raises(StoreError, match=r"can't be opened for writing\. Check"):
            Database(folder / "profile" / "chatmem.db")
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_file_without_rights_is_told() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o755)
        Database(folder / "chatmem.db").close()
        (folder / "chatmem.db").chmod(0o444)
        with without_rights(), pytest.raises(StoreError, match=r"can't be opened for writing\. Check"):
            Database(folder / "chatmem.db")
    finally:
        shutil.rmtree(folder)


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "profile").write_text("not a folder")

    with pytest.raises(StoreError, match="can't be opened for writing"):
        Database(tmp_path / "profile" / "chatmem.db")


def test_a_file_that_is_no_database_is_told_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"Dear diary, this is no database. " * 1000)

    with pytest.raises(StoreError, match=r"is damaged\. Put back a copy"):
        Database(path)

    assert path.read_bytes().startswith(b"Dear diary")


def test_damage_in_the_middle_of_the_file_is_told(path: Path) -> None:
    with Database(path) as database:
        log = a_log(database)
        for number in range(1, 500):
            log.append(a_turn(number, "Words. " * 100))  # so that the tables' own pages lie in the first half
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2] + bytes(len(content) - len(content) // 2))

    with Database(path) as database, pytest.raises(StoreError, match=r"is damaged\. Put back a copy"):
        database.check()


def test_a_lock_held_elsewhere_is_told(path: Path) -> None:
    with Database(path, busy_s=0.1) as database, closing(sqlite3.connect(path, isolation_level=None)) as other:
        log = a_log(database)
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreError, match="locked by another program"):
            log.append(a_turn(1))

        other.execute("ROLLBACK")
        assert log.append(a_turn(1)).seq == 1


def test_a_closed_database_says_so_in_a_sentence(path: Path) -> None:
    database = Database(path)
    log = a_log(database)
    database.close()
    database.close()

    with pytest.raises(StoreError, match="could not be read or written"):
        log.sessions()


def test_a_damaged_memory_is_told(database: Database) -> None:
    journal = SqliteJournal(database)
    journal.record(
        ChangeSet(id=ChangeSetId("c1"), made_at=NOON, cause=Cause.ADD, changes=(Change(before=None, after=a_fact()),))
    )
    with database.writing() as statements:
        statements.execute("UPDATE changes SET memory_after = ?", '{"version": 1}')

    with pytest.raises(StoreError, match=r"damaged\. Run `chatmem doctor`"):
        journal.latest()


def test_recall_figures_know_the_last_thousand_only(database: Database) -> None:
    log = a_log(database)
    with database.writing() as statements:
        for number in range(1, 1201):
            turn_id = f"t{number}"
            statements.execute(
                "INSERT INTO turns (id, session_id, seq, role, text, said_at, status, saved_at) "
                "SELECT ?, id, ?, 'user', '', started_at, 'complete', started_at FROM sessions",
                *(turn_id, number),
            )
            statements.execute("INSERT INTO recalls (turn_id, ms) VALUES (?, ?)", turn_id, number * 1.0)

    figures = SqliteMeter(database, FakeClock()).recall_figures()

    assert (figures.recalls, figures.p50_ms) == (1200, 700.0)
    assert log.close_interrupted(NOON + timedelta(days=1)) == 0
