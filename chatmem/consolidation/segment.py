"""A session's turns cut into episodes: at long pauses, and where what is said surprises after what came before.

EM-LLM (Fountas et al. 2024, section 3.1) cuts where the surprise of the next token exceeds its mean by some standard
deviations. Without token probabilities, the surprise of a turn is its distance from the mean of the open episode.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import sqrt
from typing import Protocol

from chatmem.consolidation.wording import stems
from chatmem.domain.turn import Role, Turn
from chatmem.ports.embedder import Vector

_ENOUGH = 3
"""Distances that must be known before a next one can surprise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How episodes are cut.

    Attributes:
        least: Turns of the shortest episode, unless a pause or the end of the talk makes it shorter.
        most: Turns of the longest.
        pause: Silence that ends an episode.
        deviations: How many standard deviations above the mean a distance must lie to surprise.
    """

    least: int = 10
    most: int = 40
    pause: timedelta = timedelta(hours=3)
    deviations: float = 1.0

    def __post_init__(self) -> None:
        """Refuse bounds that no cut can hold."""
        if not 1 <= self.least <= self.most:
            raise ValueError(f"episodes need 1 <= least <= most, not {self.least} and {self.most}")


def segments(
    turns: Sequence[Turn], vectors: Sequence[Vector | None] = (), bounds: Bounds | None = None
) -> list[tuple[Turn, ...]]:
    """Cut turns into episodes; all of them, in order, each in one.

    An episode begins with a turn of the user's wherever the bounds allow it.

    Args:
        turns: In order.
        vectors: One for each turn; where one is missing, the words of the turns are compared instead.
        bounds: How to cut.
    """
    bounds = bounds or Bounds()
    cut: list[tuple[Turn, ...]] = []
    for start, end in _stretches(turns, bounds.pause):
        part = list(vectors[start:end])
        known = [vector for vector in part if vector is not None]
        topic: _Topic = _Meaning(known) if len(known) == end - start else _Words(turns[start:end])
        places = _episodes(turns[start:end], topic, bounds)
        cut += [tuple(turns[start + first : start + last]) for first, last in places]
    return cut


def _stretches(turns: Sequence[Turn], pause: timedelta) -> Iterator[tuple[int, int]]:
    """Where the turns lie that no long pause interrupts."""
    start = 0
    for place in range(1, len(turns) + 1):
        if place == len(turns) or turns[place].said_at - turns[place - 1].said_at >= pause:
            yield start, place
            start = place


class _Topic(Protocol):
    """How far each turn is from those of the open episode; turns are taken in order."""

    def begin(self) -> None:
        """Open an episode with nothing in it."""
        ...

    def distance(self, place: int) -> float:
        """Of a turn from the open episode, [0, 2]."""
        ...

    def take(self, place: int) -> None:
        """Put a turn into the open episode."""
        ...


class _Meaning:
    """By the cosine between a turn's vector and the mean of the episode's."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        self._vectors = vectors
        self.begin()

    def begin(self) -> None:
        self._sum: list[float] = []

    def distance(self, place: int) -> float:
        length = sqrt(sum(value * value for value in self._sum))
        dot = sum(one * other for one, other in zip(self._vectors[place], self._sum, strict=True))
        return 1.0 - dot / length if length else 0.0

    def take(self, place: int) -> None:
        vector = self._vectors[place]
        self._sum = [one + other for one, other in zip(self._sum, vector, strict=True)] if self._sum else list(vector)


class _Words:
    """By the share of a turn's words that the episode has not heard yet."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._stems = [stems(turn.text) for turn in turns]
        self.begin()

    def begin(self) -> None:
        self._heard: set[str] = set()

    def distance(self, place: int) -> float:
        said = self._stems[place]
        return len(said - self._heard) / len(said) if said else 0.0

    def take(self, place: int) -> None:
        self._heard |= self._stems[place]


def _episodes(turns: Sequence[Turn], topic: _Topic, bounds: Bounds) -> list[tuple[int, int]]:
    """First and last place, the last excluded, of each episode of a stretch without pauses."""
    starts, known = [0], _Spread()
    surprise = [0.0] * len(turns)
    topic.begin()
    for place, turn in enumerate(turns):
        if place > starts[-1] and turn.role is Role.USER:
            surprise[place] = topic.distance(place)
            if place - starts[-1] >= bounds.least and known.exceeded_by(surprise[place], bounds.deviations):
                starts.append(place)
                topic.begin()
            known.take(surprise[place])
        topic.take(place)
    whole = list(zip(starts, [*starts[1:], len(turns)], strict=True))
    return [piece for episode in _without_scraps(whole, bounds) for piece in _bounded(*episode, surprise, bounds)]


class _Spread:
    """Mean and standard deviation of distances, kept up with each one: Welford 1962 (Knuth, TAOCP 2, section 4.2.2)."""

    def __init__(self) -> None:
        self._number, self._mean, self._squares = 0, 0.0, 0.0

    def take(self, distance: float) -> None:
        self._number += 1
        off = distance - self._mean
        self._mean += off / self._number
        self._squares += off * (distance - self._mean)

    def exceeded_by(self, distance: float, deviations: float) -> bool:
        """Whether a distance lies so many standard deviations above the mean of enough others."""
        if self._number < _ENOUGH:
            return False
        return distance > self._mean + deviations * sqrt(self._squares / self._number)


def _without_scraps(episodes: list[tuple[int, int]], bounds: Bounds) -> list[tuple[int, int]]:
    """The episodes, with a last one that is too short put to the one before it."""
    if len(episodes) > 1 and episodes[-1][1] - episodes[-1][0] < bounds.least:
        return [*episodes[:-2], (episodes[-2][0], episodes[-1][1])]
    return episodes


def _bounded(first: int, last: int, surprise: Sequence[float], bounds: Bounds) -> Iterator[tuple[int, int]]:
    """An episode in pieces that are not too long, cut where it surprises most."""
    while last - first > bounds.most:
        latest = min(first + bounds.most, max(last - bounds.least, first + bounds.least))
        places = range(first + bounds.least, latest + 1)
        cut = max(places, key=lambda place: (surprise[place], place))
        yield first, cut
        first = cut
    yield first, last
