"""A look at the disk that counts for some milliseconds."""

from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

LASTS_S = 0.005
"""A question looks a dozen times which generation and which versions there are: what another window writes meanwhile
is seen by the next one."""

Seen = TypeVar("Seen")


class Lately(Generic[Seen]):
    """What was seen, for as long as it counts. Any thread may call."""

    def __init__(self, look: Callable[[], Seen], lasts_s: float = LASTS_S) -> None:
        """Keep how to look; nothing is seen yet."""
        self._look = look
        self._lasts_s = lasts_s
        self._last: tuple[float, Seen] | None = None

    def __call__(self) -> Seen:
        """What is there, or was just now."""
        last, now = self._last, monotonic()
        if last is None or now - last[0] > self._lasts_s:
            self._last = last = now, self._look()
        return last[1]

    def forget(self) -> None:
        """Look again the next time: something was changed here."""
        self._last = None
