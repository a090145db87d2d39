"""A clock that stands still until the test moves it."""

from datetime import datetime, timedelta

from tests.fakes.builders import NOON


class FakeClock:
    """Tells the time it was set to."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        self._now = now

    def advance(self, seconds: float = 0.0, *, days: float = 0.0) -> None:
        self._now += timedelta(days=days, seconds=seconds)
