"""The one SQLite file of a profile."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Self

from chatmem.adapters.sqlite.faults import damaged, is_busy, translated
from chatmem.adapters.sqlite.residue import places
from chatmem.adapters.sqlite.schema import migrate
from chatmem.domain.errors import RefusedError

Value = str | bytes | int | float | None

# WAL with FULL makes a commit one fsync and keeps it through a power cut. Temporary files would hold text outside
# the profile, so there are none.
_WAL = "PRAGMA journal_mode = WAL"
_PRAGMAS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
)

_IN_MEMORY = Path(":memory:")


class Statements:
    """Runs statements on one connection, without a transaction of its own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, *values: Value) -> sqlite3.Cursor:
        """Run one statement; a lone surrogate, which UTF-8 can't hold, is taken as U+FFFD."""
        try:
            return self._connection.execute(sql, values)
        except UnicodeEncodeError:
            return self._connection.execute(sql, [_storable(value) for value in values])


class Database:
    """Owns the file and its connection. Methods block, and may be called from any thread.

    One connection behind a lock serves all threads: a write waits for the disk alone, a read for nothing, and other
    processes are kept apart by SQLite itself.

    Args:
        path: The file; it and its folder are made where they are missing, readable by their owner only. With `None`
            everything stays in this process's memory.
        busy_s: How long to wait for another process's transaction, in seconds.
        scrub_wait_s: How long `scrub` waits for other processes to let go, in seconds.

    Raises:
        StoreError: If the file can't be opened, is damaged, or was written by a newer chatmem.
    """

    def __init__(self, path: Path | None, *, busy_s: float = 5.0, scrub_wait_s: float = 10.0) -> None:
        self.path = path or _IN_MEMORY
        self._scrub_wait_s = scrub_wait_s
        self._lock = threading.RLock()
        with translated(self.path):
            if path:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                path.touch(mode=0o600)
            self._connection = _connect(self.path, busy_s)
            try:
                migrate(self._connection)
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def rows(self, sql: str, *values: Value) -> list[sqlite3.Row]:
        """All rows of one query."""
        with self._lock, translated(self.path):
            return Statements(self._connection).execute(sql, *values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[Statements]:
        """A transaction, durable when the block ends; an error in the block undoes all of it.

        Within another one of the same thread it is a part of that, and durable with it.
        """
        with self._lock, translated(self.path), self._part() if self._connection.in_transaction else self._whole():
            yield Statements(self._connection)

    def check(self) -> None:
        """Read the whole file and compare its structure.

        Raises:
            StoreError: If it is damaged or can't be read.
        """
        if [row[0] for row in self.rows("PRAGMA quick_check(1)")] != ["ok"]:
            raise damaged(self.path)

    def free_bytes(self) -> int:
        """Bytes of the file that hold no row; `scrub` gives them back."""
        [(pages, page_bytes)] = self.rows("SELECT * FROM pragma_freelist_count, pragma_page_size")
        return int(pages * page_bytes)

    def scrub(self) -> None:
        """Rewrite the file so that it and its log hold nothing of rows that were erased or replaced.

        Raises:
            RefusedError: If another process held the file for too long.
            StoreError: If it could not be rewritten.
        """
        with self._lock, translated(self.path), closing(_connect(self.path, self._scrub_wait_s)) as connection:
            try:
                self._truncate_log(connection)
                connection.execute("VACUUM")
                self._truncate_log(connection)
            except sqlite3.OperationalError as error:
                if is_busy(error):
                    raise self._held() from error
                raise

    def residue(self, needles: Sequence[str]) -> int:
        """Number of places where the file or its log, decoded, hold any of these texts (case and white space folded).

        Raises:
            StoreError: If they could not be read.
        """
        with self._lock, translated(self.path):
            return places(needles, self.path, self._connection)

    def close(self) -> None:
        """Let the file go; the last to do so folds its log into it."""
        with self._lock, translated(self.path):
            self._connection.close()

    @contextmanager
    def _whole(self) -> Iterator[None]:
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def _part(self) -> Iterator[None]:
        self._connection.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # SQLite itself undoes all of it where the disk is full
                self._connection.execute("ROLLBACK TO part")
                self._connection.execute("RELEASE part")
            raise
        self._connection.execute("RELEASE part")

    def _truncate_log(self, connection: sqlite3.Connection) -> None:
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise self._held()

    def _held(self) -> RefusedError:
        return RefusedError(f"Another chatmem is using {self.path}. Close the other window and try again.")


def _connect(path: Path, busy_s: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=busy_s, isolation_level=None, check_same_thread=False)
    try:
        _enter_wal(connection, busy_s)
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        connection.create_function("holds", 2, _holds, deterministic=True)
    except BaseException:
        connection.close()
        raise
    connection.row_factory = sqlite3.Row
    return connection


def _enter_wal(connection: sqlite3.Connection, busy_s: float) -> None:
    # SQLite itself does not wait here, and two windows may open a new profile at the same moment.
    deadline = monotonic() + busy_s
    while True:
        try:
            connection.execute(_WAL)
        except sqlite3.OperationalError as error:
            if not is_busy(error) or monotonic() > deadline:
                raise
            sleep(0.01)
        else:
            return


def _holds(text: str, folded: str) -> bool:
    return folded in text.casefold()


def _storable(value: Value) -> Value:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value
