"""What is said next to a hit, and in the session of hits, bears on the question too.

After EM-LLM (Fountas et al. 2024, section 3.3): recall brings what came before and after, more of what came after.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from statistics import fmean

from chatmem.domain.recall import Said
from chatmem.domain.turn import TurnId

BEFORE, BEFORE_THAT, AFTER = 0.2, 0.1, 0.1
"""Shares of a turn's score that the next one, the one after that and the one before it get."""

ANSWER = 0.4
"""A turn that follows a question gets so much more of the question's score: it answers it."""

NOTE_LENGTH = 400
"""Characters at the end of a turn in which such a note is looked for."""

SESSION, BEST = 0.5, 3
"""Share of the mean of a session's best turns that all its turns get, and how many are the best."""

_NONE = TurnId("")
_NOTE = re.compile(r"\[[^\[\]]*\]$")


def neighbours(
    scores: Mapping[TurnId, float], said: Sequence[Said], asking: Collection[TurnId]
) -> Mapping[TurnId, float]:
    """What each turn gets from those around it.

    Args:
        scores: Of all turns in `said`.
        said: The turns.
        asking: Those of them that end with a question.
    """
    least = min(scores.values(), default=0.0)
    at = {(item.session_id, item.seq): item.turn_id for item in said}

    def gained(item: Said) -> float:
        session, seq = item.session_id, item.seq
        before = at.get((session, seq - 1))
        share = BEFORE + ANSWER if before in asking else BEFORE
        # What is not among the turns is no hit; the first turn of a session has nothing before it.
        lift = share * (scores[before] if before else least) if seq > 1 else 0.0
        lift += BEFORE_THAT * scores.get(at.get((session, seq - 2), _NONE), least) if seq > 2 else 0.0
        return lift + AFTER * scores.get(at.get((session, seq + 1), _NONE), least)

    return {item.turn_id: gained(item) for item in said}


def session_best(scores: Mapping[TurnId, float], said: Sequence[Said]) -> Mapping[TurnId, float]:
    """What each turn gets from the best turns of its session; `said` is in order of session."""
    gained: dict[TurnId, float] = {}
    for _, group in groupby(said, key=lambda item: item.session_id):
        turns = [item.turn_id for item in group]
        best = sorted((scores[turn_id] for turn_id in turns), reverse=True)[:BEST]
        gained |= dict.fromkeys(turns, SESSION * fmean(best))
    return gained


def asks(text: str) -> bool:
    """Whether a turn ends with a question; a note in brackets after it (`[shares a photo: ...]`) is no speech."""
    end = text[-NOTE_LENGTH:].rstrip()
    return (_NOTE.sub("", end).rstrip() if end.endswith("]") else end).endswith(("?", "？"))  # noqa: RUF001 the question mark of Chinese and Japanese
