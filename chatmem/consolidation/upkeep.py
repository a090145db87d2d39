"""What is done once a day of use: memories expire, those that say the same are merged, patterns are suggested."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from chatmem.consolidation.hygiene import Hygiene
from chatmem.consolidation.merging import EPS, clusters, covers, merged, suggestions
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.reviewing import put_aside
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change
from chatmem.domain.memory import Kind, Memory, MemoryId, Status
from chatmem.ports.memory_store import MemoryFilter

logger = logging.getLogger(__name__)

EVERY = timedelta(hours=20)
"""DailyUpkeep is due again after so long, so that it is done on each day of use, whatever the hour."""

_AT_MOST = 500
_NEAREST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What upkeep came to.

    Attributes:
        expired: Memories whose time was up.
        merged: Memories that went into others.
        suggested: Facts that wait for the person.
        stale: Memories that were not used for long; nothing was done to them.
    """

    expired: int = 0
    merged: int = 0
    suggested: int = 0
    stale: int = 0


class DailyUpkeep:
    """Tends the memories. Methods block, and may be called from any thread."""

    def __init__(self, writer: MemoryWriter) -> None:
        self._writer = writer
        self._hygiene = Hygiene(journal=writer.journal, store=writer.store)

    def due(self, now: datetime) -> bool:
        """Whether it was not done for a day.

        Raises:
            StoreError: If the journal could not be read.
        """
        last = self._writer.journal.last_upkeep()
        return last is None or now - last >= EVERY

    def run(self, now: datetime | None = None) -> Kept | None:
        """Do what is due, as one change set that can be undone; `None` where it was done today.

        Args:
            now: The time; the clock's if it is not given.

        Raises:
            StoreError: If the journal or the store could not be read or written.
        """
        now = now or self._writer.clock.now()
        with self._writer.alone:
            if not self.due(now):
                return None
            active = self._writer.store.select(MemoryFilter(status=Status.ACTIVE))
            expired = [one for one in active if one.expires_at and one.expires_at <= now and not one.pinned]
            gone = {one.id for one in expired}
            merges = self._merges([one for one in active if one.id not in gone], now)
            suggested = self._suggestions(active, now)
            changes = [
                *(Change(before=one, after=put_aside(one, now)) for one in expired),
                *merges,
                *(Change(before=None, after=one) for one in suggested),
            ]
            self._writer.write(change_set(Cause.UPKEEP, changes, now, now.isoformat()))
            self._writer.journal.note_upkeep(now)
            kept = Kept(
                expired=len(expired),
                merged=sum(change.before is not None for change in merges),
                suggested=len(suggested),
                stale=len(self._hygiene.stale(now)),
            )
        logger.info("upkeep: %d expired, %d merged, %d suggested", kept.expired, kept.merged, kept.suggested)
        return kept

    def _merges(self, active: Sequence[Memory], now: datetime) -> list[Change]:
        """Merges among the memories that are new or changed since the last upkeep, and their nearest."""
        last = self._writer.journal.last_upkeep()
        fresh = [one for one in active if last is None or one.updated_at >= last][:_AT_MOST]
        by_id = {one.id: one for one in active}
        near = list(self._near(fresh, by_id))
        return [
            change for cluster in clusters(list(by_id), near) for change in merged([by_id[id_] for id_ in cluster], now)
        ]

    def _near(self, fresh: Sequence[Memory], by_id: dict[MemoryId, Memory]) -> Iterator[tuple[MemoryId, MemoryId]]:
        for one, vector in zip(fresh, self._writer.vectors([one.text for one in fresh]), strict=True):
            if vector is None:
                continue
            for match in self._writer.store.by_vector(vector, limit=_NEAREST):
                other = by_id.get(MemoryId(match.id))
                if other is None or other is one or match.value < 1 - EPS:
                    continue
                if covers(one, other) or covers(other, one):
                    yield one.id, other.id

    def _suggestions(self, active: Sequence[Memory], now: datetime) -> list[Memory]:
        episodes = [one for one in active if one.kind is Kind.EPISODE and one.subject == "user"]
        found = suggestions(episodes, now)
        known = {one.id for one in self._writer.store.get([one.id for one in found])}
        taken_back = {one.id for one in self._writer.journal.taken_back()}
        new = [one for one in found if one.id not in known | taken_back]
        forbidden = self._writer.forbidden(new)
        return [one for one in new if one.id not in forbidden]
