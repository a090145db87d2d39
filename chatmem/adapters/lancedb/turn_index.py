"""The turn index in LanceDB."""

from collections.abc import Sequence

from chatmem.adapters.lancedb.database import LanceDatabase
from chatmem.adapters.lancedb.rows import turn_row, turn_schema
from chatmem.adapters.lancedb.table import NO_VECTOR, LanceTable, Page
from chatmem.domain.recall import Match
from chatmem.domain.turn import Turn, TurnId
from chatmem.ports.embedder import Vector


class LanceTurnIndex:
    """A `TurnIndex` in the table `turns`."""

    def __init__(self, database: LanceDatabase) -> None:
        self._table = LanceTable(database, "turns", turn_schema)

    def put(self, turns: Sequence[Turn], vectors: Sequence[Vector | None]) -> None:
        """Insert turns or replace those of the same ids, durably."""
        self._table.check(vectors)
        self._table.put([turn_row(turn, vector) for turn, vector in zip(turns, vectors, strict=True)])

    def indexed(self, ids: Sequence[TurnId]) -> set[TurnId]:
        """Which of these turns are there."""
        return set(self._table.get(lambda row: TurnId(row["id"]), ["id"], ids))

    def without_vector(self, *, limit: int) -> list[TurnId]:
        """Turns that were indexed without a vector."""
        return self._table.select(lambda row: TurnId(row["id"]), ["id"], NO_VECTOR, page=Page(limit=limit))

    def by_words(self, query: str, *, limit: int) -> list[Match]:
        """Turns by BM25, best first."""
        return self._table.by_words(query, limit=limit)

    def by_vector(self, vector: Vector, *, limit: int) -> list[Match]:
        """Turns by cosine similarity, most similar first."""
        return self._table.by_vector(vector, limit=limit)

    def likeness(self, vector: Vector, ids: Sequence[TurnId]) -> list[Match]:
        """Cosine similarity of these turns, those that have a vector."""
        return self._table.likeness(vector, ids)

    def erase(self, ids: Sequence[TurnId]) -> None:
        """Take turns out."""
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
        """Make the bytes of erased and replaced turns vanish."""
        self._table.scrub()

    def residue(self, needles: Sequence[str]) -> int:
        """Number of places where the files hold any of these texts."""
        return self._table.residue(needles)
