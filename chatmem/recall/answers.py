"""The kind of answer that a question asks for, and whether a statement holds one."""

import re
from collections.abc import Iterable
from enum import StrEnum

from chatmem.domain.text import content_words, words


class Wanted(StrEnum):
    """A kind of answer that shows in the words of a statement."""

    TIME = "time"
    NUMBER = "number"
    NAME = "name"


_ASKING = {
    Wanted.TIME: re.compile(
        r"\b(?:when|how long|(?:what|which) (?:day|date|year|month|time)|wann|wie lange|cuándo|cuando|quand)\b"
        r"|언제|いつ|什么时候|何时|哪[天年]"
    ),
    Wanted.NUMBER: re.compile(
        r"\bhow (?:many|much|often|old|long|far)\b|\b(?:wie ?viele?|wie oft|cuánt[oa]s?|combien)\b"
        r"|몇|何(?:人|個|回|年|歳|つ)|いくつ|いくら"
    ),
    Wanted.NAME: re.compile(
        r"\b(?:who|whose|whom|where|which|called|(?:'s|is|was|of) the (?:name|title) of|wer|wen|wem|wo|wohin"
        r"|quién(?:es)?|dónde|qui|où)\b|누구|어디|だれ|誰|どこ"
    ),
}
_TIME_WORDS = (
    "yesterday today tonight tomorrow last next ago since recently just week weeks weekend weekends month months year "
    "years day days morning mornings evening evenings night nights birthday summer winter spring autumn fall monday "
    "mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays "
    "january february march april june july august september october november december gestern heute morgen letzte "
    "letzten letzter letztes nächste nächsten nächster nächstes woche wochen monat monate jahr jahre ayer hoy mañana "
    "semana año hier demain semaine mois"
)
_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten twice once few couple dozen zwei drei vier fünf dos tres cuatro "
    "cinco deux trois quatre cinq"
)
_TIMES, _NUMBERS = frozenset(_TIME_WORDS.split()), frozenset(_NUMBER_WORDS.split())
_YEAR = re.compile(r"\d{4}(?<!\w\d{4})(?!\w)")
_OTHER_TIMES = re.compile(
    r"어제|오늘|내일|지난|다음|昨日|今日|明日|先週|来週|昨天|今天|明天|上周|下周|요일|曜日|星期|周[一二三四五六日]"
    r"|[\d一二三四五六七八九十][年月日년월일]"
)
_WORDS = re.compile(r"[^\W\d_]+")
# Begins with what the regular expression engine looks for quickest: hundreds of turns are looked through.
_NAME = re.compile(r" (?<=[a-zà-ÿ,;:\"'] )[\"“']?(?!I\b)([A-ZÀ-Þ]\w+)")


def wanted_by(question: str) -> frozenset[Wanted]:
    """The kinds of answer that a question, in lower case, asks for."""
    return frozenset(wanted for wanted, asking in _ASKING.items() if asking.search(question))


def gives(text: str, wanted: Wanted, speakers: Iterable[str] = ()) -> bool:
    """Whether a statement holds what could be an answer of this kind; to address a speaker is to name nobody."""
    if wanted is Wanted.NAME:
        return any(not any(is_called(speaker, [name]) for speaker in speakers) for name in _NAME.findall(text))
    spoken = _WORDS.findall(text.lower())
    if wanted is Wanted.TIME:
        return not _TIMES.isdisjoint(spoken) or _names_time(text)
    return not _NUMBERS.isdisjoint(spoken) or any(map(str.isdigit, text))


def _names_time(text: str) -> bool:
    """Whether a year stands in a text, or a time in a script without spaces."""
    return _YEAR.search(text) is not None or (not text.isascii() and _OTHER_TIMES.search(text) is not None)


def called_in(text: str) -> list[str]:
    """The words of a text that may name somebody, as they were written."""
    telling = frozenset(content_words(text))
    return [word for word in _WORDS.findall(text) if word.casefold() in telling]


def is_called(name: str, called: Iterable[str]) -> bool:
    """Whether one of the words is a name, or has a capital and is its first three letters or more ("Mel", Melanie).

    Without a capital, "car" is no Caroline.
    """
    parts = words(name)
    return any(
        word.casefold() in parts
        or (word[0].isupper() and len(word) >= 3 and any(part.startswith(word.casefold()) for part in parts))
        for word in called
    )
