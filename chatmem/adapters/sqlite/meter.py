"""Counters in SQLite."""

from math import ceil

from chatmem.adapters.sqlite.database import Database
from chatmem.domain.model import Usage
from chatmem.ports.meter import CallCount, RecallFigures

_COUNT_CALL = """
    INSERT INTO calls (purpose, model, calls, prompt_tokens, completion_tokens, cost_usd) VALUES (?, ?, 1, ?, ?, ?)
    ON CONFLICT (purpose, model) DO UPDATE SET calls = calls + 1,
        prompt_tokens = prompt_tokens + excluded.prompt_tokens,
        completion_tokens = completion_tokens + excluded.completion_tokens,
        cost_usd = cost_usd + excluded.cost_usd"""
_CALLS = """
    SELECT purpose, SUM(calls) AS calls, SUM(prompt_tokens) AS prompt_tokens,
           SUM(completion_tokens) AS completion_tokens, SUM(cost_usd) AS cost_usd
    FROM calls GROUP BY purpose ORDER BY purpose"""
_RECALLS = "SELECT COUNT(*) FROM recalls"
_LAST_RECALLS = "SELECT number, ms FROM recalls ORDER BY number DESC LIMIT 1000"
_AVERAGE_SCORE = """
    SELECT AVG(score) FROM recalled_items
    WHERE is_injected = 1 AND recall IN (SELECT number FROM recalls ORDER BY number DESC LIMIT 1000)"""
_SIZES = "SELECT COUNT(*), COALESCE(SUM(turn_count), 0) FROM sessions WHERE turn_count > 0"


class SqliteMeter:
    """Keeps counts in the profile's database; latency and scores are those of the last 1,000 recalls."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def count_call(self, purpose: str, model: str, usage: Usage) -> None:
        """Count one call to a language model, for `chat`, `consolidation` or `summary`."""
        with self._database.writing() as statements:
            statements.execute(
                _COUNT_CALL, purpose, model, usage.prompt_tokens, usage.completion_tokens, usage.cost_usd or 0.0
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

    def recall_figures(self) -> RecallFigures:
        """Latency and scores of the recalls recorded in the session log."""
        times = sorted(float(row["ms"]) for row in self._database.rows(_LAST_RECALLS))
        return RecallFigures(
            recalls=self._database.rows(_RECALLS)[0][0],
            p50_ms=_percentile(times, 0.50),
            p95_ms=_percentile(times, 0.95),
            average_score=self._database.rows(_AVERAGE_SCORE)[0][0],
        )

    def sizes(self) -> tuple[int, int]:
        """Number of sessions with turns, and of turns."""
        sessions, turns = self._database.rows(_SIZES)[0]
        return sessions, turns


def _percentile(ordered: list[float], share: float) -> float | None:
    # The nearest-rank method.
    return ordered[ceil(share * len(ordered)) - 1] if ordered else None
