"""How standing instructions do: what the person thinks of an answer counts for those that it was given under.

Of two instructions for one thing, the one that did better stays in use. What was counted is a change set, that can be
seen and taken back.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from chatmem.consolidation.liking import liked
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.reviewing import put_aside
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.memory import Kind, Link, Memory, MemoryId, Practice, Relation, Status
from chatmem.domain.recall import Opinion
from chatmem.domain.text import content_words
from chatmem.domain.turn import Role, Turn, TurnId
from chatmem.ports.feedback import Feedback
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ports.session_log import SessionLog

LEAST_FAILURES = 2
"""Before an instruction may be retired: one answer that was not liked may have had another fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """An instruction that was retired, and the one for the same thing that did better."""

    kept: Memory
    retired: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the person's word on an answer came to.

    Attributes:
        instructions: Those that the answer was given under, as they are now.
        replaced: Those that were retired.
    """

    instructions: tuple[Memory, ...] = ()
    replaced: tuple[Replaced, ...] = ()


class AnswerFeedback:
    """Counts for instructions what the person thinks of answers. Methods block, and may be called from any thread.

    All raise `StoreError` if the log or a store failed.
    """

    def __init__(self, log: SessionLog, feedback: Feedback, writer: MemoryWriter) -> None:
        self._log = log
        self._feedback = feedback
        self._writer = writer

    def mark(self, answer_id: TurnId, *, liked: bool) -> Judged:
        """Note the person's mark on an answer; it stands in place of a mark before, and of what their words told.

        Raises:
            NotFoundError: If there is no such turn.
            UsageError: If it is no answer.
        """
        answer = self._log.turn(answer_id)
        if answer.role is not Role.ASSISTANT:
            raise UsageError("Only an answer can be called good or bad.")
        return self._judge(answer, Opinion(liked=liked, marked=True))

    def hear(self, turns: Sequence[Turn]) -> Iterator[Judged]:
        """Note what the user's turns tell of the answers before them; an answer that was judged keeps its judgement."""
        for turn in turns:
            opinion = liked(turn.text) if turn.role is Role.USER else None
            if opinion is None or turn.parent_id is None:
                continue
            with suppress(NotFoundError):  # it was forgotten meanwhile
                answer = self._log.turn(turn.parent_id)
                if answer.role is Role.ASSISTANT:
                    yield self._judge(answer, Opinion(liked=opinion, marked=False))

    def _judge(self, answer: Turn, opinion: Opinion) -> Judged:
        with self._writer.alone:
            known = self._feedback.opinion(answer.id)
            before = self._under(answer)
            if not before or (known and (known.liked == opinion.liked or not opinion.marked)):
                return Judged(instructions=tuple(before))
            after = [counting(one, opinion, known) for one in before]
            changes = self._made(answer, opinion, before, after)
            if not self._is_recorded(changes.id):
                self._writer.write(changes)
            # Last: where chatmem ends before it, the words are heard again and count once, by the change set's id.
            self._feedback.save_opinion(answer.id, opinion)
            return _told(changes, {one.id for one in before})

    def _made(self, answer: Turn, opinion: Opinion, before: Sequence[Memory], after: Sequence[Memory]) -> ChangeSet:
        now = self._writer.clock.now()
        active = self._writer.store.select(MemoryFilter(kind=Kind.PROCEDURE, status=Status.ACTIVE))
        were = {one.id: one for one in (*active, *before)}
        are = were | {one.id: one for one in after}
        for worse, better in outdone(list(are.values()), {one.id for one in after}):
            are[worse.id] = put_aside(worse, now)
            are[better.id] = replace(are[better.id], links=(*are[better.id].links, _replacing(worse, better)))
        changes = [Change(before=old, after=are[id_]) for id_, old in were.items()]
        origin = (str(opinion.liked), now.isoformat()) if opinion.marked else ()
        return change_set(Cause.FEEDBACK, changes, now, answer.id, *origin)

    def _under(self, answer: Turn) -> list[Memory]:
        """The instructions that an answer was given under and that are still in use."""
        if answer.parent_id is None:
            return []
        injected = [MemoryId(id_) for id_, _, shown in self._log.recalled(answer.parent_id) if shown]
        return [
            one
            for one in self._writer.store.get(injected)
            if one.kind is Kind.PROCEDURE and one.status is Status.ACTIVE
        ]

    def _is_recorded(self, id_: ChangeSetId) -> bool:
        try:
            self._writer.journal.change_set(id_)
        except NotFoundError:
            return False
        return True


def counting(memory: Memory, opinion: Opinion, before: Opinion | None) -> Memory:
    """An instruction with what the person thinks of an answer counted, in place of what they thought before."""
    practice = memory.practice or Practice()
    more = {True: 0, False: 0}
    more[opinion.liked] += 1
    if before:
        more[before.liked] -= 1
    return replace(
        memory,
        practice=replace(
            practice,
            successes=max(0, practice.successes + more[True]),
            failures=max(0, practice.failures + more[False]),
        ),
    )


def rate(memory: Memory) -> float:
    """How an instruction does, (0, 1): the rule of succession (Laplace), so that one without answers has a half."""
    practice = memory.practice or Practice()
    return (practice.successes + 1) / (practice.successes + practice.failures + 2)


def outdone(active: Collection[Memory], judged: Collection[MemoryId]) -> list[tuple[Memory, Memory]]:
    """The instructions that failed more often than they served, each with the best one for the same thing.

    Those that always hold are for all things, and no two of them for one.

    Args:
        active: The instructions in use.
        judged: Those of them that are looked at.
    """
    pairs = []
    for worse in active:
        trigger = _trigger(worse)
        if worse.id not in judged or not trigger or not _fails(worse):
            continue
        better = max((one for one in active if _trigger(one) == trigger), key=rate)
        if rate(better) > rate(worse):
            pairs.append((worse, better))
    return pairs


def _fails(memory: Memory) -> bool:
    practice = memory.practice or Practice()
    return not memory.pinned and practice.failures >= max(LEAST_FAILURES, practice.successes + 1)


def _trigger(memory: Memory) -> frozenset[str]:
    return frozenset(content_words(memory.practice.trigger)) if memory.practice else frozenset()


def _replacing(worse: Memory, better: Memory) -> Link:
    did, failed = better.practice or Practice(), worse.practice or Practice()
    reason = f"It did better: {did.record}, against {failed.record}."
    return Link(to=worse.id, relation=Relation.REPLACES, reason=reason)


def _told(changes: ChangeSet, judged: set[MemoryId]) -> Judged:
    after = {change.memory_id: change.memory for change in changes.changes}
    return Judged(
        instructions=tuple(one for id_, one in after.items() if id_ in judged),
        replaced=tuple(
            Replaced(kept=kept, retired=after[link.to])
            for kept in after.values()
            for link in kept.links
            if link.relation is Relation.REPLACES and link.to in after and after[link.to].status is Status.RETIRED
        ),
    )
