"""The queue of consolidation jobs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chatmem.domain.change import JobId
from chatmem.domain.turn import SessionId, Stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A stretch of talk that waits to be consolidated.

    Attributes:
        attempts: How often it was begun, this time included.
        done_to: `seq` of the last turn that earlier attempts have learned from; 0 for none.
        batch: The import that brought its session; `None` for what was said here.
    """

    id: JobId
    stretch: Stretch
    attempts: int
    done_to: int = 0
    batch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """A job that failed and waits for another try.

    Attributes:
        attempts: How often it was begun.
        until: When it is due again.
        error: What `postpone` was told.
    """

    session_id: SessionId
    attempts: int
    until: datetime
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Of how many sessions of an import all jobs are done."""

    done: int
    sessions: int


class JobQueue(Protocol):
    """Keeps jobs until they are done. Methods block, and may be called from any thread and process.

    A claimed job is leased: while the lease lasts no other process gets it; when its holder dies, it comes back.
    """

    def enqueue(
        self,
        session_id: SessionId,
        *,
        at_least: int = 1,
        quiet_since: datetime | None = None,
        batch: str | None = None,
    ) -> bool:
        """Queue the ended turns of a session's current branch that no job covers yet.

        A job covers the turns that were on the current branch when it was claimed, and still are when it is done. What
        was left then waits again as soon as it is followed again.

        Args:
            session_id: The session.
            at_least: Do nothing when fewer turns than this wait.
            quiet_since: Do nothing when the session has a turn later than this, or was gone to another branch of later.
            batch: The import that brings it.

        Returns:
            Whether a job was added.

        Raises:
            NotFoundError: If there is no such session.
        """
        ...

    def enqueue_all(self, *, quiet_since: datetime | None = None) -> int:
        """Do `enqueue` for every session; returns the number of jobs added."""
        ...

    def claim(
        self, now: datetime, *, lease_s: float, session_id: SessionId | None = None, imports: bool = True
    ) -> Job | None:
        """Lease the oldest job that is due, or `None` when there is none; imported ones come last, or not at all."""
        ...

    def renew(self, job: Job, now: datetime, *, lease_s: float) -> bool:
        """Prolong a lease; False when it was lost to another process."""
        ...

    def note_done(self, job: Job, seq: int) -> None:
        """Note that the turns of a job up to this one have been learned from."""
        ...

    def postpone(self, job: Job, until: datetime, error: str) -> None:
        """Give a job back, not to be claimed before `until`."""
        ...

    def finish(self, job: Job) -> None:
        """Mark a job done."""
        ...

    def pending(self, session_id: SessionId | None = None) -> int:
        """Number of jobs not yet done."""
        ...

    def postponed(self, now: datetime) -> list[Postponed]:
        """Jobs that failed and are not due yet, the next one first."""
        ...

    def imported(self, batch: str) -> Progress:
        """How far an import has been learned from."""
        ...
