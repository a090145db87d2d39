"""Holding a job while it is worked on."""

import logging
import threading
from types import TracebackType
from typing import Self

from chatmem.consolidation.gate import Gate
from chatmem.domain.errors import RefusedError, StoreError
from chatmem.ports.clock import Clock
from chatmem.ports.job_queue import Job, JobQueue

logger = logging.getLogger(__name__)

LEASE_S = 120.0
"""How long a job stays with a process that was killed."""

_BEAT_S = LEASE_S / 4
_STOPPED = "Consolidation was stopped; it goes on when chatmem is next open."


class Lease:
    """The lease of a claimed job: prolonged, however long a model takes, for as long as it is entered as a context.

    Attributes:
        job: The job.
    """

    def __init__(self, queue: JobQueue, clock: Clock, job: Job, gate: Gate) -> None:
        """Keep what it works with; `gate` says when the work must end."""
        self._queue = queue
        self._clock = clock
        self.job = job
        self._gate = gate
        self._over = threading.Event()
        self._beat = threading.Thread(target=self._prolong, name="lease", daemon=True)

    def __enter__(self) -> Self:
        self._beat.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._beat.join()

    def renew(self) -> None:
        """Make sure that the job is still held.

        Raises:
            RefusedError: If another window has taken it over.
            StoreError: If the queue could not be written.
        """
        if not self._queue.renew(self.job, self._clock.now(), lease_s=LEASE_S):
            raise RefusedError("Another window has taken over this part of the talk.")

    def check(self) -> None:
        """Make sure that the work may go on.

        Raises:
            RefusedError: If it must end.
        """
        if self._gate.stop.is_set():
            raise RefusedError(_STOPPED)

    def hold(self) -> None:
        """Wait until a model may be called.

        Raises:
            RefusedError: If the work must end, or another window has taken the job over.
            StoreError: If the queue could not be written.
        """
        while not self._gate.wait(_BEAT_S):
            self.check()
        self.renew()

    def _prolong(self) -> None:
        while not self._over.wait(_BEAT_S):
            try:
                self._queue.renew(self.job, self._clock.now(), lease_s=LEASE_S)
            except StoreError as error:
                logger.warning("the lease of job %s was not prolonged: %s", self.job.id, type(error).__name__)
