"""The memory store in LanceDB."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import UTC
from typing import TYPE_CHECKING

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.library import load
from chatmem.adapters.lancedb.rows import memory_of, memory_row, memory_schema
from chatmem.adapters.lancedb.table import NO_VECTOR, LanceTable, Page
from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector
from chatmem.ports.memory_store import MemoryFilter

if TYPE_CHECKING:
    from lancedb.expr import Expr


COLUMNS = tuple(field.name for field in fields(Memory))


class LanceMemoryStore:
    """A `MemoryStore` in the table `memories`."""

    def __init__(self, database: LanceDatabase) -> None:
        self._table = LanceTable(database, "memories", memory_schema)

    def put(self, memories: Sequence[Memory], vectors: Sequence[Vector | None]) -> None:
        """Insert memories or replace those of the same ids, durably."""
        self._table.check(vectors)
        self._table.put([memory_row(memory, vector) for memory, vector in zip(memories, vectors, strict=True)])

    def get(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """The memories of these ids that are there."""
        return self._table.get(memory_of, COLUMNS, ids)

    def select(self, where: MemoryFilter, *, limit: int | None = None, offset: int = 0) -> list[Memory]:
        """Memories, the newest first."""
        page = Page(newest_by="created_at", limit=limit, offset=offset)
        return self._table.select(memory_of, COLUMNS, *_conditions(where), page=page)

    def without_vector(self, *, limit: int) -> list[Memory]:
        """Memories that were stored without a vector."""
        return self._table.select(memory_of, COLUMNS, NO_VECTOR, page=Page(limit=limit))

    def by_words(self, query: str, *, limit: int, history: bool = False) -> list[Match]:
        """Active memories by BM25, best first; with `history` superseded ones too."""
        return self._table.by_words(query, _searched(history), limit=limit)

    def by_vector(self, vector: Vector, *, limit: int, history: bool = False) -> list[Match]:
        """Active memories by cosine similarity, most similar first; with `history` superseded ones too."""
        passing = _statuses(history)
        return self._table.by_vector(vector, lambda status: status in passing, _searched(history), limit=limit)

    def likeness(self, vector: Vector, ids: Sequence[MemoryId]) -> list[Match]:
        """Cosine similarity of these memories, those that have a vector."""
        return self._table.likeness(vector, ids)

    def erase(self, ids: Sequence[MemoryId]) -> None:
        """Take memories out."""
        self._table.erase(ids)

    def clear(self) -> None:
        """Take everything out."""
        self._table.clear()

    def scrub(self) -> None:
        """Make the bytes of erased and replaced memories vanish."""
        self._table.scrub()

    def residue(self, needles: Sequence[str]) -> int:
        """Number of places where the files hold any of these texts."""
        return self._table.residue(needles)


def _statuses(history: bool) -> list[str]:
    return [Status.ACTIVE.value, Status.SUPERSEDED.value] if history else [Status.ACTIVE.value]


def _searched(history: bool) -> "Expr":
    load()
    from lancedb.expr import col

    return col("status").isin(_statuses(history))


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
