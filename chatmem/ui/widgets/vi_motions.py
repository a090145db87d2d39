"""Where the motions of vi lead, in a text counted in characters from its start."""

import re
from collections.abc import Callable, Iterator, Mapping

Motion = Callable[[str, int, int], int]
"""From a text, a place in it and a count to the place where the motion ends."""

_WORDS = re.compile(r"\w+|[^\w\s]+|^$", re.MULTILINE)
"""Words as `w` sees them: of letters, or of other marks; an empty line counts as one."""


def _line_start(text: str, at: int, _count: int = 1) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int, count: int = 1) -> int:
    for _ in range(count):
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        at = end + 1
    return at - 1


def _first_word(text: str, at: int, _count: int = 1) -> int:
    start = _line_start(text, at)
    line = text[start : _line_end(text, at)]
    return start + len(line) - len(line.lstrip())


def _left(text: str, at: int, count: int) -> int:
    return max(_line_start(text, at), at - count)


def _right(text: str, at: int, count: int) -> int:
    return min(_line_end(text, at), at + count)


def _to_word(text: str, at: int, count: int) -> int:
    return _nth((word.start() for word in _WORDS.finditer(text) if word.start() > at), count, len(text))


def _back_to_word(text: str, at: int, count: int) -> int:
    starts = [word.start() for word in _WORDS.finditer(text) if word.start() < at]
    return _nth(reversed(starts), count, 0)


def _to_word_end(text: str, at: int, count: int) -> int:
    ends = (word.end() - 1 for word in _WORDS.finditer(text) if word.end() - 1 > at and word.group())
    return _nth(ends, count, max(len(text) - 1, 0))


def _nth(places: Iterator[int], count: int, otherwise: int) -> int:
    for number, place in enumerate(places, 1):
        if number == count:
            return place
    return otherwise


MOTIONS: Mapping[str, Motion] = {
    "h": _left,
    "l": _right,
    " ": _right,
    "0": _line_start,
    "^": _first_word,
    "$": _line_end,
    "w": _to_word,
    "b": _back_to_word,
    "e": _to_word_end,
}


def span(text: str, at: int, motion: str, count: int, *, changing: bool = False) -> tuple[int, int]:
    """What an operator takes with a motion: from the first place to before the second.

    With `w` it takes no line's end, and if `changing`, no blanks behind the word.
    """
    to = MOTIONS[motion](text, at, count)
    if motion == "e":
        to = min(to + 1, len(text))
    start, end = min(at, to), max(at, to)
    if motion == "w":
        end = start + len(_without_end(text[start:end], changing))
    return start, end


def _without_end(taken: str, changing: bool) -> str:
    words = taken.rstrip()
    if not words:
        return taken.partition("\n")[0]
    return words if changing or "\n" in taken[len(words) :] else taken


def line_start(text: str, at: int) -> int:
    """The place of the first character of a line."""
    return _line_start(text, at)


def line_end(text: str, at: int) -> int:
    """The place behind the last character of a line."""
    return _line_end(text, at)


def first_word(text: str, at: int) -> int:
    """The place of the first character of a line that is no blank."""
    return _first_word(text, at)
