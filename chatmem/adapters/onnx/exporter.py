"""The parent's side of an export."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from chatmem.adapters.onnx import exported

logger = logging.getLogger(__name__)

_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # Threads that spin while they wait would take the cores from the built-in chat model.
    "OMP_WAIT_POLICY": "passive",
}
_STOP_S = 5.0


class Exporter:
    """Exports a model in a child process, which ends when this process does, and leaves nothing half-written."""

    def __init__(self, original: Callable[[], Path | None]) -> None:
        self._original = original
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._lock = Lock()

    def wanted(self) -> bool:
        """Whether there is a model that nobody tried to export yet. Loads nothing."""
        folder = self._original()
        return folder is not None and exported.read(folder) is None

    def run(self) -> None:
        """Export the model, or wait until another process has; blocks for 10 s and more. Failure is only logged."""
        folder = self._original()
        child = self._start(folder) if folder else None
        if folder is None or child is None:
            return
        with child:
            code = child.wait()
        made = exported.read(folder)
        logger.info("export of the embedder: code %s, %s", code, made)

    def close(self) -> None:
        """End an export that is under way, and allow no other."""
        with self._lock:
            self._closed = True
            if self._child is not None:
                self._child.kill()

    def _start(self, folder: Path) -> "subprocess.Popen[bytes] | None":
        with self._lock:
            if self._closed:
                return None
            self._child = subprocess.Popen(
                # -P: nothing in the folder the person happens to be in is imported.
                [sys.executable, "-P", "-W", "ignore", "-m", "chatmem.adapters.onnx.export", str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=os.environ | _ENVIRONMENT,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            return self._child
