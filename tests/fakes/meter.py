"""A meter in memory."""

import threading
from math import ceil

from chatmem.domain.model import Usage
from chatmem.ports.meter import CallCount, RecallFigures
from tests.fakes.session_log import FakeSessionLog


class FakeMeter:
    """Counts calls, and reads recalls and sizes off a `FakeSessionLog`."""

    def __init__(self, log: FakeSessionLog | None = None) -> None:
        self._log = log or FakeSessionLog()
        self._lock = threading.Lock()
        self._calls: dict[str, list[Usage]] = {}

    def count_call(self, purpose: str, model: str, usage: Usage) -> None:
        with self._lock:
            self._calls.setdefault(purpose, []).append(usage)

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

    def sizes(self) -> tuple[int, int]:
        sessions = self._log.sessions()
        return len(sessions), sum(session.turn_count for session in sessions)
