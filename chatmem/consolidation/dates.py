"""The day a statement speaks of, reckoned from the day on which it was said."""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime

from chatmem.consolidation import cues
from chatmem.consolidation.date_rules import MONTHLY, NTH, NUMBER, RULES, moved, number_of, unit_of
from chatmem.consolidation.prose import straight
from chatmem.consolidation.wording import stems
from chatmem.domain.patterns import Pattern

_PAST = Pattern(
    r"\b(?:was|were|had|did|ago|last|since|war|hatte|wurde|seit|letzt\w+|hace|fui|fue|era|desde|\w+[éó]"
    r"|ai|était|avons|depuis)\b|ました|でした|だった|った",
    re.IGNORECASE,
)
_AHEAD = Pattern(
    r"\b(?:will|'ll|going to|is due|due|is|are|'s|booked|planned|scheduled|until|till|by|bis|werde|wird|ist|voy a|va a"
    r"|será|es|está|hasta|vais|va|est|jusqu\w+)\b",
    re.IGNORECASE,
)
_CLAUSE = Pattern(r"[,;:.!?]\s+|\s[-\u2013—]+\s+|\s(?=(?:and|but|so|und|aber|y|pero|et|mais)\s)")
_ANCHORED = Pattern(
    rf"\b{NUMBER} (?P<unit>days?|weeks?|months?) (?P<side>before|after|ahead of|prior to)"
    r" (?:the|my|our|his|her|that) (?P<what>[\w-]+)"
)
_THEN = Pattern(r"\b(?:(?:by|until|before|since) then|(?:on )?that day|bis dahin|seitdem|para entonces|d'ici là)\b")
_PRECISIONS = ("day", "nth", "month", "year")


@dataclass(frozen=True, slots=True)
class Named:
    """A time that a text names.

    Attributes:
        start: Where in the text it stands.
        end: Where it ends.
        day: Its first day.
        precision: How much of `day` was meant: `day`, `month` or `year`; `nth` for a day whose month was not named.
    """

    start: int
    end: int
    day: date
    precision: str

    @property
    def iso(self) -> str:
        """`2025`, `2025-03` or `2025-03-04`."""
        return self.day.isoformat()[: {"year": 4, "month": 7}.get(self.precision, 10)]


class Timeline:
    """Reads the dates of a talk in order, so that `a week before the exam` and `no, the 12th` can be understood."""

    def __init__(self) -> None:
        self._told: list[tuple[frozenset[str], Named]] = []

    def read(self, text: str, said_at: datetime) -> str | None:
        """The time that a statement speaks of, as precise as it says; `None` where it names none."""
        named = self._anchored(text) or self._completed(text, said_at) or named_in(text, said_at) or self._then(text)
        if named is None:
            return None
        anchor = _ANCHORED.search(straight(text).lower())
        about = stems(text) - (stems(anchor["what"]) if anchor else frozenset())
        if self._told and cues.is_correction(text):
            about |= self._told[-1][0]
        self._told.append((about, named))
        return named.iso

    def _anchored(self, text: str) -> Named | None:
        """`Nine days after the defence`, where the defence has a date."""
        found = _ANCHORED.search(straight(text).lower())
        days = [(about, named) for about, named in self._told if named.precision == "day"]
        if not found or not days:
            return None
        meant = [named for about, named in days if stems(found["what"]) & about] or [named for _, named in days]
        sign = 1 if found["side"] == "after" else -1
        day, _ = moved(meant[-1].day, sign * number_of(found["n"]), unit_of(found["unit"]))
        return Named(*found.span(), day, "day")

    def _then(self, text: str) -> Named | None:
        """`By then`: the time that was spoken of last."""
        found = _THEN.search(straight(text).lower())
        return replace(self._told[-1][1], start=found.start(), end=found.end()) if found and self._told else None

    def _completed(self, text: str, said_at: datetime) -> Named | None:
        """`The 12th`, of the month that was spoken of last."""
        found = NTH.search(straight(text).lower())
        months = [named.day for _, named in self._told if named.precision != "year"]
        if not found or not months or MONTHLY.search(straight(text).lower()):
            return None
        last = months[-1]
        if last < said_at.date().replace(day=1) or not 1 <= int(found["day"]) <= monthrange(last.year, last.month)[1]:
            return None
        return Named(*found.span(), last.replace(day=int(found["day"])), "day")


def event_date(text: str, said_at: datetime) -> str | None:
    """The time that a single statement speaks of: `2025`, `2025-03` or `2025-03-04`; `None` where it names none."""
    named = named_in(text, said_at)
    return named.iso if named else None


def with_date(text: str, correction: str, said_at: datetime) -> str | None:
    """A text with the date that a correction names in the place of its own; `None` where one of them names none."""
    old, new = named_in(text, said_at), named_in(correction, said_at)
    if old is None or new is None:
        return None
    value = correction[new.start : new.end].strip(" ,.")
    if new.precision == "nth" and (day := re.search(r"\d+(?:st|nd|rd|th)?", text[old.start : old.end])):
        value = text[old.start : old.end].replace(day[0], re.findall(r"\d+(?:st|nd|rd|th)?", value)[0], 1)
    return text[: old.start] + value + text[old.end :]


def named_in(text: str, said_at: datetime) -> Named | None:
    """The first day that a text names, else the first month, else the first year."""
    found = sorted(_all(straight(text).lower(), said_at.date()), key=lambda named: named.start)
    return min(found, key=lambda named: _PRECISIONS.index(named.precision), default=None)


def _all(text: str, today: date) -> Iterator[Named]:
    taken: list[tuple[int, int]] = []
    for pattern, reckon in RULES:
        for found in pattern.finditer(text):
            if any(start < found.end() and found.start() < end for start, end in taken):
                continue
            try:
                reckoned = reckon(found, today, _is_past(text, found.start(), found.end()))
            except (ValueError, OverflowError):
                continue
            if reckoned:
                taken.append(found.span())
                yield Named(*found.span(), *reckoned)


def _is_past(text: str, start: int, end: int) -> bool:
    """Whether the clause around a place tells of what has happened."""
    gaps = list(_CLAUSE.finditer(text))
    begin = max((gap.end() for gap in gaps if gap.end() <= start), default=0)
    finish = min((gap.start() for gap in gaps if gap.start() >= end), default=len(text))
    clause = text[begin:finish]
    if _AHEAD.search(clause):
        return False
    return bool(_PAST.search(clause)) or cues.is_event(clause) or any(map(_is_korean_past, clause))


def _is_korean_past(syllable: str) -> bool:
    """Whether a syllable ends in the double s of the past, as in `했`, but is not `있` (is) or `겠` (will)."""
    return "가" <= syllable <= "힣" and (ord(syllable) - ord("가")) % 28 == 20 and syllable not in "있겠"
