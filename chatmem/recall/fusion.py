"""Fusing what full text and vectors found into one ranking.

Each list is standardised (z-scores over the question's own candidates) and summed with weights. On the development half
of LoCoMo this finds more than reciprocal ranks do, and much more than either list alone: recall@10 .699 against .597
(RRF, k = 60), .646 (full text), .501 (vectors).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from chatmem.domain.recall import Match

MEANING = 0.6
"""Weight of the vectors; the rest is the words'."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A candidate and its fused score.

    Attributes:
        parts: The terms of `score`, by name.
        similarity: Cosine, where the vector index found it.
        worded: Whether full text found it.
    """

    id: str
    score: float
    parts: tuple[tuple[str, float], ...]
    similarity: float | None
    worded: bool


def fuse(by_words: Sequence[Match], by_vector: Sequence[Match]) -> list[Ranked]:
    """Rank all candidates of both lists, best first; ties go by id, so that the order never wavers.

    A candidate that one list lacks gets that list's lowest score. With one list empty the other counts alone.
    """
    words, meaning = standardised(by_words), standardised(by_vector)
    similarity = {match.id: match.value for match in by_vector}
    weight = MEANING if words and meaning else float(bool(meaning))
    ranked = []
    for id_ in words.keys() | meaning.keys():
        parts = (
            ("words", (1 - weight) * words.get(id_, min(words.values(), default=0.0))),
            ("meaning", weight * meaning.get(id_, min(meaning.values(), default=0.0))),
        )
        ranked.append(
            Ranked(
                id=id_,
                score=sum(value for _, value in parts),
                parts=parts,
                similarity=similarity.get(id_),
                worded=id_ in words,
            )
        )
    return sorted(ranked, key=lambda candidate: (-candidate.score, candidate.id))


def standardised(matches: Sequence[Match]) -> Mapping[str, float]:
    """Each match's z-score among its list; 0 for all where they do not differ."""
    if not matches:
        return {}
    mean = fmean(match.value for match in matches)
    deviation = pstdev(match.value for match in matches)
    return {match.id: (match.value - mean) / deviation if deviation else 0.0 for match in matches}
