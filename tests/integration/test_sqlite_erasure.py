"""What is left in the SQLite file of words that were redacted or erased: nothing, and it can prove it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.journal import SqliteJournal
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.errors import RefusedError
from chatmem.domain.memory import Memory
from chatmem.domain.turn import Attachment, AttachmentId, Role, SessionId, TurnId, TurnStatus
from tests.fakes.builders import NOON, a_fact, a_quote, a_session, a_turn
from tests.fakes.clock import FakeClock

S1 = SessionId("s1")
SECRET = "My zebra Quagglebert lives in Zanzibar."
WIDE = {ord(letter): ord(letter) + 0xFEE0 for letter in "MyQuagglebert"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chatmem.db"


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with Database(path, scrub_wait_s=0.1) as database:
        yield database


@pytest.fixture
def log(database: Database) -> SqliteSessionLog:
    log = SqliteSessionLog(database, FakeClock())
    log.open_session(a_session())
    return log


def everything(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.iterdir())


def learn(database: Database, *memories: Memory) -> None:
    changes = tuple(Change(before=None, after=memory) for memory in memories)
    SqliteJournal(database).record(
        ChangeSet(id=ChangeSetId(f"of {memories[0].id}"), made_at=NOON, cause=Cause.ADD, changes=changes)
    )


def test_no_byte_of_a_redacted_turn_is_left(path: Path, database: Database, log: SqliteSessionLog) -> None:
    for number in range(1, 301):
        log.append(a_turn(number, f"{SECRET} {number}" if number % 3 == 0 else "Nothing special. " * 20))
    for number in range(3, 301, 3):
        log.redact(TurnId(f"s1t{number}"), "[forgotten]")

    database.scrub()

    assert b"Quagglebert" not in everything(path)
    assert database.residue([SECRET, "Quagglebert"]) == 0
    assert len(log.turns(S1)) == 300


def test_no_byte_of_earlier_states_of_a_reply_is_left(path: Path, database: Database, log: SqliteSessionLog) -> None:
    reply = log.append(a_turn(1, "", role=Role.ASSISTANT, status=TurnStatus.STREAMING))
    for length in range(0, 20_000, 500):
        log.save_reply(reply.id, text=(SECRET * 600)[:length], status=TurnStatus.STREAMING)
    log.save_reply(reply.id, text="Short.", status=TurnStatus.COMPLETE)

    database.scrub()

    assert b"Quagglebert" not in everything(path)
    assert database.residue([SECRET]) == 0


def test_no_byte_of_what_a_model_thought_and_of_images_is_left(
    path: Path, database: Database, log: SqliteSessionLog
) -> None:
    image = Attachment(id=AttachmentId("i1"), name=f"{SECRET}.png", media_type="image/png", size=60_000)
    turn = a_turn(1, "Look.", reasoning=SECRET, attachments=(image,))
    log.append(turn, [b"\x89PNG" + b"Quagglebert" * 10_000])
    found = database.residue([SECRET])

    log.redact(turn.id, "[forgotten]")
    database.scrub()

    assert found == 2
    assert b"Quagglebert" not in everything(path)
    assert database.residue([SECRET]) == 0


def test_no_byte_of_a_draft_that_was_dropped_is_left(path: Path, database: Database, log: SqliteSessionLog) -> None:
    log.save_draft(S1, SECRET)
    log.save_draft(None, SECRET)
    database.scrub()
    found = database.residue([SECRET])

    log.save_draft(S1, "")
    log.save_draft(None, "")
    database.scrub()

    assert found == 2
    assert b"Quagglebert" not in everything(path)


def test_no_byte_of_an_erased_memory_is_left(path: Path, database: Database) -> None:
    kept = [a_fact(f"The user likes the number {number}.") for number in range(300)]
    gone = a_fact(SECRET, quotes=(a_quote(SECRET),))
    for memory in kept:
        learn(database, memory)
    learn(database, gone, kept[0])

    SqliteJournal(database).erase_memories([gone.id])
    database.scrub()

    assert b"Quagglebert" not in everything(path)
    assert database.residue([SECRET]) == 0
    assert sorted(memory.id for memory in SqliteJournal(database).latest()) == sorted(memory.id for memory in kept)


def test_words_that_only_the_log_of_writes_still_holds_are_found(database: Database, log: SqliteSessionLog) -> None:
    turn = log.append(a_turn(1, SECRET))
    log.redact(turn.id, "[forgotten]")

    assert database.residue([SECRET]) > 0


def test_live_words_are_counted_by_place(database: Database, log: SqliteSessionLog) -> None:
    log.append(a_turn(1, SECRET))
    log.append(a_turn(2, f"{SECRET} {SECRET}"))
    log.rename(S1, SECRET)
    database.scrub()

    assert database.residue([SECRET]) == 4
    assert database.residue([SECRET, "zebra"]) == 8


@pytest.mark.parametrize(
    "said",
    [
        "MY  ZEBRA\n\nquagglebert\tlives in Zanzibar.",
        SECRET.translate(WIDE),
        f"{'Words before. ' * 2000}My zebra{' ' * 3000}Quagglebert lives in Zanzibar.",
    ],
    ids=["case and lines", "width", "over several pages"],
)
def test_words_are_found_however_they_are_spaced_and_cased(
    database: Database, log: SqliteSessionLog, said: str
) -> None:
    log.append(a_turn(1, said))

    assert database.residue([SECRET]) == 1


@pytest.mark.parametrize(
    "text", ['He says "olá"\n\n  and C:\\new\t"twice"', "🦓 in São João", "日本に住んでいます", '"', "\\"]
)
def test_words_of_a_memory_are_found_behind_the_escapes_of_json(database: Database, text: str) -> None:
    learn(database, a_fact(f"x {text} x"))
    database.scrub()

    assert database.residue([text]) >= 1


def test_no_needle_is_nowhere(database: Database, log: SqliteSessionLog) -> None:
    log.append(a_turn(1))

    assert database.residue([]) == 0
    assert database.residue(["", "  \n"]) == 0


def test_scrubbing_is_refused_while_another_window_reads(path: Path, database: Database, log: SqliteSessionLog) -> None:
    log.append(a_turn(1))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM turns").fetchall()
        log.redact(TurnId("s1t1"), "[forgotten]")

        with pytest.raises(RefusedError, match="Close the other window"):
            database.scrub()

        other.execute("COMMIT")
        database.scrub()
        assert other.execute("SELECT text FROM turns").fetchall() == [("[forgotten]",)]


def test_scrubbing_is_refused_while_another_window_writes(path: Path, database: Database) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(RefusedError, match="Close the other window"):
            database.scrub()


def test_scrubbing_gives_the_room_back(path: Path, database: Database, log: SqliteSessionLog) -> None:
    turn = log.append(a_turn(1, "Words. " * 100_000))
    log.redact(turn.id, "[forgotten]")

    database.scrub()

    assert path.stat().st_size < 250_000
