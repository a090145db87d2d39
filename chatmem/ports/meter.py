"""Counting what chatmem does."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from chatmem.domain.model import Usage
from chatmem.domain.turn import SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCount:
    """Calls to language models for one purpose."""

    purpose: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallFigures:
    """How recall has done.

    Attributes:
        p50_ms: Median latency; `None` before the first recall.
        average_score: Mean score of what was injected.
    """

    recalls: int
    p50_ms: float | None
    p95_ms: float | None
    average_score: float | None


class Meter(Protocol):
    """Keeps counts, without any text. Methods block, and may be called from any thread and process."""

    def count_call(self, purpose: str, model: str, usage: Usage) -> None:
        """Count one call to a language model, for `chat`, `consolidation` or `summary`."""
        ...

    def calls(self) -> list[CallCount]:
        """Calls by purpose."""
        ...

    def spent_today(self, purposes: Collection[str]) -> Usage:
        """What calls for these purposes consumed since midnight, local time; unknown prices count as nothing."""
        ...

    def spent_in(self, session_id: SessionId) -> Usage:
        """What the replies of a session consumed, on all its branches; the cost is `None` if no price is known."""
        ...

    def recall_figures(self) -> RecallFigures:
        """Latency and scores of the recalls recorded in the session log."""
        ...

    def count_blocked(self, kinds: Sequence[str]) -> None:
        """Count secrets that were taken out of texts, by kind; one for each entry of `kinds`."""
        ...

    def blocked(self) -> Mapping[str, int]:
        """How many secrets were taken out so far, by kind, the most frequent first."""
        ...

    def sizes(self) -> tuple[int, int]:
        """Number of sessions with turns, and of turns."""
        ...
