"""`chatmem bench speed`: the figures of the README's performance table, on this machine."""

from collections.abc import Iterator

from chatmem.bench.figures import Figure, Note
from chatmem.bench.opening import measure_opening
from chatmem.bench.recalling import measure_recall
from chatmem.bench.turns import measure_turns
from chatmem.bootstrap import Installation

TURNS = 40


def measure(installation: Installation, *, memories: int, turns: int) -> Iterator[Figure | Note]:
    """Yield each figure as soon as it is known; recall is left out where the store is to be empty.

    Raises:
        ChatMemError: If the settings are wrong, or a temporary profile could not be written.
    """
    yield from measure_turns(TURNS)
    if memories:
        yield from measure_opening(memories)
    if memories + turns:
        yield from measure_recall(installation, memories=memories, turns=turns)
