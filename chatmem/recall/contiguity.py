"""What is said next to a hit, and in the session of hits, bears on the question too.

After EM-LLM (Fountas et al. 2024, section 3.3): recall brings what came before and after, more of what came after.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from math import fsum

from chatmem.domain.recall import Said
from chatmem.domain.turn import SessionId

BEFORE, BEFORE_THAT, AFTER = 0.2, 0.1, 0.1
"""Shares of a turn's score that the next one, the one after that and the one before it get."""

ANSWER = 0.4
"""A turn that follows a question gets so much more of the question's score: it answers it."""

NOTE_LENGTH = 400
"""Characters at the end of a turn in which such a note is looked for."""

SESSION, BEST = 0.5, 3
"""Share of the mean of a session's best turns that all its turns get, and how many are the best."""

_NOTE = re.compile(r"\[[^\[\]]*\]$")


def neighbours(scores: Sequence[float], said: Sequence[Said], asking: Sequence[bool]) -> list[float]:
    """What each turn gets from those around it.

    Args:
        scores: Of the turns.
        said: The turns.
        asking: Whether each ends with a question.
    """
    least = min(scores, default=0.0)
    at = {(item.session_id, item.seq): place for place, item in enumerate(said)}
    score_at = dict(zip(at, scores, strict=True)).get

    def gained(session: SessionId, seq: int) -> float:
        before = at.get((session, seq - 1))
        share = BEFORE + ANSWER if before is not None and asking[before] else BEFORE
        # What is not among the turns is no hit; the first turn of a session has nothing before it.
        lift = share * (least if before is None else scores[before]) if seq > 1 else 0.0
        lift += BEFORE_THAT * score_at((session, seq - 2), least) if seq > 2 else 0.0
        return lift + AFTER * score_at((session, seq + 1), least)

    return [gained(session, seq) for session, seq in at]


def session_best(scores: Sequence[float], said: Sequence[Said]) -> list[float]:
    """What each turn gets from the best turns of its session; `said` is in order of session."""
    gained: list[float] = []
    for _, group in groupby(zip(said, scores, strict=True), key=lambda scored: scored[0].session_id):
        of_session = [score for _, score in group]
        best = sorted(of_session, reverse=True)[:BEST]
        gained += [SESSION * fsum(best) / len(best)] * len(of_session)
    return gained


def asks(text: str) -> bool:
    """Whether a turn ends with a question; a note in brackets after it (`[shares a photo: ...]`) is no speech."""
    end = text[-NOTE_LENGTH:].rstrip()
    return (_NOTE.sub("", end).rstrip() if end.endswith("]") else end).endswith(("?", "？"))  # noqa: RUF001 the question mark of Chinese and Japanese
