"""What a person decides of memories: those that wait, those that contradict one another, those that have gone stale."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.reviewing import Conflict, Keep, contradicted, put_aside, resolved, taken_up
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change
from chatmem.domain.errors import NotFoundError, RefusedError, UsageError
from chatmem.domain.memory import Memory, MemoryId, Status
from chatmem.ports.memory_store import MemoryFilter


class Reviewer:
    """Takes the person's word on memories. Methods block, and may be called from any thread.

    Args:
        writer: Writes the memories.
    """

    def __init__(self, writer: MemoryWriter) -> None:
        self._writer = writer

    def waiting(self) -> list[Memory]:
        """Memories that wait for the person's word, the newest first.

        Raises:
            StoreError: If the store could not be read.
        """
        return self._writer.store.select(MemoryFilter(status=Status.PENDING))

    def accept(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """Let memories that wait take part in recall; each takes its place among those it contradicts.

        Raises:
            NotFoundError: If there is no such memory.
            UsageError: If one does not wait.
            RefusedError: If one was forgotten for good.
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            waiting = [self._waiting(id_) for id_ in ids]
            for memory in waiting:
                self._write(Cause.ACCEPT, self._writer.plan_accepted(memory))
            return [self._memory(memory.id) for memory in waiting]

    def reject(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """Keep memories that wait out of recall; they can be restored.

        Raises:
            NotFoundError: If there is no such memory.
            UsageError: If one does not wait.
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            return self._each(Cause.REJECT, [self._waiting(id_) for id_ in ids], put_aside)

    def conflicts(self) -> list[Conflict]:
        """Memories that contradict others which still hold, the newest first.

        Raises:
            StoreError: If the store could not be read.
        """
        everything = self._writer.store.select(MemoryFilter())
        standing = (one for one in everything if one.status in {Status.ACTIVE, Status.PENDING})
        found = (Conflict(new=one, old=contradicted(one, everything)) for one in standing)
        return [conflict for conflict in found if conflict.old]

    def resolve(self, memory_id: MemoryId, keep: Keep) -> list[Memory]:
        """Settle a contradiction; returns the memory and those it contradicts, as they are then.

        Args:
            memory_id: The newer one, as `conflicts` lists it.
            keep: Which side stays; the other stays readable.

        Raises:
            NotFoundError: If it contradicts nothing.
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            conflict = next((one for one in self.conflicts() if one.new.id == memory_id), None)
            if conflict is None:
                raise NotFoundError(f"{memory_id} contradicts nothing. `chatmem memory conflicts` shows what there is.")
            changes = resolved(conflict, keep, self._writer.clock.now())
            self._write(Cause.ACCEPT, self._writer.with_doubts(changes))
            return [self._memory(one.id) for one in (conflict.new, *conflict.old)]

    def retire(self, ids: Sequence[MemoryId], cause: Cause = Cause.RETIRE) -> list[Memory]:
        """Take memories out of recall; they stay readable, and `restore` brings them back.

        Raises:
            NotFoundError: If there is no such memory.
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            return self._each(cause, [self._memory(id_) for id_ in ids], put_aside)

    def restore(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """Bring memories back that were retired or rejected.

        Raises:
            NotFoundError: If there is no such memory.
            UsageError: If one was not retired.
            RefusedError: If one was forgotten for good.
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            retired = [self._memory(id_) for id_ in ids]
            if wrong := next((one for one in retired if one.status is not Status.RETIRED), None):
                raise UsageError(f"{wrong.id} is {wrong.status.value}; only retired memories are restored.")
            if barred := self._writer.forbidden(retired):
                raise RefusedError(
                    f"{min(barred)} was forgotten, or called wrong, for good. `chatmem memory tombstones` shows what "
                    "keeps it from coming back."
                )
            return self._each(Cause.RESTORE, retired, taken_up)

    def confirm(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """Note that memories still hold: what put them in doubt is settled, and they are not stale.

        Raises:
            NotFoundError: If there is no such memory.
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            memories = [self._memory(id_) for id_ in ids]
            return self._each(Cause.CONFIRM, memories, lambda one, now: replace(one, doubt="", updated_at=now))

    def _each(
        self, cause: Cause, memories: Sequence[Memory], made: Callable[[Memory, datetime], Memory]
    ) -> list[Memory]:
        now = self._writer.clock.now()
        changes = [Change(before=memory, after=made(memory, now)) for memory in memories]
        self._write(cause, changes)
        return [change.memory for change in changes]

    def _waiting(self, memory_id: MemoryId) -> Memory:
        memory = self._memory(memory_id)
        if memory.status is not Status.PENDING:
            raise UsageError(f"{memory_id} is {memory.status.value}; only pending memories are accepted or rejected.")
        return memory

    def _write(self, cause: Cause, changes: Sequence[Change]) -> None:
        now = self._writer.clock.now()
        told = (f"{change.memory_id} {change.memory.text} {change.memory.pinned}" for change in changes)
        self._writer.write(change_set(cause, changes, now, *told, now.isoformat()))

    def _memory(self, memory_id: MemoryId) -> Memory:
        if found := self._writer.store.get([memory_id]):
            return found[0]
        raise NotFoundError(f"There is no memory {memory_id}. `chatmem memory list` shows what there is.")
