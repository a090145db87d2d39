"""The thread that consolidates while the app is open."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from chatmem.consolidation.consolidator import Consolidator, Tell
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.indexing import TurnIndexer
from chatmem.consolidation.news import ConsolidationFailed
from chatmem.domain.errors import ChatMemError

logger = logging.getLogger(__name__)

_GRACE_S = 2.0
_LAST_S = 0.5

_JOBS_A_LOOK = 4
_TURNS_A_LOOK = 128
"""So much is done between two looks at what was said meanwhile: an import of a thousand sessions holds nobody up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """When the thread does what.

    Attributes:
        idle_s: A session that was quiet for so many seconds is consolidated.
        every_turns: So is one, still in use, that has so many new turns.
        look_s: Seconds between two looks at what waits.
        exit_s: How long leaving the app may wait for what was just said to be consolidated, in seconds.
        imports: Whether imported sessions are learned from.
    """

    idle_s: float = 90.0
    every_turns: int = 20
    look_s: float = 5.0
    exit_s: float = 3.0
    imports: bool = True


class ConsolidationThread:
    """Indexes turns and runs the queue, for as long as it is entered as a context.

    Leaving the context queues all that was said, consolidates what it can within `Pace.exit_s`, the rest by rules,
    which take no time, so that the next start knows it.
    """

    def __init__(
        self,
        consolidator: Consolidator,
        indexer: TurnIndexer,
        *,
        gate: Gate,
        tell: Tell,
        pace: Pace | None = None,
        upkeep: Callable[[], object] = lambda: None,
    ) -> None:
        """Keep what it works with.

        Args:
            consolidator: Consolidates.
            indexer: Indexes turns.
            gate: Holds back calls to a model while an answer has priority.
            tell: Told what happens, in this thread; must not block or raise.
            pace: When to do what.
            upkeep: Done whenever nothing waits; knows itself when it is due.
        """
        self._consolidator = consolidator
        self._indexer = indexer
        self._gate = gate
        self._tell = tell
        self._pace = pace or Pace()
        self._upkeep = upkeep
        self._last = Gate()
        self._wake = threading.Event()
        self._leaving = threading.Event()
        self._failure = ""
        self._thread = threading.Thread(target=self._run, name="consolidation", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(self._pace.exit_s)

    def nudge(self) -> None:
        """Have the thread look at once at what waits. Does not block."""
        self._wake.set()

    def stop(self, timeout_s: float) -> None:
        """End the thread: let a model finish what was said for `timeout_s` seconds, then the rules."""
        self._leaving.set()
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join(timeout_s)
            self._gate.stop.set()
            self._thread.join(_GRACE_S)
            self._last.stop.set()
            self._thread.join(_LAST_S)

    def _run(self) -> None:
        while not self._leaving.is_set():
            self._wake.clear()
            self._guarded(self._round)
            if not self._leaving.is_set():
                self._wake.wait(self._pace.look_s)
        self._guarded(self._last_round)

    def _round(self) -> None:
        busy = True
        while busy and not self._leaving.is_set():
            busy = self._look()
        self._indexer.embed_missing(self._gate.stop)
        if not self._leaving.is_set():
            self._upkeep()

    def _look(self) -> bool:
        """Do some of what waits; returns whether there may be more."""
        pace = self._pace
        indexed = self._indexer.index_waiting(self._gate.stop, most=_TURNS_A_LOOK)
        self._consolidator.enqueue_due(idle_s=pace.idle_s, every_turns=pace.every_turns)
        tally = self._consolidator.run_queue(self._gate, self._tell, most=_JOBS_A_LOOK, imports=pace.imports)
        return indexed >= _TURNS_A_LOOK or tally.jobs + tally.postponed >= _JOBS_A_LOOK

    def _last_round(self) -> None:
        self._indexer.index_waiting(self._gate.stop)
        self._consolidator.enqueue_all()
        self._consolidator.run_queue(self._gate, self._tell, imports=False)
        self._consolidator.by_rules().run_queue(self._last, self._tell, imports=False)

    def _guarded(self, step: Callable[[], None]) -> None:
        """Do a step; a failure is told, once for as long as it lasts, and never ends the thread."""
        try:
            step()
            self._failure = ""
        except ChatMemError as error:
            logger.warning("consolidation failed: %s", type(error).__name__)
            self._report(str(error))
        except Exception:
            logger.exception("consolidation failed")
            self._report("Learning from what was said has failed; nothing said is lost. The log tells more.")

    def _report(self, reason: str) -> None:
        if reason != self._failure:
            self._failure = reason
            self._tell(ConsolidationFailed(reason=reason))
