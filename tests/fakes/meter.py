"""A meter in memory."""

import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from math import ceil

from chatmem.domain.model import Usage
from chatmem.domain.turn import SessionId
from chatmem.ports.clock import Clock
from chatmem.ports.meter import CallCount, RecallFigures
from tests.fakes.clock import FakeClock
from tests.fakes.session_log import FakeSessionLog


class FakeMeter:
    """Counts calls, and reads recalls, usage and sizes off a `FakeSessionLog`."""

    def __init__(self, log: FakeSessionLog | None = None, clock: Clock | None = None) -> None:
        self._log = log or FakeSessionLog()
        self._clock = clock or FakeClock()
        self._lock = threading.Lock()
        self._calls: dict[str, list[Usage]] = {}
        self._blocked: Counter[str] = Counter()
        self._days: dict[tuple[date, str], list[Usage]] = {}

    def count_call(self, purpose: str, model: str, usage: Usage) -> None:
        with self._lock:
            self._calls.setdefault(purpose, []).append(usage)
            self._days.setdefault((self._today(), purpose), []).append(usage)

    def calls(self) -> list[CallCount]:
        with self._lock:
            return [
                CallCount(
                    purpose=purpose,
                    calls=len(usages),
                    prompt_tokens=sum(usage.prompt_tokens for usage in usages),
                    completion_tokens=sum(usage.completion_tokens for usage in usages),
                    cost_usd=sum(usage.cost_usd or 0.0 for usage in usages),
                )
                for purpose, usages in sorted(self._calls.items())
            ]

    def spent_today(self, purposes: Collection[str]) -> Usage:
        with self._lock:
            today = [usage for purpose in set(purposes) for usage in self._days.get((self._today(), purpose), [])]
        spent = _summed(today)
        return replace(spent, cost_usd=spent.cost_usd or 0.0)

    def spent_in(self, session_id: SessionId) -> Usage:
        with self._log.lock:
            used = {turn_id: usage for turn_id, (usage, _) in self._log.used.items()}
            return _summed(
                [usage for turn_id, usage in used.items() if self._log.turn(turn_id).session_id == session_id]
            )

    def recall_figures(self) -> RecallFigures:
        with self._log.lock:
            notes = list(self._log.notes.values())
        recent = notes[-1000:]
        times = sorted(note.ms for note in recent)
        scores = [score for note in recent for _, score, injected in note.items if injected]
        return RecallFigures(
            recalls=len(notes),
            p50_ms=times[ceil(0.50 * len(times)) - 1] if times else None,
            p95_ms=times[ceil(0.95 * len(times)) - 1] if times else None,
            average_score=sum(scores) / len(scores) if scores else None,
        )

    def count_blocked(self, kinds: Sequence[str]) -> None:
        with self._lock:
            self._blocked.update(kinds)

    def blocked(self) -> Mapping[str, int]:
        with self._lock:
            return dict(sorted(self._blocked.items(), key=lambda item: (-item[1], item[0])))

    def sizes(self) -> tuple[int, int]:
        sessions = self._log.sessions()
        return len(sessions), sum(session.turn_count for session in sessions)

    def _today(self) -> date:
        return self._clock.now().astimezone().date()


def _summed(usages: Sequence[Usage]) -> Usage:
    costs = [usage.cost_usd for usage in usages if usage.cost_usd is not None]
    return Usage(
        prompt_tokens=sum(usage.prompt_tokens for usage in usages),
        completion_tokens=sum(usage.completion_tokens for usage in usages),
        cost_usd=sum(costs) if costs else None,
    )
