"""A terminal that a test types into and reads: a pseudo-terminal with a screen behind it."""

import contextlib
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

import pexpect
import pyte

_POLL_S = 0.05
# pyte takes private sequences that it does not know for text; terminals pass over them.
_UNKNOWN = re.compile(rb"\x1b\[[<=>][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*\$p|\x1b\[[0-9;]*t|\x1bP.*?\x1b\\", re.DOTALL)


class Terminal:
    """Runs a program in a terminal of its own."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], *, columns: int = 150, lines: int = 45) -> None:
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)
        self._lock = threading.Lock()
        terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        self.process = pexpect.spawn(
            command[0], list(command[1:]), env=dict(env) | terminal, dimensions=(lines, columns), timeout=5
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.close(force=True)
        self._reader.join(5)

    def text(self) -> str:
        """What stands on the screen."""
        with self._lock:
            return "\n".join(line.rstrip() for line in self._screen.display)

    def type(self, text: str) -> None:
        """Type a text; keys are their escape sequences."""
        self.process.send(text)

    def wait_for(self, text: str, *, timeout_s: float = 60) -> str:
        """Wait until a text stands on the screen; fails with the screen when it does not come."""
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            shown = self.text()
            if text in " ".join(shown.split()) or text in shown:
                return shown
            if not self.process.isalive():
                raise AssertionError(f"the program ended before {text!r} came:\n{shown}")
            time.sleep(_POLL_S)
        raise AssertionError(f"{text!r} did not come within {timeout_s} s:\n{self.text()}")

    def wait_until_gone(self, *texts: str, timeout_s: float = 60) -> None:
        """Wait until none of these texts stands on the screen."""
        until = time.monotonic() + timeout_s
        while any(text in self.text() for text in texts):
            if time.monotonic() > until:
                raise AssertionError(f"{texts} stayed for {timeout_s} s:\n{self.text()}")
            time.sleep(_POLL_S)

    def wait_for_end(self, *, timeout_s: float = 20) -> None:
        """Wait until the program has ended by itself."""
        until = time.monotonic() + timeout_s
        while self.process.isalive():
            if time.monotonic() > until:
                raise AssertionError(f"the program did not end within {timeout_s} s:\n{self.text()}")
            time.sleep(_POLL_S)

    def _read(self) -> None:
        with contextlib.suppress(pexpect.EOF, OSError, ValueError):
            while True:
                try:
                    piece = os.read(self.process.fileno(), 65536)
                except BlockingIOError:
                    continue
                if not piece:
                    return
                with self._lock:
                    self._stream.feed(_UNKNOWN.sub(b"", piece))
