"""Finding quickly which of many texts may tell what is being forgotten: few do."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from math import ceil

from chatmem.domain.memory import Memory
from chatmem.domain.text import normalised, words
from chatmem.domain.turn import TurnId
from chatmem.forgetting.blot import LETTERS, RETOLD, phrases, telling_words

SAMPLE = 500
"""Texts in which the telling words are counted."""

FEW_SIGNS = 60
"""As many are looked for one by one, before the words of a text are taken apart, which takes ten times as long.

A text that holds most of the telling words holds one of any few more than it may lack.
"""


class Traces:
    """Memories that are being forgotten, made ready to be looked for in many texts.

    A text that retells one holds most of its telling words, or one of its phrases; and with a phrase all words of it
    but, perhaps, the first and the last, which may be parts of longer ones.
    """

    def __init__(self, memories: Sequence[Memory], ids: Collection[str] = ()) -> None:
        """Make them ready.

        Args:
            memories: What is being forgotten.
            ids: Of what has to do with it.
        """
        self._memories = memories
        self._names = {_longest_word(id_) for id_ in ids}
        self._at_turn = defaultdict[TurnId, list[int]](list)
        self._by_word = defaultdict[str, list[int]](list)
        self._by_key = defaultdict[str, list[tuple[int, frozenset[str]]]](list)
        self._by_part = defaultdict[str, list[int]](list)
        self._telling: list[frozenset[str]] = []
        self._needed: list[float] = []
        self._signs = frozenset[str]()
        self._seen = Counter[str]()
        self._sampled = 0
        for at, memory in enumerate(memories):
            telling = telling_words(memory.text)
            self._telling.append(telling)
            self._needed.append(RETOLD * len(telling))
            for word in telling:
                self._by_word[word].append(at)
            for turn_id in {quote.turn_id for quote in memory.quotes}:
                self._at_turn[turn_id].append(at)
            for phrase in phrases(memory):
                if inner := words(phrase)[1:-1]:
                    self._by_key[max(inner, key=len)].append((at, frozenset(inner)))
                else:
                    self._by_part[_longest_word(phrase)].append(at)

    def in_text(self, text: str, turn_ids: Collection[TurnId] = (), *, any_word: bool = False) -> list[Memory]:
        """Those that a text may tell, and those that rest on these turns. All others it is known not to tell.

        Args:
            text: The text.
            turn_ids: Where it was said.
            any_word: Whether one telling word is enough.
        """
        near = self._near(text, any_word=any_word)
        near |= {at for id_ in turn_ids for at in self._at_turn.get(id_, ())}
        return [self._memories[at] for at in sorted(near)]

    def touch(self, text: str) -> bool:
        """Whether a text may tell one of them, or name one of the ids."""
        folded = _folded(text)
        return any(name in folded for name in self._names) or bool(self._near(text, any_word=False))

    def _near(self, text: str, *, any_word: bool) -> set[int]:
        if self._signs and not any_word:
            folded = _folded(text)
            if not any(sign in folded for sign in self._signs):
                return set()
        said = set(words(text))
        told = _cut(said) & self._by_word.keys()
        shared = Counter(at for word in told for at in self._by_word[word]) if told else {}
        if self._sampled < SAMPLE:
            self._sample(told)
        near = {at for at, count in shared.items() if any_word or count >= self._needed[at]}
        near.update(at for word in said & self._by_key.keys() for at, inner in self._by_key[word] if inner <= said)
        if self._by_part:
            folded = normalised(text)
            near.update(at for part, found in self._by_part.items() if part and part in folded for at in found)
        return near

    def _sample(self, told: set[str]) -> None:
        """Learn which telling words are rare; once that is known, texts without the rarest are told apart at once."""
        self._seen.update(told)
        self._sampled += 1
        if self._sampled == SAMPLE:
            signs = self._rarest()
            self._signs = signs if len(signs) <= FEW_SIGNS else frozenset()

    def _rarest(self) -> frozenset[str]:
        signs = set[str]()
        for telling, needed in zip(self._telling, self._needed, strict=True):
            by_rarity = sorted(telling, key=lambda word: (self._seen[word], word))
            signs.update(by_rarity[: len(telling) - ceil(needed) + 1])
        # Who holds a phrase holds the telling words in it.
        bare = [key for key, found in self._by_key.items() if any(signs.isdisjoint(_cut(inner)) for _, inner in found)]
        return frozenset([*signs, *bare, *self._by_part])


def _cut(found: Iterable[str]) -> set[str]:
    return {word[:LETTERS] for word in found}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _longest_word(text: str) -> str:
    return max(words(text), key=len, default=normalised(text))
