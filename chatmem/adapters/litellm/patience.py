"""How long a provider is waited for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Limits, in seconds.

    Attributes:
        connect_s: For the connection.
        first_s: Until the first word.
        first_local_s: The same on hardware of one's own: it may load for minutes, or read 8,000 tokens at 20 a second.
        stall_s: Between two pieces of a reply.
        pauses_s: Before the second, the third ... attempt, where the provider doesn't ask for more.
        longest_pause_s: What a provider may ask for; beyond that, the person is told instead.
    """

    connect_s: float = 10.0
    first_s: float = 120.0
    first_local_s: float = 900.0
    stall_s: float = 120.0
    pauses_s: tuple[float, ...] = (0.5, 1.5, 4.0)
    longest_pause_s: float = 20.0

    @property
    def attempts(self) -> int:
        """How many there will be at most."""
        return len(self.pauses_s) + 1
