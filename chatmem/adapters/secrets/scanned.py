"""A text, and where the words stand in it by which secrets are found.

To try a hundred patterns at every character takes half a minute for a megabyte. So each rule names words or shapes that
are found fast, and its pattern is tried only there.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

_TOKEN = re.compile(r"[\w.~+/=:$%@-]{16,}")
_DIGIT_RUN = re.compile(r"(?<![\w.])[A-Z]{0,4}\d(?:[ .+-]?[0-9A-Z]){6,80}[a-z]?(?!\w)")

_MANY = 13
_LONG_LINE = 2_000
_LONGEST_WORD = 256
_LONGEST_TOKEN = 8_192
_SPACE = re.compile(r"\s")


class Scanned:
    """A text that is looked at by many rules.

    Attributes:
        text: The text.
        folded: The same in small letters, as long as the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        folded = text.lower()
        # A few letters have small ones of two characters.
        self.folded = folded if len(folded) == len(text) else "".join(c.lower()[:1] or c for c in text)
        self._found: dict[str, list[int]] = {}

    @cached_property
    def tokens(self) -> list[tuple[int, int]]:
        """Where the words are that are long enough for a token, and no whole file: `(start, end)`."""
        found = (match.span() for match in _TOKEN.finditer(self.text))
        return [(start, end) for start, end in found if end - start <= _LONGEST_TOKEN]

    @cached_property
    def digit_runs(self) -> list[tuple[int, int]]:
        """Where numbers are that may be one of a card, an account or a person: digits in groups, or many of them."""
        return [
            match.span()
            for match in _DIGIT_RUN.finditer(self.text)
            if match.end() - match.start() >= _MANY or not match[0].isdigit()
        ]

    @cached_property
    def has_digits(self) -> bool:
        """Whether there is any digit."""
        return re.search(r"\d", self.text) is not None

    def places(self, words: Iterable[str]) -> list[int]:
        """Where one of these words begins, in small letters, in order."""
        return sorted({place for word in words for place in self._places(word)})

    def near(self, words: Iterable[str], *, before: int, after: int) -> Iterator[tuple[int, int]]:
        """The stretches of so many characters around these words, without overlaps, never ending within a word."""
        begun = (0, -1)
        for place in self.places(words):
            start, end = max(0, place - before), place + after
            if start <= begun[1]:
                begun = begun[0], end
                continue
            if begun[1] >= 0:
                yield begun[0], self._word_end(begun[1])
            begun = start, end
        if begun[1] >= 0:
            yield begun[0], self._word_end(begun[1])

    def lines(self, words: Iterable[str]) -> Iterator[tuple[int, int]]:
        """The lines with one of these words in them, of a long line what is near it."""
        behind = 0
        for place in self.places(words):
            if place < behind:
                continue
            start = self.text.rfind("\n", max(behind, place - _LONG_LINE), place) + 1
            end = self.text.find("\n", place, place + _LONG_LINE)
            behind = self._word_end(place + _LONG_LINE) if end < 0 else end
            yield max(start, place - _LONG_LINE, 0), behind

    def around(
        self, pattern: re.Pattern[str], words: Iterable[str], *, before: int, after: int
    ) -> Iterator[re.Match[str]]:
        """Where a pattern matches near one of these words."""
        for start, end in self.near(words, before=before, after=after):
            yield from pattern.finditer(self.text, start, end)

    def at(self, pattern: re.Pattern[str], words: Iterable[str]) -> Iterator[re.Match[str]]:
        """Where a pattern matches that begins with one of these words; matches may overlap."""
        for place in self.places(words):
            if match := pattern.match(self.text, place):
                yield match

    def _places(self, word: str) -> list[int]:
        found = self._found.get(word)
        if found is None:
            found = self._found[word] = []
            place = self.folded.find(word)
            while place >= 0:
                found.append(place)
                place = self.folded.find(word, place + len(word))
        return found

    def _word_end(self, place: int) -> int:
        space = _SPACE.search(self.text, place, place + _LONGEST_WORD)
        return space.start() if space else min(place + _LONGEST_WORD, len(self.text))
