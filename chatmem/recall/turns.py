"""Ranking the turns that were said earlier."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import add

from chatmem.domain.recall import Said
from chatmem.domain.turn import TurnId
from chatmem.ports.memory_store import TurnIndex
from chatmem.ports.talk import Talk
from chatmem.recall.contiguity import asks, neighbours, session_best
from chatmem.recall.fusion import Weighed, weighed
from chatmem.recall.fusion import best as first
from chatmem.recall.looking import Hits
from chatmem.recall.question import Question
from chatmem.recall.terms import terms

BEFORE, AFTER = 1, 2
"""How many turns around each hit take part: an answer may share no word with the question before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTurn:
    """A turn and its score.

    Attributes:
        parts: The terms of `score`, by name.
        similarity: Cosine, where it has a vector.
        worded: Whether full text found it.
    """

    said: Said
    score: float
    parts: tuple[tuple[str, float], ...]
    similarity: float | None
    worded: bool


class TurnRanking:
    """Ranks turns for a question. Methods block, and may be called from any thread."""

    def __init__(self, index: TurnIndex, talk: Talk) -> None:
        self._index = index
        self._talk = talk

    def rank(
        self, question: Question, hits: Hits, *, now: datetime, best: int | None = None, limit: int | None = None
    ) -> list[RankedTurn]:
        """The turns that either index found and those around them, best first.

        Args:
            question: The question.
            hits: What the indexes found.
            now: For what fades with time.
            best: Of the hits, only the best so many.
            limit: At most so many turns.

        Raises:
            StoreError: If the index or the log could not be read.
        """
        found = [TurnId(id_) for id_ in first(hits.turns_by_words, hits.turns_by_vector, best)]
        around = self._talk.around(found, before=BEFORE, after=AFTER)
        said = [item for item in around if question.bounds.hold(item.said_at)] if question.bounds.narrow else around
        there = {item.turn_id for item in said}
        like = self._index.likeness(hits.vector, sorted(there)) if hits.vector is not None else []
        worded = [match for match in hits.turns_by_words if match.id in there]
        return ranked(question, said, weighed([item.turn_id for item in said], worded, like), now, limit=limit)


def ranked(
    question: Question, said: Sequence[Said], sides: Weighed, now: datetime, *, limit: int | None = None
) -> list[RankedTurn]:
    """The turns `said`, in order of session and place, by all terms, best first; ties go to the newest.

    Terms are columns, added up as a whole, as there are hundreds of turns; only what is returned gets its parts.

    Args:
        question: The question.
        said: The turns.
        sides: What full text and vectors say of them.
        now: For what fades with time.
        limit: At most so many.
    """
    columns = _columns(question, said, sides, now)
    totals = list(map(sum, zip(*(column for _, column in columns), strict=True)))

    def turn(at: int) -> RankedTurn:
        id_ = said[at].turn_id
        return RankedTurn(
            said=said[at],
            score=totals[at],
            parts=tuple((name, column[at]) for name, column in columns),
            similarity=sides.like.get(id_),
            worded=id_ in sides.found,
        )

    order = sorted(range(len(said)), key=lambda at: (-totals[at], -said[at].said_at.timestamp(), said[at].turn_id))
    return [turn(at) for at in order[:limit]]


def _columns(question: Question, said: Sequence[Said], sides: Weighed, now: datetime) -> list[tuple[str, list[float]]]:
    """The terms by name, each a column of its values for the turns `said`."""
    scores = list(map(add, sides.words, sides.meaning))
    asking = [asks(item.text) for item in said]
    lifts = neighbours(scores, said, asking)
    return [
        ("words", sides.words),
        ("meaning", sides.meaning),
        ("neighbours", lifts),
        ("session", session_best(list(map(add, scores, lifts)), said)),
        *terms(question, said, asking, now),
    ]
