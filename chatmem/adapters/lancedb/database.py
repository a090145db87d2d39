"""The Lance database: a connection that is made late, and the lock of its writers."""

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from chatmem.adapters.lancedb.library import load
from chatmem.domain.errors import RefusedError, StoreError

if TYPE_CHECKING:
    from lancedb import DBConnection

LOCK_WAIT_S = 30.0
"""How long a write waits for the writes of other windows."""

HELD_ROWS = 1_000_000
"""So many rows take 800 MB; most people say less in twenty years."""

INDEX_CACHE_BYTES = 128 * 2**20
METADATA_CACHE_BYTES = 64 * 2**20
"""LanceDB would take 7 GB for its caches."""

_HINT = "latest_version_hint.json"


class WritersLock:
    """Keeps all other writers out, of this process and of others; a thread may enter it again.

    Args:
        file: The lock; its folder must be there.
        wait_s: How long to wait for other writers, in seconds.
    """

    def __init__(self, file: Path, *, wait_s: float = LOCK_WAIT_S) -> None:
        self._lock = FileLock(file, timeout=wait_s, poll_interval=0.01, mode=0o600)

    @contextmanager
    def held(self, *, wait: bool = True) -> Iterator[None]:
        """Hold it.

        Args:
            wait: Whether to wait for other writers.

        Raises:
            RefusedError: If another process holds it for too long, or at all where it is not waited for.
            OSError: If the file could not be written.
        """
        try:
            self._lock.acquire(blocking=wait)
        except Timeout as error:
            raise RefusedError(
                "Another chatmem window is writing to the memory store. Wait until it is done, or close it."
            ) from error
        try:
            yield
        finally:
            self._lock.release()


class LanceDatabase:
    """A folder of Lance tables whose vectors all come from one embedding model.

    Nothing is opened, and LanceDB (1.2 s) is not imported, before the first read or write.

    Attributes:
        folder: Where the tables live.
        embedding_model: Name of the model; recorded with each table.
        dimension: Length of its vectors.
        held_rows: Tables with no more rows are searched in memory; others through their indexes on disk.
    """

    def __init__(
        self,
        folder: Path,
        lock: Path | WritersLock,
        embedding_model: str,
        dimension: int,
        *,
        lock_wait_s: float = LOCK_WAIT_S,
        held_rows: int = HELD_ROWS,
    ) -> None:
        self.folder = folder
        self.embedding_model = embedding_model
        self.dimension = dimension
        self.held_rows = held_rows
        self._lock = lock if isinstance(lock, WritersLock) else WritersLock(lock, wait_s=lock_wait_s)
        self._connection: DBConnection | None = None
        self._connecting = threading.Lock()

    def connection(self) -> "DBConnection":
        """The connection, made at the first call."""
        with self._connecting:
            if self._connection is None:
                load()
                import lancedb

                self._connection = lancedb.connect(
                    self.folder,
                    read_consistency_interval=timedelta(0),
                    session=lancedb.Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES),
                )
            return self._connection

    @contextmanager
    def exclusive(self, *, wait: bool = True) -> Iterator[None]:
        """Keep all other writers out, of this process and of others; a thread may enter it again.

        Args:
            wait: Whether to wait for other writers.

        Raises:
            RefusedError: If another process holds the lock for too long, or at all where it is not waited for.
            StoreError: If the folders could not be written.
        """
        with ExitStack() as held:
            with unwritable(self.folder):
                make_folder(self.folder)
                held.enter_context(self._lock.held(wait=wait))
            yield


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """Turn an error of the disk into a `StoreError` that names the folder."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"The memory store in {folder} could not be written: {error.strerror}.") from error


def make_folder(folder: Path) -> None:
    """Make a folder that is the person's own and survives a loss of power; one that is there is left as it is."""
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_durable([folder])


def contents(folder: Path) -> frozenset[Path]:
    """A folder and all below it, but the hint, a number that LanceDB overwrites in place and can do without."""
    found = (Path(at, name) for at, folders, files in os.walk(folder) for name in (*folders, *files) if name != _HINT)
    return frozenset((folder, *found)) if folder.exists() else frozenset()


def make_durable(new: Iterable[Path]) -> None:
    """Make new files and folders survive a loss of power, which LanceDB leaves to chance; they are the person's own."""
    for path in (new := list(new)):
        if path.is_file():
            path.chmod(0o600)
            _sync(path)
    if os.name == "posix":  # Windows has no way to sync a folder
        for folder in {path.parent for path in new}:
            _sync(folder)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
