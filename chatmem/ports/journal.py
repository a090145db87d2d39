"""The journal of memories: every change set, tombstones and use."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from chatmem.domain.change import ChangeSet, ChangeSetId, JobId
from chatmem.domain.forgetting import Tombstone, TombstoneId
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.turn import TurnId


class Journal(Protocol):
    """Keeps what was learned, durably, so that the memory store can be rebuilt from it.

    Methods block, may be called from any thread and process, and raise `StoreError` if the file fails.
    """

    def record(self, changes: ChangeSet) -> None:
        """Write a change set; recording one that is there already changes nothing."""
        ...

    def unapplied(self) -> list[ChangeSet]:
        """Change sets not yet known to be in the memory store, as they were recorded, oldest first."""
        ...

    def mark_applied(self, change_set_id: ChangeSetId) -> None:
        """Note that a change set is in the memory store, durably."""
        ...

    def change_sets(self, *, limit: int | None = None) -> list[ChangeSet]:
        """Change sets, newest first; all that a job recorded is one, which stands where the last of it was made."""
        ...

    def change_set(self, change_set_id: ChangeSetId) -> ChangeSet:
        """The change set of an id, or that of the job which recorded it.

        Raises:
            NotFoundError: If there is none.
        """
        ...

    def parts(self, job_id: JobId) -> list[ChangeSet]:
        """What a job recorded, as it did, oldest first."""
        ...

    def history(self, memory_id: MemoryId) -> list[ChangeSet]:
        """What changed one memory, the newest first; each change set holds the change to this memory alone."""
        ...

    def linking(self, memory_id: MemoryId) -> list[MemoryId]:
        """Memories that link to this one, or were replaced by it; some of them may do so no more."""
        ...

    def as_of(self, moment: datetime) -> list[Memory]:
        """Every memory as it read at a moment, as far as was known then; the one changed longest ago first."""
        ...

    def latest(self, ids: Iterable[MemoryId] | None = None) -> list[Memory]:
        """Every memory as the last change left it: what the memory store must hold; of `ids` those that are there.

        What was taken back is not there.
        """
        ...

    def taken_back(self) -> list[Memory]:
        """Memories that the last change took back, as they were: they are in no store, and can be brought back."""
        ...

    def erase_memories(self, ids: Sequence[MemoryId]) -> None:
        """Take every trace of these memories out: their changes, use and mentions in recall."""
        ...

    def rewrite(self, memories: Sequence[Memory]) -> None:
        """Replace every recorded version of these memories by the one given, so that no older wording is left."""
        ...

    def bury(self, tombstones: Sequence[Tombstone]) -> None:
        """Add tombstones."""
        ...

    def unbury(self, ids: Sequence[TombstoneId]) -> None:
        """Take tombstones away, those that are there: what they kept from being learned may be learned again."""
        ...

    def tombstones(self) -> list[Tombstone]:
        """All tombstones, oldest first."""
        ...

    def tombstone_key(self) -> bytes:
        """The profile's own key for the hashes in tombstones; made on first use."""
        ...

    def begin_forgetting(
        self, memory_ids: Sequence[MemoryId], turn_ids: Sequence[TurnId], *, keeps_turns: bool = False
    ) -> None:
        """Note, without any text, what is being forgotten, so that a crash in the middle is made good.

        Args:
            memory_ids: The memories.
            turn_ids: The turns that lose words.
            keeps_turns: Whether all turns keep their words.
        """
        ...

    def forgetting_keeps_turns(self) -> bool:
        """What `begin_forgetting` was told of the turns, as long as it has not ended."""
        ...

    def unfinished_forgetting(self) -> tuple[list[MemoryId], list[TurnId]]:
        """What `begin_forgetting` noted and `end_forgetting` did not end."""
        ...

    def end_forgetting(self) -> None:
        """Forget what was begun."""
        ...

    def last_upkeep(self) -> datetime | None:
        """When upkeep was last done; `None` if it never was."""
        ...

    def note_upkeep(self, at: datetime) -> None:
        """Note that upkeep was done."""
        ...

    def note_use(self, ids: Sequence[MemoryId], at: datetime) -> None:
        """Count that memories were used."""
        ...

    def take_back_use(self, ids: Sequence[MemoryId]) -> None:
        """Count one use less of each of these memories, as it was none."""
        ...

    def uses(self, ids: Iterable[MemoryId] | None = None) -> Mapping[MemoryId, tuple[int, datetime]]:
        """How often, and when last, each memory was used; of `ids` those that were."""
        ...
