"""Which memories have gone stale: a list to confirm, drop or keep. It changes nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.ports.journal import Journal
from chatmem.ports.memory_store import MemoryFilter, MemoryStore
from chatmem.recall.retention import retention

UNUSED = timedelta(days=90)
"""A memory that was not used for so long is stale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """A memory that was not used for long.

    Attributes:
        days: Since it was last used, told, confirmed or changed.
        uses: How often it was put into a prompt.
        retention: How much of it is left, (0, 1].
    """

    memory: Memory
    days: float
    uses: int
    retention: float


class Hygiene:
    """Tells how well memories are kept. Methods block, and may be called from any thread."""

    def __init__(self, *, journal: Journal, store: MemoryStore) -> None:
        self._journal = journal
        self._store = store

    def stale(self, now: datetime) -> list[Stale]:
        """Memories that were not used for 90 days, the least kept and least important first; pinned ones never are.

        Raises:
            StoreError: If the journal or the store could not be read.
        """
        found = [one for one in self._judged(now) if not one.memory.pinned and one.days >= UNUSED.days]
        return sorted(found, key=lambda one: (one.retention, one.memory.importance, one.memory.id))

    def retentions(self, now: datetime) -> Mapping[MemoryId, float]:
        """How much is left of each memory that takes part in recall, (0, 1].

        Raises:
            StoreError: If the journal or the store could not be read.
        """
        return {one.memory.id: one.retention for one in self._judged(now)}

    def _judged(self, now: datetime) -> list[Stale]:
        uses = self._journal.uses()
        return [
            _judge(memory, *uses.get(memory.id, (0, memory.updated_at)), now=now)
            for memory in self._store.select(MemoryFilter(status=Status.ACTIVE))
        ]


def _judge(memory: Memory, uses: int, last_use: datetime, *, now: datetime) -> Stale:
    days = (now - max(last_use, memory.updated_at)) / timedelta(days=1)
    kept = retention(days, uses, pinned=memory.pinned, doubted=bool(memory.doubt))
    return Stale(memory=memory, days=days, uses=uses, retention=kept)
