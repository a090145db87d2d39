"""How sure a memory is, [0, 1]: one that is not sure enough waits for the person's word, or to be told again."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.domain.memory import Memory, Quote, Status, Wait

SURE, LIKELY, UNSURE = 0.85, 0.8, 0.7
"""Of a pattern that knows what is said, of one that knows how it is meant, and of neither."""

ENOUGH = LIKELY
"""From here on a memory is kept without asking."""

_TOLD_AGAIN = 0.1
_SUREST = 0.99


def told_again(known: Memory, new: Memory, quotes: Sequence[Quote], now: datetime) -> Memory:
    """A memory after a new one that says the same: surer where that was said in another turn.

    One that waits takes part in recall as soon as nothing is left that it waits for.

    Args:
        known: The memory that is remembered.
        new: The one that says the same, as it would be kept by itself.
        quotes: Those of the new one that the known one does not rest on yet.
        now: When it was learned.
    """
    if quotes:
        known = _borne_out(known, new, quotes, now)
    waits_for = _still_waits(known, new)
    if waits_for is known.waits_for:
        return known
    status = known.status if waits_for else Status.ACTIVE
    confidence = max(known.confidence, new.confidence)
    return replace(known, status=status, waits_for=waits_for, confidence=confidence, updated_at=now)


def _borne_out(known: Memory, new: Memory, quotes: Sequence[Quote], now: datetime) -> Memory:
    sure = max(known.confidence, new.confidence)
    if {quote.turn_id for quote in quotes} - {quote.turn_id for quote in known.quotes}:
        sure = max(sure, min(_SUREST, round(sure + _TOLD_AGAIN, 2)))
    return replace(
        known,
        quotes=tuple(sorted((*known.quotes, *quotes), key=lambda quote: quote.said_at)),
        confidence=sure,
        valid_from=min(known.valid_from, *(quote.said_at for quote in quotes)),
        doubt="",
        updated_at=now,
    )


def _still_waits(known: Memory, new: Memory) -> Wait | None:
    """What a memory waits for once it was told again.

    That it was told again is no consent: only a new one that was asked about, and was let in, brings it. What was said
    to be unsure needs no more than that it is sure now.
    """
    match known.waits_for:
        case Wait.CONSENT if new.sensitivity is None:
            return Wait.CONSENT
        case Wait.CONSENT | Wait.CONFIDENCE:
            sure_now = new.waits_for is Wait.CONFIDENCE and known.confidence >= ENOUGH
            return None if sure_now else new.waits_for
        case waits_for:
            return waits_for
