"""A profile that an older chatmem wrote: all that was said is there, and can be branched from."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.job_queue import SqliteJobQueue
from chatmem.adapters.sqlite.meter import SqliteMeter
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.model import Usage
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ports.meter import CallCount
from tests.fakes.builders import a_turn
from tests.fakes.clock import FakeClock

SAMPLES = Path(__file__).parent / "samples"
S1 = SessionId("s1")


@pytest.fixture(params=sorted(SAMPLES.glob("*.sql")), ids=lambda file: file.stem)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    path = tmp_path / "chatmem.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(request.param.read_text())
    with Database(path) as database:
        yield database
        database.check()
        assert database.rows("PRAGMA foreign_key_check") == []


def test_turns_of_old_sessions_follow_one_another(database: Database) -> None:
    log = SqliteSessionLog(database, FakeClock())

    for number in (1, 2):
        turns = log.turns(SessionId(f"s{number}"))
        assert [turn.text for turn in turns] == [f"Words {seq} of session {number}." for seq in range(1, 6)]
        assert [turn.parent_id for turn in turns] == [None, *(turn.id for turn in turns[:-1])]
        assert {(turn.reasoning, turn.finish_reason, turn.attachments) for turn in turns} == {("", None, ())}


def test_old_sessions_keep_their_summary_and_can_be_gone_on_with(database: Database) -> None:
    log = SqliteSessionLog(database, FakeClock())

    added = log.append(a_turn(1, id=TurnId("new")))

    assert (added.seq, added.parent_id) == (6, "s1t5")
    assert (log.session(S1).summary, log.session(S1).summarised_to) == ("They talked.", 2)
    assert log.usage(S1) == {TurnId("s1t2"): Usage(prompt_tokens=10, completion_tokens=20, cost_usd=0.5)}
    assert SqliteJobQueue(database).pending(S1) == 1


def test_old_sessions_can_be_branched(database: Database) -> None:
    log = SqliteSessionLog(database, FakeClock())

    log.append_beside(a_turn(1, "Other words.", id=TurnId("new")), TurnId("s1t2"))

    assert [turn.id for turn in log.turns(S1)] == ["s1t1", "new"]
    assert log.alternatives(S1) == {TurnId("new"): (TurnId("s1t2"), TurnId("new"))}
    assert len(log.turns(SessionId("s2"))) == 5
    assert log.models_used(limit=5) == ["llama"]


def test_calls_of_old_days_are_counted_but_not_as_of_today(database: Database) -> None:
    meter = SqliteMeter(database, FakeClock())

    assert meter.calls() == [CallCount(purpose="chat", calls=2, prompt_tokens=20, completion_tokens=40, cost_usd=0.5)]
    assert meter.spent_today(["chat"]) == Usage(cost_usd=0.0)
