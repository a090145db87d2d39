"""What a person does to their memories by hand: add, edit, pin, merge, split, call wrong."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from chatmem.consolidation.barring import bar
from chatmem.consolidation.reshaping import called_wrong, drawn, merged_by_hand, shaken, split_by_hand
from chatmem.consolidation.reviewer import Reviewer
from chatmem.consolidation.slots import slot_of
from chatmem.consolidation.writer import MemoryWriter
from chatmem.domain.change import Cause, Change
from chatmem.domain.errors import RefusedError, UsageError
from chatmem.domain.memory import Extractor, Kind, Memory, MemoryId, Status, memory_id
from chatmem.domain.policy import Screened
from chatmem.domain.text import clean
from chatmem.domain.turn import TurnId

LONGEST = 2000
"""Characters of the longest text a person may store as one memory."""

LONGEST_SLOT = 40


def _as_said(text: str) -> Screened:
    return Screened(said=text, kept=text)


class Curator(Reviewer):
    """Changes memories by hand. Methods block, and may be called from any thread.

    Args:
        writer: Writes the memories.
        screen: Takes secrets out of what the person writes; may raise `StoreError`.
    """

    def __init__(self, writer: MemoryWriter, screen: Callable[[str], Screened] = _as_said) -> None:
        super().__init__(writer)
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

    def edit(
        self, memory_id: MemoryId, text: str | None = None, *, kind: Kind | None = None, slot: str | None = None
    ) -> Memory:
        """Reword a memory, or file it elsewhere; it keeps its id, and its change sets tell what it was before.

        Args:
            memory_id: The memory.
            text: What it says from now on; `None` leaves it.
            kind: Its kind from now on; `None` leaves it.
            slot: What it is about from now on (`home`); empty for nothing that has a name, `None` leaves it.

        Raises:
            UsageError: If the text is empty or too long, or the slot is.
            NotFoundError: If there is no such memory.
            RefusedError: If the new text was forgotten before, or holds a secret.
            StoreError: If it could not be written.
        """
        text = None if text is None else self._checked(text, whole=True)
        slot = None if slot is None else _slot(slot)
        with self._writer.alone:
            before = self._memory(memory_id)
            now = self._writer.clock.now()
            after = replace(before, text=text or before.text, kind=kind or before.kind, updated_at=now)
            after = drawn(after if slot is None else replace(after, slot=slot or None))
            if text is not None:
                self._writer.check_allowed(replace(after, quotes=()))
            return self._changed(before, after)

    def merge(self, ids: Sequence[MemoryId], text: str | None = None) -> Memory:
        """Make one memory of several, with all that they rest on; the originals are superseded by it.

        Args:
            ids: Two memories, or more, that hold.
            text: What the one says; `None` for the words of the one that says most.

        Raises:
            UsageError: If these are fewer than two, one does not hold, or the text is empty or too long.
            NotFoundError: If there is none of one of the ids.
            RefusedError: If the text was forgotten before, or is nothing but a secret.
            StoreError: If it could not be written.
        """
        text = None if text is None else self._checked(text)
        with self._writer.alone:
            parts = [self._holding(id_, "merged") for id_ in dict.fromkeys(ids)]
            if len(parts) < 2:
                raise UsageError("Merging takes two memories, or more.")
            changes = merged_by_hand(parts, text, self._writer.clock.now())
            if text is not None:
                self._writer.check_allowed(replace(changes[0].memory, quotes=()))
            self._write(Cause.MERGE, changes)
            return changes[0].memory

    def split(self, memory_id: MemoryId, texts: Sequence[str]) -> list[Memory]:
        """Make several memories of one, each with all that it rests on; the original is superseded by the first.

        Args:
            memory_id: A memory that holds.
            texts: What each of them says, two at least.

        Raises:
            UsageError: If these are fewer than two, the memory does not hold, or a text is empty or too long.
            NotFoundError: If there is no such memory.
            RefusedError: If a text was forgotten before, or is nothing but a secret.
            StoreError: If it could not be written.
        """
        texts = list(dict.fromkeys(map(self._checked, texts)))
        if len(texts) < 2:
            raise UsageError("Splitting takes two texts, or more, that differ.")
        with self._writer.alone:
            whole = self._holding(memory_id, "split")
            *changes, replaced = split_by_hand(whole, texts, self._writer.clock.now())
            for part in changes:
                self._writer.check_allowed(replace(part.memory, quotes=()))
            self._write(Cause.SPLIT, [*changes, replaced])
            return [part.memory for part in changes]

    def wrong(self, ids: Sequence[MemoryId], *, bar_it: bool = False) -> list[Memory]:
        """Take memories out of recall that are not so; what rests on them is in doubt. Undo brings all of it back.

        Args:
            ids: The memories.
            bar_it: Whether a tombstone is left, so that none of it is learned again.

        Raises:
            NotFoundError: If there is none of one of the ids.
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            now = self._writer.clock.now()
            memories = [self._memory(id_) for id_ in dict.fromkeys(ids)]
            after = [called_wrong(memory, now) for memory in memories]
            linking = [id_ for memory in memories for id_ in self._writer.journal.linking(memory.id)]
            changes = [Change(before=old, after=new) for old, new in zip(memories, after, strict=True)]
            if bar_it:
                bar(self._writer, after)
            self._write(
                Cause.BARRED if bar_it else Cause.WRONG,
                [*changes, *shaken(after, self._writer.store.get(list(dict.fromkeys(linking))))],
            )
            return after

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

    def pin_all(self, ids: Sequence[MemoryId], *, pinned: bool) -> list[Memory]:
        """Pin memories, or take their pins off, in one change set; those that are gone are passed over.

        Raises:
            StoreError: If it could not be written.
        """
        with self._writer.alone:
            found = [memory for memory in self._writer.store.get(ids) if memory.pinned != pinned]
            changes = [Change(before=memory, after=replace(memory, pinned=pinned)) for memory in found]
            self._write(Cause.EDIT, changes)
            return [change.memory for change in changes]

    def _set_pinned(self, memory_id: MemoryId, *, pinned: bool) -> Memory:
        with self._writer.alone:
            before = self._memory(memory_id)
            return self._changed(before, replace(before, pinned=pinned))

    def _changed(self, before: Memory, after: Memory) -> Memory:
        if _by_the_person(before) != _by_the_person(after):
            self._write(Cause.EDIT, [Change(before=before, after=after)])
            return after
        return before

    def _holding(self, memory_id: MemoryId, done: str) -> Memory:
        memory = self._memory(memory_id)
        if memory.status is not Status.ACTIVE:
            raise UsageError(f"{memory_id} is {memory.status.value}; only memories that hold are {done}.")
        return memory

    def _by_hand(self, text: str, kind: Kind, slot: str | None) -> Memory:
        now = self._writer.clock.now()
        known = slot_of(text)
        new = Memory(
            id=memory_id(kind, text, None),
            kind=kind,
            text=text,
            extractor=Extractor.USER,
            created_at=now,
            updated_at=now,
            valid_from=now,
            slot=(slot and _slot(slot)) or (known.name if known else None),
            importance=known.importance if known else 0.7,
            confidence=1.0,
        )
        return drawn(new)

    def _checked(self, text: str, *, whole: bool = False) -> str:
        """A text without the secrets in it; one that is to stay whole is refused if it has any."""
        text = clean(text).strip()
        if not text:
            raise UsageError("A memory needs a text.")
        if len(text) > LONGEST:
            raise UsageError(f"A memory may have at most {LONGEST:,} characters; this has {len(text):,}. Shorten it.")
        screened = self._screen(text)
        if sum(secret.end - secret.start for secret in screened.secrets) == len(text):
            raise RefusedError(f"This is a secret ({screened.kinds[0]}), and secrets are never kept.")
        if whole and screened.secrets:
            raise RefusedError("It holds a secret, and secrets are never kept.")
        return screened.kept


def _by_the_person(memory: Memory) -> tuple[object, ...]:
    """What of a memory an edit can change."""
    return memory.text, memory.kind, memory.slot, memory.pinned


def _slot(name: str) -> str:
    name = clean(name).strip().lower()
    if len(name) > LONGEST_SLOT:
        raise UsageError(f"The name of a slot may have at most {LONGEST_SLOT} characters, like home or diet.")
    return name
