"""Looking for what should be gone from the files of a database."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from chatmem.domain.sought import Sought

_SIDE_FILES = ("", "-wal", "-shm", "-journal")
_BLOCK_BYTES = 1 << 17
_BLOCK_ROWS = 1000
_ROW_END = "\x00"


def places(texts: Sequence[str], path: Path, connection: sqlite3.Connection) -> int:
    """Number of places where a database holds any of these texts (case and white space folded).

    The rows are read as SQLite gives them, where a text is whole; the bytes of the files show what no row holds any
    more. A place that both ways find counts once.
    """
    if not (sought := Sought(texts)):
        return 0
    nowhere = sought.in_text("")
    in_rows = _sums(nowhere, map(sought.in_text, _rows(connection)))
    blocks = (block for suffix in _SIDE_FILES for block in _blocks(path, suffix, sought.reach))
    return sum(map(max, in_rows, _sums(nowhere, map(sought.in_bytes, blocks))))


def _sums(nowhere: list[int], counts: Iterable[list[int]]) -> list[int]:
    return [sum(each) for each in zip(nowhere, *counts, strict=True)]


def _rows(connection: sqlite3.Connection) -> Iterator[str]:
    for query in _queries(connection):
        cursor = connection.execute(query)
        while rows := cursor.fetchmany(_BLOCK_ROWS):
            yield _ROW_END.join([value for row in rows for value in row if isinstance(value, str)])


def _queries(connection: sqlite3.Connection) -> list[str]:
    """One for all texts of each table; images and other BLOBs, which may be large, are not read."""
    tables = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    queries = []
    for table in tables:
        columns = connection.execute(
            "SELECT name FROM pragma_table_info(?) WHERE type NOT IN ('BLOB', 'INTEGER', 'REAL')", (table,)
        )
        if names := ", ".join(f'"{row[0]}"' for row in columns):
            # Names can't be bound, and these come from our own migrations.
            queries.append(f'SELECT {names} FROM "{table}"')  # noqa: S608
    return queries


def _blocks(path: Path, suffix: str, overlap: int) -> Iterator[bytes]:
    file = path.with_name(path.name + suffix)
    if not file.exists():
        return
    with file.open("rb") as stream:
        tail = b""
        while block := stream.read(_BLOCK_BYTES + overlap):
            yield tail + block
            tail = block[-overlap:]
