"""Being the only one who has a database open."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from chatmem.adapters.sqlite.faults import is_busy, translated
from chatmem.domain.errors import RefusedError


@contextmanager
def held_alone(path: Path) -> Iterator[None]:
    """Keep everybody else out of a database; nothing is held where there is none.

    Raises:
        RefusedError: If it is open elsewhere, in this process or in another.
        StoreError: If it can't be read.
    """
    if not path.exists():
        yield
        return
    with translated(path), closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            # Whoever has it open holds on to its log of writes, however idle, so that it can't be folded in for good.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if is_busy(error):
                raise RefusedError(
                    f"{path.parent.name} is open in another chatmem window. Close it and try again."
                ) from error
            raise
        yield
