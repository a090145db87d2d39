"""The folder in which the windows that share a server, and the server, find one another.

Everything rests on locks of the operating system, which it frees when a process ends, however it ends:

- `server.lock` is held by the server for its life,
- `clients/ID.lock` by each window for its life,
- `start.lock` by whoever starts the server, and by the server while it decides to go. So a window that has found a
  running server and taken its own lock can't be left by it.
"""

import json
import os
from pathlib import Path

from filelock import FileLock, Timeout

from chatmem.domain.model import Endpoint


class Den:
    """The run folder of one server; private to the user.

    Args:
        folder: Made when it isn't there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._clients = folder / "clients"
        self._card = folder / "server.json"
        self.log = folder / "log"
        for made in (folder.parent, folder, self._clients):
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.start_lock = _lock(folder / "start.lock")
        self.server_lock = _lock(folder / "server.lock")

    def client_lock(self, client_id: str) -> FileLock:
        """The lock of one window; take it while holding `start_lock`."""
        return _lock(self._clients / f"{client_id}.lock")

    def has_server(self) -> bool:
        """Whether a server lives, be it that it is still loading its model."""
        return _is_held(self.server_lock)

    def has_clients(self) -> bool:
        """Whether any window lives; sweeps up after those that don't. Call it while holding `start_lock`."""
        for path in self._clients.glob("*.lock"):
            if _is_held(_lock(path)):
                return True
            path.unlink(missing_ok=True)
        return False

    def publish(self, endpoint: Endpoint) -> None:
        """Say where the server is, to this user only."""
        card = {"pid": os.getpid(), "base_url": endpoint.base_url, "api_key": endpoint.api_key}
        unfinished = self._card.with_suffix(".tmp")
        unfinished.unlink(missing_ok=True)
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(card, file)
        unfinished.replace(self._card)

    def published(self) -> Endpoint | None:
        """Where the server is, once it has said so."""
        try:
            card = json.loads(self._card.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        return Endpoint(base_url=card["base_url"], api_key=card["api_key"])

    def withdraw(self) -> None:
        """Take back what `publish` said."""
        self._card.unlink(missing_ok=True)


def _lock(path: Path) -> FileLock:
    # Not per thread: a lock may be freed by another thread than took it. Never "soft": those outlive a kill.
    return FileLock(path, mode=0o600, thread_local=False, fallback_to_soft=False)


def _is_held(lock: FileLock) -> bool:
    try:
        with lock.acquire(blocking=False):
            return False
    except Timeout:
        return True
