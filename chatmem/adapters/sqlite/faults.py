"""What went wrong in SQLite, in a sentence for a person."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chatmem.domain.errors import StoreError

_FULL = "The disk is full: {path} could not be written. What was saved before is safe; make room and try again."
_UNWRITABLE = "{path} can't be opened for writing. Check that the folder is there and that it is yours."
_CORRUPT = (
    "{path} is damaged. Put back a copy of it, or save what can be read with "
    '`sqlite3 "{path}" ".recover"`, then move it away.'
)
_LOCKED = "{path} is locked by another program. Close it and try again; nothing was lost."
_FAILED = "{path} could not be read or written ({reason}). Check the disk and try again."

_SENTENCES = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
    sqlite3.SQLITE_AUTH: _UNWRITABLE,
    sqlite3.SQLITE_CORRUPT: _CORRUPT,
    sqlite3.SQLITE_NOTADB: _CORRUPT,
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
}


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the file system into `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        sentence = _SENTENCES.get(primary_code(error), _FAILED)
        raise StoreError(sentence.format(path=path, reason=error)) from error
    except OSError as error:
        raise StoreError(_UNWRITABLE.format(path=path)) from error


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection holds a lock that was needed."""
    return primary_code(error) == sqlite3.SQLITE_BUSY


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code of an error; 0 where Python raised it before SQLite was asked."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def damaged(path: Path) -> StoreError:
    """The error for a file whose content makes no sense."""
    return StoreError(_CORRUPT.format(path=path))
