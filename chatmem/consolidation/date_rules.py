"""How each way of naming a day is read: patterns in six languages, and what the calendar makes of them.

dateparser reads about half of these phrases (neither `letzten Dienstag` nor `hace dos semanas` nor `in exactly eight
weeks`), and doesn't tell whether `on Monday` is the last one or the next. So the words are named here.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta

from chatmem.domain.calendar_words import MONTH_OF, NUMBER_OF, UNITS, WEEKDAY_OF, any_of
from chatmem.domain.patterns import Pattern

_CJK = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_DAYS_AWAY = {
    -2: "the day before yesterday|vorgestern|anteayer|antier|avant-hier|그저께|그제|一昨日|おととい",
    -1: "yesterday|last night|gestern|ayer|anoche|hier|어제|어젯밤|昨日|昨夜|きのう",
    0: "today|tonight|this (?:morning|afternoon|evening)|heute|hoy|esta (?:mañana|tarde|noche)|aujourd'hui"
    "|ce (?:matin|soir)|오늘|今日|今朝|今夜",
    1: "tomorrow|mañana|demain|내일|明日|あした",
    2: "the day after tomorrow|übermorgen|pasado mañana|après-demain|모레|明後日|あさって",
}
_BEFORE = "last|past|previous|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?|dernière|dernier|pasad[oa]|지난|先"
_NOW = "this|diese[nrsm]?|est[ea]|cet(?:te)?|ce|이번|今"
_AFTER = "next|coming|nächste[nrsm]?|kommende[nrsm]?|prochaine?|próxim[oa]|que viene|다음|来"
_SPANS = (
    "week|woche|semana|semaine|주|週", "month|monat|mes|mois|달|月", "year|jahr|año|année|an|해|年",
    "weekend|wochenende|fin de semana|week-end|주말|週末",
)  # fmt: skip
_YEARS_AWAY = {-1: "작년|去年|昨年", 0: "올해|今年", 1: "내년|来年"}
_FEASTS = {
    "christmas eve|heiligabend|nochebuena": (12, 24),
    "christmas|weihnachten|navidad|noël|크리스마스|クリスマス": (12, 25),
    "new year's eve|silvester|nochevieja": (12, 31),
    "new year's day|neujahr": (1, 1),
}


NUMBER = rf"(?P<n>\d{{1,3}}|{any_of(NUMBER_OF)})"
_UNIT = rf"(?P<unit>{'|'.join(UNITS.values())})"
_MONTH, _WEEKDAY = rf"(?P<month>{any_of(MONTH_OF)})", rf"(?P<weekday>{any_of(WEEKDAY_OF)})"
_D, _Y = r"(?P<day>\d{1,2})", r"(?P<year>(?:19|20)\d\d)"
_FRAME = rf"(?P<frame>(?:{_BEFORE})|(?:{_NOW})|(?:{_AFTER}))"
_SPAN = rf"(?P<span>{'|'.join(_SPANS)})"
_WEEK = r"(?P<span>week|woche|semana|semaine|주|週)"
_ON = r"(?:on|by|until|till|before|since|from|for|this|am|bis|seit|ab|vor|el|desde|hasta|avant|depuis|dès)"
_IN = (
    r"(?:in|since|by|until|till|from|of|for|end of|early|late|mid|im|seit|ab|bis|ende|anfang|mitte|en|desde|hasta"
    r"|a partir de|depuis|dès|fin|début|à partir de)"
)


Reckoned = tuple[date, str] | None
"""A first day and how much of it was meant: `day`, `nth`, `month` or `year`; `None` for no time at all."""

Reckon = Callable[[re.Match[str], date, bool], Reckoned]
"""Takes what a pattern found, the day on which it was said, and whether the clause tells of the past."""


def _away(days: int) -> Reckon:
    return lambda found, today, past: (today + timedelta(days=days), "day")


def _feast(month: int, day: int) -> Reckon:
    return lambda found, today, past: (_in_year(today, month, day, past=past), "day")


def _written(found: re.Match[str], today: date, past: bool) -> Reckoned:
    """A date with a month, by name or by number."""
    parts = found.groupdict()
    month = MONTH_OF[parts["month"]] if parts.get("month") else int(parts["number"] or 0)
    day, precision = (int(parts["day"]), "day") if parts.get("day") else (1, "month")
    if parts.get("year"):
        return date(int(parts["year"] or 0), month, day), precision
    return _in_year(today, month, day, past=past, whole_month=precision == "month"), precision


def _in_year(today: date, month: int, day: int, *, past: bool, whole_month: bool = False) -> date:
    """This day of the year that is meant: the last one or the next."""
    this = date(today.year, month, day)
    compared = today.replace(day=1) if whole_month else today
    if past and this > compared:
        return this.replace(year=today.year - 1)
    if not past and this < compared:
        return this.replace(year=today.year + 1)
    return this


def _year_alone(found: re.Match[str], today: date, past: bool) -> Reckoned:
    return date(int(found["year"]), 1, 1), "year"


def _year_away(years: int) -> Reckon:
    return lambda found, today, past: (date(today.year + years, 1, 1), "year")


def _counted(sign: int) -> Reckon:
    return lambda found, today, past: moved(today, sign * number_of(found["n"]), unit_of(found["unit"]))


def moved(day: date, count: int, unit: str) -> tuple[date, str]:
    """A day so many units later, or earlier, and how precise that is."""
    if unit in {"day", "week", "fortnight"}:
        return day + timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[unit]), "day"
    if unit == "month":
        months = day.year * 12 + day.month - 1 + count
        return date(months // 12, months % 12 + 1, 1), "month"
    return date(day.year + count, 1, 1), "year"


def _framed(found: re.Match[str], today: date, past: bool) -> Reckoned:
    """`Last week`, `next month`, `this weekend`."""
    turn = _turn(found["frame"])
    kind = next(place for place, words in enumerate(_SPANS) if found["span"] in words.split("|"))
    monday = today - timedelta(days=today.weekday())
    if kind == 0:
        return (monday + timedelta(weeks=turn), "day") if turn else None
    if kind == 3:
        return monday + timedelta(days=5, weeks=turn), "day"
    return moved(today, turn, "month" if kind == 1 else "year")


def _weekday_in_week(found: re.Match[str], today: date, past: bool) -> Reckoned:
    """`Thursday next week`."""
    monday = today - timedelta(days=today.weekday())
    return monday + timedelta(weeks=_turn(found["frame"]), days=WEEKDAY_OF[found["weekday"]]), "day"


def _framed_weekday(found: re.Match[str], today: date, past: bool) -> Reckoned:
    """`Last Tuesday`, `next Friday`."""
    turn = _turn(found["frame"])
    return _nearest(today, WEEKDAY_OF[found["weekday"]], past=turn < 0 or (turn == 0 and past)), "day"


def _weekday_alone(found: re.Match[str], today: date, past: bool) -> Reckoned:
    return _nearest(today, WEEKDAY_OF[found["weekday"]], past=past), "day"


def _nearest(today: date, weekday: int, *, past: bool) -> date:
    """The last such day before today, or the next one after it."""
    ahead = (weekday - today.weekday() - 1) % 7 + 1
    return today - timedelta(days=7 - ahead or 7) if past else today + timedelta(days=ahead)


def _nth(found: re.Match[str], today: date, past: bool) -> Reckoned:
    """`The 24th`: of this month, or the one after or before it."""
    day = int(found["day"])
    away = 0
    if past and day > today.day:
        away = -1
    elif not past and day < today.day:
        away = 1
    first, _ = moved(today, away, "month")
    return first.replace(day=day), "nth"


def _turn(frame: str) -> int:
    return -1 if re.fullmatch(_BEFORE, frame) else 0 if re.fullmatch(_NOW, frame) else 1


def number_of(word: str) -> int:
    """The number that a word or digits name."""
    return int(word) if word.isdecimal() else NUMBER_OF[word]


def unit_of(word: str) -> str:
    """`day`, `week`, `fortnight`, `month` or `year`."""
    return next(name for name, words in UNITS.items() if re.fullmatch(words, word))


MONTHLY = Pattern(rf"\b(?:every|each|jeden|cada|chaque)\b|\b{_MONTH}\b")
NTH = Pattern(
    rf"\b(?:the|on|until|by|am|el) (?:the )?{_D}(?:st|nd|rd|th)\b(?! (?:floor|time|grade|century|street|avenue|edition"
    r"|birthday|year|row|chapter|place|person|largest|of (?:each|every)))"
)
_EDGE = rf"(?<![\w-])(?<!{_CJK})"
RULES: tuple[tuple[Pattern, Reckon], ...] = (
    (Pattern(rf"\b{_Y}-(?P<number>\d\d)-{_D}\b"), _written),
    (Pattern(rf"\b{_D}\.(?P<number>\d{{1,2}})\.{_Y}?"), _written),
    (Pattern(rf"(?:{_Y}\s*[年년]\s*)?(?P<number>\d{{1,2}})\s*[月월]\s*{_D}\s*[日일]"), _written),
    (Pattern(rf"\b{_D}(?:st|nd|rd|th|\.|er)?,? (?:of |de )?{_MONTH}\b\.?,?(?: (?:of |de )?{_Y}\b)?"), _written),
    (Pattern(rf"\b{_MONTH}\b\.? (?:the )?{_D}(?:st|nd|rd|th)?\b(?![\d:])(?! ?[ap]m\b)(?:,? {_Y}\b)?"), _written),
    *(
        (
            Pattern(rf"\b(?:on|by|before|until|till|at|over|an|zu|bis|en|à|para|avant) (?:{words})\b|(?:{words})에"),
            _feast(*day),
        )
        for words, day in _FEASTS.items()
    ),
    (Pattern(rf"\b{_WEEKDAY}\b (?:of )?(?:the |la )?{_FRAME} {_WEEK}\b"), _weekday_in_week),
    (Pattern(rf"\b{_FRAME} {_WEEK}(?: on| am| el)?,? {_WEEKDAY}\b"), _weekday_in_week),
    (Pattern(rf"{_FRAME} ?{_WEEK}(?:の| )?{_WEEKDAY}"), _weekday_in_week),
    (Pattern(rf"\b{_FRAME} {_WEEKDAY}\b(?!s)"), _framed_weekday),
    (Pattern(rf"\b{_WEEKDAY} {_FRAME}\b"), _framed_weekday),
    *(
        (Pattern(rf"(?<![\w-])(?:{words})(?!\w)|(?:{words})(?={_CJK})"), _away(days))
        for days, words in sorted(_DAYS_AWAY.items(), key=lambda row: -abs(row[0]))
    ),
    (Pattern(rf"\b{NUMBER} {_UNIT} (?:ago|back|earlier)\b"), _counted(-1)),
    (Pattern(rf"\b(?:vor|(?<!desde )hace|il y a) {NUMBER} {_UNIT}\b"), _counted(-1)),
    (Pattern(rf"{NUMBER} ?{_UNIT} ?(?:전|前)"), _counted(-1)),
    (
        Pattern(
            rf"\b(?:in|within|dentro de|en|dans) (?:exactly |about |roughly |just |genau |etwa )?{NUMBER} {_UNIT}\b"
        ),
        _counted(1),
    ),
    (Pattern(rf"\b{NUMBER} {_UNIT} (?:from now|from today)\b"), _counted(1)),
    (Pattern(rf"{NUMBER} ?{_UNIT} ?(?:후|뒤|後)"), _counted(1)),
    (Pattern(rf"\b{_FRAME} {_SPAN}\b"), _framed),
    (Pattern(rf"\b{_SPAN} {_FRAME}\b"), _framed),
    (Pattern(rf"{_FRAME} ?{_SPAN}(?={_CJK}|\W|$)"), _framed),
    *((Pattern(words), _year_away(years)) for years, words in _YEARS_AWAY.items()),
    (Pattern(rf"\b{_ON} (?:the |den )?{_WEEKDAY}\b"), _weekday_alone),
    (
        Pattern(r"(?<!le )(?<!les )(?<!chaque )\b(?P<weekday>lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b"),
        _weekday_alone,
    ),
    (Pattern(r"(?<!매주 )(?P<weekday>[월화수목금토일]요일)(?=에|까지|부터)"), _weekday_alone),
    (NTH, _nth),
    (Pattern(rf"\b{_MONTH}\b,? (?:of |de )?{_Y}\b"), _written),
    (Pattern(rf"\b{_IN} (?:the end of |early |late |mid-?)?{_MONTH}\b"), _written),
    (Pattern(rf"(?:{_Y}\s*[年년]\s*)?(?P<number>\d{{1,2}})\s*[月월](?!\s*\d)"), _written),
    (Pattern(rf"\b(?:in|since|from|until|im jahr|seit|en|desde|depuis) {_Y}\b"), _year_alone),
    (Pattern(rf"{_Y}[年년]"), _year_alone),
)
"""Tried in order; where two stand in one place, the first one counts."""
