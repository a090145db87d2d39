"""Blotting out: what a text looks like without the words of a forgotten memory."""

import re
from functools import lru_cache

from chatmem.domain.forgetting import BLOT
from chatmem.domain.memory import Memory
from chatmem.domain.text import content_words

RETOLD = 2 / 3
"""A clause that holds this share of a memory's telling words tells it again."""

LETTERS = 6
"""Of a telling word, so that its forms agree."""

_CLAUSE_END = re.compile(r"((?<=[.!?;,])\s+|(?<=[。！？、；，])|\n+|\s+(?:and|but|und|y|pero|et|mais)\s+)")  # noqa: RUF001


def telling_words(text: str) -> frozenset[str]:
    """The words that carry what a memory says, without its grammar, cut to six letters so that forms agree."""
    return frozenset(word[:LETTERS] for word in content_words(text))


def phrases(memory: Memory) -> tuple[str, ...]:
    """The texts that may stand nowhere once the memory is forgotten: its own and its quotes."""
    return tuple(dict.fromkeys([memory.text, *(quote.text for quote in memory.quotes)]))


def blot_source(text: str, memory: Memory) -> str:
    """Blot a turn that a memory rests on: of each quote the clauses that tell it, the whole quote where none does."""
    telling = telling_words(memory.text)
    for quote in memory.quotes:
        if quote.text in text:
            blotted = _blot_clauses(quote.text, telling, any_word=True)
            text = text.replace(quote.text, BLOT if blotted == quote.text else blotted)
    return blot_retold(text, memory)


def blot_retold(text: str, memory: Memory) -> str:
    """Blot what tells a memory again: its exact phrases, and the clauses that hold most of its telling words."""
    for phrase in phrases(memory):
        text = _pattern(phrase).sub(BLOT, text)
    return _blot_clauses(text, telling_words(memory.text), any_word=False)


def blot_derived(text: str, memory: Memory) -> str:
    """Blot an answer given with the memory in view: every clause that shares a telling word with it."""
    return _blot_clauses(blot_retold(text, memory), telling_words(memory.text), any_word=True)


def _blot_clauses(text: str, telling: frozenset[str], *, any_word: bool) -> str:
    pieces = _CLAUSE_END.split(text)
    return "".join(
        BLOT if index % 2 == 0 and _tells(piece, telling, any_word=any_word) else piece
        for index, piece in enumerate(pieces)
    )


def _tells(clause: str, telling: frozenset[str], *, any_word: bool) -> bool:
    shared = telling & telling_words(clause)
    return bool(shared) and (any_word or len(shared) >= RETOLD * len(telling))


@lru_cache(maxsize=1000)
def _pattern(phrase: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(re.escape(word) for word in phrase.split()), re.IGNORECASE)
