"""How sure it is that what was found answers the question, so that recall can say that nothing is known.

Thresholds on scores fail (AUROC .44 to .55): the nearest noise is as near as the answer. What tells them apart is
whether a statement speaks of what is asked. Its likeness to the question, the share of the question's own words in it
and a slot in common speak for it. Each reason to doubt it takes most of that away: it is about someone else, it only
supposes, it lacks the thing asked for ("which brand"), or the number, the time or the name.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from chatmem.domain.recall import Said
from chatmem.domain.text import sentences
from chatmem.domain.turn import Role
from chatmem.recall.answers import Wanted, gives
from chatmem.recall.asked import attribute, in_german, names_in, spoken_words, telling_words
from chatmem.recall.contiguity import asks
from chatmem.recall.memories import RankedMemory, is_about
from chatmem.recall.question import Question
from chatmem.recall.turns import RankedTurn
from chatmem.recall.wording import akin

COVERAGE, SLOT = 0.5, 0.5
"""Weights of the words in common and of a slot in common, beside a weight of 1 for the likeness."""

DOUBT = 0.4
"""What a reason to doubt a statement leaves of it."""

ABSTAINS = 0.4
"""Below this, what was found is taken for no answer."""

SILENT = 0.3
"""Below this a question about the person recalls nothing at all: wrong silence costs more than some noise."""

FLOOR = 0.3
"""Likeness of a question to what has nothing to do with it, at most, with an embedder that knows the language."""

SHORTEST = 6
"""Characters of a sentence that can be an answer."""

_BY_SLOT = frozenset(
    ("job", "work", "city", "town", "languages", "subject", "diet", "food", "meat", "coffee", "instrument", "pets")
)
"""What a statement in the right slot need not call by its name."""

_SUPPOSES = re.compile(
    r"\b(?:if|would|wouldn't|could|imagine|imaginary|pretend|supposedly|maybe|wish|story|once upon|wenn|würde)\b",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:i|i'm|i've|i'll|i'd|my|we|our|me|ich|mein\w*|wir|yo|mi|mis|mes|je|mon|ma|me|nos|soy|tengo|vivo|trabajo|estoy"
    r"|nous|notre)\b|\bj'|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]",
    re.IGNORECASE,
)
"""Chinese, Japanese and Korean leave out who is meant where it is the speaker."""

_KIN = re.compile(
    r"(?<!with )(?<!mit )(?<!con )(?<!avec )\b(?:my|our|mein\w*|mi) (?:\w+ )?"
    r"(sister|brother|mother|mum|mom|father|dad|son|daughter|wife|husband|partner"
    r"|niece|nephew|aunt|uncle|cousin|friend|flatmate|colleague|boss|neighbou?r|schwester|bruder|hermana|hermano)s?\b"
    r"|\bone of (?:his|her|their) friends\b"
    r"|(?:우리|내|제) (?:언니|누나|여동생|오빠|형|남동생|엄마|어머니|아빠|아버지|아들|딸|남편|아내|친구)"
    r"|(?:私の|僕の)?(?:妹|姉|弟|兄|母|父|息子|娘|夫|妻|友達)は|我(?:的)?(?:妈妈|爸爸|姐姐|妹妹|哥哥|弟弟|朋友|丈夫|妻子)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bnumber\b|\bhow (?:many|much|old|often|far)\b|\bwie (?:viele?|alt|oft|groß|weit)\b|\bcuánt|\bcombien\b"
    r"|\bquel âge\b"
    r"|몇|何[歳人回年個]|いくつ|いくら|多少|几|多大",
    re.IGNORECASE,
)
_CALLED = re.compile(r"\b(?:who|called|title|name of)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How sure recall is that it found an answer.

    Attributes:
        confidence: [0, 1].
        abstained: Whether what was found is taken for no answer.
    """

    confidence: float
    abstained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Something that could be an answer.

    Attributes:
        similarity: Of what it stands in to the question.
        in_slot: Whether it fills a slot that is asked for.
        about: Whether it is about the one the question is about, as far as can be seen.
    """

    text: str
    similarity: float
    in_slot: bool
    about: bool


def judge(question: Question, memories: Iterable[RankedMemory], turns: Iterable[RankedTurn]) -> Verdict:
    """How sure it is that one of these answers the question."""
    statements = _above_the_floor([*_learned(question, memories), *_said(question, turns)])
    best = max((support(question, statement) for statement in statements), default=0.0)
    return Verdict(confidence=min(1.0, best), abstained=best < ABSTAINS)


def _above_the_floor(statements: Sequence[Statement]) -> list[Statement]:
    """The statements without the likeness that all of them have to the question.

    Where everything is alike, likeness tells little: an embedder that was made for English finds all Korean alike.
    """
    floor = max(FLOOR, median(statement.similarity for statement in statements)) if statements else FLOOR
    return [replace(one, similarity=(one.similarity - floor + FLOOR) * FLOOR / floor) for one in statements]


def support(question: Question, statement: Statement) -> float:
    """How much speaks for a statement as the answer."""
    spoken = spoken_words(statement.text)
    keys = telling_words(question.text)
    covered = sum(any(akin(key, word) for word in spoken) for key in keys) / max(1, len(keys))
    lacking = _lacks_attribute(question, statement, spoken)
    value = max(0.0, statement.similarity) + COVERAGE * covered + SLOT * (statement.in_slot and not lacking)
    return float(value * DOUBT ** (lacking + sum(_doubts(question, statement, spoken))))


def _lacks_attribute(question: Question, statement: Statement, spoken: list[str]) -> bool:
    asked = attribute(question.text)
    if asked is None or any(akin(asked, word) for word in spoken):
        return False
    if Wanted.TIME in question.wants and gives(asked, Wanted.TIME):  # "which days" is answered by Monday
        return False
    return not (statement.in_slot and asked in _BY_SLOT)


def _doubts(question: Question, statement: Statement, spoken: list[str]) -> Iterator[bool]:
    text = statement.text
    yield not statement.about
    yield _SUPPOSES.search(text) is not None
    yield Wanted.TIME in question.wants and not (gives(text, Wanted.TIME) or gives(text, Wanted.NUMBER))
    yield _COUNTED.search(question.text) is not None and not gives(text, Wanted.NUMBER)
    yield _CALLED.search(question.text) is not None and not gives(f"a {text}", Wanted.NAME)
    nameless = statement.in_slot and in_german(question.text)  # "Beruf" is no name, but names the slot
    yield not nameless and any(name.casefold() not in spoken for name in names_in(question.text))


def _learned(question: Question, memories: Iterable[RankedMemory]) -> Iterator[Statement]:
    for ranked in memories:
        about = is_about(ranked.memory, question) or not question.by_self
        yield Statement(
            text=ranked.memory.text,
            similarity=ranked.similarity or 0.0,
            in_slot=about and ranked.memory.slot in question.slots,
            about=about,
        )


def _said(question: Question, turns: Iterable[RankedTurn]) -> Iterator[Statement]:
    for turn in turns:
        if not _could_tell(turn.said, question):
            continue
        for sentence in sentences(turn.said.text):
            if len(sentence) >= SHORTEST and not asks(sentence):
                about = not question.by_self or _of_self(sentence, question)
                yield Statement(text=sentence, similarity=turn.similarity or 0.0, in_slot=False, about=about)


def _could_tell(said: Said, question: Question) -> bool:
    """Whether a turn's words count: what the assistant said is never evidence, unless it is asked what it said."""
    return said.role is Role.USER or said.speaker is not None or question.to_assistant


def _of_self(sentence: str, question: Question) -> bool:
    kin = _KIN.search(sentence)
    if kin and (kin[1] or "").lower() not in question.spoken:
        return False
    return _SELF.search(sentence) is not None or kin is not None
