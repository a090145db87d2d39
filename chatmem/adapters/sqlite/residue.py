"""Looking for what should be gone from the files of a database."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from chatmem.domain.text import normalised

_SIDE_FILES = ("", "-wal", "-shm", "-journal")
_CHUNK = 1 << 20
_ESCAPED = re.compile(r"\\(u[0-9a-f]{4}|.)")


def places(needles: Sequence[str], path: Path, connection: sqlite3.Connection) -> int:
    """Number of places where a database holds any of these texts (case and white space folded).

    The rows are read as SQLite gives them, where a text is whole and its white space can be folded; the bytes of the
    files show what no row holds any more. A place that both ways find counts once.
    """
    folded = [needle for needle in map(normalised, needles) if needle]
    in_rows, in_files = [0] * len(folded), [0] * len(folded)
    for text in _texts(connection):
        _count(text, folded, in_rows)
    overlap = 4 * max((len(needle.encode()) for needle in folded), default=0)
    for suffix in _SIDE_FILES:
        for chunk in _chunks(path.with_name(path.name + suffix), overlap):
            _count(chunk.decode(errors="replace"), folded, in_files)
    return sum(map(max, in_rows, in_files))


def _count(text: str, needles: Sequence[str], counts: list[int]) -> None:
    views = [normalised(text)]
    if "\\" in text:
        views.append(normalised(_unescaped(text)))
    for number, needle in enumerate(needles):
        counts[number] += max(view.count(needle) for view in views)


def _unescaped(text: str) -> str:
    # Memories are kept as JSON. Whatever the escape stands for, it is either itself or white space.
    return _ESCAPED.sub(lambda match: match[1] if match[1] in '"\\/' else " ", text)


def _texts(connection: sqlite3.Connection) -> Iterator[str]:
    tables = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        # A table's name can't be bound, and these come from our own migrations.
        for row in connection.execute('SELECT * FROM "' + table + '"'):  # noqa: S608
            yield from (value for value in row if isinstance(value, str))


def _chunks(file: Path, overlap: int) -> Iterator[bytes]:
    if not file.exists():
        return
    with file.open("rb") as stream:
        tail = b""
        while block := stream.read(_CHUNK):
            yield tail + block
            tail = block[-overlap:] if overlap else b""
