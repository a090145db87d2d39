"""The memory store and the turn index: what recall searches."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from chatmem.domain.outline import Outline
from chatmem.domain.recall import Match
from chatmem.domain.turn import Turn, TurnId
from chatmem.ports.embedder import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories to list; `None` takes all. `since` and `before` bound `created_at`, `before` excluded."""

    kind: Kind | None = None
    status: Status | None = None
    pinned: bool | None = None
    since: datetime | None = None
    before: datetime | None = None
    slot: str | None = None


class Erasable(Protocol):
    """Something on disk that can be made to hold nothing but its live rows."""

    def scrub(self) -> None:
        """Rewrite the files so that they hold nothing of rows that were erased or replaced.

        Raises:
            RefusedError: If another process holds the files.
            StoreError: If they could not be rewritten.
        """
        ...

    def residue(self, needles: Sequence[str]) -> int:
        """Number of places where the files, decoded, hold any of these texts (case and white space folded)."""
        ...


class MemoryStore(Erasable, Protocol):
    """Keeps memories for recall. Methods block, and may be called from any thread and process.

    All raise `StoreError` if the store could not be read or written.
    """

    def put(self, memories: Sequence[Memory], vectors: Sequence[Vector | None]) -> None:
        """Insert memories or replace those of the same ids, durably; a vector of `None` is searched by words only."""
        ...

    def get(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """The memories of these ids that are there, in no particular order."""
        ...

    def select(self, where: MemoryFilter, *, limit: int | None = None, offset: int = 0) -> list[Memory]:
        """Memories, the newest first (`created_at`, then id)."""
        ...

    def outline(self) -> Outline:
        """What a list shows of every memory, as it is now."""
        ...

    def without_vector(self, *, limit: int) -> list[Memory]:
        """Memories that were stored without a vector."""
        ...

    def by_words(self, query: str, *, limit: int, history: bool = False) -> list[Match]:
        """Active memories whose text shares words with the query, by BM25, best first; any text is a valid query.

        Args:
            query: The words.
            limit: Most memories.
            history: Whether superseded ones are found too.
        """
        ...

    def by_vector(self, vector: Vector, *, limit: int, history: bool = False) -> list[Match]:
        """Active memories by cosine similarity, most similar first; with `history` superseded ones too."""
        ...

    def likeness(self, vector: Vector, ids: Sequence[MemoryId]) -> list[Match]:
        """Cosine similarity of these memories, those that have a vector, in no particular order."""
        ...

    def erase(self, ids: Sequence[MemoryId]) -> None:
        """Take memories out; `scrub` then makes their bytes vanish."""
        ...

    def clear(self) -> None:
        """Take everything out."""
        ...


class TurnIndex(Erasable, Protocol):
    """Keeps every turn for recall. Methods block, and may be called from any thread and process.

    All raise `StoreError` if the index could not be read or written. The indexed text carries the speaker and the
    date: `Ana, 4 March 2025: I moved to Porto.`
    """

    def put(self, turns: Sequence[Turn], vectors: Sequence[Vector | None]) -> None:
        """Insert turns or replace those of the same ids, durably."""
        ...

    def indexed(self, ids: Sequence[TurnId]) -> set[TurnId]:
        """Which of these turns are there."""
        ...

    def without_vector(self, *, limit: int) -> list[TurnId]:
        """Turns that were indexed without a vector."""
        ...

    def by_words(self, query: str, *, limit: int) -> list[Match]:
        """Turns that share words with the query, by BM25, best first; any text is a valid query."""
        ...

    def by_vector(self, vector: Vector, *, limit: int) -> list[Match]:
        """Turns by cosine similarity, most similar first."""
        ...

    def likeness(self, vector: Vector, ids: Sequence[TurnId]) -> list[Match]:
        """Cosine similarity of these turns, those that have a vector, in no particular order."""
        ...

    def erase(self, ids: Sequence[TurnId]) -> None:
        """Take turns out; `scrub` then makes their bytes vanish."""
        ...

    def clear(self) -> None:
        """Take everything out."""
        ...
