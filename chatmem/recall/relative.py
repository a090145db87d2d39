"""A time that a question names relative to today: "last Tuesday", "vor zwei Wochen", "지난주", "先週の火曜日".

In seven languages. It is reckoned here, as dateparser takes 0.3 s to import and 2 ms a phrase, and knows no "last
weekend". Not "today" and not "this week": who says them asks about now, not about what was said then.
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from chatmem.domain.calendar_words import NUMBER_OF, UNITS, WEEKDAY_OF, any_of
from chatmem.domain.patterns import Pattern

_LAST = r"(?:last|letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?|derni(?:er|ère)|passée?|pasad[oa])"
_LAST_CJK = r"(?:지난|저번|この前の|先|上个?)"
_YESTERDAY = r"\b(?:yesterday|last night|gestern|ayer|anoche)\b|어제|어젯밤|하루 전|昨日|昨夜|昨晩|きのう|昨天|昨晚"
_DAY_BEFORE = (
    r"\b(?:day before yesterday|vorgestern|anteayer|antes de ayer|avant-hier)\b"
    r"|그저께|그제|이틀 전|一昨日|おととい|前天"
)
_FRENCH_YESTERDAY = r"(?=.*\b(?:je|nous|on|ai|avons|avais|était|étais|où|quoi|que)\b).*\bhier\b"
"""The German "hier" is "here"."""

_LASTING = (
    ("weekend|wochenende|fin de semana|week-end", "주말|週末|周末", "weekend"),
    ("week|woche|semana|semaine", "주|週|周|星期", "week"),
    ("month|monat|mes|mois", "달|月", "month"),
    ("year|jahr|año|année|an", "해", "year"),
)
"""By their words in the scripts with spaces and in the others."""

_LAST_YEAR = r"(?:작년|去年|昨年)"
_SEASONS = {
    12: "winter|invierno|hiver|겨울|冬",
    3: "spring|frühling|frühjahr|primavera|printemps|봄|春",
    6: "summer|sommer|verano|été|여름|夏",
    9: "autumn|fall|herbst|otoño|automne|가을|秋",
}
"""By the month in which they begin north of the equator."""

_FRENCH_DAYS = "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
"""They stand without a preposition."""

_WEEKDAY = rf"(?P<weekday>{any_of(WEEKDAY_OF)})"
_SEASON = rf"(?P<season>{'|'.join(_SEASONS.values())})"
_NUMBER, _UNIT = rf"(?P<n>\d{{1,3}}|{any_of(NUMBER_OF)})", rf"(?P<unit>{'|'.join(UNITS.values())})"
_PAST = (
    r"(?=.*(?:\b(?:did|(?<=\w )was|were|had|said|told|habe|hast|hat|haben|war\w*|hatte\w*"
    r"|\w+[éó]|fui|fue|\w+aste|\w+iste|dije|ai|avons)\b|[았었했갔왔샀]|ました|でした|った|んだ|了))"
)
"""Without "last", a day of the week is the last one only where the question tells of the past."""

_Span = tuple[date, date]
_Reckon = Callable[[re.Match[str], date], _Span]


def span_in(text: str, now: datetime) -> tuple[datetime, datetime] | None:
    """The time that a text names relative to `now`: from when, and before when; `None` if none."""
    lower = text.casefold()
    for pattern, reckon in _RULES:
        if found := pattern.search(lower):
            since, before = reckon(found, now.astimezone(UTC).date())
            return _midnight(since), _midnight(before)
    return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _days_ago(days: int) -> _Reckon:
    return lambda found, today: _day(today - timedelta(days=days))


def _day(day: date) -> _Span:
    return day, day + timedelta(days=1)


def _last_weekday(found: re.Match[str], today: date) -> _Span:
    """The last such day before today."""
    back = (today.weekday() - WEEKDAY_OF[found["weekday"]] - 1) % 7 + 1
    return _day(today - timedelta(days=back))


def _weekday_of_last_week(found: re.Match[str], today: date) -> _Span:
    return _day(_monday(today) - timedelta(days=7 - WEEKDAY_OF[found["weekday"]]))


def _monday(today: date) -> date:
    return today - timedelta(days=today.weekday())


def _ago(found: re.Match[str], today: date) -> _Span:
    count = int(found["n"]) if found["n"].isdecimal() else NUMBER_OF[found["n"]]
    unit = next(name for name, words in UNITS.items() if re.fullmatch(words, found["unit"]))
    return _back(count, unit, today)


def _back(count: int, unit: str, today: date) -> _Span:
    match unit:
        case "day":
            return _day(today - timedelta(days=count))
        case "week" | "fortnight":
            monday = _monday(today) - timedelta(weeks=count * (2 if unit == "fortnight" else 1))
            return monday, monday + timedelta(weeks=1)
        case "month":
            return _months(today.year * 12 + today.month - 1 - count, 1)
        case _:
            return _months((today.year - count) * 12, 12)


def _months(first: int, count: int) -> _Span:
    """So many months from one on, counted from the year 0."""
    since, before = (date(at // 12, at % 12 + 1, 1) for at in (first, first + count))
    return since, before


def _last(unit: str) -> _Reckon:
    if unit == "weekend":
        return lambda found, today: (_monday(today) - timedelta(days=2), _monday(today))
    return lambda found, today: _back(1, unit, today)


def _last_season(found: re.Match[str], today: date) -> _Span:
    """The last one that has begun."""
    begins = today.year * 12 + _season(found) - 1
    return _months(begins if begins < today.year * 12 + today.month - 1 else begins - 12, 3)


def _season_last_year(found: re.Match[str], today: date) -> _Span:
    return _months((today.year - 1) * 12 + _season(found) - 1, 3)


def _season(found: re.Match[str]) -> int:
    return next(month for month, words in _SEASONS.items() if re.fullmatch(words, found["season"]))


_RULES: tuple[tuple[Pattern, _Reckon], ...] = tuple(
    (Pattern(pattern), reckon)
    for pattern, reckon in (
        (_DAY_BEFORE, _days_ago(2)),
        (_YESTERDAY, _days_ago(1)),
        (_FRENCH_YESTERDAY, _days_ago(1)),
        (rf"{_LAST_CJK} ?(?:주 ?|週の?|(?=周|星期)){_WEEKDAY}", _weekday_of_last_week),
        (rf"\b{_WEEKDAY} (?:of |de |der )?(?:the |la )?(?:{_LAST} (?:week|woche)|semana pasada|semaine dernière)\b",
         _weekday_of_last_week),
        (rf"\b{_LAST} {_WEEKDAY}\b", _last_weekday),
        (rf"\b{_WEEKDAY} {_LAST}\b", _last_weekday),
        (rf"{_LAST_CJK} ?{_WEEKDAY}", _last_weekday),
        (rf"\b{_NUMBER} {_UNIT} ago\b", _ago),
        (rf"\b(?:vor|hace|il y a) {_NUMBER} {_UNIT}\b", _ago),
        (rf"(?<!\d){_NUMBER} ?个?{_UNIT} ?[전前]", _ago),
        (r"\b(?:week before last|vorletzte woche)\b|지지난 ?주|先々週|上上个?(?:周|星期)",
         lambda found, today: _back(2, "week", today)),
        (rf"\b{_LAST} {_SEASON}\b", _last_season),
        (rf"\b{_SEASON} {_LAST}\b", _last_season),
        (rf"지난 ?{_SEASON}", _last_season),
        (rf"{_LAST_YEAR} ?の?{_SEASON}", _season_last_year),
        *((rf"\b{_LAST} (?:{spaced})\b|\b(?:{spaced}) {_LAST}\b|{_LAST_CJK} ?(?:{dense})(?![末말])", _last(unit))
          for spaced, dense, unit in _LASTING),
        (_LAST_YEAR, _last("year")),
        (rf"{_PAST}.*\b(?:on|am|el) {_WEEKDAY}\b", _last_weekday),
        (rf"{_PAST}.*(?<!le )(?<!les )\b(?P<weekday>{_FRENCH_DAYS})\b", _last_weekday),
        (rf"{_PAST}.*(?P<weekday>[월화수목금토일]요일|[月火水木金土日]曜日|(?:周|星期)[一二三四五六日])",
         _last_weekday),
    )
)  # fmt: skip
"""Tried in order: what is longer or narrower stands first."""
