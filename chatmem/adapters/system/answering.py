"""A mark that a model computes an answer on this machine, seen by all windows of the user."""

import uuid
from pathlib import Path

from filelock import FileLock, Timeout

_TRIES = 3


class AnsweringMark:
    """Set while this window's answer is computed here. It rests on a lock, which ends with the process however it ends.

    Args:
        folder: Where windows find one another's marks; private to the user, on a local disk. Made when it isn't there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: FileLock | None = None

    def set(self) -> None:
        """Set the mark; setting it twice changes nothing."""
        if self._held is not None:
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for _ in range(_TRIES):
            lock = _lock(self._folder / f"{uuid.uuid4().hex}.lock")
            try:
                lock.acquire(blocking=False)
            except Timeout:  # another window was just looking whether it is held
                continue
            self._held = lock
            return

    def clear(self) -> None:
        """Take the mark back."""
        if self._held is not None:
            held, self._held = self._held, None
            held.release()
            Path(held.lock_file).unlink(missing_ok=True)

    def elsewhere(self) -> bool:
        """Whether another window's mark is set; sweeps up after windows that were killed."""
        own = Path(self._held.lock_file) if self._held is not None else None
        return any(_is_held(path) for path in self._folder.glob("*.lock") if path != own)


def _is_held(path: Path) -> bool:
    try:
        with _lock(path).acquire(blocking=False):
            path.unlink(missing_ok=True)
    except Timeout:
        return True
    return False


def _lock(path: Path) -> FileLock:
    # Not per thread: a lock may be freed by another thread than took it. Never "soft": those outlive a kill.
    return FileLock(path, mode=0o600, thread_local=False, fallback_to_soft=False)
