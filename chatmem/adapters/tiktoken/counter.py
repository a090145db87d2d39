"""Counting tokens with tables that are on this machine, or estimating when there are none."""

import logging
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from hashlib import sha1, sha256
from importlib.util import find_spec
from pathlib import Path

logger = logging.getLogger(__name__)

# litellm loads this table for nearly every provider, so that it costs no memory of its own; o200k_base takes 80 MB
# more. On scripts other than Latin it counts more tokens than newer tables do, which errs on the safe side.
_ENCODING = "cl100k_base"
_TABLE_URL = f"https://openaipublic.blob.core.windows.net/encodings/{_ENCODING}.tiktoken"
_TABLE_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"

_PIECE = 2_000
"""Characters encoded at a time: bounds what a text without spaces costs, at one token too many per piece."""

_LOOK_AHEAD = 16
"""Characters past the cut that are tried as well: ` world` is one token where ` worl` is two."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_NARROW = re.compile("[\\x00-\u058f]")

_Measure = Callable[[str], int]


class TiktokenCounter:
    """Counts tokens as cl100k_base does; never touches the network.

    The count of a text is the sum over pieces of 2,000 characters, so that it never shrinks by more than a piece's
    worth when the text grows, and takes a time proportional to its length. The tables (0.15 s, 45 MB) are read at
    the first call. Where they are missing, a token is taken to be four characters of Latin, Greek or Cyrillic, or
    one of any other script.
    """

    def count(self, text: str) -> int:
        """Number of tokens of a text."""
        return sum(self._remembered(piece) for piece in _pieces(text))

    def cut(self, text: str, tokens: int) -> str:
        """The longest beginning of a text that has at most `tokens` tokens.

        It may end in the middle of a word, never in the middle of a character.
        """
        kept = 0
        for piece in _pieces(text):
            needed = self._remembered(piece)
            if needed > tokens:
                return text[: kept + self._fitting(piece, tokens)]
            tokens -= needed
            kept += len(piece)
        return text

    def _fitting(self, piece: str, tokens: int) -> int:
        def cost(length: int) -> int:
            return self._measure(piece[:length])

        length = max(0, bisect_right(range(len(piece)), tokens, key=cost) - 1)
        further = range(min(length + _LOOK_AHEAD, len(piece)), length, -1)
        return next((longer for longer in further if cost(longer) <= tokens), length)

    @cached_property
    def _measure(self) -> _Measure:
        return _tiktoken() or _estimate

    @cached_property
    def _remembered(self) -> _Measure:
        # The window's turns are counted again for every prompt: 5,000 of them take 30 ms anew, 0.5 ms from here.
        return lru_cache(maxsize=4_096)(self._measure)


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), _PIECE):
        yield _SURROGATE.sub("\ufffd", text[start : start + _PIECE])


def _estimate(text: str) -> int:
    narrow = sum(1 for _ in _NARROW.finditer(text))
    return -(-narrow // 4) + len(text) - narrow


def _tiktoken() -> _Measure | None:
    """What measures a text exactly; `None` when that would take the network."""
    if not _is_intact(_table()):
        logger.warning("%s is missing or damaged; tokens are estimated", _table())
        return None
    try:
        import tiktoken

        encoding = tiktoken.get_encoding(_ENCODING)
    except (ImportError, OSError, ValueError):
        logger.exception("tiktoken could not be loaded; tokens are estimated")
        return None
    return lambda text: len(encoding.encode_ordinary(text))


def _is_intact(table: Path) -> bool:
    # tiktoken deletes a table with another digest and fetches it anew.
    try:
        return sha256(table.read_bytes()).hexdigest() == _TABLE_SHA256
    except OSError:
        return False


def _table() -> Path:
    """Where tiktoken looks for the table before it would fetch it."""
    folder = os.environ.get(_CACHE_VARIABLE) or _use_tables_of_litellm()
    return Path(folder, sha1(_TABLE_URL.encode(), usedforsecurity=False).hexdigest())


def _use_tables_of_litellm() -> str:
    spec = find_spec("litellm")
    for package in (spec and spec.submodule_search_locations) or ():
        folder = Path(package, "litellm_core_utils", "tokenizers")
        if folder.is_dir():
            os.environ[_CACHE_VARIABLE] = str(folder)
            return str(folder)
    return os.devnull
