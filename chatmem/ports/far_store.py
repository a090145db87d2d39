"""A store of memories on another machine."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chatmem.domain.recall import Match
from chatmem.ports.embedder import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class FarMemory:
    """A memory that lies in a store on another machine.

    Attributes:
        written_at: When it was written there; `None` where the store does not tell.
    """

    id: str
    text: str
    written_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FarFinds:
    """What such a store found; each list of matches is of some of the memories, best first.

    Attributes:
        compared: Whether the question's vector is known to be of the kind that lies there. Where it is not, likeness in
            meaning tells something where there is much of it, and nothing where there is little.
    """

    memories: tuple[FarMemory, ...] = ()
    by_words: tuple[Match, ...] = ()
    by_meaning: tuple[Match, ...] = ()
    compared: bool = False


class FarStore(Protocol):
    """Is asked where what is near does not answer. What it is given leaves the machine."""

    def find(self, words: str, vector: Vector | None, *, limit: int) -> FarFinds:
        """Memories that share words with a question, and those like it in meaning; blocks for a bounded time.

        Args:
            words: The words of the question that tell something.
            vector: Of the question; `None` without an embedder.
            limit: Most memories of each list.

        Raises:
            StoreError: If it could not be asked, or did not answer in time.
        """
        ...
