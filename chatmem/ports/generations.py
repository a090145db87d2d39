"""Generations of the indexes: another embedder, or another layout, means another build of both."""

from contextlib import AbstractContextManager
from typing import Protocol

from chatmem.ports.memory_store import MemoryStore, TurnIndex


class Generation(Protocol):
    """One build of both indexes, whose vectors are all of one model."""

    @property
    def model(self) -> str:
        """Name of the model; empty where there are no vectors."""
        ...

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        ...

    @property
    def memories(self) -> MemoryStore:
        """Its memories."""
        ...

    @property
    def turns(self) -> TurnIndex:
        """Its turns."""
        ...


class Generations(Protocol):
    """The generation that answers, and the one that is being built to follow it.

    Whatever is learned, said or forgotten is written to both. Methods block, may be called from any thread and
    process, and raise `StoreError` if the files could not be read or written.
    """

    def answering(self) -> Generation | None:
        """The one that is searched; `None` while there is none."""
        ...

    def whole(self) -> bool:
        """Whether the one that answers is known to hold all that was said and learned."""
        ...

    def building(self, model: str, dimension: int, *, anew: bool = False) -> AbstractContextManager[Generation]:
        """Build another one, which is kept for the next try when the block ends; one that was begun is gone on with.

        Args:
            model: Name of its embedder.
            dimension: Length of its vectors.
            anew: Throw away what was begun.

        Raises:
            RefusedError: If another process is building one.
        """
        ...

    def completing(self) -> AbstractContextManager[Generation]:
        """Complete the one that answers, which is made where there is none.

        Raises:
            RefusedError: If another process is building one.
        """
        ...

    def settled(self) -> AbstractContextManager[None]:
        """Keep all writers out, so that what is read of the log and the journal is not outdated when it is written.

        Raises:
            RefusedError: If another process writes for too long.
        """
        ...

    def put_to_use(self, generation: Generation) -> None:
        """Have this one answer from now on, in every window, as it is whole; the others are erased from the disk.

        Raises:
            RefusedError: If another process writes for too long.
        """
        ...
