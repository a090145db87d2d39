"""What a person does to their memories by hand: add, edit, pin."""

from collections.abc import Callable
from dataclasses import replace

from chatmem.consolidation.reconcile import change_set
from chatmem.consolidation.slots import slot_of
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change
from chatmem.domain.errors import NotFoundError, RefusedError, UsageError
from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId, memory_id
from chatmem.domain.policy import Screened
from chatmem.domain.text import clean

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
                self._write(Cause.ADD, Change(before=None, after=new))
        return known or new

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
            after = replace(before, text=text, updated_at=self._writer.clock.now())
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

    def _set_pinned(self, memory_id: MemoryId, *, pinned: bool) -> Memory:
        with self._writer.alone:
            before = self._memory(memory_id)
            return self._changed(before, replace(before, pinned=pinned))

    def _changed(self, before: Memory, after: Memory) -> Memory:
        if (before.text, before.pinned) != (after.text, after.pinned):
            self._write(Cause.EDIT, Change(before=before, after=after))
            return after
        return before

    def _write(self, cause: Cause, change: Change) -> None:
        now = self._writer.clock.now()
        origin = (change.memory_id, change.memory.text, str(change.memory.pinned), now.isoformat())
        self._writer.write(change_set(cause, [change], now, *origin))

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
