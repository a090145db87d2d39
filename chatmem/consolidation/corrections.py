"""Putting right what was said: the statement before, with the new value in the place of the old."""

import re
from datetime import datetime

from chatmem.consolidation.dates import with_date
from chatmem.consolidation.prose import straight
from chatmem.domain.patterns import Pattern

_SAID = Pattern(
    r"\b(?:i said|i wrote|i meant|not|nicht|no) (?:the )?(?P<old>[\w'.-]+(?: [\w'.-]+)?)[,;]? (?:but|it's|it is"
    r"|he's|she's|they're|sondern"
    r"|sino|es|son)[,]? (?P<new>[\w'.-]+)",
    re.IGNORECASE,
)
_INSTEAD = Pattern(
    r"\b(?:i meant|i mean|make that|rather|it's|it is|ich meinte|quise decir|je voulais dire)[:,]? (?:the |on |in "
    r"|at )?(?P<new>[\w'.-]+)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\b(?:\d+(?:[.,:]\d+)*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE
)
_NAME = re.compile(r"(?<!^)(?<![.!?] )\b[A-ZÀ-ÖØ-Þ][\w-]+")
_PRONOUN_I = {"I", "I'm", "I've", "I'd"}


def put_right(before: str, correction: str, said_at: datetime, *, redated: bool) -> str | None:
    """The statement before with the date or value that a correction puts right; `None` where it corrects neither.

    Args:
        before: The statement before.
        correction: What was said then.
        said_at: When the correction was said.
        redated: Whether the two speak of differing dates.
    """
    return (with_date(before, correction, said_at) if redated else None) or corrected(before, correction)


def corrected(before: str, correction: str) -> str | None:
    """The statement before with what a correction puts right; `None` where it can't be told what that is.

    Args:
        before: The statement before.
        correction: What was said then (`I said five, it's six!`).
    """
    text = straight(correction)
    if found := _SAID.search(text):
        place = _place(found["old"], before)
        return before[: place[0]] + found["new"].rstrip(".") + before[place[1] :] if place else None
    found = _INSTEAD.search(text)
    if found is None:
        return None
    new = found["new"].rstrip(".")
    for kind in (_NUMBER, _NAME):
        old = [match for match in kind.finditer(before) if match[0] not in _PRONOUN_I]
        if kind.fullmatch(new) or (kind is _NAME and new[:1].isupper()):
            return _replaced(before, old[-1], new) if old and old[-1][0] != new else None
    return None


def _place(old: str, before: str) -> tuple[int, int] | None:
    """Where the old value stands, or its first word where the rest belongs to the correction."""
    for value in (old, old.split(maxsplit=1)[0]):
        if found := re.search(rf"\b{re.escape(value)}\b", straight(before), re.IGNORECASE):
            return found.span()
    return None


def _replaced(text: str, place: re.Match[str], new: str) -> str:
    return text[: place.start()] + new + text[place.end() :]
