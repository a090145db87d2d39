"""The words of the calendar, in seven languages: what dates are read by."""

from collections.abc import Iterable

MONTHS = (
    "january jan januar enero janvier", "february feb februar febrero février", "march mar märz marzo mars",
    "april apr abril avril", "may mai mayo", "june jun juni junio juin", "july jul juli julio juillet",
    "august aug agosto août", "september sept sep septiembre septembre", "october oct oktober okt octubre octobre",
    "november nov noviembre novembre", "december dec dezember dez diciembre décembre",
)  # fmt: skip
WEEKDAYS = (
    "monday montag lunes lundi 월요일 月曜日 月曜 星期一 周一",
    "tuesday dienstag martes mardi 화요일 火曜日 火曜 星期二 周二",
    "wednesday mittwoch miércoles mercredi 수요일 水曜日 水曜 星期三 周三",
    "thursday donnerstag jueves jeudi 목요일 木曜日 木曜 星期四 周四",
    "friday freitag viernes vendredi 금요일 金曜日 金曜 星期五 周五",
    "saturday samstag sonnabend sábado samedi 토요일 土曜日 土曜 星期六 周六",
    "sunday sonntag domingo dimanche 일요일 日曜日 日曜 星期日 星期天 周日",
)  # fmt: skip
NUMBERS = (
    "", "a an one ein eine einem einen einer un una une 하나 한 一", "two zwei dos deux 두 二 两",
    "three drei tres trois 세 三", "four vier cuatro quatre 네 四", "five fünf cinco cinq 다섯 五",
    "six sechs seis 여섯 六", "seven sieben siete sept 일곱 七", "eight acht ocho huit 여덟 八",
    "nine neun nueve neuf 아홉 九", "ten zehn diez dix 열 十", "eleven elf once onze", "twelve zwölf doce douze",
)  # fmt: skip
UNITS = {
    "day": "days?|tag(?:e|en)?|días?|jours?|일|日|天",
    "week": "weeks?|wochen?|semanas?|semaines?|주일|주|週間|週|周|星期",
    "fortnight": "fortnights?",
    "month": "months?|monat(?:e|en)?|mes(?:es)?|mois|개월|달|か月|ヶ月|カ月|个月",
    "year": "years?|jahr(?:e|en)?|años?|ans?|années?|년|해|年",
}
"""Patterns of the words for each."""


def places(rows: tuple[str, ...]) -> dict[str, int]:
    """The place of each word, the first being 0."""
    return {word: place for place, row in enumerate(rows) for word in row.split()}


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))


WEEKDAY_OF = places(WEEKDAYS)
MONTH_OF = {word: place + 1 for word, place in places(MONTHS).items()}
NUMBER_OF = places(NUMBERS) | {"a couple of": 2, "couple of": 2}
