"""How well a memory is kept: it fades with time, and each use makes it last longer.

Ebbinghaus' curve as in MemoryBank (Zhong et al. 2023, section 2.3): R = exp(-t / S). Here S is five days times a
strength that grows by use, so that a memory that was used eleven times fades in two months as a new one in five days.
"""

from math import exp

DAYS = 5.0
"""In which a memory that was never used falls to 1/e."""


def retention(days: float, uses: int, *, pinned: bool = False, doubted: bool = False) -> float:
    """How much of a memory is left, (0, 1]; a pinned one does not fade.

    Args:
        days: Since it was last used or, if it never was, last learned.
        uses: How often an answer used it.
        pinned: Whether it is exempt.
        doubted: Whether something speaks against it: then no use vouches for it.
    """
    return 1.0 if pinned else exp(-max(0.0, days) / (DAYS * strength(0 if doubted else uses)))


def strength(uses: int) -> float:
    """What a memory's time to fade is multiplied with."""
    return 1.0 + max(0, uses)
