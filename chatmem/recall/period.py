"""The time that a question names: a date as written, or words such as "last Tuesday", in seven languages.

What the person filters by may be any phrase that dateparser knows. It takes 0.3 s to import and 2 ms a phrase, so
ordinary questions go without it.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from chatmem.domain.calendar_words import MONTH_OF, any_of, places
from chatmem.recall.relative import span_in

_MONTH_CJK_OF = places(
    ("", "一月 일월", "二月 이월", "三月 삼월", "四月 사월", "五月 오월", "六月 유월", "七月 칠월", "八月 팔월",
     "九月 구월", "十月 시월", "十一月 십일월", "十二月 십이월")
)  # fmt: skip
_MONTH, _MONTH_CJK = rf"(?P<month>{any_of(MONTH_OF)})", rf"(?P<month>{any_of(_MONTH_CJK_OF)})"
_DAY, _YEAR = r"(?P<day>\d{1,2})", r"(?P<year>(?:19|20)\d\d)"
_BEFORE_MONTH = r"(?:in|of|on|during|since|until|by|early|late|mid|last|this|im|seit|en|de|del|au|depuis|desde|hasta)"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_YEAR}-(?P<number>\d\d)(?:-{_DAY})?\b",
        rf"(?:{_YEAR}\s*[年년]\s*)?(?P<number>\d{{1,2}})\s*[月월](?:\s*{_DAY}\s*[日일])?",
        rf"\b{_DAY}(?:st|nd|rd|th|\.|er)?,? (?:of |de )?{_MONTH}\b\.?,?(?: (?:of |de )?{_YEAR}\b)?",
        rf"\b{_MONTH}\b\.? {_DAY}(?:st|nd|rd|th)?\b(?!\d)(?:,? {_YEAR}\b)?",
        rf"\b{_MONTH}\b,? (?:of |de )?{_YEAR}\b",
        rf"\b{_BEFORE_MONTH} {_MONTH}\b",
        rf"(?<![\w]){_MONTH_CJK}",
        r"\b(?P<month>january|february|april|june|july|august|september|october|november|december)\b",
        rf"\b{_YEAR}(?:\b|年|년)",
    )
)

_LANGUAGES = ("en", "de", "es", "fr", "ko", "ja", "zh")

_BOUND = re.compile(
    r"(?<![\w:])(?P<name>since|before|as-of):(?:\"(?P<quoted>[^\"]{1,60})\"|(?P<plain>\w[\w./-]{0,30}))", re.IGNORECASE
)
"""What follows the colon follows it at once: "before: May was cold" is prose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A time as precise as a question names it; what is `None` was not named.

    Attributes:
        since: The first moment of a range, which may be open at one end; the date's parts are then `None`.
        before: The first moment after it.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    since: datetime | None = None
    before: datetime | None = None

    def match(self, moment: datetime) -> float:
        """How well a moment fits, [0, 1]: the share of the named parts that agree; 0 in another month.

        To lie in a range without an end says half as much as to lie on a day.
        """
        if self.since or self.before:
            inside = (not self.since or self.since <= moment) and (not self.before or moment < self.before)
            return inside * (1.0 if self.since and self.before else 0.5)
        if self.month and moment.month != self.month:
            return 0.0
        named = [
            (theirs, ours)
            for theirs, ours in ((self.year, moment.year), (self.month, moment.month), (self.day, moment.day))
            if theirs
        ]
        return sum(theirs == ours for theirs, ours in named) / max(1, len(named))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a question filters by; `None` filters nothing.

    Attributes:
        since: Only what was said then or later.
        before: Only what was said before.
        as_of: Only what was known and held at this moment.
    """

    since: datetime | None = None
    before: datetime | None = None
    as_of: datetime | None = None

    @property
    def narrow(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.since or self.before or self.as_of)

    def hold(self, moment: datetime) -> bool:
        """Whether what was said at this moment passes."""
        latest = min((limit for limit in (self.before, self.as_of) if limit), default=None)
        return (self.since is None or moment >= self.since) and (latest is None or moment < latest)


def period_in(text: str, now: datetime) -> Period | None:
    """The time a question names; `None` if it names none."""
    lower = text.casefold()
    if span := span_in(lower, now):
        return Period(since=span[0], before=span[1])
    for pattern in _DATES:
        if found := pattern.search(lower):
            return _written(found.groupdict())
    return None


def bounds_in(text: str, now: datetime) -> tuple[str, Bounds]:
    """A question without its `since:`, `before:` and `as-of:`, and what these come to; one that is no date stays."""
    named: dict[str, datetime] = {}

    def taken(found: re.Match[str]) -> str:
        name = found["name"].lower().replace("-", "_")
        moment = _moment(found["quoted"] or found["plain"], now)
        if moment is None:
            return found[0]
        named[name] = end_of(moment) if name == "as_of" else moment
        return ""

    rest = " ".join(_BOUND.sub(taken, text).split()) if _BOUND.search(text) else text
    return rest, Bounds(since=named.get("since"), before=named.get("before"), as_of=named.get("as_of"))


def end_of(moment: datetime) -> datetime:
    """The end of a day that was named without a time."""
    if moment.time() != datetime.min.time():
        return moment
    try:
        return moment + timedelta(days=1)
    except OverflowError:
        return moment


def _written(parts: dict[str, str | None]) -> Period:
    name, number = parts.get("month"), parts.get("number")
    return Period(
        year=int(parts["year"] or 0) or None if "year" in parts else None,
        month=(MONTH_OF | _MONTH_CJK_OF)[name] if name else int(number) if number else None,
        day=int(parts["day"] or 0) or None if "day" in parts else None,
    )


def _moment(text: str, now: datetime) -> datetime | None:
    if re.fullmatch(r"\d{4}(?:-\d\d)?", text):
        text += "-01-01" if len(text) == 4 else "-01"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _parsed(text, now)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _parsed(phrase: str, now: datetime) -> datetime | None:
    import dateparser

    base = {"RELATIVE_BASE": now.astimezone(UTC).replace(tzinfo=None), "PREFER_DATES_FROM": "past"}
    found = dateparser.parse(phrase, languages=list(_LANGUAGES), settings=base)
    return found.replace(tzinfo=UTC) if found else None
