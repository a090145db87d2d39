"""A table in memory, as far as it is searched: what takes 1 ms here, LanceDB takes 20 for.

Of 10,000 rows with vectors of 384 numbers this is 10 MB, of 430,000 it is 350 MB.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from ctypes import CDLL
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from chatmem.adapters.lancedb.postings import Postings
from chatmem.adapters.lancedb.rows import Row
from chatmem.adapters.lancedb.vectors import Codes, Vectors, Whole, unit, units
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector

if TYPE_CHECKING:
    from lancedb.table import Table
    from numpy.typing import NDArray

READ_LIMIT = timedelta(minutes=1)

BATCH = 1_000
"""Rows that are read at once. With 5,000 the process would grow by 10 MB more, for good."""

DEAD = 5_000
"""So many dead places there may be at least before a table is read anew."""

WHOLE = 5_000
"""Of a table with more rows the vectors are held as codes, 432 bytes each: as they are they would take 8 MB, and to
compare them with all of 10,000 takes twice as long."""

Passes = Callable[[str | None], bool]
"""Says by a row's status whether it is searched; rows of a table without the column have none."""


class HeldRows:
    """The searched columns of one version of a table. Any thread may call; what this process writes is taken over.

    Args:
        most: Rows of the largest table that is held.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._version: int | None = None
        self._rows: _Rows | None = None

    def by_words(self, table: "Table", version: int, query: str, passes: Passes, *, limit: int) -> list[Match] | None:
        """The rows that share words with the query, by BM25; `None` where the table is too large to be held."""
        with self._lock:
            rows = self._refreshed(table, version)
            return None if rows is None else rows.by_words(query, passes, limit)

    def nearest(
        self, table: "Table", version: int, vector: Vector, passes: Passes, *, limit: int
    ) -> list[Match] | None:
        """The most similar rows, best first; `None` where the table is too large to be held."""
        with self._lock:
            rows = self._refreshed(table, version)
            return None if rows is None else rows.nearest(vector, passes, limit)

    def likeness(self, table: "Table", version: int, vector: Vector, ids: Iterable[str]) -> list[Match] | None:
        """How similar these rows are, those that have a vector; `None` where the table is too large to be held."""
        with self._lock:
            rows = self._refreshed(table, version)
            return None if rows is None else rows.likeness(vector, ids)

    def take_over(self, rows: Sequence[Row], *, before: int, after: int) -> None:
        """Follow a write of this process, which made version `after` of the table out of `before`."""
        with self._lock:
            if self._rows is None or self._version != before:
                return
            self._rows.replace(rows)
            self._version = after

    def drop(self) -> None:
        """Hold nothing more: rows were erased."""
        with self._lock:
            self._rows = self._version = None

    def _refreshed(self, table: "Table", version: int) -> "_Rows | None":
        if version != self._version or self._rows is None or self._rows.wasteful:
            self._rows = self._version = None
            count = table.count_rows()
            if count > self._most:
                return None
            self._rows, self._version = _read(table, Codes if count > WHOLE else Whole), version
        return self._rows


class _Rows:
    """Rows at places 0, 1, 2, ...; a row that is replaced goes on at a new place, and its old one is dead."""

    def __init__(self, vectors: Vectors) -> None:
        import numpy as np

        self._ids: list[str] = []
        self._place_of: dict[str, int] = {}
        self._states: list[str | None] = []
        self._state: NDArray[Any] = np.zeros(0, dtype=np.uint8)
        self._live: NDArray[Any] = np.zeros(0, dtype=np.bool_)
        self._embedded: NDArray[Any] = np.zeros(0, dtype=np.bool_)
        self._vectors = vectors
        self._postings = Postings()

    @property
    def places(self) -> int:
        """How many, with the dead ones."""
        return len(self._ids)

    @property
    def wasteful(self) -> bool:
        """Whether most of the places are dead."""
        return self.places > 2 * len(self._place_of) + DEAD

    def replace(self, rows: Sequence[Row]) -> None:
        """Take in rows, in place of those of the same ids."""
        import numpy as np

        vectors = [row["vector"] for row in rows]
        numbers = np.array([vector for vector in vectors if vector is not None], dtype=np.float32)
        self.add(
            [str(row["id"]) for row in rows],
            [str(row["words"]) for row in rows],
            [None if (status := row.get("status")) is None else str(status) for row in rows],
            np.array([vector is not None for vector in vectors], dtype=np.bool_),
            numbers,
        )

    def add(
        self,
        ids: Sequence[str],
        words: Sequence[str],
        statuses: Sequence[str | None],
        embedded: "NDArray[Any]",
        numbers: "NDArray[Any]",
    ) -> None:
        """Take in rows, in place of those of the same ids; `numbers` are the vectors of those that are embedded."""
        import numpy as np

        first, states = self.places, {status: at for at, status in enumerate(self._states)}
        for status in dict.fromkeys(statuses):
            if status not in states:
                states[status] = len(self._states)
                self._states.append(status)
        self._state = _grown(self._state, first, np.array([states[status] for status in statuses], dtype=np.uint8))
        self._live = _grown(self._live, first, np.ones(len(ids), dtype=np.bool_))
        self._embedded = _grown(self._embedded, first, embedded)
        if len(numbers):
            self._vectors.put(first + np.flatnonzero(embedded), units(numbers))
        self._postings.add(words)
        for place, id_ in enumerate(ids, first):
            if (old := self._place_of.get(id_)) is not None:
                self._live[old] = False
            self._place_of[id_] = place
        self._ids.extend(ids)

    def by_words(self, query: str, passes: Passes, limit: int) -> list[Match]:
        """Rows by BM25, best first. All rows count for its statistics, as they do for LanceDB."""
        import numpy as np

        scores = self._postings.scores(query, self._live[: self.places])
        found = np.flatnonzero(self._passing(passes) & (scores > 0))
        return self._best(found, scores[found], limit)

    def nearest(self, vector: Vector, passes: Passes, limit: int) -> list[Match]:
        """Rows by cosine similarity, best first."""
        import numpy as np

        searched = np.flatnonzero(self._passing(passes) & self._embedded[: self.places])
        if not len(searched):
            return []
        wanted = unit(vector)
        near = self._vectors.nearest(wanted, searched, limit)
        return self._best(near, self._vectors.compare(wanted, near), limit)

    def likeness(self, vector: Vector, ids: Iterable[str]) -> list[Match]:
        """Cosine similarity of these rows, those that have a vector."""
        import numpy as np

        found = [place for id_ in ids if (place := self._place_of.get(id_)) is not None]
        places = np.array(found, dtype=np.int64)
        places = places[self._embedded[places]]
        values = self._vectors.compare(unit(vector), places).tolist()
        return [Match(id=self._ids[place], value=value) for place, value in zip(places.tolist(), values, strict=True)]

    def _passing(self, passes: Passes) -> "NDArray[Any]":
        import numpy as np

        by_state: NDArray[Any] = np.array([passes(status) for status in self._states], dtype=np.bool_)
        searched: NDArray[Any] = by_state[self._state[: self.places]] & self._live[: self.places]
        return searched

    def _best(self, places: "NDArray[Any]", values: "NDArray[Any]", limit: int) -> list[Match]:
        import numpy as np

        if not (count := min(limit, len(values))):
            return []
        # All that are as good as the last of them, so that ties go by id.
        good = values >= np.partition(values, -count)[-count]
        found = zip(places[good].tolist(), values[good].tolist(), strict=True)
        best = sorted((-value, self._ids[place]) for place, value in found)[:limit]
        return [Match(id=id_, value=-value) for value, id_ in best]


def _read(table: "Table", kind: Callable[[int], Vectors]) -> _Rows:
    import numpy as np

    dimension = table.schema.field("vector").type.list_size
    rows = _Rows(kind(dimension))
    status = ["status"] if "status" in table.schema.names else []
    query = table.search().select(["id", "words", "vector", *status])
    for batch in query.to_batches(BATCH, timeout=READ_LIMIT):
        if not batch.num_rows:
            continue
        vectors = batch.column("vector")
        embedded = vectors.is_valid().to_numpy(zero_copy_only=False)
        numbers = np.asarray(vectors.flatten(), dtype=np.float32).reshape(-1, dimension)
        rows.add(
            batch.column("id").to_pylist(),
            batch.column("words").to_pylist(),
            batch.column("status").to_pylist() if status else [None] * batch.num_rows,
            embedded,
            numbers,
        )
    give_back()
    return rows


def give_back() -> None:
    """Return to the system what LanceDB read into: 300 MB after 300,000 rows, which glibc would keep."""
    if sys.platform == "linux" and (trim := getattr(CDLL(None), "malloc_trim", None)):
        trim(0)


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
