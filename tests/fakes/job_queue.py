"""A job queue in memory."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile

from chatmem.domain.change import JobId
from chatmem.domain.turn import SessionId, Stretch, TurnStatus
from chatmem.ports.job_queue import Job, Postponed, Progress
from tests.fakes.session_log import FakeSessionLog


@dataclass(slots=True, kw_only=True)
class _Entry:
    id: JobId
    stretch: Stretch
    attempts: int = 0
    done: bool = False
    due_at: datetime | None = None
    leased_until: datetime | None = None
    error: str | None = None
    done_to: int = 0
    batch: str | None = None


class FakeJobQueue:
    """Keeps jobs over the turns of a `FakeSessionLog`."""

    def __init__(self, log: FakeSessionLog) -> None:
        self._log = log
        self._entries: dict[JobId, _Entry] = {}

    def enqueue(
        self,
        session_id: SessionId,
        *,
        at_least: int = 1,
        quiet_since: datetime | None = None,
        batch: str | None = None,
    ) -> bool:
        with self._log.lock:
            session = self._log.session(session_id)
            covered = max(
                (e.stretch.last for e in self._entries.values() if e.stretch.session_id == session_id), default=0
            )
            waiting = self._log.turns(session_id, first=covered + 1, every_branch=True)
            ended = list(takewhile(lambda turn: turn.status is not TurnStatus.STREAMING, waiting))
            restless = quiet_since is not None and session.last_at is not None and session.last_at > quiet_since
            if restless or len(ended) < max(at_least, 1):
                return False
            stretch = Stretch(session_id=session_id, first=covered + 1, last=covered + len(ended))
            job_id = JobId(f"{session_id}:{stretch.first}-{stretch.last}")
            self._entries[job_id] = _Entry(id=job_id, stretch=stretch, batch=batch)
            return True

    def enqueue_all(self, *, quiet_since: datetime | None = None) -> int:
        with self._log.lock:
            return sum(self.enqueue(session.id, quiet_since=quiet_since) for session in self._log.sessions())

    def claim(
        self, now: datetime, *, lease_s: float, session_id: SessionId | None = None, imports: bool = True
    ) -> Job | None:
        with self._log.lock:
            for entry in sorted(self._entries.values(), key=lambda one: one.batch is not None):
                held = entry.leased_until is not None and entry.leased_until > now
                early = entry.due_at is not None and entry.due_at > now
                other = session_id is not None and entry.stretch.session_id != session_id
                unwanted = entry.batch is not None and not imports
                if not (entry.done or held or early or other or unwanted):
                    entry.attempts += 1
                    entry.leased_until = now + timedelta(seconds=lease_s)
                    return Job(
                        id=entry.id,
                        stretch=entry.stretch,
                        attempts=entry.attempts,
                        done_to=entry.done_to,
                        batch=entry.batch,
                    )
            return None

    def renew(self, job: Job, now: datetime, *, lease_s: float) -> bool:
        with self._log.lock:
            entry = self._entries[job.id]
            if not self._holds(job):
                return False
            entry.leased_until = now + timedelta(seconds=lease_s)
            return True

    def note_done(self, job: Job, seq: int) -> None:
        with self._log.lock:
            entry = self._entries[job.id]
            entry.done_to = max(entry.done_to, seq)

    def postpone(self, job: Job, until: datetime, error: str) -> None:
        with self._log.lock:
            if self._holds(job):
                entry = self._entries[job.id]
                entry.due_at, entry.leased_until, entry.error = until, None, error

    def finish(self, job: Job) -> None:
        with self._log.lock:
            self._entries[job.id].done = True

    def pending(self, session_id: SessionId | None = None) -> int:
        with self._log.lock:
            return sum(
                not entry.done and session_id in {None, entry.stretch.session_id} for entry in self._entries.values()
            )

    def postponed(self, now: datetime) -> list[Postponed]:
        with self._log.lock:
            waiting = [
                Postponed(
                    session_id=entry.stretch.session_id,
                    attempts=entry.attempts,
                    until=entry.due_at,
                    error=entry.error,
                )
                for entry in self._entries.values()
                if not entry.done and entry.error is not None and entry.due_at is not None and entry.due_at > now
            ]
        return sorted(waiting, key=lambda one: one.until)

    def imported(self, batch: str) -> Progress:
        with self._log.lock:
            sessions: dict[SessionId, bool] = {}
            for entry in self._entries.values():
                if entry.batch == batch:
                    session_id = entry.stretch.session_id
                    sessions[session_id] = entry.done and sessions.get(session_id, True)
        return Progress(done=sum(sessions.values()), sessions=len(sessions))

    def _holds(self, job: Job) -> bool:
        entry = self._entries[job.id]
        return not entry.done and entry.leased_until is not None and entry.attempts == job.attempts
