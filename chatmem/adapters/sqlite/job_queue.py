"""The queue of consolidation jobs in SQLite."""

from datetime import datetime, timedelta

from chatmem.adapters.sqlite.database import Database, Statements
from chatmem.adapters.sqlite.records import moment, stamp
from chatmem.domain.change import JobId
from chatmem.domain.errors import NotFoundError
from chatmem.domain.turn import SessionId, Stretch
from chatmem.ports.job_queue import Job, Postponed, Progress

# The turns of the current branch, on the record, that no job has read or is to read, up to one that is still streaming.
_WAITING = """
    WITH waiting AS (
        SELECT seq FROM turns
        WHERE session_id = ?1 AND is_current = 1 AND job IS NULL AND off_record = 0
            AND NOT EXISTS (SELECT 1 FROM jobs WHERE session_id = ?1 AND is_done = 0
                            AND turns.seq BETWEEN first_seq AND last_seq)
            AND NOT EXISTS (SELECT 1 FROM turns AS arriving WHERE session_id = ?1 AND status = 'streaming'
                            AND is_current = 1 AND arriving.seq <= turns.seq)
    )
    SELECT COUNT(seq) AS number, MIN(seq) AS first_seq, MAX(seq) AS last_seq,
           ?2 IS NOT NULL AND turn_count > 0 AND MAX(last_at, COALESCE(followed_at, '')) > ?2 AS is_restless
    FROM sessions LEFT JOIN waiting WHERE sessions.id = ?1 GROUP BY sessions.id"""
_UNCOVERED_SESSIONS = """
    SELECT id FROM sessions
    WHERE id IN (SELECT session_id FROM turns WHERE job IS NULL AND off_record = 0 AND is_current = 1)
    ORDER BY last_at, rowid"""
_SAME = "SELECT COUNT(*) FROM jobs WHERE session_id = ? AND first_seq = ? AND last_seq = ?"
_ADD = "INSERT INTO jobs (id, session_id, first_seq, last_seq, batch) VALUES (?, ?, ?, ?, ?)"
_DUE = """
    SELECT number, id, session_id, first_seq, last_seq, attempts, done_to, batch FROM jobs
    WHERE is_done = 0 AND COALESCE(due_at, '') <= ?1 AND COALESCE(leased_until, '') <= ?1
        AND (?2 IS NULL OR session_id = ?2) AND (?3 OR batch IS NULL)
    ORDER BY batch IS NOT NULL, number LIMIT 1"""
_LEASE = "UPDATE jobs SET attempts = attempts + 1, leased_until = ? WHERE id = ?"
_COVER = """
    UPDATE turns SET job = ? WHERE session_id = ? AND seq > ? AND seq BETWEEN ? AND ?
        AND is_current = 1 AND job IS NULL"""
_UNCOVER = """
    UPDATE turns SET job = NULL
    WHERE session_id = ?2 AND is_current = 0 AND job = (SELECT number FROM jobs WHERE id = ?1)"""
_RENEW = "UPDATE jobs SET leased_until = ? WHERE id = ? AND attempts = ? AND leased_until IS NOT NULL AND is_done = 0"
_POSTPONE = """
    UPDATE jobs SET due_at = ?, error = ?, leased_until = NULL
    WHERE id = ? AND attempts = ? AND leased_until IS NOT NULL AND is_done = 0"""
_NOTE_DONE = "UPDATE jobs SET done_to = MAX(done_to, ?) WHERE id = ?"
_FINISH = "UPDATE jobs SET is_done = 1, leased_until = NULL, error = NULL WHERE id = ?"
_PENDING = "SELECT COUNT(*) FROM jobs WHERE is_done = 0 AND (?1 IS NULL OR session_id = ?1)"

_POSTPONED = """
    SELECT session_id, attempts, due_at, error FROM jobs
    WHERE is_done = 0 AND error IS NOT NULL AND due_at > ? ORDER BY due_at, number"""
_IMPORTED = """
    SELECT COUNT(*) AS sessions, COALESCE(SUM(is_done), 0) AS done
    FROM (SELECT MIN(is_done) AS is_done FROM jobs WHERE batch = ? GROUP BY session_id)"""


class SqliteJobQueue:
    """Keeps jobs in the profile's database.

    A lease is held by whoever made the job's latest attempt, so `attempts` alone tells an old holder from a new one.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def enqueue(
        self,
        session_id: SessionId,
        *,
        at_least: int = 1,
        quiet_since: datetime | None = None,
        batch: str | None = None,
    ) -> bool:
        """Queue the ended turns of a session that no job covers yet; returns whether a job was added.

        Raises:
            NotFoundError: If there is no such session.
        """
        with self._database.writing() as statements:
            return _enqueue(statements, session_id, at_least, quiet_since, batch)

    def enqueue_all(self, *, quiet_since: datetime | None = None) -> int:
        """Do `enqueue` for every session; returns the number of jobs added."""
        with self._database.writing() as statements:
            sessions = [row["id"] for row in statements.execute(_UNCOVERED_SESSIONS)]
            return sum(_enqueue(statements, session_id, 1, quiet_since) for session_id in sessions)

    def claim(
        self, now: datetime, *, lease_s: float, session_id: SessionId | None = None, imports: bool = True
    ) -> Job | None:
        """Lease the oldest job that is due, or `None` when there is none; imported ones come last, or not at all."""
        with self._database.writing() as statements:
            row = statements.execute(_DUE, stamp(now), session_id, imports).fetchone()
            if row is None:
                return None
            statements.execute(_LEASE, _after(now, lease_s), row["id"])
            stretch = Stretch(session_id=row["session_id"], first=row["first_seq"], last=row["last_seq"])
            read = stretch.session_id, row["done_to"], stretch.first, stretch.last
            statements.execute(_COVER, row["number"], *read)
        attempts, done_to = row["attempts"] + 1, row["done_to"]
        return Job(id=row["id"], stretch=stretch, attempts=attempts, done_to=done_to, batch=row["batch"])

    def renew(self, job: Job, now: datetime, *, lease_s: float) -> bool:
        """Prolong a lease; False when it was lost to another process."""
        with self._database.writing() as statements:
            return statements.execute(_RENEW, _after(now, lease_s), job.id, job.attempts).rowcount == 1

    def note_done(self, job: Job, seq: int) -> None:
        """Note that the turns of a job up to this one have been learned from."""
        with self._database.writing() as statements:
            statements.execute(_NOTE_DONE, seq, job.id)

    def postpone(self, job: Job, until: datetime, error: str) -> None:
        """Give a job back, not to be claimed before `until`; without effect when the lease was lost."""
        with self._database.writing() as statements:
            statements.execute(_POSTPONE, stamp(until), error, job.id, job.attempts)

    def finish(self, job: Job) -> None:
        """Mark a job done."""
        with self._database.writing() as statements:
            statements.execute(_FINISH, job.id)
            # Those that left the current branch meanwhile may have been read or not.
            statements.execute(_UNCOVER, job.id, job.stretch.session_id)

    def pending(self, session_id: SessionId | None = None) -> int:
        """Number of jobs not yet done."""
        return int(self._database.rows(_PENDING, session_id)[0][0])

    def postponed(self, now: datetime) -> list[Postponed]:
        """Jobs that failed and are not due yet, the next one first."""
        return [
            Postponed(
                session_id=row["session_id"],
                attempts=row["attempts"],
                until=moment(row["due_at"]),
                error=row["error"],
            )
            for row in self._database.rows(_POSTPONED, stamp(now))
        ]

    def imported(self, batch: str) -> Progress:
        """How far an import has been learned from."""
        row = self._database.rows(_IMPORTED, batch)[0]
        return Progress(done=row["done"], sessions=row["sessions"])


def _enqueue(
    statements: Statements,
    session_id: SessionId,
    at_least: int,
    quiet_since: datetime | None,
    batch: str | None = None,
) -> bool:
    row = statements.execute(_WAITING, session_id, stamp(quiet_since) if quiet_since else None).fetchone()
    if row is None:
        raise NotFoundError(f"There is no session {session_id}.")
    if row["is_restless"] or row["number"] < max(at_least, 1):
        return False
    stretch = session_id, row["first_seq"], row["last_seq"]
    # The same stretch is read again where another branch was current the first time.
    same = statements.execute(_SAME, *stretch).fetchone()[0]
    job_id = "{}:{}-{}".format(*stretch) + (f":{same + 1}" if same else "")
    statements.execute(_ADD, JobId(job_id), *stretch, batch)
    return True


def _after(now: datetime, seconds: float) -> str:
    return stamp(now + timedelta(seconds=seconds))
