"""Counters in SQLite."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from math import ceil

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.records import usage_of
from chatmem.domain.model import Usage
from chatmem.domain.turn import SessionId
from chatmem.ports.clock import Clock
from chatmem.ports.meter import CallCount, RecallFigures

_COUNT_CALL = """
    INSERT INTO calls (day, purpose, model, calls, prompt_tokens, completion_tokens, cost_usd)
    VALUES (?, ?, ?, 1, ?, ?, ?)
    ON CONFLICT (day, purpose, model) DO UPDATE SET calls = calls + 1,
        prompt_tokens = prompt_tokens + excluded.prompt_tokens,
        completion_tokens = completion_tokens + excluded.completion_tokens,
        cost_usd = cost_usd + excluded.cost_usd"""
_CALLS = """
    SELECT purpose, SUM(calls) AS calls, SUM(prompt_tokens) AS prompt_tokens,
           SUM(completion_tokens) AS completion_tokens, SUM(cost_usd) AS cost_usd
    FROM calls GROUP BY purpose ORDER BY purpose"""
_SPENT_ON = """
    SELECT SUM(prompt_tokens) AS prompt_tokens, SUM(completion_tokens) AS completion_tokens,
           COALESCE(SUM(cost_usd), 0.0) AS cost_usd
    FROM calls WHERE day = ? AND purpose IN (SELECT value FROM json_each(?))"""
_SPENT_IN = """
    SELECT SUM(prompt_tokens) AS prompt_tokens, SUM(completion_tokens) AS completion_tokens,
           SUM(cost_usd) AS cost_usd
    FROM usage JOIN turns ON turns.id = turn_id WHERE session_id = ?"""
_COUNT_BLOCKED = """
    INSERT INTO blocked (kind, count) VALUES (?, ?) ON CONFLICT (kind) DO UPDATE SET count = count + excluded.count"""
_BLOCKED = "SELECT kind, count FROM blocked ORDER BY count DESC, kind"
_RECALLS = "SELECT COUNT(*) FROM recalls"
_LAST_RECALLS = "SELECT number, ms FROM recalls ORDER BY number DESC LIMIT 1000"
_AVERAGE_SCORE = """
    SELECT AVG(score) FROM recalled_items
    WHERE is_injected = 1 AND recall IN (SELECT number FROM recalls ORDER BY number DESC LIMIT 1000)"""
_SIZES = "SELECT COUNT(*), COALESCE(SUM(turn_count), 0) FROM sessions WHERE turn_count > 0"


class SqliteMeter:
    """Keeps counts in the profile's database; latency and scores are those of the last 1,000 recalls.

    `clock` tells the day, by the local time of the machine.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def count_call(self, purpose: str, model: str, usage: Usage) -> None:
        """Count one call to a language model, for `chat`, `consolidation` or `summary`."""
        with self._database.writing() as statements:
            statements.execute(
                _COUNT_CALL,
                *(self._today(), purpose, model),
                *(usage.prompt_tokens, usage.completion_tokens, usage.cost_usd or 0.0),
            )

    def calls(self) -> list[CallCount]:
        """Calls by purpose."""
        return [
            CallCount(
                purpose=row["purpose"],
                calls=row["calls"],
                prompt_tokens=row["prompt_tokens"],
                completion_tokens=row["completion_tokens"],
                cost_usd=row["cost_usd"],
            )
            for row in self._database.rows(_CALLS)
        ]

    def spent_today(self, purposes: Collection[str]) -> Usage:
        """What calls for these purposes consumed since midnight, local time; unknown prices count as nothing."""
        return usage_of(self._database.rows(_SPENT_ON, self._today(), json.dumps(list(purposes)))[0])

    def spent_in(self, session_id: SessionId) -> Usage:
        """What the replies of a session consumed, on all its branches; the cost is `None` if no price is known."""
        return usage_of(self._database.rows(_SPENT_IN, session_id)[0])

    def recall_figures(self) -> RecallFigures:
        """Latency and scores of the recalls recorded in the session log."""
        times = sorted(float(row["ms"]) for row in self._database.rows(_LAST_RECALLS))
        return RecallFigures(
            recalls=self._database.rows(_RECALLS)[0][0],
            p50_ms=_percentile(times, 0.50),
            p95_ms=_percentile(times, 0.95),
            average_score=self._database.rows(_AVERAGE_SCORE)[0][0],
        )

    def count_blocked(self, kinds: Sequence[str]) -> None:
        """Count secrets that were taken out of texts, by kind; one for each entry of `kinds`."""
        with self._database.writing() as statements:
            for kind, count in Counter(kinds).items():
                statements.execute(_COUNT_BLOCKED, kind, count)

    def blocked(self) -> Mapping[str, int]:
        """How many secrets were taken out so far, by kind, the most frequent first."""
        return {row["kind"]: row["count"] for row in self._database.rows(_BLOCKED)}

    def sizes(self) -> tuple[int, int]:
        """Number of sessions with turns, and of turns."""
        sessions, turns = self._database.rows(_SIZES)[0]
        return sessions, turns

    def _today(self) -> str:
        return self._clock.now().astimezone().date().isoformat()


def _percentile(ordered: list[float], share: float) -> float | None:
    # The nearest-rank method.
    return ordered[ceil(share * len(ordered)) - 1] if ordered else None
