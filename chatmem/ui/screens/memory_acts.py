"""What a person does to memories on a screen, each once they have said how; to be awaited in a worker."""

from collections.abc import Sequence

from textual.widget import Widget

from chatmem.domain.memory import Kind, Memory, MemoryId
from chatmem.domain.text import clean
from chatmem.ui.screens.memory_dialogs import ForgetDialog
from chatmem.ui.screens.memory_writing import ReshapeDialog, WriteDialog, WrongDialog, parts_of
from chatmem.ui.services import MemoryDesk
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_words import memories as counted_memories

GONE = "This memory has been forgotten meanwhile."
TWO = "Merging takes two memories, or more: mark them with space."
UNDOABLE = "F9 in the chat can take it back."
NOTED_S = 5


class MemoryActs:
    """Asks on a screen, and does it.

    Args:
        screen: Where the person is.
        desk: What is behind it.
    """

    def __init__(self, screen: Widget, desk: MemoryDesk) -> None:
        self._screen = screen
        self._desk = desk

    async def add(self) -> Memory | None:
        """Let the person write a memory; gives it."""

        def save(text: str, kind: Kind, slot: str) -> Memory:
            return self._desk.curator.add(text, kind, slot or None)

        return await self._screen.app.push_screen_wait(WriteDialog(save))

    async def edit(self, memory_id: MemoryId) -> Memory | None:
        """Let the person change the text, the kind or the slot of a memory; gives it as it is then."""
        found = await self._there([memory_id])
        if not found:
            return None

        def save(text: str, kind: Kind, slot: str) -> Memory:
            return self._desk.curator.edit(memory_id, text, kind=kind, slot=slot)

        return await self._screen.app.push_screen_wait(WriteDialog(save, found[0]))

    async def merge(self, ids: Sequence[MemoryId]) -> Memory | None:
        """Let the person make one memory of several; gives the one."""
        if len(ids) < 2:
            self._screen.notify(TWO, severity="warning")
            return None
        parts = await self._there(ids)
        if len(parts) < 2:
            return None

        def save(text: str) -> list[Memory]:
            return [self._desk.curator.merge([part.id for part in parts], text)]

        fullest = max(parts, key=lambda part: len(part.text))
        made = await self._screen.app.push_screen_wait(
            ReshapeDialog(
                f"Merge {counted_memories(len(parts))}",
                parts,
                clean(fullest.text),
                hint="They become one, with all that they rest on. What shall it say?",
                save=save,
            )
        )
        return self._told("Merged", made)

    async def split(self, memory_id: MemoryId) -> Memory | None:
        """Let the person make several memories of one; gives the first."""
        found = await self._there([memory_id])
        if not found:
            return None

        def save(text: str) -> list[Memory]:
            return self._desk.curator.split(memory_id, [line for line in text.splitlines() if line.strip()])

        made = await self._screen.app.push_screen_wait(
            ReshapeDialog(
                "Split a memory",
                found,
                parts_of(found[0].text),
                hint="Each line becomes a memory that rests on the same words.",
                save=save,
            )
        )
        return self._told("Split", made)

    async def call_wrong(self, ids: Sequence[MemoryId]) -> bool:
        """Let the person call memories wrong; gives whether they did."""
        found = await self._there(ids)
        bar_it = await self._screen.app.push_screen_wait(WrongDialog(found)) if found else None
        if bar_it is None:
            return False
        done = await tried(self._screen, lambda: self._desk.curator.wrong([one.id for one in found], bar_it=bar_it))
        return self._told("Called wrong", done) is not None

    async def pin(self, memory_id: MemoryId) -> bool:
        """Pin a memory, or take its pin off; gives whether that was done."""
        if not (found := await self._there([memory_id])):
            return False
        change = self._desk.curator.unpin if found[0].pinned else self._desk.curator.pin
        return await tried(self._screen, lambda: change(memory_id)) is not None

    async def forget(self, ids: Sequence[MemoryId]) -> bool:
        """Erase memories once the person has seen what goes along; gives whether any was."""
        erased = await self._screen.app.push_screen_wait(ForgetDialog(self._desk.forgetting, ids))
        return bool(erased)

    async def _there(self, ids: Sequence[MemoryId]) -> list[Memory]:
        found = await tried(self._screen, lambda: self._desk.memories.get(ids))
        if found == []:
            self._screen.notify(GONE, severity="warning")
        return found or []

    def _told(self, done: str, made: list[Memory] | None) -> Memory | None:
        if not made:
            return None
        self._screen.notify(f"{done}: {clean(made[0].text)}\n{UNDOABLE}", timeout=NOTED_S, markup=False)
        return made[0]
