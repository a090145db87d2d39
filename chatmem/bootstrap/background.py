"""The consolidation thread of the app, once it runs, and what is learned at once."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress

from chatmem.adapters.system.answering import AnsweringMark
from chatmem.consolidation.consolidator import Consolidator
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.thread import ConsolidationThread
from chatmem.domain.errors import ChatMemError
from chatmem.domain.turn import Turn

STOP_S = 3.0
"""What leaving the app may wait for a model that learns; what it leaves, the rules do."""

logger = logging.getLogger(__name__)


def at_once(consolidator: Consolidator, whole: Callable[[], bool] = lambda: True) -> Callable[[Turn], None]:
    """Learns from each turn before it is answered; what fails is left to the turn's job.

    Args:
        consolidator: Learns.
        whole: Whether all that is remembered can be found. While it can't, as in the first seconds after an upgrade,
            what is new could not be compared with it, and is left to the turn's job, too.
    """

    def learn(turn: Turn) -> None:
        try:
            if whole():
                consolidator.learn_now(turn)
        except ChatMemError as error:
            logger.warning("turn %s is learned from later: %s", turn.id, type(error).__name__)

    return learn


class Background:
    """The consolidation thread of the app, once it runs, and what holds it back.

    Args:
        answers_here: Whether the model that answers computes on this machine.
        learns_here: Whether the model that learns does, so that it would slow answers that are computed here.
        mark: Tells other windows, of any profile, that an answer is computed here.
        aside: Sets the mark, in order; `None` for a thread of its own.

    Attributes:
        gate: Keeps consolidation from calling a model on this machine while an answer is computed here, for whichever
            window.
        answering: Set while a model answers.
    """

    def __init__(
        self,
        *,
        answers_here: Callable[[], bool],
        learns_here: Callable[[], bool],
        mark: AnsweringMark,
        aside: Executor | None = None,
    ) -> None:
        self.answering = threading.Event()
        self._answers_here = answers_here
        self._learns_here = learns_here
        self._mark = mark
        self._aside = aside or ThreadPoolExecutor(max_workers=1, thread_name_prefix="mark")
        self.gate = Gate(self._may_learn)
        self._lock = threading.Lock()
        self._thread: ConsolidationThread | None = None
        self._ended = False

    def set_answering(self, answering: bool) -> None:
        """Note that an answer begins or has ended. Does not block: the mark, which is a file, follows at once."""
        if answering:
            self.answering.set()
        else:
            self.answering.clear()
        with suppress(RuntimeError):  # the app is being left, and the mark taken back
            if answering and self._answers_here():
                self._aside.submit(self._mark.set)
            elif not answering:
                self._aside.submit(self._mark.clear)

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
            self._thread.stop(0.0 if self._learns_here() else STOP_S)
        self.gate.stop.set()
        with suppress(RuntimeError):  # it was left before
            self._aside.submit(self._mark.clear)
        self._aside.shutdown()

    def _may_learn(self) -> bool:
        if not self._learns_here():
            return True
        return not (self.answering.is_set() and self._answers_here()) and not self._mark.elsewhere()
