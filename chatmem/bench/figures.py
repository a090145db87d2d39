"""What was measured, in a form to print."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured quantity.

    Attributes:
        values: In `unit`, in no particular order; at least one.
        goal: What its median must not exceed, in the same unit; `None` where nothing is promised.
    """

    name: str
    unit: str
    values: tuple[float, ...]
    goal: float | None = None

    @property
    def p50(self) -> float:
        """The median, by nearest rank."""
        return percentile(self.values, 0.50)

    @property
    def p95(self) -> float:
        """The 95th percentile, by nearest rank."""
        return percentile(self.values, 0.95)

    def line(self) -> str:
        """The figure as a line of a table."""
        goal = f"goal {self.goal:g} {self.unit}" if self.goal is not None else ""
        return (
            f"{self.name:<56} p50 {self.p50:>8.2f}  p95 {self.p95:>8.2f} {self.unit:<3} n={len(self.values):<4} {goal}"
        ).rstrip()

    def as_json(self) -> dict[str, object]:
        """The figure as the commands print it."""
        return {
            "name": self.name,
            "unit": self.unit,
            "p50": self.p50,
            "p95": self.p95,
            "n": len(self.values),
            "goal": self.goal,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A line between the figures: what could not be measured, or how figures relate."""

    text: str

    def line(self) -> str:
        """The line."""
        return self.text

    def as_json(self) -> dict[str, object]:
        """The note as the commands print it."""
        return {"note": self.text.strip()}


def percentile(values: Sequence[float], share: float) -> float:
    """The value below or at which a share of the values lies, by nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
