"""Consolidation: queued stretches of talk become change sets, in an order that a crash can't spoil."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from chatmem.consolidation.admission import FORGOTTEN, KEEP_ALL, TURNS_AFTER, Admission, Blocked
from chatmem.consolidation.extract import ModelExtractor
from chatmem.consolidation.feedback import AnswerFeedback
from chatmem.consolidation.gate import Gate
from chatmem.consolidation.guard import beyond_rules, screened
from chatmem.consolidation.lease import LEASE_S, Lease
from chatmem.consolidation.news import (
    ConsolidationNews,
    ConsolidationPostponed,
    ConsolidationStarted,
    ImportLearned,
    InstructionReplaced,
    SessionConsolidated,
)
from chatmem.consolidation.parts import beginning, parts
from chatmem.consolidation.reconcile import change_set, job_change_set, memory_from
from chatmem.consolidation.rules import extract_by_rules
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.errors import ChatMemError, ModelError, NotFoundError, ProviderError, RefusedError
from chatmem.domain.memory import Candidate, Extractor
from chatmem.domain.turn import SessionId, Turn
from chatmem.ports.job_queue import Job, JobQueue
from chatmem.ports.session_log import SessionLog

logger = logging.getLogger(__name__)

_ATTEMPTS = 3
_FIRST_DELAY_S = 60.0
_LONGEST_DELAY_S = 3600.0
_SESSIONS_IN_USE = 3

Tell = Callable[[ConsolidationNews], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What a run through the queue came to.

    Attributes:
        jobs: Jobs done.
        postponed: Jobs that wait for another try.
        added: Memories that are new.
        strengthened: Memories that were told again.
    """

    jobs: int = 0
    postponed: int = 0
    added: int = 0
    strengthened: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            jobs=self.jobs + other.jobs,
            postponed=self.postponed + other.postponed,
            added=self.added + other.added,
            strengthened=self.strengthened + other.strengthened,
        )


class Consolidator:
    """Draws memories from talk: by rules at once, then by a model what they passed over. Methods block."""

    def __init__(  # noqa: PLR0913 all by their names
        self,
        *,
        log: SessionLog,
        queue: JobQueue,
        writer: MemoryWriter,
        model: ModelExtractor | None = None,
        why_rules: Callable[[], str] = lambda: "",
        admission: Admission = KEEP_ALL,
        feedback: AnswerFeedback | None = None,
        blocked: Blocked = lambda _: None,
    ) -> None:
        """Keep what it works with.

        Args:
            log: Holds the talk.
            queue: Holds the jobs.
            writer: Writes the memories.
            model: Finds what the rules pass over; without it the rules do all.
            why_rules: Why there is no model just now though there should be (`today's budget of $0.50 is used up`);
                empty where rules are what was set.
            admission: Lets in what the policy allows.
            feedback: Hears what the user's words tell of answers; `None` to hear nothing.
            blocked: Counts what is kept out of memory, by rule.
        """
        self._log = log
        self._queue = queue
        self._writer = writer
        self._model = model
        self._why_rules = why_rules
        self._admission = admission
        self._feedback = feedback
        self._blocked = blocked

    def by_rules(self) -> "Consolidator":
        """The same without a model: what it does takes no time."""
        return Consolidator(
            log=self._log,
            queue=self._queue,
            writer=self._writer,
            admission=self._admission,
            feedback=self._feedback,
            blocked=self._blocked,
        )

    def enqueue_due(self, *, idle_s: float, every_turns: int) -> None:
        """Queue the sessions that have been quiet for `idle_s`, and those in use that have `every_turns` new turns.

        Raises:
            StoreError: If the queue could not be read or written.
        """
        self._queue.enqueue_all(quiet_since=self._writer.clock.now() - timedelta(seconds=idle_s))
        for session in self._log.sessions(limit=_SESSIONS_IN_USE):
            self._queue.enqueue(session.id, at_least=every_turns)

    def enqueue_all(self) -> None:
        """Queue everything that was said and that no job covers yet.

        Raises:
            StoreError: If the queue could not be read or written.
        """
        self._queue.enqueue_all()

    def run_queue(
        self,
        gate: Gate,
        tell: Tell,
        session_id: SessionId | None = None,
        *,
        most: int | None = None,
        imports: bool = True,
    ) -> Tally:
        """Consolidate every job that is due, the oldest first, until none is left or `gate` is stopped.

        What was said here comes before what was imported.

        Args:
            gate: Holds back calls to a model, and stops the run.
            tell: Told what happens, in the calling thread; must not raise.
            session_id: Only the jobs of this session.
            most: Jobs to begin at most; `None` for all.
            imports: Whether to learn from imported sessions too.

        Raises:
            StoreError: If the queue or the journal failed. What fails within a job postpones it.
        """
        self._writer.finish_interrupted()
        tally = Tally()
        while not gate.stop.is_set() and (most is None or tally.jobs + tally.postponed < most):
            now = self._writer.clock.now()
            job = self._queue.claim(now, lease_s=LEASE_S, session_id=session_id, imports=imports)
            if job is None:
                break
            tally += self._attempt(job, gate, tell)
        return tally

    def learn_now(self, turn: Turn) -> Tally:
        """Learn from one turn at once, by rules; the job that covers it later learns the rest, and nothing twice.

        Raises:
            StoreError: If the store could not be read or written.
        """
        turn = beginning(turn)
        by_rules = () if turn.off_record else screened(extract_by_rules([turn]), [turn])
        if not by_rules:
            return Tally()
        with self._writer.alone:
            now = self._writer.clock.now()
            changes = change_set(
                Cause.CONSOLIDATION, self._planned([turn], by_rules, self._blocked), now, turn.session_id, turn.id
            )
            self._writer.write(changes)
        return _counted(changes)

    def dry_run(self, session_id: SessionId, gate: Gate | None = None) -> ChangeSet:
        """What consolidating a whole session would change; writes nothing.

        Raises:
            NotFoundError: If there is no such session.
            StoreError: If the log or the store could not be read.
        """
        changes: list[Change] = []
        gate = gate or Gate()
        for part in parts(self._log.turns(session_id), self._writer.vectors):
            by_rules = screened(extract_by_rules(part), part)
            more = self._by_model(part, by_rules, lambda: None, gate, attempts=_ATTEMPTS)
            changes += self._planned(part, [*by_rules, *(more or ())])
        return change_set(Cause.CONSOLIDATION, changes, self._writer.clock.now(), session_id)

    def _attempt(self, job: Job, gate: Gate, tell: Tell) -> Tally:
        """One try at a job; whatever expected goes wrong, the job is neither lost nor left leased."""
        try:
            with Lease(self._queue, self._writer.clock, job, gate) as lease:
                return self._consolidate(lease, gate, tell)
        except RefusedError:
            self._queue.postpone(job, self._writer.clock.now(), "stopped")
        except ChatMemError as error:
            if self._is_gone(job.stretch.session_id):
                logger.info("job %s: its session is gone", job.id)
                self._queue.finish(job)
                return Tally()
            logger.warning("job %s is postponed after attempt %d: %s", job.id, job.attempts, type(error).__name__)
            tell(ConsolidationPostponed(reason=str(error), again_at=self._postpone(job, error)))
        except KeyboardInterrupt:
            self._queue.postpone(job, self._writer.clock.now(), "stopped")
            raise
        except Exception as error:
            self._postpone(job, error)  # it may fail each time, and the others are not to wait for it
            raise
        return Tally(postponed=1)

    def _postpone(self, job: Job, error: Exception) -> datetime:
        again_at = self._writer.clock.now() + _delay(job.attempts)
        self._queue.postpone(job, again_at, type(error).__name__)
        return again_at

    def _is_gone(self, session_id: SessionId) -> bool:
        try:
            self._log.session(session_id)
        except NotFoundError:
            return True
        return False

    def _consolidate(self, lease: Lease, gate: Gate, tell: Tell) -> Tally:
        job = lease.job
        session_id = job.stretch.session_id
        if job.batch is None:
            tell(ConsolidationStarted(session_id=session_id))
        turns = self._log.turns(session_id, first=max(job.stretch.first, job.done_to + 1), last=job.stretch.last)
        before = {part.id for part in self._writer.journal.parts(job.id)} if job.attempts > 1 else set()
        tally, by, note = Tally(jobs=1), Extractor.RULES, ""
        for part in parts(turns, self._writer.vectors):
            lease.check()
            by_rules = screened(extract_by_rules(part), part)
            # At once and without a model, so that what was said is known however long a model takes.
            tally += self._learn(lease, part, by_rules, Extractor.RULES, before)
            self._hear(part, tell)
            more = self._by_model(part, by_rules, lease.hold, gate, attempts=job.attempts)
            note = note or self._note()
            if more is not None:
                by = Extractor.MODEL
                tally += self._learn(lease, part, more, by, before)
            self._queue.note_done(job, part[-1].seq)
        self._queue.finish(job)
        logger.info("job %s: %d added, %d strengthened, by %s", job.id, tally.added, tally.strengthened, by)
        tell(self._news(job, tally, by, note))
        return tally

    def _news(self, job: Job, tally: Tally, by: Extractor, note: str) -> ConsolidationNews:
        if job.batch is not None:
            progress = self._queue.imported(job.batch)
            return ImportLearned(done=progress.done, sessions=progress.sessions)
        return SessionConsolidated(
            session_id=job.stretch.session_id,
            added=tally.added,
            strengthened=tally.strengthened,
            extractor=by,
            note=note,
        )

    def _note(self) -> str:
        why = self._why_rules() if self._model is not None and not self._model.available() else ""
        return f"by rules: {why}" if why else ""

    def _learn(
        self,
        lease: Lease,
        part: Sequence[Turn],
        candidates: Sequence[Candidate],
        by: Extractor,
        before: set[ChangeSetId],
    ) -> Tally:
        """Write what the candidates change, unless an earlier attempt has."""
        now = self._writer.clock.now()
        seqs = part[0].seq, part[-1].seq
        if job_change_set(lease.job.id, seqs, by, (), now).id in before:
            return Tally()
        with self._writer.alone:
            lease.renew()
            changes = job_change_set(lease.job.id, seqs, by, self._planned(part, candidates, self._blocked), now)
            self._writer.write(changes)
        return _counted(changes)

    def _hear(self, turns: Sequence[Turn], tell: Tell) -> None:
        for judged in self._feedback.hear(turns) if self._feedback else ():
            for one in judged.replaced:
                tell(InstructionReplaced(kept=one.kept.text, retired=one.retired.text))

    def _by_model(
        self,
        turns: Sequence[Turn],
        by_rules: Sequence[Candidate],
        before_call: Callable[[], None],
        gate: Gate,
        *,
        attempts: int,
    ) -> list[Candidate] | None:
        """What a model finds beyond the rules; `None` where there is none, or it can't."""
        if self._model is None or not self._model.available():
            return None
        try:
            found = self._model.extract(turns, before_call=before_call, gate=gate, known=by_rules)
        except ModelError as error:
            if isinstance(error, ProviderError) and error.retryable and attempts < _ATTEMPTS:
                raise
            logger.warning("the model could not extract: %s; the rules did", type(error).__name__)
            return None
        return beyond_rules(screened(found, turns), by_rules)

    def _planned(
        self, turns: Sequence[Turn], candidates: Sequence[Candidate], blocked: Blocked = lambda _: None
    ) -> list[Change]:
        """What the candidates change, of those whose words still stand: some may have been forgotten meanwhile."""
        now = self._writer.clock.now()
        later = turns[-1].seq + TURNS_AFTER
        talk = [beginning(turn) for turn in self._log.turns(turns[0].session_id, first=turns[0].seq, last=later)]
        said = {turn.id: turn.text for turn in talk}
        standing = [one for one in candidates if one.quote.text in said.get(one.quote.turn_id, "")]
        new = self._admission.admitted([memory_from(candidate, now) for candidate in standing], talk, blocked)
        return self._writer.plan(new, forgotten=lambda: blocked(FORGOTTEN))


def _counted(changes: ChangeSet) -> Tally:
    added = sum(change.before is None for change in changes.changes)
    return Tally(added=added, strengthened=len(changes.changes) - added)


def _delay(attempts: int) -> timedelta:
    return timedelta(seconds=min(_LONGEST_DELAY_S, _FIRST_DELAY_S * 4.0 ** min(attempts - 1, 8)))
