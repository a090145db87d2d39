"""How well one memory is kept, with the numbers behind it: as recall ranks by it."""

from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.memory import Memory
from chatmem.recall.memories import told_at
from chatmem.recall.retention import DAYS, retention, strength
from chatmem.recall.terms import age_days
from chatmem.recall.use import Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How well a memory is kept.

    Attributes:
        retention: How much of it is left, (0, 1].
        days: Since it was last used or, if it never was, last told.
        uses: How often an answer used it.
        strength: What its time to fade is multiplied with.
        lasts_days: The time in which it falls to 1/e of what it was.
    """

    retention: float
    days: float
    uses: int
    strength: float
    lasts_days: float


def keeping(memory: Memory, counts: Counts, now: datetime) -> Keeping:
    """How well a memory is kept at a moment."""
    uses, last = counts.get(memory.id, (0, told_at(memory)))
    days, doubted = age_days(max(last, told_at(memory)), now), bool(memory.doubt)
    grown = strength(0 if doubted else uses)
    return Keeping(
        retention=retention(days, uses, pinned=memory.pinned, doubted=doubted),
        days=days,
        uses=uses,
        strength=grown,
        lasts_days=DAYS * grown,
    )
