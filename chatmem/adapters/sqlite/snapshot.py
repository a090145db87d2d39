"""A copy of a database that is open elsewhere, and whether a copy from elsewhere is one of ours."""

import sqlite3
from contextlib import closing
from pathlib import Path

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.faults import translated
from chatmem.domain.errors import UsageError

_PAGES_AT_ONCE = 4096
_OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"


def copy_of(path: Path, copy: Path) -> None:
    """Copy a database as it is at one moment, while others read and write it.

    Raises:
        StoreError: If it can't be read, or the copy can't be written.
    """
    with (
        translated(path),
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target, pages=_PAGES_AT_ONCE)
        # A copy has no log beside it.
        target.execute("PRAGMA journal_mode = DELETE")


def check_ours(path: Path) -> None:
    """Bring a database from elsewhere up to date, and make sure that it holds nothing but what ours hold.

    Triggers and views run code of whoever made the file, so that there may be none that we did not make.

    Raises:
        UsageError: If its tables are not those of chatmem.
        StoreError: If it is damaged, or was written by a newer chatmem.
    """
    with translated(path), closing(sqlite3.connect(path)) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone():
            raise UsageError("It holds a database that runs code of its own. Nothing was imported.")
    with Database(path) as theirs, Database(None) as ours:
        theirs.check()
        if _objects(theirs) != _objects(ours):
            raise UsageError("It holds a database whose tables are not those of chatmem. Nothing was imported.")


def _objects(database: Database) -> list[tuple[object, ...]]:
    return [tuple(row) for row in database.rows(_OBJECTS)]
