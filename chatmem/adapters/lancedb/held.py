"""A table in memory, as far as it is searched: what takes 1 ms here, LanceDB takes 20 for.

Of 10,000 rows with vectors of 384 numbers this is 10 MB, of 430,000 it is 350 MB.
"""

import sys
import threading
from collections.abc import Callable, Sequence
from ctypes import CDLL
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

import msgspec

from chatmem.adapters.lancedb.places import Added, Places, State
from chatmem.adapters.lancedb.rows import Row
from chatmem.adapters.lancedb.snapshot import Snapshots
from chatmem.adapters.lancedb.vectors import Codes, Vectors, Whole

if TYPE_CHECKING:
    from lancedb.table import Table

READ_LIMIT = timedelta(minutes=1)

BATCH = 1_000
"""Rows that are read at once. With 5,000 the process would grow by 10 MB more, for good."""

WHOLE = 5_000
"""Of a table with more rows the vectors are held as codes, 432 bytes each: as they are they would take 8 MB, and to
compare them with all of 10,000 takes twice as long."""

Answer = TypeVar("Answer")


class HeldRows:
    """The searched columns of one version of a table. Any thread may call; what this process writes is taken over.

    Args:
        most: Rows of the largest table that is held.
        packed: Columns that are kept of each row beside those that are searched.
        snapshots: Where they are kept between two runs.
    """

    def __init__(self, most: int, packed: Sequence[str], snapshots: Snapshots) -> None:
        self._most = most
        self._packed = tuple(packed)
        self._snapshots = snapshots
        self._lock = threading.Lock()
        self._version: int | None = None
        self._rows: Places | None = None

    def ask(
        self, version: int, question: Callable[[Places], Answer], opened: "Callable[[], Table | None]"
    ) -> Answer | None:
        """The answer of the rows of a version; `None` where the table is too large to be held, or there is none.

        Args:
            version: Of the table.
            question: What to ask.
            opened: Opens the table, where its rows are to be read anew.
        """
        with self._lock:
            if version != self._version or self._rows is None or self._rows.wasteful:
                self._rows = self._version = None
                self._rows = self._read(version, opened)
                self._version = version
            return None if self._rows is None else question(self._rows)

    def take_over(self, rows: Sequence[Row], *, before: int, after: int) -> None:
        """Follow a write of this process, which made version `after` of the table out of `before`, and keep it."""
        added = _added(rows, self._packed)
        self._snapshots.add(added, before=before, after=after)
        with self._lock:
            if self._rows is not None and self._version == before:
                self._rows.add(added)
                self._version = after

    def drop(self) -> None:
        """Hold nothing more: rows were erased."""
        with self._lock:
            self._rows = self._version = None

    def unkept(self, version: int) -> bool:
        """Whether there are rows of the version that the table is at, and they are to be kept for the next run."""
        with self._lock:
            return self._unkept(version) is not None

    def keep(self, version: int) -> None:
        """Keep the rows for the next run, if they are those of the version that the table is at.

        Raises:
            OSError: If they could not be written.
        """
        with self._lock:
            if (rows := self._unkept(version)) is not None:
                self._snapshots.save(version, rows)

    def _unkept(self, version: int) -> Places | None:
        if self._rows is None or self._version != version or self._snapshots.current(version):
            return None
        return self._rows

    def _read(self, version: int, opened: "Callable[[], Table | None]") -> Places | None:
        if not self._most:
            return None
        if (kept := self._snapshots.read(version)) is not None and len(kept) <= self._most and not kept.wasteful:
            return kept
        table = opened()
        if table is None or (count := table.count_rows()) > self._most:
            return None
        return _read(table, Codes if count > WHOLE else Whole, self._packed)


def _read(table: "Table", kind: Callable[[int], Vectors], packed: Sequence[str]) -> Places:
    import numpy as np

    dimension = table.schema.field("vector").type.list_size
    places = Places.none(kind(dimension))
    stated = [name for name in State._fields if name in packed]
    query = table.search().select(list(dict.fromkeys(["id", "words", "vector", *packed])))
    for batch in query.to_batches(BATCH, timeout=READ_LIMIT):
        if not batch.num_rows:
            continue
        vectors = batch.column("vector")
        columns = [batch.column(name).to_pylist() for name in stated]
        places.add(
            Added(
                ids=batch.column("id").to_pylist(),
                words=batch.column("words").to_pylist(),
                states=[State(**dict(zip(stated, row, strict=True))) for row in zip(*columns, strict=True)]
                if stated
                else [State()] * batch.num_rows,
                embedded=vectors.is_valid().to_numpy(zero_copy_only=False),
                vectors=np.asarray(vectors.flatten(), dtype=np.float32).reshape(-1, dimension),
                packed=[msgspec.msgpack.encode(row) for row in batch.select(list(packed)).to_pylist()],
            )
        )
    give_back()
    return places


def _added(rows: Sequence[Row], packed: Sequence[str]) -> Added:
    import numpy as np

    vectors = [row["vector"] for row in rows]
    return Added(
        ids=[str(row["id"]) for row in rows],
        words=[str(row["words"]) for row in rows],
        states=[State(*(_text(row.get(name)) for name in State._fields)) for row in rows],
        embedded=np.array([vector is not None for vector in vectors], dtype=np.bool_),
        vectors=np.array([vector for vector in vectors if vector is not None], dtype=np.float32),
        packed=[msgspec.msgpack.encode({name: row[name] for name in packed}) for row in rows] if packed else (),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def give_back() -> None:
    """Return to the system what LanceDB read into: 300 MB after 300,000 rows, which glibc would keep."""
    if sys.platform == "linux" and (trim := getattr(CDLL(None), "malloc_trim", None)):
        trim(0)
