"""`chatmem bench speed`: the figures of the README's performance table, on this machine."""

from collections.abc import Iterator

from chatmem.bench.figures import Figure
from chatmem.bench.turns import measure_turns

TURNS = 40


def measure() -> Iterator[Figure]:
    """Yield each figure as soon as it is known."""
    yield from measure_turns(TURNS)
