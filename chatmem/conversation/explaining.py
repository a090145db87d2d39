"""Telling what an answer rested on: what was recalled for it, what of that the model saw, and what the answer used."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chatmem.conversation.traces import Parts
from chatmem.domain.errors import NotFoundError, UsageError
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.recall import Recalled, Source, Tier
from chatmem.domain.text import content_words
from chatmem.domain.turn import Role, SessionId, Turn, TurnId
from chatmem.ports.feedback import Feedback
from chatmem.ports.memory_store import MemoryStore
from chatmem.ports.session_log import SessionLog
from chatmem.recall.router import ASSISTANT, USER
from chatmem.recall.showing import standing_instruction
from chatmem.recall.use import words_repeated

NO_QUESTION = "This answer has no question before it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Something that was recalled for an answer.

    Attributes:
        item: It, in its present wording; without parts of its score where these are not known any more.
        shared: The words of the answer that only it had, and the question had not, in the order it has them.
        session_id: The session in which it was said; `None` of a memory written by hand.
        turn_id: The very turn; `None` of a memory written by hand, and of a summary.
        imported_from: The file or the program that a memory was taken over from; empty of all else.
    """

    item: Recalled
    shared: tuple[str, ...] = ()
    session_id: SessionId | None = None
    turn_id: TurnId | None = None
    imported_from: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What an answer rested on.

    Attributes:
        question: The user's turn.
        answer: `None` where there is none yet.
        tier: Where the best of what was recalled lay; `None` where nothing bore on the question, or it isn't noted.
        citations: Those the answer used, then those the model was shown, then those only found; each the best first.
        gone: How many are in no store any more.
    """

    question: Turn
    answer: Turn | None
    tier: Tier | None
    citations: tuple[Citation, ...]
    gone: int = 0


class Explaining:
    """Explains answers from the session log and the recall record. Methods block, and may be called from any thread.

    All raise `StoreError` if a file fails.
    """

    def __init__(self, log: SessionLog, memories: MemoryStore, feedback: Feedback) -> None:
        self._log = log
        self._memories = memories
        self._feedback = feedback

    def explain(self, turn_id: TurnId, parts: Mapping[TurnId, Mapping[str, Parts]]) -> Explanation:
        """What an answer rested on.

        Args:
            turn_id: The answer, or the user's turn that it answers.
            parts: The terms of scores that are not noted for good: by the user's turn and the item's id.

        Raises:
            NotFoundError: If there is no such turn.
            UsageError: If the answer has no question before it.
        """
        question, answer = self._exchange(self._log.turn(turn_id))
        noted = self._log.recalled(question.id)
        known = {**self._feedback.parts(question.id), **parts.get(question.id, {})}
        cited = [
            replace(
                one,
                item=replace(one.item, parts=known.get(one.item.id, ())),
                shared=_shared(one.item, question, answer),
            )
            for one in self._cited(question.id, noted)
        ]
        return Explanation(
            question=question,
            answer=answer,
            tier=self._feedback.tier(question.id),
            citations=tuple(sorted(cited, key=lambda one: (not one.item.used, not one.item.injected))),
            gone=len(noted) - len(cited),
        )

    def recalled(self, turn_id: TurnId) -> list[Recalled]:
        """What was recalled for a user's turn, in its present wording, best first; without parts of its scores.

        Raises:
            NotFoundError: If there is no such turn.
        """
        return [one.item for one in self._cited(turn_id, self._log.recalled(turn_id))]

    def source(self, item: Recalled) -> Citation | None:
        """Where something that was recalled was said; `None` where it is in no store any more."""
        memories = {memory.id: memory for memory in self._memories.get([MemoryId(item.id)])}
        return self._citation(item.id, memories)

    def _cited(self, turn_id: TurnId, noted: Sequence[tuple[str, float, bool]]) -> Iterator[Citation]:
        used = self._feedback.used(turn_id)
        memories = {memory.id: memory for memory in self._memories.get([MemoryId(id_) for id_, *_ in noted])}
        for id_, score, injected in noted:
            if citation := self._citation(id_, memories):
                is_used = injected and used.get(id_, False)
                yield replace(citation, item=replace(citation.item, score=score, injected=injected, used=is_used))

    def _exchange(self, turn: Turn) -> tuple[Turn, Turn | None]:
        if turn.role is Role.USER:
            after = self._log.turns(turn.session_id, first=turn.seq + 1)
            return turn, next((one for one in after if one.parent_id == turn.id), None)
        if turn.parent_id is None:
            raise UsageError(NO_QUESTION)
        return self._log.turn(turn.parent_id), turn

    def _citation(self, id_: str, memories: Mapping[MemoryId, Memory]) -> Citation | None:
        if memory := memories.get(MemoryId(id_)):
            quote = memory.quotes[-1] if memory.quotes else None
            return Citation(
                item=standing_instruction(memory),
                session_id=quote.session_id if quote else None,
                turn_id=quote.turn_id if quote else None,
                imported_from=memory.imported_from,
            )
        return self._said(TurnId(id_)) or self._summary(SessionId(id_))

    def _said(self, turn_id: TurnId) -> Citation | None:
        try:
            turn = self._log.turn(turn_id)
        except NotFoundError:
            return None
        item = Recalled(
            id=turn.id,
            source=Source.TURN,
            text=turn.text,
            score=0.0,
            said_at=turn.said_at,
            session_id=turn.session_id,
            speaker=turn.speaker or (USER if turn.role is Role.USER else ASSISTANT),
        )
        return Citation(item=item, session_id=turn.session_id, turn_id=turn.id)

    def _summary(self, session_id: SessionId) -> Citation | None:
        try:
            session = self._log.session(session_id)
        except NotFoundError:
            return None
        item = Recalled(
            id=session_id,
            source=Source.SUMMARY,
            text=session.summary,
            score=0.0,
            said_at=session.last_at or session.started_at,
            session_id=session_id,
        )
        return Citation(item=item, session_id=session_id)


def _shared(item: Recalled, question: Turn, answer: Turn | None) -> tuple[str, ...]:
    if answer is None or not item.injected:
        return ()
    return tuple(words_repeated(item.text, content_words(answer.text), content_words(question.text)))
