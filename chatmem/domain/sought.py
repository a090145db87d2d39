"""Looking for what should be gone in what files hold: much text, in which it hardly ever is."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cached_property

from chatmem.domain.text import normalised, words

_ESCAPABLE = '"\\'
_GAP = r"(?:\s|\\[nrt])+"
"""White space, as it is or as JSON escapes it."""

_LEAD, _GOES_ON = b"\x01", b"\x02"
_KINDS = b"\0" * 0x80 + _GOES_ON * 0x40 + b"\0" * 2 + _LEAD * 0x33 + b"\0" * 0x0B
"""Of bytes: those that begin a character of several bytes in UTF-8, and those that go on with it."""


class _Needle:
    """A folded text; what does not hold `key`, its longest word, can't hold it, which is quick to see."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._key = max(words(text), key=len, default="")
        self._raw_key = self._key.encode()

    def in_folded(self, text: str) -> int:
        return sum(1 for _ in self._pattern.finditer(text)) if self._key in text else 0

    def in_bytes(self, folded: bytes) -> int:
        return sum(1 for _ in self._raw_pattern.finditer(folded)) if self._raw_key in folded else 0

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(_GAP.join("".join(map(_escapable, word)) for word in self._text.split()))

    @cached_property
    def _raw_pattern(self) -> re.Pattern[bytes]:
        return re.compile(self._pattern.pattern.encode())


class Sought:
    """Texts that are looked for, whatever their case, width and white space, also behind the escapes of JSON.

    Attributes:
        texts: These, folded, each once.
        reach: Bytes that one may take where it stands; blocks of a file must overlap by as many.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        folded = list(dict.fromkeys(text for text in map(normalised, texts) if text))
        self.texts = tuple(folded)
        self._needles = [_Needle(text) for text in folded]
        self.reach = 4 * max((len(text.encode()) for text in folded), default=0)

    def __bool__(self) -> bool:
        return bool(self._needles)

    def in_text(self, text: str) -> list[int]:
        """How often a text holds each of them."""
        folded = unicodedata.normalize("NFKC", text).casefold()
        return [needle.in_folded(folded) for needle in self._needles]

    def in_bytes(self, content: bytes) -> list[int]:
        """How often bytes that are mostly text hold each of them as UTF-8."""
        if _LEAD + _GOES_ON in content.translate(_KINDS):
            return self.in_text(content.decode(errors="replace"))
        return self.in_binary(content)

    def in_binary(self, content: bytes) -> list[int]:
        """The same for bytes that are hardly text: letters beyond ASCII are found in the case that they are sought in.

        Of those bytes a tenth would be taken for text, and folding that takes a hundred times as long.
        """
        folded = content.lower()
        return [needle.in_bytes(folded) for needle in self._needles]


def _escapable(character: str) -> str:
    return (r"\\?" if character in _ESCAPABLE else "") + re.escape(character)
