"""Ranking the turns that were said earlier."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from chatmem.domain.recall import Match, Said
from chatmem.domain.turn import TurnId
from chatmem.ports.embedder import Vector
from chatmem.ports.memory_store import TurnIndex
from chatmem.ports.talk import Talk
from chatmem.recall.contiguity import asks, neighbours, session_best
from chatmem.recall.fusion import Ranked, fuse
from chatmem.recall.question import Question
from chatmem.recall.terms import terms, total

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
        self,
        question: Question,
        vector: Vector | None,
        by_words: Sequence[Match],
        by_vector: Sequence[Match],
        *,
        now: datetime,
        hits: int | None = None,
    ) -> list[RankedTurn]:
        """The turns that either list found and those around them, best first.

        Args:
            question: The question.
            vector: Its vector; `None` without an embedder.
            by_words: What full text found.
            by_vector: What the vectors found.
            now: For what fades with time.
            hits: Of what was found, only the best so many.

        Raises:
            StoreError: If the index or the log could not be read.
        """
        found = [TurnId(candidate.id) for candidate in fuse(by_words, by_vector)[:hits]]
        around = self._talk.around(found, before=BEFORE, after=AFTER)
        said = [item for item in around if question.bounds.hold(item.said_at)]
        there = {item.turn_id for item in said}
        like = self._index.likeness(vector, sorted(there)) if vector is not None else []
        return ranked(question, said, fuse([match for match in by_words if match.id in there], like, there), now)


def ranked(question: Question, said: Sequence[Said], fused: Collection[Ranked], now: datetime) -> list[RankedTurn]:
    """The turns `said`, in order of session and place, by all terms, best first; ties go to the newest."""
    base = {TurnId(candidate.id): candidate for candidate in fused}
    scores = {turn_id: candidate.score for turn_id, candidate in base.items()}
    asking = {item.turn_id for item in said if asks(item.text)}
    lifts = neighbours(scores, said, asking)
    lifted = {turn_id: score + lifts[turn_id] for turn_id, score in scores.items()}
    best = session_best(lifted, said)
    others = list(terms(question, said, asking, now))

    def scored(item: Said) -> RankedTurn:
        candidate = base[item.turn_id]
        around = (("neighbours", lifts[item.turn_id]), ("session", best[item.turn_id]))
        parts = (*candidate.parts, *around, *((name, term(item)) for name, term in others))
        return RankedTurn(
            said=item,
            score=total(parts),
            parts=parts,
            similarity=candidate.similarity,
            worded=candidate.worded,
        )

    return sorted(map(scored, said), key=lambda turn: (-turn.score, -turn.said.said_at.timestamp(), turn.said.turn_id))
