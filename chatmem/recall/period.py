"""The time that a question names: a date as written, or words such as "last Tuesday", in six languages.

Dates with a month or a year are read here, since "in May" may mean the May of any year. What is relative to today goes
to dateparser, which takes 0.3 s to import and 2 ms a phrase: patterns find the phrase first, so that ordinary questions
cost nothing.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

_MONTHS = (
    "january|jan|januar|enero|janvier", "february|feb|februar|febrero|février", "march|mar|märz|marzo|mars",
    "april|apr|abril|avril", "may|mai|mayo", "june|jun|juni|junio|juin", "july|jul|juli|julio|juillet",
    "august|aug|agosto|août", "september|sept|sep|septiembre|septembre", "october|oct|oktober|okt|octubre|octobre",
    "november|nov|noviembre|novembre", "december|dec|dezember|dez|diciembre|décembre",
)  # fmt: skip
_MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split("|")}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTH_OF, key=len, reverse=True))})"
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
        r"\b(?P<month>january|february|april|june|july|august|september|october|november|december)\b",
        rf"\b{_YEAR}(?:\b|年|년)",
    )
)

# Not "today": who says it asks about now, not about what was said today.
_RELATIVE = {
    "en": r"\b(?:yesterday|last (?:night|week|month|year)"
    r"|(?:\d+|one|two|three|four|five|six|a|a few) (?:day|week|month|year)s? ago|last (?P<en>\w+day))\b",
    "de": r"\b(?:(?:vor)?gestern|letzte[nrs]? (?:woche|monat|jahr)"
    r"|vor (?:\d+|einem|einer|zwei|drei|vier|fünf|sechs) (?:tag|woche|monat|jahr)\w*"
    r"|letzten (?P<de>\w+tag|mittwoch))\b",
    "es": r"\b(?:(?:ante)?ayer|(?:la semana|el mes|el año) pasad[oa]|hace (?:\d+|un|una) (?:día|semana|mes|año)\w*"
    r"|el (?P<es>lunes|martes|miércoles|jueves|viernes|sábado|domingo)(?: pasado)?)\b",
    "fr": r"\b(?:(?:avant-)?hier|(?:la semaine|le mois) derni(?:er|ère)|l'(?:année|an) derni(?:er|ère)"
    r"|il y a (?:\d+|un|une|deux|trois|quatre) (?:jour|semaine|mois|an)\w*"
    r"|(?P<fr>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: dernier)?)\b",
    "ko": r"어제|지난 ?(?:주|달)|작년|\d+(?:일|주|개월|달|년) 전|(?P<ko>[월화수목금토일]요일)",
    "ja": r"一?昨日|先週|先月|去年|昨年|\d+(?:日|週間|か月|ヶ月|年)前|(?P<ja>[月火水木金土日]曜日)",
}
_PHRASES = {language: re.compile(pattern) for language, pattern in _RELATIVE.items()}
_WEEK = re.compile(r"week|woche|semana|semaine|주|週")
_MONTHLY = re.compile(r"month|monat|mes\b|mois|달|개월|月$|か月|ヶ月")
_YEARLY = re.compile(r"year|jahr|año|année|\ban|작년|년|年")

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
    for language, phrases in _PHRASES.items():
        if (found := phrases.search(lower)) and (period := _relative(found, language, now)):
            return period
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
        named[name] = _end_of(moment) if name == "as_of" else moment
        return ""

    rest = " ".join(_BOUND.sub(taken, text).split()) if _BOUND.search(text) else text
    return rest, Bounds(since=named.get("since"), before=named.get("before"), as_of=named.get("as_of"))


def _end_of(moment: datetime) -> datetime:
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
        month=_MONTH_OF[name] if name else int(number) if number else None,
        day=int(parts["day"] or 0) or None if "day" in parts else None,
    )


def _relative(found: re.Match[str], language: str, now: datetime) -> Period | None:
    phrase = found[language] or found[0]
    moment = _parsed(phrase, now, language)
    if moment is None:
        return None
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if found[language]:
        return Period(since=day, before=day + timedelta(days=1))
    if _YEARLY.search(phrase):
        return Period(year=day.year)
    if _MONTHLY.search(phrase):
        return Period(year=day.year, month=day.month)
    if _WEEK.search(phrase):
        monday = day - timedelta(days=day.weekday())
        return Period(since=monday, before=monday + timedelta(days=7))
    return Period(since=day, before=day + timedelta(days=1))


def _moment(text: str, now: datetime) -> datetime | None:
    if re.fullmatch(r"\d{4}(?:-\d\d)?", text):
        text += "-01-01" if len(text) == 4 else "-01"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _parsed(text, now)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _parsed(phrase: str, now: datetime, language: str | None = None) -> datetime | None:
    import dateparser

    base = {"RELATIVE_BASE": now.astimezone(UTC).replace(tzinfo=None), "PREFER_DATES_FROM": "past"}
    found = dateparser.parse(phrase, languages=[language] if language else [*_RELATIVE], settings=base)
    return found.replace(tzinfo=UTC) if found else None
