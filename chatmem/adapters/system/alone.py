"""One at a time, over all threads and windows of a profile."""

from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

from chatmem.domain.errors import RefusedError

WAIT_S = 60.0
"""A forgetting at 100,000 memories takes ten seconds; who waits longer had better know."""


class Alone:
    """Held by one thread of one window; that thread may take it again. It ends with the process, however that ends.

    Args:
        file: Where the lock lies; in the profile's folder, on a local disk. Holds nothing.
        wait_s: How long another window is waited for, in seconds.
    """

    def __init__(self, file: Path, *, wait_s: float = WAIT_S) -> None:
        from filelock import FileLock

        self._here = RLock()
        # Not per thread: `_here` sees to threads. Never "soft": those outlive a kill.
        self._everywhere = FileLock(file, timeout=wait_s, mode=0o600, thread_local=False, fallback_to_soft=False)

    def __enter__(self) -> Self:
        """Wait until nobody else holds it.

        Raises:
            RefusedError: If another window held it for too long.
        """
        from filelock import Timeout

        self._here.acquire()
        try:
            self._everywhere.acquire()
        except BaseException as error:
            self._here.release()
            if isinstance(error, Timeout):
                raise RefusedError("Another window is changing memories. Try again when it is done.") from error
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._everywhere.release()
        self._here.release()
