"""A SentenceTransformer that does what its texts say, and tells in its vectors what it was given."""

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from filelock import FileLock

FORBIDDEN = ("chatmem", "textual", "litellm", "lancedb")


class SentenceTransformer:
    """Fakes a model in a folder.

    While it lives it holds a lock on the file `alive` there. The file `load` there may say `stuck`, `die` or `fail`.
    A text may say `die`, `die once` or `fail`. A vector is `(length of its text, texts in this call, process id)`.
    """

    def __init__(self, path: str, *, device: str, local_files_only: bool) -> None:
        print("noise on standard output", flush=True)
        os.write(2, b"noise on standard error")
        if not local_files_only or device != "cpu" or any(name in sys.modules for name in FORBIDDEN):
            raise RuntimeError("not as it should be")
        self._folder = Path(path)
        self._alive = FileLock(self._folder / "alive")
        self._alive.acquire()
        order = self._folder / "load"
        self._obey(order.read_text() if order.exists() else "")

    def encode(
        self, texts: Sequence[str], *, normalize_embeddings: bool, show_progress_bar: bool
    ) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
        assert normalize_embeddings
        assert not show_progress_bar
        for text in texts:
            self._obey(text)
        return np.array([(len(text), len(texts), os.getpid()) for text in texts], dtype=np.float64)

    def _obey(self, order: str) -> None:
        if order == "stuck":
            threading.Event().wait()
        if order == "fail":
            raise ValueError("told\nto fail")
        died = self._folder / "died"
        if order == "die" or (order == "die once" and not died.exists()):
            died.touch()
            os._exit(9)
