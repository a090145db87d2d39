"""Which words of a question an answer may repeat, and which of them name the thing that is asked for."""

import re
from functools import lru_cache

from chatmem.domain.text import words

_GRAMMAR = (
    "what which who whom whose when where why how much many long often old far kind type sort name called title do "
    "does did am is are was were should can could may must will would has have had know tell me my i the a an of to "
    "for in on at it with our we user be and or"
)
_FRAME = frozenset(_GRAMMAR.split())
_ATTRIBUTE = re.compile(
    r"^(?:what|which|what(?:'s| is| was| are| were) (?:my|the|our))\s+(?:(?:kind|type|sort) of )?"
    r"((?:[\w'-]+ ){0,3}?[\w'-]+?)"
    r"(?= (?:do|did|does|is|are|was|were|should|can|must|have|has|will|of|for|at|from|to|in)\b|\?|$)",
    re.IGNORECASE,
)


@lru_cache(maxsize=16)
def telling_words(question: str) -> tuple[str, ...]:
    """The words of a question that an answer may repeat, each once."""
    return tuple(word for word in dict.fromkeys(words(question)) if word not in _FRAME)


@lru_cache(maxsize=16)
def attribute(question: str) -> str | None:
    """The thing asked for: `brand` of "which brand is my bike?"; `None` where it is not named."""
    found = _ATTRIBUTE.search(question.strip())
    telling = [word for word in words(found[1]) if word not in _FRAME] if found else []
    return telling[-1] if telling else None
