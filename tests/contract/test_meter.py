"""What every meter does."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.meter import SqliteMeter
from chatmem.adapters.sqlite.session_log import SqliteSessionLog
from chatmem.domain.memory import MemoryId
from chatmem.domain.model import Usage
from chatmem.domain.recall import Recalled, Source
from chatmem.domain.turn import SessionId
from chatmem.ports.meter import CallCount, Meter, RecallFigures
from chatmem.ports.session_log import SessionLog
from tests.fakes.builders import NOON, a_session, a_turn
from tests.fakes.clock import FakeClock
from tests.fakes.meter import FakeMeter
from tests.fakes.session_log import FakeSessionLog


@pytest.fixture(params=["fake", "sqlite"])
def both(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[tuple[SessionLog, Meter]]:
    if request.param == "fake":
        fake = FakeSessionLog(clock)
        yield fake, FakeMeter(fake, clock)
        return
    with Database(tmp_path / "chatmem.db") as database:
        yield SqliteSessionLog(database, clock), SqliteMeter(database, clock)


@pytest.fixture
def log(both: tuple[SessionLog, Meter]) -> SessionLog:
    return both[0]


@pytest.fixture
def meter(both: tuple[SessionLog, Meter]) -> Meter:
    return both[1]


def test_calls_are_summed_by_purpose(meter: Meter) -> None:
    meter.count_call("summary", "a", Usage(prompt_tokens=1, completion_tokens=2, cost_usd=0.5))
    meter.count_call("chat", "a", Usage(prompt_tokens=10, completion_tokens=20, cost_usd=0.25))
    meter.count_call("chat", "a", Usage(prompt_tokens=10, completion_tokens=20))
    meter.count_call("chat", "b", Usage(prompt_tokens=100, completion_tokens=200, cost_usd=0.5))

    assert meter.calls() == [
        CallCount(purpose="chat", calls=3, prompt_tokens=120, completion_tokens=240, cost_usd=0.75),
        CallCount(purpose="summary", calls=1, prompt_tokens=1, completion_tokens=2, cost_usd=0.5),
    ]


def test_calls_of_several_days_are_summed(meter: Meter, clock: FakeClock) -> None:
    meter.count_call("chat", "a", Usage(prompt_tokens=1))
    clock.advance(days=1)
    meter.count_call("chat", "a", Usage(prompt_tokens=2))

    (counted,) = meter.calls()
    assert (counted.calls, counted.prompt_tokens) == (2, 3)


def test_what_was_spent_today_is_told_for_the_purposes_asked_for(meter: Meter) -> None:
    meter.count_call("chat", "a", Usage(prompt_tokens=100, completion_tokens=10, cost_usd=0.5))
    meter.count_call("chat", "b", Usage(prompt_tokens=100, completion_tokens=10))
    meter.count_call("summary", "a", Usage(prompt_tokens=1, completion_tokens=2, cost_usd=0.25))
    meter.count_call("consolidation", "a", Usage(prompt_tokens=10, completion_tokens=20, cost_usd=0.125))

    assert meter.spent_today(["chat"]) == Usage(prompt_tokens=200, completion_tokens=20, cost_usd=0.5)
    assert meter.spent_today({"summary", "consolidation"}) == Usage(
        prompt_tokens=11, completion_tokens=22, cost_usd=0.375
    )
    assert meter.spent_today([]) == meter.spent_today(["nothing"]) == Usage(cost_usd=0.0)


@pytest.mark.parametrize(
    ("zone", "midnight"), [("UTC", "2026-03-05T00:00"), ("XXX-9", "2026-03-04T15:00"), ("YYY+8", "2026-03-05T08:00")]
)
def test_a_day_ends_at_midnight_local_time(
    meter: Meter, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, zone: str, midnight: str
) -> None:
    at = datetime.fromisoformat(midnight).replace(tzinfo=UTC)
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        clock.set(at - timedelta(seconds=1))
        meter.count_call("chat", "a", Usage(prompt_tokens=5))
        before = meter.spent_today(["chat"]).prompt_tokens
        clock.set(at)
        after = meter.spent_today(["chat"]).prompt_tokens
    time.tzset()

    assert (before, after) == (5, 0)


def test_what_a_session_spent_is_that_of_all_its_branches(log: SessionLog, meter: Meter) -> None:
    log.open_session(a_session(1))
    log.open_session(a_session(2))
    first = log.append(a_turn(1))
    second = log.append_beside(a_turn(2), first.id)
    other = log.append(a_turn(3, session_id=SessionId("s2")))
    log.save_usage(first.id, Usage(prompt_tokens=1, completion_tokens=2, cost_usd=0.5), ms=1.0)
    log.save_usage(second.id, Usage(prompt_tokens=10, completion_tokens=20), ms=1.0)
    log.save_usage(other.id, Usage(prompt_tokens=100, completion_tokens=200), ms=1.0)

    assert meter.spent_in(SessionId("s1")) == Usage(prompt_tokens=11, completion_tokens=22, cost_usd=0.5)
    assert meter.spent_in(SessionId("s2")) == Usage(prompt_tokens=100, completion_tokens=200, cost_usd=None)
    assert meter.spent_in(SessionId("not yet there")) == Usage()


def test_before_the_first_call_and_recall_there_are_no_figures(meter: Meter) -> None:
    assert meter.calls() == []
    assert meter.recall_figures() == RecallFigures(recalls=0, p50_ms=None, p95_ms=None, average_score=None)
    assert meter.sizes() == (0, 0)


def test_recall_figures_rest_on_the_recalls_noted(log: SessionLog, meter: Meter) -> None:
    log.open_session(a_session())
    for number in range(1, 101):
        items = [
            Recalled(
                id=MemoryId(f"m{place}"),
                source=Source.FACT,
                text="",
                score=score,
                said_at=NOON,
                injected=place < 2,
            )
            for place, score in enumerate((0.75, 0.25, 0.125))
        ]
        log.save_recalled(log.append(a_turn(number)).id, items, ms=float(number))

    assert meter.recall_figures() == RecallFigures(recalls=100, p50_ms=50.0, p95_ms=95.0, average_score=0.5)


def test_a_recall_that_found_nothing_has_a_latency_and_no_score(log: SessionLog, meter: Meter) -> None:
    log.open_session(a_session())
    log.save_recalled(log.append(a_turn(1)).id, [], ms=2.0)

    assert meter.recall_figures() == RecallFigures(recalls=1, p50_ms=2.0, p95_ms=2.0, average_score=None)


def test_empty_sessions_are_not_counted(log: SessionLog, meter: Meter) -> None:
    log.open_session(a_session(1))
    log.open_session(a_session(2))
    log.append(a_turn(1))
    log.append(a_turn(2))

    assert meter.sizes() == (1, 2)


def test_blocked_secrets_are_counted_by_kind_the_most_frequent_first(meter: Meter) -> None:
    meter.count_blocked(["password"])
    meter.count_blocked(["PIN", "token", "PIN"])
    meter.count_blocked(["password", "password"])

    assert list(meter.blocked().items()) == [("password", 3), ("PIN", 2), ("token", 1)]


def test_nothing_was_blocked_at_first(meter: Meter) -> None:
    meter.count_blocked([])

    assert meter.blocked() == {}
