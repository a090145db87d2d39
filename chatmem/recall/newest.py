"""What was said last of the thing asked for stands before what was said of it earlier.

Where a newer memory replaced an older one, that is known (`superseded_by`). Where none did, because the newer one only
adds to the older or was not understood as a change of it, both are active, and the older may fit the question better.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from chatmem.domain.text import words
from chatmem.recall.wording import akin

AHEAD = 0.01
"""How far the newer stands before the older."""

SINGLE = frozenset({"name", "home", "occupation", "employer", "age", "relationship", "diet"})
"""Slots that hold one thing at a time; of a person's pets the newest is not the true one."""

_CHANGES = re.compile(
    r"\b(?:no,? wait|i meant|actually|instead|no longer|any ?more|from now on|(?:one|an|in) addition|changed|moved"
    r"|postponed|doch nicht|stattdessen|nicht mehr|ab (?:jetzt|sofort)|künftig|eigentlich|ya no|en vez de"
    r"|a partir de ahora|en realidad|désormais|à la place|finalement|ne [\w']+ plus)\b"
    r"|더 이상|대신|앞으로|바뀌|바꿨|사실은|これから|代わりに|やっぱり|変わ|変え|不再|改成|从现在起",
    re.IGNORECASE,
)


class Told(NamedTuple):
    """A statement.

    Attributes:
        at: When it was said.
        filling: Whose slot it fills, if that is asked for and holds one thing at a time; else `None`.
    """

    text: str
    at: datetime
    score: float
    filling: tuple[str, str] | None


def lifts(thing: str | None, told: Sequence[Told]) -> list[float]:
    """What each statement needs to stand before the older ones that it may change; 0 for most.

    Args:
        thing: The word for what is asked for (`headings`), if the question has one.
        told: The statements.
    """
    lifted = [one.score for one in told]
    for group in _groups(thing, told):
        best: float | None = None
        for at in sorted(group, key=lambda at: told[at].at):
            later = told[at].filling is not None or _CHANGES.search(told[at].text) is not None
            if best is not None and later and lifted[at] <= best:
                lifted[at] = best + AHEAD
            best = lifted[at] if best is None else max(best, lifted[at])
    return [score - one.score for score, one in zip(lifted, told, strict=True)]


def _groups(thing: str | None, told: Sequence[Told]) -> Iterator[Iterable[int]]:
    """Places of statements of one matter: those that fill one slot, and those that name the thing."""
    for filling in {one.filling for one in told if one.filling}:
        yield [at for at, one in enumerate(told) if one.filling == filling]
    if thing:
        yield [at for at, one in enumerate(told) if not one.filling and any(akin(thing, w) for w in words(one.text))]
