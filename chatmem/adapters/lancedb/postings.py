"""An inverted index in memory, which scores as LanceDB's does: asking that one takes 15 ms of processor time."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import log1p
from typing import TYPE_CHECKING, Any, Self

from chatmem.adapters.lancedb.english import stemmed

if TYPE_CHECKING:
    from numpy.typing import NDArray

SATURATION, BY_LENGTH = 1.2, 0.75
"""k1 and b of BM25 (Robertson and Zaragoza 2009, equation 3.15), as LanceDB has them."""

RECENT = 512
"""Texts that are looked through one after another before they are sorted in, which takes 20 ms for 10,000 texts."""

SORTED_IN = 32
"""The larger the index, the more: this share of its texts. To sort in 330,000 texts takes a second."""

_DROPPED = -1


class Postings:
    """Which texts hold which words. Texts have places: 0, 1, 2, ...; one that is replaced goes on at a new place.

    Not safe for threads.
    """

    def __init__(self) -> None:
        """An empty index."""
        import numpy as np

        self._stems: dict[str, int] = {}
        self._stem_of: dict[str, int] = {}
        self._lengths: NDArray[Any] = np.zeros(0, dtype=np.float32)
        self._count = 0
        # Sorted by stem: those of stem s stand from `starts[s]` to before `starts[s + 1]`.
        self._starts: NDArray[Any] = np.zeros(1, dtype=np.int64)
        self._sorted = _entries()
        self._recent = [_entries()]
        self._recent_texts = 0
        self._mean = 0.0
        self._mean_of = 0, 0

    def add(self, texts: Sequence[str]) -> None:
        """Take in texts, at the next places.

        Args:
            texts: Each of words divided by single spaces.
        """
        self._recent.append(self._counted(texts))
        self._recent_texts += len(texts)
        self._count += len(texts)

    def scores(self, query: str, live: "NDArray[Any]") -> "NDArray[Any]":
        """BM25 of each place, 0 where it shares no word with the query.

        Args:
            query: Words divided by single spaces.
            live: Which places count; all statistics are of these.
        """
        import numpy as np

        scores: NDArray[Any] = np.zeros(self._count, dtype=np.float32)
        lengths = self._lengths[: self._count]
        texts = int(np.count_nonzero(live))
        mean = self._mean_length(live, texts)
        self._settle(max(RECENT, self._count // SORTED_IN))
        for stem in {self._stems[stem] for _, stem in stemmed(query.split(" ")) if stem in self._stems}:
            places, times = self._holding(stem)
            alive = live[places]
            holders = int(np.count_nonzero(alive))
            if not holders:
                continue
            rarity = log1p((texts - holders + 0.5) / (holders + 0.5))
            often = times.astype(np.float32)
            damped = often + SATURATION * (1 - BY_LENGTH + BY_LENGTH * lengths[places] / mean)
            scores[places] += rarity * (SATURATION + 1) * alive * often / damped
        return scores

    def _mean_length(self, live: "NDArray[Any]", texts: int) -> float:
        """The mean length of the texts that count; reckoned anew where they are others: 1 ms for 300,000."""
        if self._mean_of != (self._count, texts):
            self._mean = float(self._lengths[: self._count][live].mean()) if texts else 0.0
            self._mean_of = self._count, texts
        return self._mean or 1.0

    def arrays(self) -> "Mapping[str, NDArray[Any]]":
        """The numbers it consists of, by name."""
        self._settle(0)
        return {"lengths": self._lengths[: self._count], "starts": self._starts, "entries": self._sorted}

    def stems(self) -> list[str]:
        """The stems it consists of, by their numbers."""
        return list(self._stems)

    @classmethod
    def of(cls, arrays: "Mapping[str, NDArray[Any]]", stems: Sequence[str]) -> Self:
        """The index that consists of these."""
        made = cls()
        made._lengths, made._starts, made._sorted = arrays["lengths"], arrays["starts"], arrays["entries"]
        made._count = len(made._lengths)
        made._stems = {stem: number for number, stem in enumerate(stems)}
        return made

    def _holding(self, stem: int) -> "tuple[NDArray[Any], NDArray[Any]]":
        """Places that hold a stem, and how often."""
        (recent,) = self._recent
        found = recent[:, recent[0] == stem]
        if stem + 1 < len(self._starts):
            found = _joined([self._sorted[:, self._starts[stem] : self._starts[stem + 1]], found])
        return found[1], found[2]

    def _settle(self, most: int) -> None:
        """Make one of what was added, and sort it in where it is of more texts than that."""
        import numpy as np

        if len(self._recent) > 1:
            self._recent = [_joined(self._recent)]
        if self._recent_texts > most:
            found = _joined([self._sorted, *self._recent])
            self._sorted = found[:, np.argsort(found[0], kind="stable")]
            self._starts = np.concatenate([[0], np.cumsum(np.bincount(found[0], minlength=len(self._stems)))])
            self._recent, self._recent_texts = [_entries()], 0

    def _counted(self, texts: Sequence[str]) -> "NDArray[Any]":
        """The entries of texts; notes their lengths."""
        import numpy as np

        words = [text.split(" ") for text in texts]
        self._learn(set(chain.from_iterable(words)))
        each = map(self._stem_of.__getitem__, chain.from_iterable(words))
        counts = np.fromiter(map(len, words), np.int64, len(texts))
        stems = np.fromiter(each, np.int64, int(counts.sum()))
        at = np.repeat(np.arange(len(texts), dtype=np.int64), counts)
        kept = stems != _DROPPED
        stems, at = stems[kept], at[kept]
        lengths = np.bincount(at, minlength=len(texts)).astype(np.float32)
        self._lengths = np.concatenate([self._lengths[: self._count], lengths])
        pairs, times = np.unique(stems << 32 | (at + self._count), return_counts=True)
        return np.stack([pairs >> 32, pairs & 0xFFFFFFFF, times]).astype(np.int32)

    def _learn(self, words: Iterable[str]) -> None:
        """Give numbers to the stems of words that were not met yet."""
        unmet = sorted(word for word in words if word not in self._stem_of)
        self._stem_of.update(dict.fromkeys(unmet, _DROPPED))
        for word, stem in stemmed(unmet):
            self._stem_of[word] = self._stems.setdefault(stem, len(self._stems))


def _entries() -> "NDArray[Any]":
    """No entries: three rows, of stems, places, and how often the one stands in the other."""
    import numpy as np

    return np.zeros((3, 0), dtype=np.int32)


def _joined(entries: "Sequence[NDArray[Any]]") -> "NDArray[Any]":
    import numpy as np

    return np.concatenate(entries, axis=1)
