"""Fusing what full text and vectors say of the candidates into one ranking.

Each side is standardised (z-scores over the question's own candidates) and summed with weights. On the development half
of LoCoMo this finds more than reciprocal ranks do, and much more than either list alone: recall@10 .699 against .597
(RRF, k = 60), .646 (full text), .501 (vectors). Every candidate is given its true likeness, also one that only full
text found: taking the lowest of the vectors' list for it, as if nothing were known, costs .007.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from operator import mul, neg, sub
from typing import NamedTuple

from chatmem.domain.recall import Match

MEANING = 0.6
"""Weight of the vectors; the rest is the words'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A candidate and its fused score.

    Attributes:
        parts: The terms of `score`, by name.
        similarity: Cosine, where it has a vector.
        worded: Whether full text found it.
    """

    id: str
    score: float
    parts: tuple[tuple[str, float], ...]
    similarity: float | None
    worded: bool


def fuse(by_words: Sequence[Match], by_meaning: Sequence[Match], others: Collection[str] = ()) -> list[Ranked]:
    """Rank all candidates, best first; ties go by id, so that the order never wavers.

    With one list empty the other counts alone.

    Args:
        by_words: What full text found; whatever it did not find shares no word.
        by_meaning: The likeness of all candidates that have a vector; the others count as the least like.
        others: Candidates that may be in neither list.
    """
    ids = sorted({match.id for match in (*by_words, *by_meaning)}.union(others))
    columns = weighed(ids, by_words, by_meaning)
    ranked = [
        Ranked(
            id=id_,
            score=worded + meant,
            parts=(("words", worded), ("meaning", meant)),
            similarity=columns.like.get(id_),
            worded=id_ in columns.found,
        )
        for id_, worded, meant in zip(ids, columns.words, columns.meaning, strict=True)
    ]
    return sorted(ranked, key=lambda candidate: (-candidate.score, candidate.id))


def best(by_words: Sequence[Match], by_meaning: Sequence[Match], limit: int | None = None) -> list[str]:
    """The ids of what `fuse` ranks first, in that order."""
    ids = sorted({match.id for match in (*by_words, *by_meaning)})
    columns = weighed(ids, by_words, by_meaning)
    scores = map(sub, map(neg, columns.words), columns.meaning)
    return [id_ for _, id_ in sorted(zip(scores, ids, strict=True))[:limit]]


class Weighed(NamedTuple):
    """What each side gives the candidates, weighed, in their order; and what it found."""

    words: list[float]
    meaning: list[float]
    found: Mapping[str, float]
    like: Mapping[str, float]


def weighed(ids: Sequence[str], by_words: Sequence[Match], by_meaning: Sequence[Match]) -> Weighed:
    """What full text and vectors say of candidates, as columns.

    Args:
        ids: All candidates, each once; those of both lists are among them.
        by_words: As for `fuse`.
        by_meaning: As for `fuse`.
    """
    found = {match.id: match.value for match in by_words}
    like = {match.id: match.value for match in by_meaning}
    least = min(like.values(), default=0.0)
    weight = MEANING if found and like else float(bool(like))
    return Weighed(
        words=[(1 - weight) * value for value in standardised([found.get(id_, 0.0) for id_ in ids])],
        meaning=[weight * value for value in standardised([like.get(id_, least) for id_ in ids])],
        found=found,
        like=like,
    )


def standardised(values: Sequence[float]) -> list[float]:
    """The z-score of each value; 0 for all where they do not differ."""
    if not values or min(values) == max(values):
        return [0.0] * len(values)
    mean = fsum(values) / len(values)
    apart = [value - mean for value in values]
    deviation = sqrt(sum(map(mul, apart, apart)) / len(values))
    return [value / deviation for value in apart] if deviation else [0.0] * len(values)
