"""What a question asks for: whose words, what kind of answer, of what time."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.recall import Said
from chatmem.domain.text import clean, content_words, words
from chatmem.domain.turn import Role
from chatmem.recall.answers import Wanted, called_in, is_called, wanted_by
from chatmem.recall.asked import frame_of
from chatmem.recall.events import Event, event_in
from chatmem.recall.period import Bounds, Period, bounds_in, period_in
from chatmem.recall.slots import slots_asked

LENGTH = 2_000
"""Characters of a question that are looked at: a paste of a megabyte is not a better question."""


_SELF = (
    "i me my mine myself we us our ours ich mir mich mein meine meinen meinem meiner wir uns yo mi mis me nosotros soy "
    "tengo vivo trabajo je j moi mon ma mes m 내 내가 나는 나의 저는 제 제가 우리"
)
_SELF_DENSE = re.compile(r"私|僕|俺|我")
_ADDRESSED = "you your yours du dein deine dir dich tu tú ti te usted vous toi votre"
_I, _YOU = frozenset(_SELF.split()), frozenset(_ADDRESSED.split())

_PAST = re.compile(
    r"\b(?:used to|previously|formerly|former|back then|früher\w*|damals|ehemalig\w*|solía|anteriormente"
    r"|autrefois|auparavant)\b|예전|옛날|以前|昔",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+(?:['\u2019]s\b)?")

_ASKS_FACT = re.compile(
    r"^(?:(?:and|so|hey),? )?(?:what|which|who|when|where|how (?:old|many|much|often))\b"
    r"(?!.*\b(?:should|can|could|would|shall|may|might|you|your)\b).*\b(?:i|my|our|we)\b.*\?$"
    r"|^(?:wie|was|wo|wer|wann|welche\w*|wogegen|womit|woher|wohin) (?!.*\b(?:soll\w*|kann|könnte|du)\b)"
    r".*\b(?:ich|mein\w*)\b.*\?$"
    r"|^¿?(?:(?:a|de|en|con) )?(?:qué|cuál\w*|quién\w*|cuándo|dónde|adónde|cuánt\w+|cómo se llama)\b"
    r"(?!.*\b(?:debería|debo|puedo|podría|puedes|me recomiendas)\b).*\?$"
    r"|^(?:(?:à|de|avec) )?(?:où|quand|quoi|qui|quel\w*|combien|comment s'appelle\w*|c'est (?:quand|quoi|où))\b"
    r"(?!.*\b(?:devrais|dois|puis|peux|pourrais)\b).*\?$"
    r"|^(?!.*(?:추천|해야|할까|좋을까|줘|주세요)).*(?:어디|뭐|무엇|무슨|언제|누구|몇|얼마|어떤).*"
    r"|^(?!.*(?:すべき|べき|おすすめ|したら|ましょう|ください)).*(?:どこ|何|なに|いつ|だれ|誰|いくつ|いくら|どの|どんな).*"
    r"|^(?!.*(?:应该|可以|能|推荐|该|帮|怎么)).*(?:什么|哪|何时|谁|几|多少|多大).*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, read once.

    Attributes:
        text: Without control characters and without what it filters by.
        topic: `text` without the names of those who spoke, for the vectors: who said it is a term of its own.
        telling: Its words without grammar, for full text: "the" is no word in common.
        spoken: All its words.
        wants: What kinds of answer it asks for.
        slots: Names of the slots it may ask for.
        period: The time it names, as a preference.
        event: What it names in place of a date ("before the move").
        bounds: The time it filters by (`since:`, `before:`, `as-of:`).
    """

    text: str
    topic: str
    telling: str
    spoken: frozenset[str]
    wants: frozenset[Wanted]
    slots: frozenset[str]
    period: Period | None
    event: Event | None
    bounds: Bounds

    @property
    def by_self(self) -> bool:
        """Whether the user asks about themselves."""
        return not _I.isdisjoint(self.spoken) or _SELF_DENSE.search(self.text) is not None

    @property
    def about_self(self) -> bool:
        """Whether it asks for something about the user ("What is my job?"), and not for advice."""
        return self.by_self and _ASKS_FACT.search(self.text) is not None

    @property
    def past(self) -> bool:
        """Whether it asks for what no longer holds."""
        return bool(self.bounds.as_of or (self.event and self.event.before) or _PAST.search(self.text))

    @property
    def to_assistant(self) -> bool:
        """Whether it may ask for what the assistant once said."""
        return not _YOU.isdisjoint(self.spoken)

    def speaker_among(self, said: Iterable[Said]) -> tuple[Role | None, str | None]:
        """Whose words it asks for: the one person it names, or else the user, if it says "I"; nothing if unclear."""
        names = {item.speaker for item in said if item.speaker}
        called = frozenset(called_in(self.text))
        named = [name for name in sorted(names) if is_called(name, called)]
        if len(named) == 1:
            return None, named[0]
        if named or not self.by_self:
            return None, None
        return Role.USER, None


def read_question(text: str, now: datetime, speakers: Collection[str] = ()) -> Question:
    """Read a question.

    Args:
        text: As it was typed.
        now: For "last Tuesday".
        speakers: Names of those who spoke.
    """
    asked, bounds = bounds_in(clean(text[: 2 * LENGTH])[:LENGTH], now)
    lower = asked.casefold()
    spoken = words(asked)
    frame = frame_of(spoken)
    period = period_in(asked, now)
    return Question(
        text=asked,
        topic=without_names(asked, speakers) if speakers else asked,
        telling=" ".join(word for word in content_words(asked) if word not in frame),
        spoken=frozenset(spoken),
        wants=wanted_by(lower),
        slots=slots_asked(lower),
        period=period,
        event=None if period else event_in(asked),
        bounds=bounds,
    )


def without_names(text: str, names: Collection[str]) -> str:
    """A text without the words that name one of these people; as it is where nothing else would be left."""
    rest = _WORD.sub(lambda word: "" if any(is_called(name, called_in(word[0])) for name in names) else word[0], text)
    return " ".join(rest.split()) if content_words(rest) else text
