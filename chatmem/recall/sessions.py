"""Summaries of the sessions in which a question's hits lie: what the talk around them was about."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from statistics import fmean

from chatmem.domain.recall import Recalled, Source
from chatmem.domain.text import words
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ports.talk import Talk
from chatmem.ports.token_counter import TokenCounter
from chatmem.recall.contiguity import BEST
from chatmem.recall.question import Question
from chatmem.recall.showing import EXCERPT_TOKENS
from chatmem.recall.turns import RankedTurn
from chatmem.recall.wording import akin

LEAST_HITS = 2
"""One hit tells of itself; where several lie in one session, that was about what is asked."""


class Summaries:
    """Finds summaries. Methods block, and may be called from any thread."""

    def __init__(self, talk: Talk, counter: TokenCounter) -> None:
        self._talk = talk
        self._counter = counter

    def of(self, question: Question, turns: Sequence[RankedTurn], shown: Collection[TurnId]) -> Iterator[Recalled]:
        """The summaries of sessions with several of these turns that share a word with the question.

        Each is worth what the session's best turns are. The session that the model sees anyway has none here.

        Raises:
            StoreError: If the log could not be read.
        """
        scores = _scores(turns)
        summaries = self._talk.summaries(list(scores)) if scores else {}
        here = {item.session_id for item in self._talk.around(shown, before=0, after=0)} if summaries else set()
        for session_id, summary in summaries.items():
            if session_id not in here and _shares_a_word(question, summary.text):
                yield Recalled(
                    id=session_id,
                    source=Source.SUMMARY,
                    text=self._counter.cut(summary.text, EXCERPT_TOKENS),
                    score=scores[session_id],
                    said_at=summary.last_at,
                    session_id=session_id,
                    parts=(("session", scores[session_id]),),
                )


def _scores(turns: Sequence[RankedTurn]) -> dict[SessionId, float]:
    by_session = sorted(turns, key=lambda turn: (turn.said.session_id, -turn.score))
    grouped = {
        session_id: [turn.score for turn in group]
        for session_id, group in groupby(by_session, key=lambda turn: turn.said.session_id)
    }
    return {session_id: fmean(best[:BEST]) for session_id, best in grouped.items() if len(best) >= LEAST_HITS}


def _shares_a_word(question: Question, text: str) -> bool:
    spoken = words(text)
    return any(akin(word, other) for word in question.telling.split() for other in spoken)
