"""Text as it may be stored, compared and shown."""

import re
import unicodedata
from collections.abc import Iterator

_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SUSPECT = re.compile(
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff\\U000e0000-\\U000e007f]"
)
"""All letters that `clean` looks at: most texts have none, and are told by one look."""

_TAGS = re.compile("(\U0001f3f4[\U000e0030-\U000e007a]{3,6}\U000e007f)|[\U000e0000-\U000e007f]+")
"""Letters that nothing shows and models read; a few of them after a black flag make that of a country."""

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[@-Z\\-_]"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")  # noqa: RUF001 the full stops of Chinese and Japanese
_WORD = re.compile(r"\w+", re.UNICODE)
_GRAMMAR = (
    "a about all also always am an and any are as at be been being but by can could did do does doing for from get had "
    "has have having he her hers him his how i if i'm i've im in into is it its just like me mine more most my of on "
    "or our she should so some than that the their them they this to too user users very was we were what when where "
    "which who will with would you your s m ve re ll d t don not no"
)
_FRAME = frozenset(_GRAMMAR.split())


def clean(text: str) -> str:
    r"""Drop what no store, model or terminal should get.

    Terminal escape sequences, NUL and other control characters, and marks that reorder the line vanish; `\n` and
    `\t` stay. Letters that nobody sees go too. A lone surrogate, which cannot be written as UTF-8, becomes U+FFFD.
    """
    if _SUSPECT.search(text) is None:
        return text
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _TAGS.sub(r"\1", _FORBIDDEN.sub("", _ESCAPES.sub("", text)))


def normalised(text: str) -> str:
    """Fold case, width and white space, for comparing what two texts say."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def words(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    return _WORD.findall(normalised(text))


def content_words(text: str) -> list[str]:
    """The words that carry what a text says, in order: all but the grammar of English, and the word `user`."""
    return [word for word in words(text) if word not in _FRAME]


def sentences(text: str) -> Iterator[str]:
    """The sentences and lines of a text, stripped, in order."""
    for piece in _SENTENCE_END.split(text):
        if stripped := piece.strip():
            yield stripped


def shortened(text: str, length: int) -> str:
    """The text on one line, cut to `length` characters with an ellipsis where it was longer."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: max(0, length - 1)].rstrip() + "…"
