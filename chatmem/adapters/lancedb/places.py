"""The searched columns of a table as arrays: rows at places 0, 1, 2, ..."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from chatmem.adapters.lancedb.postings import Postings
from chatmem.adapters.lancedb.vectors import Vectors, unit, units
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEAD = 5_000
"""So many dead places there may be at least before a table is read anew."""


class State(NamedTuple):
    """What a row is filtered by; rows of a table without these columns have none."""

    status: str | None = None
    kind: str | None = None


Passes = Callable[[State], bool]
"""Says whether rows of a state are searched."""


class Added(NamedTuple):
    """Rows, a column each.

    Attributes:
        embedded: Which have a vector.
        vectors: Those of these, `(n, dimension)`.
        packed: What is kept of each beside; empty where nothing is.
    """

    ids: Sequence[str]
    words: Sequence[str]
    states: Sequence[State]
    embedded: "NDArray[Any]"
    vectors: "NDArray[Any]"
    packed: Sequence[bytes]


class Packed:
    """What is kept of rows beside what is searched, in one stretch of bytes and some that were added."""

    def __init__(self, content: memoryview, ends: "NDArray[Any]") -> None:
        """Keep records that follow one another in `content`, each to its end."""
        self._content = content
        self._ends = ends
        self._added: list[bytes] = []

    def add(self, records: Iterable[bytes]) -> None:
        """Keep more, at the next places."""
        self._added.extend(records)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._ends) + len(self._added)

    def __getitem__(self, place: int) -> bytes:
        """The record at a place."""
        if place >= len(self._ends):
            return self._added[place - len(self._ends)]
        start = int(self._ends[place - 1]) if place else 0
        return bytes(self._content[start : int(self._ends[place])])


class Places:
    """Rows at places; one that is replaced goes on at a new place, and its old one is dead. Not safe for threads.

    Attributes:
        ids: Of the rows.
        states: Those that occur.
        state: Which of these each row has.
        live: Which places are not dead.
        embedded: Which rows have a vector.
        vectors: Of those.
        postings: Which rows hold which words.
        packed: What is kept of each row beside.
    """

    def __init__(
        self,
        ids: Sequence[str],
        states: Iterable[State],
        columns: "tuple[NDArray[Any], NDArray[Any], NDArray[Any]]",
        *,
        vectors: Vectors,
        postings: Postings,
        packed: Packed,
    ) -> None:
        """Keep rows; `columns` are `state`, `live` and `embedded`."""
        self.ids = list(ids)
        self.states = list(states)
        self.state, self.live, self.embedded = columns
        self.vectors = vectors
        self.postings = postings
        self.packed = packed
        self._place_of = {id_: place for place, id_ in enumerate(self.ids)}

    @classmethod
    def none(cls, vectors: Vectors) -> "Places":
        """No rows yet."""
        import numpy as np

        columns = np.zeros(0, np.uint8), np.zeros(0, np.bool_), np.zeros(0, np.bool_)
        packed = Packed(memoryview(b""), np.zeros(0, np.int64))
        return cls((), (), columns, vectors=vectors, postings=Postings(), packed=packed)

    def __len__(self) -> int:
        """How many places, with the dead ones."""
        return len(self.ids)

    @property
    def wasteful(self) -> bool:
        """Whether most of the places are dead."""
        return len(self) > 2 * len(self._place_of) + DEAD

    def add(self, rows: Added) -> None:
        """Take in rows, in place of those of the same ids."""
        import numpy as np

        first, known = len(self), {state: at for at, state in enumerate(self.states)}
        for state in dict.fromkeys(rows.states):
            if state not in known:
                known[state] = len(self.states)
                self.states.append(state)
        self.state = _grown(self.state, first, np.array([known[state] for state in rows.states], dtype=np.uint8))
        self.live = _grown(self.live, first, np.ones(len(rows.ids), dtype=np.bool_))
        self.embedded = _grown(self.embedded, first, rows.embedded)
        if len(rows.vectors):
            self.vectors.put(first + np.flatnonzero(rows.embedded), units(rows.vectors))
        self.postings.add(rows.words)
        self.packed.add(rows.packed)
        for place, id_ in enumerate(rows.ids, first):
            if (old := self._place_of.get(id_)) is not None:
                self.live[old] = False
            self._place_of[id_] = place
        self.ids.extend(rows.ids)

    def by_words(self, query: str, passes: Passes, limit: int) -> list[Match]:
        """Rows by BM25, best first. All rows count for its statistics, as they do for LanceDB."""
        import numpy as np

        scores = self.postings.scores(query, self.live[: len(self)])
        found = np.flatnonzero(scores > 0)
        found = found[self._passing(passes)[found]]
        return self._best(found, scores[found], limit)

    def nearest(self, vector: Vector, passes: Passes, limit: int) -> list[Match]:
        """Rows by cosine similarity, best first."""
        import numpy as np

        searched = np.flatnonzero(self._passing(passes) & self.embedded[: len(self)])
        if not len(searched):
            return []
        wanted = unit(vector)
        near = self.vectors.nearest(wanted, searched, limit)
        return self._best(near, self.vectors.compare(wanted, near), limit)

    def likeness(self, vector: Vector, ids: Iterable[str]) -> list[Match]:
        """Cosine similarity of these rows, those that have a vector."""
        import numpy as np

        found = [place for id_ in ids if (place := self._place_of.get(id_)) is not None]
        places = np.array(found, dtype=np.int64)
        places = places[self.embedded[places]]
        values = self.vectors.compare(unit(vector), places).tolist()
        return [Match(id=self.ids[place], value=value) for place, value in zip(places.tolist(), values, strict=True)]

    def records(self, ids: Iterable[str]) -> list[bytes]:
        """What is kept of these rows, those that are there."""
        return [self.packed[place] for id_ in ids if (place := self._place_of.get(id_)) is not None]

    def records_of(self, passes: Passes, most: int) -> list[bytes] | None:
        """What is kept of the rows of some states; `None` if they are more than `most`."""
        import numpy as np

        found = np.flatnonzero(self._passing(passes))
        return [self.packed[place] for place in found.tolist()] if len(found) <= most else None

    def _passing(self, passes: Passes) -> "NDArray[Any]":
        import numpy as np

        by_state: NDArray[Any] = np.array([passes(state) for state in self.states], dtype=np.bool_)
        if by_state.all():
            return self.live[: len(self)]
        searched: NDArray[Any] = by_state[self.state[: len(self)]] & self.live[: len(self)]
        return searched

    def _best(self, places: "NDArray[Any]", values: "NDArray[Any]", limit: int) -> list[Match]:
        import numpy as np

        if not (count := min(limit, len(values))):
            return []
        # All that are as good as the last of them, so that ties go by id.
        good = values >= np.partition(values, -count)[-count]
        found = zip(places[good].tolist(), values[good].tolist(), strict=True)
        best = sorted((-value, self.ids[place]) for place, value in found)[:limit]
        return [Match(id=id_, value=-value) for value, id_ in best]


def _grown(array: "NDArray[Any]", used: int, new: "NDArray[Any]") -> "NDArray[Any]":
    """An array with new values after those in use, and some room after these."""
    import numpy as np

    needed = used + len(new)
    if needed > len(array):
        grown = np.zeros(needed + needed // 8, dtype=array.dtype)
        grown[:used] = array[:used]
        array = grown
    array[used:needed] = new
    return array
