"""What a question asks for: whose words, what kind of answer, of what time."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.recall import Said
from chatmem.domain.text import clean, content_words, words
from chatmem.domain.turn import Role
from chatmem.recall.answers import Wanted, is_called, wanted_by
from chatmem.recall.period import Bounds, Period, bounds_in, period_in
from chatmem.recall.slots import slots_asked

LENGTH = 2_000
"""Characters of a question that are looked at: a paste of a megabyte is not a better question."""


_SELF = "i me my mine myself we us our ours ich mir mich mein meine meinem wir uns yo mi mis nosotros je moi mon ma mes"
_ADDRESSED = "you your yours du dein deine dir dich tu tú ti te usted vous toi votre"
_I, _YOU = frozenset(_SELF.split()), frozenset(_ADDRESSED.split())

_ASKS_FACT = re.compile(
    r"^(?:(?:and|so|hey),? )?(?:what|which|who|when|where|how (?:old|many|much|often))\b"
    r"(?!.*\b(?:should|can|could|would|shall|may|might|you|your)\b).*\b(?:i|my|our|we)\b.*\?$"
    r"|^(?:wie|was|wo|wer|wann) (?!.*\b(?:soll\w*|kann|könnte)\b).*\b(?:ich|mein\w*)\b.*\?$",
    re.IGNORECASE,
)


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
    def about_self(self) -> bool:
        """Whether it asks for something about the user ("What is my job?"), and not for advice."""
        return self.by_self and _ASKS_FACT.search(self.text) is not None

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
        wants=wanted_by(lower),
        slots=slots_asked(lower),
        period=period_in(asked, now),
        bounds=bounds,
    )
