"""The consolidation thread of the app, once it runs."""

import threading
from collections.abc import Callable

from chatmem.consolidation.gate import Gate
from chatmem.consolidation.thread import ConsolidationThread

STOP_S = 3.0
"""What leaving the app may wait for a model that learns; what it leaves, the rules do."""


class Background:
    """The consolidation thread of the app, once it runs, and what holds it back.

    Args:
        shares_machine: Whether the model in use computes on this machine, so that consolidation would slow its answers.

    Attributes:
        gate: Keeps consolidation from calling a model while an answer comes from the same one.
        answering: Set while a model answers.
    """

    def __init__(self, shares_machine: Callable[[], bool]) -> None:
        self.answering = threading.Event()
        self._shares_machine = shares_machine
        self.gate = Gate(lambda: not (self.answering.is_set() and shares_machine()))
        self._lock = threading.Lock()
        self._thread: ConsolidationThread | None = None
        self._ended = False

    def set_answering(self, answering: bool) -> None:
        """Note that an answer begins or has ended."""
        if answering:
            self.answering.set()
        else:
            self.answering.clear()

    def start(self, thread: ConsolidationThread) -> None:
        """Start consolidation, unless the app was left meanwhile."""
        with self._lock:
            if not self._ended:
                self._thread = thread.__enter__()

    def nudge(self) -> None:
        """Wake the thread, where there is one."""
        if self._thread:
            self._thread.nudge()

    def end(self) -> None:
        """Stop consolidation within a bounded time; what it leaves waits in the queue."""
        with self._lock:
            self._ended = True
        if self._thread:
            # A model on this machine takes longer than anybody would wait for the screen to close.
            self._thread.stop(0.0 if self._shares_machine() else STOP_S)
        self.gate.stop.set()
