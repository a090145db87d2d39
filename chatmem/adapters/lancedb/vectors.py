"""A table's vectors in memory: comparing ten thousand of them takes 1 ms, where a query to LanceDB takes 10."""

import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from chatmem.adapters.lancedb.library import load
from chatmem.adapters.lancedb.rows import Row
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector

if TYPE_CHECKING:
    from lancedb.table import Table
    from numpy.typing import NDArray

READ_LIMIT = timedelta(minutes=1)

WITH_VECTOR = "vector IS NOT NULL"

Passes = Callable[[str | None], bool]
"""Says by a row's status whether it is searched; rows of a table without the column have none."""


class HeldVectors:
    """The vectors of one version of a table. Any thread may call; what this process writes is taken over in place.

    Args:
        most: Rows of the largest table that is held.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._version: int | None = None
        self._places: dict[str, int] = {}
        self._ids: list[str] = []
        self._statuses: list[str | None] = []
        self._matrix: NDArray[Any] | None = None

    def nearest(self, table: "Table", vector: Vector, passes: Passes, *, limit: int) -> list[Match] | None:
        """The most similar rows, best first; `None` where the table is too large to be held."""
        with self._lock:
            if not self._refreshed(table):
                return None
            return self._nearest(vector, passes, limit)

    def likeness(self, table: "Table", vector: Vector, ids: Iterable[str]) -> list[Match] | None:
        """How similar these rows are, those that have a vector; `None` where the table is too large to be held.

        Goes by the version that the last search saw, as looking for a newer one takes longer than this.
        """
        with self._lock:
            if self._version is None and not self._refreshed(table):
                return None
            places = [place for id_ in ids if (place := self._places.get(id_)) is not None]
            if self._matrix is None or not places:
                return []
            values = self._matrix[places] @ _unit(vector)
            return [Match(id=self._ids[place], value=float(x)) for place, x in zip(places, values, strict=True)]

    def take_over(self, rows: Sequence[Row], *, before: int, after: int) -> None:
        """Follow a write of this process, which made version `after` of the table out of `before`."""
        with self._lock:
            if self._version != before or len(self._ids) + len(rows) > self._most:
                return
            for row in rows:
                self._drop(str(row["id"]))
            self._add([row for row in rows if row["vector"] is not None])
            self._version = after

    def _refreshed(self, table: "Table") -> bool:
        version = table.version
        if version != self._version:
            if table.count_rows() > self._most:
                self._keep([], [], None)
                self._version = None
                return False
            self._read(table)
            self._version = version
        return True

    def _read(self, table: "Table") -> None:
        import numpy as np

        status = ["status"] if "status" in table.schema.names else []
        found = table.search().where(WITH_VECTOR).select(["id", "vector", *status]).to_arrow(timeout=READ_LIMIT)
        flat = found["vector"].combine_chunks()
        numbers = np.asarray(flat.flatten() if len(flat) else [], dtype=np.float32)
        matrix = _units(numbers.reshape(len(found), -1)) if len(found) else None
        statuses = found["status"].to_pylist() if status else [None] * len(found)
        self._keep(found["id"].to_pylist(), statuses, matrix)

    def _keep(self, ids: list[str], statuses: list[str | None], matrix: "NDArray[Any] | None") -> None:
        self._ids, self._statuses, self._matrix = ids, statuses, matrix
        self._places = {id_: place for place, id_ in enumerate(ids)}

    def _drop(self, id_: str) -> None:
        """Put the last row in the place of this one."""
        place = self._places.pop(id_, None)
        if place is None or self._matrix is None:
            return
        last, status = self._ids.pop(), self._statuses.pop()
        if place < len(self._ids):
            self._ids[place], self._statuses[place], self._places[last] = last, status, place
            self._matrix[place] = self._matrix[len(self._ids)]

    def _add(self, rows: Sequence[Row]) -> None:
        import numpy as np

        if not rows:
            return
        new = _units(np.array([row["vector"] for row in rows], dtype=np.float32))
        held, needed = len(self._ids), len(self._ids) + len(rows)
        if self._matrix is None or needed > len(self._matrix):
            grown = np.empty((needed + needed // 8, new.shape[1]), dtype=np.float32)
            if self._matrix is not None:
                grown[:held] = self._matrix[:held]
            self._matrix = grown
        self._matrix[held:needed] = new
        for row in rows:
            self._places[str(row["id"])] = len(self._ids)
            self._ids.append(str(row["id"]))
            status = row.get("status")
            self._statuses.append(None if status is None else str(status))

    def _nearest(self, vector: Vector, passes: Passes, limit: int) -> list[Match]:
        import numpy as np

        if self._matrix is None or not self._ids:
            return []
        passing = {status: passes(status) for status in set(self._statuses)}
        likeness = self._matrix[: len(self._ids)] @ _unit(vector)
        if not all(passing.values()):
            likeness[[not passing[status] for status in self._statuses]] = -np.inf
        count = min(limit, len(likeness))
        # All that are as similar as the last of them, so that ties go by id.
        least = np.partition(likeness, -count)[-count]
        places = np.flatnonzero((likeness >= least) & np.isfinite(likeness))
        found = [Match(id=self._ids[place], value=float(likeness[place])) for place in places]
        return sorted(found, key=lambda match: (-match.value, match.id))[:limit]


def likeness_in(table: "Table", vector: Vector, named: Iterable[Any]) -> list[Match]:
    """How similar the rows that the conditions name are, read from the table."""
    load()
    import numpy as np

    found = []
    for condition in named:
        query = table.search().where(condition).where(WITH_VECTOR).select(["id", "vector"])
        for row in query.to_list(timeout=READ_LIMIT):
            value = float(_unit(np.array(row["vector"], dtype=np.float32)) @ _unit(vector))
            found.append(Match(id=row["id"], value=value))
    return found


def _unit(vector: Any) -> "NDArray[Any]":
    import numpy as np

    array = np.asarray(vector, dtype=np.float32)
    return array / (np.linalg.norm(array) or 1.0)


def _units(matrix: "NDArray[Any]") -> "NDArray[Any]":
    import numpy as np

    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return matrix / np.where(lengths, lengths, 1.0)
