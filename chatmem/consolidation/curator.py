"""What a person does to their memories by hand: add, edit, pin, accept, settle, retire."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from chatmem.consolidation.linking import keywords
from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.reviewing import Conflict, Keep, contradicted, put_aside, resolved, taken_up
from chatmem.consolidation.slots import slot_of
from chatmem.consolidation.telling import happening_of, practice_of
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change
from chatmem.domain.errors import NotFoundError, RefusedError, UsageError
from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId, Status, memory_id
from chatmem.domain.policy import Screened
from chatmem.domain.text import clean
from chatmem.domain.turn import TurnId
from chatmem.ports.memory_store import MemoryFilter

LONGEST = 2000
"""Characters of the longest text a person may store as one memory."""


def _as_said(text: str) -> Screened:
    return Screened(said=text, kept=text)


class Curator:
    """Changes memories by hand. Methods block, and may be called from any thread.

    Args:
        writer: Writes the memories.
        screen: Takes secrets out of what the person writes; may raise `StoreError`.
    """

    def __init__(self, writer: MemoryWriter, screen: Callable[[str], Screened] = _as_said) -> None:
        self._writer = writer
        self._screen = screen

    def add(self, text: str, kind: Kind = Kind.FACT, slot: str | None = None) -> Memory:
        """Remember a text without the secrets in it; where a memory says the same already, that one is returned.

        Raises:
            UsageError: If the text is empty or too long.
            RefusedError: If it was forgotten before, or is nothing but a secret.
            StoreError: If it could not be written.
        """
        new = self._by_hand(self._checked(text), kind, slot)
        with self._writer.alone:
            self._writer.check_allowed(new)
            known = self._writer.known_as(new)
            if known is None:
                if self._writer.store.get([new.id]):
                    # It held before, or was retired: that it is told anew is a memory of its own.
                    new = replace(new, id=memory_id(kind, new.text, TurnId(new.created_at.isoformat())))
                self._write(Cause.ADD, self._writer.plan_by_hand(new))
                return self._memory(new.id)
        return known

    def edit(self, memory_id: MemoryId, text: str) -> Memory:
        """Reword a memory; it keeps its id, and its change sets tell what it said before.

        Raises:
            UsageError: If the text is empty or too long.
            NotFoundError: If there is no such memory.
            RefusedError: If the new text was forgotten before, or is nothing but a secret.
            StoreError: If it could not be written.
        """
        text = self._checked(text)
        with self._writer.alone:
            before = self._memory(memory_id)
            after = _reworded(before, text, self._writer.clock.now())
            self._writer.check_allowed(replace(after, quotes=()))
            return self._changed(before, after)

    def pin(self, memory_id: MemoryId) -> Memory:
        """Exempt a memory from decay and expiry.

        Raises:
            NotFoundError: If there is no such memory.
            StoreError: If it could not be written.
        """
        return self._set_pinned(memory_id, pinned=True)

    def unpin(self, memory_id: MemoryId) -> Memory:
        """Let a memory decay and expire again.

        Raises:
            NotFoundError: If there is no such memory.
            StoreError: If it could not be written.
        """
        return self._set_pinned(memory_id, pinned=False)

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
            for memory in retired:
                self._writer.check_allowed(memory)
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

    def _set_pinned(self, memory_id: MemoryId, *, pinned: bool) -> Memory:
        with self._writer.alone:
            before = self._memory(memory_id)
            return self._changed(before, replace(before, pinned=pinned))

    def _changed(self, before: Memory, after: Memory) -> Memory:
        if (before.text, before.pinned) != (after.text, after.pinned):
            self._write(Cause.EDIT, [Change(before=before, after=after)])
            return after
        return before

    def _write(self, cause: Cause, changes: Sequence[Change]) -> None:
        now = self._writer.clock.now()
        told = (f"{change.memory_id} {change.memory.text} {change.memory.pinned}" for change in changes)
        self._writer.write(change_set(cause, changes, now, *told, now.isoformat()))

    def _memory(self, memory_id: MemoryId) -> Memory:
        if found := self._writer.store.get([memory_id]):
            return found[0]
        raise NotFoundError(f"There is no memory {memory_id}. `chatmem memory list` shows what there is.")

    def _by_hand(self, text: str, kind: Kind, slot: str | None) -> Memory:
        now = self._writer.clock.now()
        known = slot_of(text)
        return Memory(
            id=memory_id(kind, text, None),
            kind=kind,
            text=text,
            extractor=Extractor.USER,
            created_at=now,
            updated_at=now,
            valid_from=now,
            slot=slot or (known.name if known else None),
            importance=known.importance if known else 0.7,
            confidence=1.0,
        )

    def _checked(self, text: str) -> str:
        text = clean(text).strip()
        if not text:
            raise UsageError("A memory needs a text.")
        if len(text) > LONGEST:
            raise UsageError(f"A memory may have at most {LONGEST:,} characters; this has {len(text):,}. Shorten it.")
        screened = self._screen(text)
        if sum(secret.end - secret.start for secret in screened.secrets) == len(text):
            raise RefusedError(f"This is a secret ({screened.kinds[0]}), and secrets are never kept.")
        return screened.kept


def _reworded(before: Memory, text: str, now: datetime) -> Memory:
    """A memory with another text, and with what is drawn from a text drawn from that one."""
    after = replace(before, text=text, updated_at=now)
    practice = before.practice and replace(
        practice_of(text), successes=before.practice.successes, failures=before.practice.failures
    )
    happening = before.happening and happening_of(text)
    return replace(after, tags=keywords(after), practice=practice, happening=happening)
