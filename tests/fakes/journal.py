"""A journal in memory."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.domain.change import Change, ChangeSet, ChangeSetId, JobId, whole
from chatmem.domain.errors import NotFoundError
from chatmem.domain.forgetting import Tombstone, TombstoneId
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.turn import TurnId
from tests.fakes.session_log import FakeSessionLog


class FakeJournal:
    """Keeps change sets, tombstones and use; takes mentions out of the recall notes of `log` where it has one."""

    def __init__(self, log: FakeSessionLog | None = None) -> None:
        self._log = log
        self._lock = threading.RLock()
        self._change_sets: dict[ChangeSetId, ChangeSet] = {}
        self._applied: set[ChangeSetId] = set()
        self._tombstones: dict[TombstoneId, Tombstone] = {}
        self._keeps_turns = False
        self._forgetting: tuple[list[MemoryId], list[TurnId]] = ([], [])
        self._last_upkeep: datetime | None = None
        self._uses: dict[MemoryId, tuple[int, datetime]] = {}

    def record(self, changes: ChangeSet) -> None:
        with self._lock:
            self._change_sets.setdefault(changes.id, changes)

    def unapplied(self) -> list[ChangeSet]:
        with self._lock:
            return [changes for changes in self._change_sets.values() if changes.id not in self._applied]

    def mark_applied(self, change_set_id: ChangeSetId) -> None:
        with self._lock:
            self._applied.add(change_set_id)

    def change_sets(self, *, limit: int | None = None) -> list[ChangeSet]:
        with self._lock:
            found: dict[str, list[ChangeSet]] = {}
            for changes in self._change_sets.values():
                key = changes.job_id or changes.id
                found[key] = [*found.pop(key, []), changes]
            return [whole(parts) for parts in reversed(found.values())][:limit]

    def change_set(self, change_set_id: ChangeSetId) -> ChangeSet:
        with self._lock:
            if change_set_id not in self._change_sets:
                raise NotFoundError(f"There is no change {change_set_id}.")
            found = self._change_sets[change_set_id]
            return whole(self.parts(found.job_id)) if found.job_id else found

    def parts(self, job_id: JobId) -> list[ChangeSet]:
        with self._lock:
            return [changes for changes in self._change_sets.values() if changes.job_id == job_id]

    def history(self, memory_id: MemoryId) -> list[ChangeSet]:
        with self._lock:
            found = (
                replace(one, changes=tuple(change for change in one.changes if change.memory_id == memory_id))
                for one in reversed(self._change_sets.values())
            )
            return [one for one in found if one.changes]

    def linking(self, memory_id: MemoryId) -> list[MemoryId]:
        with self._lock:
            after = (change.after for one in self._change_sets.values() for change in one.changes if change.after)
            named = {one.id for one in after if memory_id in {one.superseded_by, *(link.to for link in one.links)}}
            return sorted(named)

    def as_of(self, moment: datetime) -> list[Memory]:
        return [change.after for change in self._last_changes(moment).values() if change.after]

    def latest(self, ids: Iterable[MemoryId] | None = None) -> list[Memory]:
        newest = {id_: change.after for id_, change in self._last_changes().items() if change.after}
        return list(newest.values()) if ids is None else [newest[id_] for id_ in ids if id_ in newest]

    def taken_back(self) -> list[Memory]:
        return [change.memory for change in self._last_changes().values() if change.after is None]

    def erase_memories(self, ids: Sequence[MemoryId]) -> None:
        gone = set(ids)
        with self._lock:
            for changes in list(self._change_sets.values()):
                kept = tuple(change for change in changes.changes if change.memory_id not in gone)
                if changes.changes and not kept:
                    del self._change_sets[changes.id]
                else:
                    self._change_sets[changes.id] = replace(changes, changes=kept)
            self._uses = {memory_id: use for memory_id, use in self._uses.items() if memory_id not in gone}
        if self._log is not None:
            with self._log.lock:
                for turn_id, note in self._log.notes.items():
                    kept_items = tuple(item for item in note.items if item[0] not in gone)
                    self._log.notes[turn_id] = replace(note, items=kept_items)

    def rewrite(self, memories: Sequence[Memory]) -> None:
        new = {memory.id: memory for memory in memories}
        with self._lock:
            for changes in list(self._change_sets.values()):
                rewritten = tuple(
                    Change(before=change.before and new[change.memory_id], after=change.after and new[change.memory_id])
                    if change.memory_id in new
                    else change
                    for change in changes.changes
                )
                self._change_sets[changes.id] = replace(changes, changes=rewritten)

    def bury(self, tombstones: Sequence[Tombstone]) -> None:
        with self._lock:
            for tombstone in tombstones:
                self._tombstones.setdefault(tombstone.id, tombstone)

    def unbury(self, ids: Sequence[TombstoneId]) -> None:
        with self._lock:
            for tombstone_id in ids:
                self._tombstones.pop(tombstone_id, None)

    def tombstones(self) -> list[Tombstone]:
        with self._lock:
            return sorted(self._tombstones.values(), key=lambda tombstone: tombstone.made_at)

    def tombstone_key(self) -> bytes:
        return b"synthetic tombstone key for test"

    def begin_forgetting(
        self, memory_ids: Sequence[MemoryId], turn_ids: Sequence[TurnId], *, keeps_turns: bool = False
    ) -> None:
        with self._lock:
            self._keeps_turns |= keeps_turns
            memories, turns = self._forgetting
            self._forgetting = (
                list(dict.fromkeys([*memories, *memory_ids])),
                list(dict.fromkeys([*turns, *turn_ids])),
            )

    def unfinished_forgetting(self) -> tuple[list[MemoryId], list[TurnId]]:
        with self._lock:
            memories, turns = self._forgetting
            return list(memories), list(turns)

    def forgetting_keeps_turns(self) -> bool:
        return self._keeps_turns

    def end_forgetting(self) -> None:
        with self._lock:
            self._forgetting = ([], [])
            self._keeps_turns = False

    def last_upkeep(self) -> datetime | None:
        return self._last_upkeep

    def note_upkeep(self, at: datetime) -> None:
        self._last_upkeep = at

    def note_use(self, ids: Sequence[MemoryId], at: datetime) -> None:
        with self._lock:
            for memory_id in dict.fromkeys(ids):
                count, last = self._uses.get(memory_id, (0, at))
                self._uses[memory_id] = (count + 1, max(last, at))

    def take_back_use(self, ids: Sequence[MemoryId]) -> None:
        with self._lock:
            for memory_id in dict.fromkeys(ids):
                count, last = self._uses.pop(memory_id, (0, None))
                if count > 1 and last is not None:
                    self._uses[memory_id] = (count - 1, last)

    def uses(self, ids: Iterable[MemoryId] | None = None) -> Mapping[MemoryId, tuple[int, datetime]]:
        with self._lock:
            return {id_: self._uses[id_] for id_ in (self._uses if ids is None else ids) if id_ in self._uses}

    def _last_changes(self, moment: datetime | None = None) -> dict[MemoryId, Change]:
        last: dict[MemoryId, Change] = {}
        with self._lock:
            made = (one for one in self._change_sets.values() if moment is None or one.made_at <= moment)
            for change in (change for changes in made for change in changes.changes):
                last.pop(change.memory_id, None)
                last[change.memory_id] = change
        return last
