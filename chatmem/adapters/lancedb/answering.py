"""The memory store and the turn index in use, over all generations.

The one that answers is searched; all are written to and cleaned.
"""

from collections.abc import Sequence

from chatmem.adapters.lancedb.generations import LanceGenerations
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.outline import Outline, outlined
from chatmem.domain.recall import Match
from chatmem.domain.turn import Turn, TurnId
from chatmem.ports.embedder import Vector
from chatmem.ports.memory_store import MemoryFilter


class AnsweringMemories:
    """A `MemoryStore` over all generations. A vector of a model that is not the one in use finds nothing."""

    def __init__(self, generations: LanceGenerations) -> None:
        self._all = generations

    def put(self, memories: Sequence[Memory], vectors: Sequence[Vector | None]) -> None:
        """Insert memories or replace those of the same ids, durably; each generation gets the vectors of its model."""
        if memories:
            with self._all.writing() as there:
                for one in there:
                    one.memories.put(memories, [one.own(vector) for vector in vectors])

    def get(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """The memories of these ids that are there."""
        return self._all.read(lambda one: one.memories.get(ids), otherwise=[])

    def select(self, where: MemoryFilter, *, limit: int | None = None, offset: int = 0) -> list[Memory]:
        """Memories, the newest first."""
        return self._all.read(lambda one: one.memories.select(where, limit=limit, offset=offset), otherwise=[])

    def outline(self) -> Outline:
        """What a list shows of every memory."""
        return self._all.read(lambda one: one.memories.outline(), otherwise=outlined(()))

    def without_vector(self, *, limit: int) -> list[Memory]:
        """Memories that were stored without a vector."""
        return self._all.read(lambda one: one.memories.without_vector(limit=limit), otherwise=[])

    def by_words(self, query: str, *, limit: int, history: bool = False) -> list[Match]:
        """Active memories by BM25, best first; with `history` superseded ones too."""
        return self._all.read(lambda one: one.memories.by_words(query, limit=limit, history=history), otherwise=[])

    def by_vector(self, vector: Vector, *, limit: int, history: bool = False) -> list[Match]:
        """Active memories by cosine similarity, most similar first; with `history` superseded ones too."""
        return self._all.read(
            lambda one: one.memories.by_vector(vector, limit=limit, history=history) if one.own(vector) else [],
            otherwise=[],
        )

    def likeness(self, vector: Vector, ids: Sequence[MemoryId]) -> list[Match]:
        """Cosine similarity of these memories, those that have a vector."""
        return self._all.read(lambda one: one.memories.likeness(vector, ids) if one.own(vector) else [], otherwise=[])

    def erase(self, ids: Sequence[MemoryId]) -> None:
        """Take memories out."""
        with self._all.writing() as there:
            for one in there:
                one.memories.erase(ids)

    def clear(self) -> None:
        """Take everything out."""
        with self._all.writing() as there:
            for one in there:
                one.memories.clear()

    def scrub(self) -> None:
        """Make the bytes of erased and replaced memories vanish."""
        with self._all.writing() as there:
            for one in there:
                one.memories.scrub()

    def residue(self, needles: Sequence[str]) -> int:
        """Number of places where the files hold any of these texts."""
        with self._all.writing() as there:
            return sum(one.memories.residue(needles) for one in there)


class AnsweringTurns:
    """A `TurnIndex` over all generations. A vector of a model that is not the one in use finds nothing."""

    def __init__(self, generations: LanceGenerations) -> None:
        self._all = generations

    def put(self, turns: Sequence[Turn], vectors: Sequence[Vector | None]) -> None:
        """Insert turns or replace those of the same ids, durably; each generation gets the vectors of its model."""
        if turns:
            with self._all.writing() as there:
                for one in there:
                    one.turns.put(turns, [one.own(vector) for vector in vectors])

    def indexed(self, ids: Sequence[TurnId]) -> set[TurnId]:
        """Which of these turns are there."""
        return self._all.read(lambda one: one.turns.indexed(ids), otherwise=set())

    def without_vector(self, *, limit: int) -> list[TurnId]:
        """Turns that were indexed without a vector."""
        return self._all.read(lambda one: one.turns.without_vector(limit=limit), otherwise=[])

    def by_words(self, query: str, *, limit: int) -> list[Match]:
        """Turns by BM25, best first."""
        return self._all.read(lambda one: one.turns.by_words(query, limit=limit), otherwise=[])

    def by_vector(self, vector: Vector, *, limit: int) -> list[Match]:
        """Turns by cosine similarity, most similar first."""
        return self._all.read(
            lambda one: one.turns.by_vector(vector, limit=limit) if one.own(vector) else [], otherwise=[]
        )

    def likeness(self, vector: Vector, ids: Sequence[TurnId]) -> list[Match]:
        """Cosine similarity of these turns, those that have a vector."""
        return self._all.read(lambda one: one.turns.likeness(vector, ids) if one.own(vector) else [], otherwise=[])

    def erase(self, ids: Sequence[TurnId]) -> None:
        """Take turns out."""
        with self._all.writing() as there:
            for one in there:
                one.turns.erase(ids)

    def clear(self) -> None:
        """Take everything out."""
        with self._all.writing() as there:
            for one in there:
                one.turns.clear()

    def scrub(self) -> None:
        """Make the bytes of erased and replaced turns vanish."""
        with self._all.writing() as there:
            for one in there:
                one.turns.scrub()

    def residue(self, needles: Sequence[str]) -> int:
        """Number of places where the files hold any of these texts."""
        with self._all.writing() as there:
            return sum(one.turns.residue(needles) for one in there)
