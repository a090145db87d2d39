"""Looking for what should be gone from the files of a database."""

import re
import sqlite3
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chatmem.domain.text import normalised, words

_SIDE_FILES = ("", "-wal", "-shm", "-journal")
_BLOCK_BYTES = 1 << 20
_BLOCK_ROWS = 1000
_ROW_END = "\x00"

# Memories are kept as JSON, which escapes line ends, quotation marks and backslashes.
_GAP = r"(?:\s|\\[nrt])+"
_ESCAPABLE = '"\\'


@dataclass(frozen=True, slots=True)
class _Needle:
    """A text to look for; a block of text without `key`, its longest word, can't hold it, which is quick to see."""

    key: str
    pattern: re.Pattern[str]

    def count(self, folded: str) -> int:
        return sum(1 for _ in self.pattern.finditer(folded)) if self.key in folded else 0


def places(texts: Sequence[str], path: Path, connection: sqlite3.Connection) -> int:
    """Number of places where a database holds any of these texts (case and white space folded).

    The rows are read as SQLite gives them, where a text is whole; the bytes of the files show what no row holds any
    more. A place that both ways find counts once.
    """
    needles = [_needle(text) for text in map(normalised, texts) if text]
    if not needles:
        return 0
    overlap = 4 * max(len(text.encode()) for text in texts)
    in_rows = _counts(needles, _rows(connection))
    in_files = _counts(needles, (block for suffix in _SIDE_FILES for block in _blocks(path, suffix, overlap)))
    return sum(map(max, in_rows, in_files))


def _needle(text: str) -> _Needle:
    pattern = _GAP.join("".join(map(_escapable, word)) for word in text.split())
    return _Needle(max(words(text), key=len, default=""), re.compile(pattern))


def _escapable(character: str) -> str:
    return (r"\\?" if character in _ESCAPABLE else "") + re.escape(character)


def _counts(needles: Sequence[_Needle], blocks: Iterator[str]) -> list[int]:
    counts = [0] * len(needles)
    for block in blocks:
        folded = unicodedata.normalize("NFKC", block).casefold()
        counts = [count + needle.count(folded) for count, needle in zip(counts, needles, strict=True)]
    return counts


def _rows(connection: sqlite3.Connection) -> Iterator[str]:
    for query in _queries(connection):
        cursor = connection.execute(query)
        while rows := cursor.fetchmany(_BLOCK_ROWS):
            yield _ROW_END.join(value for row in rows for value in row if isinstance(value, str))


def _queries(connection: sqlite3.Connection) -> list[str]:
    """One for all texts of each table; images and other BLOBs, which may be large, are not read."""
    tables = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    queries = []
    for table in tables:
        columns = connection.execute("SELECT name FROM pragma_table_info(?) WHERE type <> 'BLOB'", (table,))
        names = ", ".join(f'"{row[0]}"' for row in columns)
        # Names can't be bound, and these come from our own migrations.
        queries.append(f'SELECT {names} FROM "{table}"')  # noqa: S608
    return queries


def _blocks(path: Path, suffix: str, overlap: int) -> Iterator[str]:
    file = path.with_name(path.name + suffix)
    if not file.exists():
        return
    with file.open("rb") as stream:
        tail = b""
        while block := stream.read(_BLOCK_BYTES):
            yield (tail + block).decode(errors="replace")
            tail = block[-overlap:]
