"""The terms of a turn's score beside words, meaning and neighbours.

All constants are set by hand and round. What each is worth on the development half of LoCoMo stands in
`tests/bench/README.md`.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from math import exp, log

from chatmem.domain.recall import Said
from chatmem.domain.turn import Role
from chatmem.recall.answers import gives
from chatmem.recall.fusion import standardised
from chatmem.recall.question import Question

SUBSTANCE = 0.5
"""Per standard deviation of the logarithm of the length: a long statement says more than "Thanks!"."""

ASKED = 0.5
"""Taken from a turn that ends with a question: what was asked once is no answer."""

SPEAKER = 2.0
"""For the words of the one person the question names: "What does Ana paint?" is answered by Ana."""

DATE = 2.0
"""For what was said at the time the question names."""

ANSWERS = 1.0
"""For a turn that names a time where the question asks for one ("when"), or a number, or a name."""

RECENCY, RECENCY_DAYS = 0.2, 30.0
"""What was said now is worth so much more than what was said long ago; the difference fades within some months."""


def terms(
    question: Question, said: Sequence[Said], asking: Sequence[bool], now: datetime
) -> Iterator[tuple[str, list[float]]]:
    """The terms by name, each a column of its values for the turns `said`; `asking` tells which end with a question."""
    yield "substance", [SUBSTANCE * length for length in standardised([log(max(1, len(item.text))) for item in said])]
    yield "question", [-ASKED if asks else 0.0 for asks in asking]
    role, name = question.speaker_among(said)
    if role or name:
        yield "speaker", [SPEAKER * _speaks(item, role, name) for item in said]
    if period := question.period:
        yield "date", [DATE * period.match(item.said_at) for item in said]
    if question.wants:
        speakers = {item.speaker for item in said if item.speaker}
        yield "answer", [ANSWERS * sum(gives(item.text, w, speakers) for w in question.wants) for item in said]
    yield "recency", [RECENCY * exp(-age_days(item.said_at, now) / RECENCY_DAYS) for item in said]


def _speaks(item: Said, role: Role | None, name: str | None) -> bool:
    return item.speaker == name if name else item.role is role and item.speaker is None


def age_days(moment: datetime, now: datetime) -> float:
    """Days since a moment; 0 for one that lies ahead."""
    return max(0.0, (now - moment).total_seconds() / 86_400)


def total(parts: Sequence[tuple[str, float]]) -> float:
    """The score that the parts add up to."""
    return sum(value for _, value in parts)
