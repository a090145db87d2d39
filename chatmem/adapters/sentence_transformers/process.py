"""The parent's side of the child process."""

import json
import os
import subprocess
import sys
from array import array
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from chatmem.domain.errors import EmbedderError
from chatmem.ports.embedder import Vector

_SCRIPT = Path(__file__).with_name("child.py")
_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # Threads that spin while they wait would take the cores from the built-in chat model.
    "OMP_WAIT_POLICY": "passive",
}
_STOP_S = 5.0


class Child:
    """A child process with a model in it.

    One thread at a time may talk to it; any may ask whether it runs, or kill it. It is in a session of its own, so
    that no key pressed in the terminal reaches it, and ends when this process ends, however that happens, because
    its standard input ends then.
    """

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            # -P: nothing in the folder the person happens to be in is imported.
            [sys.executable, "-P", str(_SCRIPT), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | _ENVIRONMENT,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._requests: IO[bytes] = self._process.stdin  # type: ignore[assignment]  # a pipe was asked for
        self._answers: IO[bytes] = self._process.stdout  # type: ignore[assignment]  # a pipe was asked for
        self._dimension = 0

    def load(self) -> int:
        """Wait until the model is loaded, and return the dimension of its vectors.

        Raises:
            EmbedderError: If it can't be loaded.
            EOFError: If the process died.
        """
        self._dimension = self._next("dimension")
        return self._dimension

    def loaded(self) -> bool:
        """Whether the model is there to be used."""
        return self._dimension > 0 and self._process.poll() is None

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed texts that are few and short enough to be worked on together.

        Raises:
            EmbedderError: If the model failed.
            EOFError: If the process died.
        """
        try:
            self._requests.write(json.dumps(texts).encode() + b"\n")
            self._requests.flush()
        except OSError as error:
            raise self._gone() from error
        floats = array("f", self._read(self._next("bytes")))
        return [floats[start : start + self._dimension] for start in range(0, len(floats), self._dimension)]

    def kill(self) -> None:
        """Have the process end at once; who waits for its answer gets an `EOFError`."""
        self._process.kill()

    def close(self) -> int | None:
        """Kill the process, give its pipes back, and return how it ended; `None` if it is still ending."""
        self._process.kill()
        for pipe in (self._requests, self._answers):
            with suppress(OSError):
                pipe.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_STOP_S)
        return self._process.returncode

    def _next(self, key: str) -> int:
        line = self._answers.readline()
        if not line.endswith(b"\n"):
            raise self._gone()
        answer = json.loads(line)
        if "error" in answer:
            self.close()
            raise EmbedderError(f"The embedder failed: {answer['error']}. `chatmem doctor` checks the model's files.")
        return int(answer[key])

    def _read(self, size: int) -> bytes:
        content = self._answers.read(size)
        if len(content) < size:
            raise self._gone()
        return content

    def _gone(self) -> EOFError:
        # The pipe ends a moment before the process does; `loaded` must not say otherwise meanwhile.
        self.close()
        return EOFError("the embedder's process died")
