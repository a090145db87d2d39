"""The memory store in LanceDB."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC
from typing import TYPE_CHECKING

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.held import READ_LIMIT
from chatmem.adapters.lancedb.library import load
from chatmem.adapters.lancedb.outline import OUTLINED, outline_of
from chatmem.adapters.lancedb.places import State
from chatmem.adapters.lancedb.rows import memory_of, memory_row, memory_schema, unpacked
from chatmem.adapters.lancedb.table import NO_VECTOR, LanceTable, Page
from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.domain.outline import Outline, outlined
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector
from chatmem.ports.memory_store import MemoryFilter

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.expr import Expr
    from lancedb.table import Table


COLUMNS = tuple(column.name for column in fields(Memory))

MOST, SHORT = 10_000, 20
"""Memories that are kept once they were read, 1 kB each; and pages, and how long these may be."""

LISTED = 5_000
"""Memories whose outline is made of what is held in memory, 17 µs each; to load LanceDB for it takes 1.2 s."""

FEW = 1_000
"""Memories of a kind and status that are gone through one by one, 4 µs each; LanceDB takes 20 ms to begin with."""


class LanceMemoryStore:
    """A `MemoryStore` in the table `memories`."""

    def __init__(self, database: LanceDatabase) -> None:
        self._table = LanceTable(database, "memories", memory_schema, packed=COLUMNS)
        self._kept = _Kept(version=0)
        self._outlining = threading.Lock()

    def put(self, memories: Sequence[Memory], vectors: Sequence[Vector | None]) -> None:
        """Insert memories or replace those of the same ids, durably."""
        self._table.check(vectors)
        self._table.put([memory_row(memory, vector) for memory, vector in zip(memories, vectors, strict=True)])

    def get(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """The memories of these ids that are there."""
        kept = self._current()
        if unread := [id_ for id_ in ids if id_ not in kept.memories]:
            found = {memory.id: memory for memory in self._read(unread)}
            kept.memories.update((id_, found.get(id_)) for id_ in unread)
        return [memory for id_ in dict.fromkeys(ids) if (memory := kept.memories[id_])]

    def select(self, where: MemoryFilter, *, limit: int | None = None, offset: int = 0) -> list[Memory]:
        """Memories, the newest first."""
        page = Page(newest_by="created_at", limit=limit, offset=offset)
        if limit is None or limit > SHORT:
            return self._table.select(memory_of, COLUMNS, *_conditions(where), page=page)
        kept = self._current()
        if (where, page) not in kept.pages:
            kept.pages[where, page] = self._page(where, page)
        return list(kept.pages[where, page])

    def outline(self) -> Outline:
        """What a list shows of every memory."""

        def scan(table: "Table") -> "pa.Table":
            return table.search().select(list(OUTLINED)).to_arrow(timeout=READ_LIMIT)

        # Who asks while it is being made for another waits for that one.
        with self._outlining:
            kept = self._current()
            if kept.outline is None:
                packed = self._table.packed_of(lambda _: True, LISTED)
                if packed is None:
                    kept.outline = outline_of(self._table.read(scan, otherwise=None))
                else:
                    kept.outline = outlined(map(unpacked, packed))
            return kept.outline

    def without_vector(self, *, limit: int) -> list[Memory]:
        """Memories that were stored without a vector."""
        return self._table.select(memory_of, COLUMNS, NO_VECTOR, page=Page(limit=limit))

    def by_words(self, query: str, *, limit: int, history: bool = False) -> list[Match]:
        """Active memories by BM25, best first; with `history` superseded ones too."""
        return self._table.by_words(query, _statuses(history), limit=limit)

    def by_vector(self, vector: Vector, *, limit: int, history: bool = False) -> list[Match]:
        """Active memories by cosine similarity, most similar first; with `history` superseded ones too."""
        return self._table.by_vector(vector, _statuses(history), limit=limit)

    def likeness(self, vector: Vector, ids: Sequence[MemoryId]) -> list[Match]:
        """Cosine similarity of these memories, those that have a vector."""
        return self._table.likeness(vector, ids)

    def erase(self, ids: Sequence[MemoryId]) -> None:
        """Take memories out."""
        self._table.erase(ids)

    def clear(self) -> None:
        """Take everything out."""
        self._table.clear()

    def warm_up(self) -> None:
        """Open the table, so that the first write need not wait."""
        self._table.warm_up()

    def keep(self) -> None:
        """Keep what is held in memory for the next run."""
        self._table.keep()

    def scrub(self) -> None:
        """Make the bytes of erased and replaced memories vanish."""
        self._table.scrub()

    def residue(self, needles: Sequence[str]) -> int:
        """Number of places where the files hold any of these texts."""
        return self._table.residue(needles)

    def _current(self) -> "_Kept":
        version = self._table.version()
        kept = self._kept
        if kept.version != version or len(kept.pages) > SHORT:
            kept = self._kept = _Kept(version=version)
        if len(kept.memories) > MOST:
            kept.memories.clear()
        return kept

    def _read(self, ids: Sequence[MemoryId]) -> list[Memory]:
        packed = self._table.packed(ids)
        return self._table.get(memory_of, COLUMNS, ids) if packed is None else list(map(unpacked, packed))

    def _page(self, where: MemoryFilter, page: Page) -> list[Memory]:
        """Those that pass, of memory where few are of such a kind and status."""
        packed = self._table.packed_of(lambda state: _may_pass(where, state), FEW)
        if packed is None or page.limit is None:
            return self._table.select(memory_of, COLUMNS, *_conditions(where), page=page)
        found = [memory for memory in map(unpacked, packed) if _passes(where, memory)]
        newest = sorted(found, key=lambda memory: (memory.created_at, memory.id), reverse=True)
        return newest[page.offset :][: page.limit]


@dataclass(slots=True)
class _Kept:
    """What was read of one version of the table, as each query to LanceDB takes 20 ms of processor time.

    Attributes:
        version: Of the table.
        memories: Those that were asked for; `None` for what is not there.
        pages: Short selections.
        outline: Of all rows, .2 kB each; `None` while nobody asked.
    """

    version: int
    memories: dict[MemoryId, Memory | None] = field(default_factory=dict)
    pages: dict[tuple[MemoryFilter, Page], list[Memory]] = field(default_factory=dict)
    outline: Outline | None = None


def _statuses(history: bool) -> list[str]:
    return [Status.ACTIVE.value, Status.SUPERSEDED.value] if history else [Status.ACTIVE.value]


def _may_pass(where: MemoryFilter, state: State) -> bool:
    return (where.kind is None or where.kind == state.kind) and (where.status is None or where.status == state.status)


def _passes(where: MemoryFilter, memory: Memory) -> bool:
    return (
        (where.pinned is None or where.pinned == memory.pinned)
        and (where.since is None or where.since <= memory.created_at)
        and (where.before is None or memory.created_at < where.before)
        and (where.slot is None or where.slot == memory.slot)
    )


def _conditions(where: MemoryFilter) -> "Iterator[Expr]":
    load()
    from lancedb.expr import col, lit

    if where.kind is not None:
        yield col("kind") == lit(where.kind.value)
    if where.status is not None:
        yield col("status") == lit(where.status.value)
    if where.pinned is not None:
        yield col("pinned") == lit(where.pinned)
    if where.since is not None:
        yield col("created_at") >= lit(where.since.astimezone(UTC))
    if where.before is not None:
        yield col("created_at") < lit(where.before.astimezone(UTC))
    if where.slot is not None:
        yield col("slot") == lit(where.slot)
