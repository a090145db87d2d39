"""The built-in models, served by a child process that windows share."""

import hashlib
import importlib.util
import logging
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from chatmem.adapters.llamacpp.den import Den
from chatmem.domain.errors import ChatMemError, ProviderError
from chatmem.domain.model import Endpoint

logger = logging.getLogger(__name__)

_START_S = 120.0
_POLL_S = 0.02


class BuiltinServer:
    """Starts the server of a built-in model, or joins the one another window has started.

    A server stops within about a second after the last window that used it was closed, or killed. Methods block, and
    may be called from any thread.

    Args:
        run_dir: Where servers and windows find one another; private to the user, on a local disk.
        model_path: Says where a model's file lies.
        context_tokens: Size of the context.
        threads: Threads to compute with; 0 for one per physical core, 8 at most.
    """

    def __init__(
        self, run_dir: Path, model_path: Callable[[str], Path], *, context_tokens: int = 8192, threads: int = 0
    ) -> None:
        self._run_dir = run_dir
        self._model_path = model_path
        self._context_tokens = context_tokens
        self._threads = threads
        self._client_id = uuid.uuid4().hex
        self._joined: dict[Path, FileLock] = {}
        self._one_at_a_time = threading.Lock()
        self._closing = threading.Event()

    def endpoint(self, name: str) -> Endpoint:
        """Where a model is served; loads it first where nobody has yet, or where its server has died.

        Raises:
            ProviderError: If xllamacpp or the model isn't there, or the server can't be started.
        """
        if importlib.util.find_spec("xllamacpp") is None:
            raise ProviderError(
                "The built-in models can't run here, as xllamacpp is not installed: there is no build of it for every "
                "system. Try `pip install xllamacpp`, or choose another provider."
            )
        try:
            path = self._model_path(name)
        except ChatMemError as error:
            raise ProviderError(str(error)) from error
        with self._one_at_a_time:
            if self._closing.is_set():
                raise self._given_up(name)
            try:
                den = Den(self._run_dir / self._label(name, path))
                return self._running(den) or self._start(den, name, path)
            except Timeout as error:
                raise self._given_up(name) from error
            except OSError as error:
                raise ProviderError(f"The built-in server could not be started: {error}.") from error

    def close(self) -> None:
        """Leave all servers; those that nobody else uses stop. A start under way is given up."""
        self._closing.set()
        with self._one_at_a_time:
            for lock in self._joined.values():
                lock.release()
            self._joined.clear()

    def _label(self, name: str, path: Path) -> str:
        settings = f"{name}\0{path}\0{self._context_tokens}\0{self._threads}"
        return hashlib.blake2b(settings.encode(), digest_size=8).hexdigest()

    def _running(self, den: Den) -> Endpoint | None:
        return den.published() if den.folder in self._joined and den.has_server() else None

    def _start(self, den: Den, name: str, path: Path) -> Endpoint:
        with den.start_lock.acquire(timeout=_START_S, poll_interval=_POLL_S, cancel_check=self._closing.is_set):
            if den.folder not in self._joined:
                lock = den.client_lock(self._client_id)
                lock.acquire(blocking=False)
                self._joined[den.folder] = lock
            child = None
            if not den.has_server():
                den.withdraw()
                child = self._spawn(den, name, path)
            return self._awaited(den, child, name)

    def _spawn(self, den: Den, name: str, path: Path) -> "subprocess.Popen[bytes]":
        words = [den.folder, path, name, self._context_tokens, self._threads]
        # -P: never import from the folder the person happens to be in.
        command = [sys.executable, "-P", "-m", "chatmem.adapters.llamacpp.serve", *map(str, words)]
        with den.log.open("wb") as log:
            den.log.chmod(0o600)
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=den.folder,
                start_new_session=True,  # out of reach of Ctrl+C and of the terminal's end
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        logger.info("started the built-in server, process %d", child.pid)
        threading.Thread(target=child.wait, name="builtin-server-reaper", daemon=True).start()
        return child

    def _awaited(self, den: Den, child: "subprocess.Popen[bytes] | None", name: str) -> Endpoint:
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            if (endpoint := den.published()) is not None:
                return endpoint
            if not (den.has_server() if child is None else child.poll() is None):
                raise ProviderError(
                    f"The built-in model {name} could not be loaded: its file is damaged, or memory is short. "
                    f"Fetch it again with `chatmem models pull {name}`, or choose a smaller model. "
                    f"({den.log} may say more.)"
                )
            if self._closing.wait(_POLL_S):
                break
        if child is not None:
            child.kill()
        raise self._given_up(name)

    def _given_up(self, name: str) -> ProviderError:
        if self._closing.is_set():
            return ProviderError(f"The start of the built-in model {name} was given up because chatmem is closing.")
        return ProviderError(
            f"The built-in model {name} did not start within {_START_S:.0f} s. Try again, or choose a smaller model.",
            retryable=True,
        )
