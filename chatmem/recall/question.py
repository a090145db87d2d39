"""What a question asks for: whose words, what kind of answer, of what time."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from chatmem.domain.recall import Said
from chatmem.domain.text import clean, content_words, words
from chatmem.domain.turn import Role
from chatmem.recall.period import Bounds, Period, bounds_in, period_in
from chatmem.recall.slots import slots_asked

LENGTH = 2_000
"""Characters of a question that are looked at: a paste of a megabyte is not a better question."""


class Wanted(StrEnum):
    """A kind of answer that shows in the words of a statement."""

    TIME = "time"
    NUMBER = "number"
    NAME = "name"


_ASKING = {
    Wanted.TIME: re.compile(
        r"\b(?:when|how long|(?:what|which) (?:day|date|year|month|time)|wann|wie lange|cuándo|cuando|quand)\b"
        r"|언제|いつ"
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
_ANSWERING = {
    Wanted.TIME: re.compile(
        r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|just|(?:week|weekend|month|year|day|morning"
        r"|evening|night|birthday|summer|winter|spring|autumn|fall|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?|january"
        r"|february|march|april|june|july|august|september|october|november|december|\d{4}|gestern|heute|morgen"
        r"|letzte\w*|nächste\w*|woche|monat|jahr|ayer|hoy|mañana|semana|año|demain|semaine|mois)\b"
        r"|어제|오늘|내일|지난|다음|昨日|今日|明日|先週|来週|[年月日년월일]",
        re.IGNORECASE,
    ),
    Wanted.NUMBER: re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|once|few|couple|dozen|zwei|drei|vier|fünf|dos|tres"
        r"|cuatro|cinco|deux|trois|quatre|cinq)\b",
        re.IGNORECASE,
    ),
}
_NAME = re.compile(r"(?<=[a-zà-ÿ,;:\"'] )[\"“']?(?!I\b)([A-ZÀ-Þ]\w+)")
_SELF = "i me my mine myself we us our ours ich mir mich mein meine meinem wir uns yo mi mis nosotros je moi mon ma mes"
_ADDRESSED = "you your yours du dein deine dir dich tu tú ti te usted vous toi votre"
_I, _YOU = frozenset(_SELF.split()), frozenset(_ADDRESSED.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, read once.

    Attributes:
        text: Without control characters and without what it filters by.
        telling: Its words without grammar, for full text: "the" is no word in common.
        spoken: All its words.
        wants: What kinds of answer it asks for.
        slots: Names of the slots it may ask for.
        period: The time it names, as a preference.
        bounds: The time it filters by (`since:`, `before:`, `as-of:`).
    """

    text: str
    telling: str
    spoken: frozenset[str]
    wants: frozenset[Wanted]
    slots: frozenset[str]
    period: Period | None
    bounds: Bounds

    @property
    def by_self(self) -> bool:
        """Whether the user asks about themselves."""
        return not _I.isdisjoint(self.spoken)

    @property
    def to_assistant(self) -> bool:
        """Whether it may ask for what the assistant once said."""
        return not _YOU.isdisjoint(self.spoken)

    def speaker_among(self, said: Iterable[Said]) -> tuple[Role | None, str | None]:
        """Whose words it asks for: the one person it names, or else the user, if it says "I"; nothing if unclear."""
        names = {item.speaker for item in said if item.speaker}
        named = [name for name in sorted(names) if is_called(name, self.telling.split())]
        if len(named) == 1:
            return None, named[0]
        if named or not self.by_self:
            return None, None
        return Role.USER, None


def read_question(text: str, now: datetime) -> Question:
    """Read a question.

    Args:
        text: As it was typed.
        now: For "last Tuesday".
    """
    asked, bounds = bounds_in(clean(text[: 2 * LENGTH])[:LENGTH], now)
    lower = asked.casefold()
    return Question(
        text=asked,
        telling=" ".join(content_words(asked)),
        spoken=frozenset(words(asked)),
        wants=frozenset(wanted for wanted, asking in _ASKING.items() if asking.search(lower)),
        slots=slots_asked(lower),
        period=period_in(asked, now),
        bounds=bounds,
    )


def gives(text: str, wanted: Wanted, speakers: Iterable[str] = ()) -> bool:
    """Whether a statement holds what could be an answer of this kind; to address a speaker is to name nobody."""
    if wanted is Wanted.NAME:
        return any(
            not any(is_called(speaker, [name.casefold()]) for speaker in speakers) for name in _NAME.findall(text)
        )
    return _ANSWERING[wanted].search(text) is not None


def is_called(name: str, spoken: Iterable[str]) -> bool:
    """Whether one of the words is a name, or its first three letters or more ("Mel" for Melanie)."""
    parts = words(name)
    return any(part.startswith(word) for part in parts for word in spoken if len(word) >= 3)
