"""What full text search sees of a text, so that it serves all scripts with one index.

LanceDB's `simple` tokenizer does not serve Chinese, Japanese and Korean, and scores of two indexes cannot be compared.
So words are split here: those of scripts that put no spaces between words, and Korean, where endings stick to words,
as characters and pairs of characters, the way Lucene's CJKBigramFilter does it; all others with their accents folded,
and beside them the stems of European languages (see `stems`). LanceDB then splits at the spaces, drops English stop
words and stems as is done for English.
"""

import re
import unicodedata
from collections.abc import Iterator

from chatmem.adapters.lancedb.stems import stems
from chatmem.domain.text import normalised

LONGEST_WORD = 40
QUERY_LENGTH = 20_000
QUERY_WORDS = 200

_DENSE = r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_FAR = r"\U00020000-\U0003ffff"
_VOWEL_SIGNS = r"\u0900-\u0dff"
"""Signs within the words of the scripts of India, which `\\w` leaves out."""

_PIECE = re.compile(rf"(?P<dense>[{_DENSE}{_FAR}]+)|(?:[^\W{_DENSE}{_FAR}]|[{_VOWEL_SIGNS}])+")
_LIKE = str.maketrans({"ı": "i", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"})  # noqa: RUF001  Turkish i
"""Letters that people write without their stroke or dot, and that Unicode does not take apart."""

_ACCENTS = re.compile(r"[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]")


def indexable(text: str) -> str:
    """The words of a text for the index, divided by spaces."""
    return " ".join(_terms(text, singles=True))


def searchable(query: str) -> str:
    """The distinct words of any text for a search, divided by spaces; of a long text, the first."""
    terms = dict.fromkeys(_terms(query[:QUERY_LENGTH], singles=False))
    return " ".join(list(terms)[:QUERY_WORDS])


def _terms(text: str, *, singles: bool) -> Iterator[str]:
    folded = normalised(text)
    yield from _split(_without_accents(folded), singles=singles)
    yield from (_without_accents(stem)[:LONGEST_WORD] for stem in stems(folded))


def _split(text: str, *, singles: bool) -> Iterator[str]:
    for piece in _PIECE.finditer(text):
        word = piece[0]
        if not piece["dense"]:
            yield word[:LONGEST_WORD]
            continue
        if singles or len(word) == 1:
            yield from word
        yield from (word[at : at + 2] for at in range(len(word) - 1))


def _without_accents(text: str) -> str:
    # NFC puts together again what is one letter in Korean and Japanese.
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", text)).translate(_LIKE)
    return unicodedata.normalize("NFC", bare)
