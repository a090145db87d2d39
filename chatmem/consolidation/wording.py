"""Whether two texts say the same: stems, numbers, names, denial."""

import re
from functools import lru_cache

from chatmem.consolidation.prose import straight
from chatmem.domain.text import content_words, words

_FOREIGN = (
    "ich bin ist sind und der die das den dem ein eine einen mein meine mir mich wir el la los las un una y de en mi"
    " mis me es soy que por con"
)
_LEFT_OUT = frozenset(f"{_FOREIGN} ll m re s t d ve im ive".split())
_ENDING = re.compile(r"(?<=\w{3})(?:ies|ing|ed|es|ys|s|e|y)$")
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1$")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![.!?…]\s)(?<!^)(?<!\w)[A-ZÀ-ÖØ-Þ][\w'-]+")
_AGAINST = re.compile(
    r"\b(?:not|no|never|none|cannot|without|\w+n't|cant|dont|stopp?\w*|quit|gave up|hates?|dislikes?|loathes?|detests?"
    r"|left|nicht|kein\w*|nie|ohne|nunca|sin|odio)\b",
    re.IGNORECASE,
)

READ_AT_ONCE = 2048
"""Texts whose reading is kept: each new memory is compared with the same ones, again and again."""


@lru_cache(maxsize=READ_AT_ONCE)
def stems(text: str) -> frozenset[str]:
    """The words that carry the meaning, without their endings."""
    return frozenset(
        _DOUBLED.sub(r"\1", _ENDING.sub("", word)) for word in content_words(straight(text)) if word not in _LEFT_OUT
    )


def only_in(one: str, other: str) -> frozenset[str]:
    """The stems of a text that another lacks."""
    return stems(one) - stems(other)


@lru_cache(maxsize=READ_AT_ONCE)
def numbers(text: str) -> frozenset[str]:
    """The numbers in a text."""
    return frozenset(_NUMBER.findall(text))


@lru_cache(maxsize=READ_AT_ONCE)
def names(text: str) -> frozenset[str]:
    """The capitalised words in a text that do not begin a sentence, folded."""
    return frozenset(
        name.casefold().removesuffix("'s") for name in _NAME.findall(straight(text)) if name not in {"I'm", "I've"}
    )


def overlap(one: str, other: str) -> float:
    """Jaccard index of the stems, [0, 1]; 0 where neither text has any."""
    first, second = stems(one), stems(other)
    return len(first & second) / len(first | second) if first | second else 0.0


def contradict(one: str, other: str) -> bool:
    """Whether two texts may not be taken for one: other numbers, names, or one denies and the other does not."""
    if numbers(one) != numbers(other) or denies(one) != denies(other):
        return True
    # A name that begins one text may stand inside the other.
    return not (names(one) <= set(words(other)) and names(other) <= set(words(one)))


@lru_cache(maxsize=READ_AT_ONCE)
def denies(text: str) -> bool:
    """Whether a text says that something is not so, or no more."""
    return bool(_AGAINST.search(straight(text)))
