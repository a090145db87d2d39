"""A job queue in memory."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from chatmem.domain.change import JobId
from chatmem.domain.errors import NotFoundError
from chatmem.domain.turn import SessionId, Stretch, Turn, TurnId, TurnStatus
from chatmem.ports.job_queue import Job, Postponed, Progress
from tests.fakes.session_log import FakeSessionLog

NEVER = datetime.min.replace(tzinfo=UTC)


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
        self._covered: dict[TurnId, JobId] = {}

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
            ended = takewhile(lambda turn: turn.status is not TurnStatus.STREAMING, self._log.turns(session_id))
            waiting = [turn.seq for turn in ended if not (turn.off_record or self._is_covered(turn))]
            moved_at = max(session.last_at or NEVER, self._log.followed_at.get(session_id, NEVER))
            restless = quiet_since is not None and moved_at > quiet_since
            if restless or len(waiting) < max(at_least, 1):
                return False
            stretch = Stretch(session_id=session_id, first=waiting[0], last=waiting[-1])
            same = sum(entry.stretch == stretch for entry in self._entries.values())
            job_id = JobId(f"{session_id}:{stretch.first}-{stretch.last}" + (f":{same + 1}" if same else ""))
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
                    for turn in self._turns_of(entry):
                        if turn.seq > entry.done_to:
                            self._covered.setdefault(turn.id, entry.id)
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
            entry = self._entries[job.id]
            entry.done = True
            left = {turn.id for turn in self._turns_of(entry)}
            self._covered = {id_: by for id_, by in self._covered.items() if by != job.id or id_ in left}

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

    def _turns_of(self, entry: _Entry) -> list[Turn]:
        stretch = entry.stretch
        with suppress(NotFoundError):
            return self._log.turns(stretch.session_id, first=stretch.first, last=stretch.last)
        return []

    def _is_covered(self, turn: Turn) -> bool:
        return turn.id in self._covered or any(
            entry.stretch.session_id == turn.session_id and entry.stretch.first <= turn.seq <= entry.stretch.last
            for entry in self._entries.values()
            if not entry.done
        )

    def _holds(self, job: Job) -> bool:
        entry = self._entries[job.id]
        return not entry.done and entry.leased_until is not None and entry.attempts == job.attempts
