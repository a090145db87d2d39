"""The memory screen: see what is remembered, trace it, correct it, erase it."""

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal
from textual.screen import Screen
from textual.widgets import Input, Static

from chatmem.domain.memory import Kind, Memory, MemoryId
from chatmem.ui.screens.memory_dialogs import ForgetDialog, WriteDialog
from chatmem.ui.services import MemoryDesk
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_detail import MemoryDetail
from chatmem.ui.widgets.memory_filters import Chips, MemoryFilters
from chatmem.ui.widgets.memory_list import MemoryList
from chatmem.ui.widgets.memory_rows import MemoryQuery, MemoryRow, count_line, empty_text, find_rows
from chatmem.ui.widgets.memory_source import gather

PAGE = 300
"""Read first, so that the screen is filled while more is read."""

READ = 10_000
"""Read then; four times as many when the person comes to the end. Reading all of 100,000 takes 5 s of computing."""

TYPING_PAUSE_S = 0.15
WALKING_PAUSE_S = 0.04
"""What the person must rest before the search, or the detail, is looked up."""

GONE = "This memory has been forgotten meanwhile. Press r to read the list anew."

ON_A_MEMORY = {"edit", "pin", "forget"}

BY_LETTER = ON_A_MEMORY | {"add", "search", "reload"}
"""While the person types a search, a letter is a letter."""


class MemoryScreen(Screen[bool]):
    """Lists memories and shows the one that is highlighted; Escape goes back, and gives whether any was forgotten."""

    CSS_PATH = "memory.tcss"
    TITLE = "Memory"
    AUTO_FOCUS = "MemoryList"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 Textual declares no class variable here
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Edit"),
        Binding("a", "add", "Add"),
        Binding("p", "pin", "Pin"),
        Binding("f", "forget", "Forget"),
        Binding("slash", "search", "Search", key_display="/"),
        Binding("r", "reload", "Reload"),
        Binding("k", "next('kinds')", "Kind", show=False),
        Binding("s", "next('statuses')", "Status", show=False),
        Binding("o", "next('pins')", "Only pinned", show=False),
        Binding("down", "walk", "List", show=False),
        Binding("escape", "close", "Chat"),
        Binding("f2", "close", "Chat", show=False),
    ]

    def __init__(self, services: MemoryDesk, search: str = "") -> None:
        super().__init__()
        self._search_for = search
        self._services = services
        self._shown: MemoryQuery | None = None
        self._limit = READ
        self._whole = True
        self._forgotten = False

    def compose(self) -> ComposeResult:
        """Lay out search and filters above the list and the detail."""
        with Horizontal(id="memory-top"):
            yield Input(
                self._search_for, placeholder="Search memories as recall ranks them", compact=True, id="memory-search"
            )
            yield Static("Reading…", id="memory-count", markup=False)
        yield MemoryFilters()
        with Container(id="memory-panes"):
            yield MemoryList(id="memory-list")
            yield MemoryDetail(id="memory-detail")
        yield KeyLine(palette=False)

    def on_mount(self) -> None:
        """Start reading."""
        self._read()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what can be done now: letters are text in the search, and an empty list has nothing to edit."""
        if action in BY_LETTER and isinstance(self.focused, Input):
            return False
        if action in ON_A_MEMORY and self.is_mounted and self._list.row is None:
            return None
        return super().check_action(action, parameters)

    def action_close(self) -> None:
        """Go back to the chat."""
        self.dismiss(self._forgotten)

    def action_search(self) -> None:
        """Go to the search."""
        # At once, so that what is typed right behind the key goes into it.
        self.set_focus(self.query_one(Input))

    @on(Input.Submitted, "#memory-search")
    def action_walk(self) -> None:
        """Go to the list."""
        self._list.focus()

    def action_reload(self) -> None:
        """Read the list anew."""
        self._read()

    def action_next(self, filter_name: str) -> None:
        """Choose the next value of a filter."""
        filters = self.query_one(MemoryFilters)
        match filter_name:
            case "kinds":
                filters.kinds.choose_next()
            case "statuses":
                filters.statuses.choose_next()
            case _:
                filters.pins.choose_next()

    @on(Chips.Changed)
    def _filter(self) -> None:
        self._read()

    @on(Input.Changed, "#memory-search")
    def _search(self) -> None:
        self._read(pause_s=TYPING_PAUSE_S)

    @on(MemoryList.Highlighted)
    def _follow(self, event: MemoryList.Highlighted) -> None:
        self.refresh_bindings()
        self._show_detail(event.row)
        if self._list.at_end and not self._whole:
            self._limit *= 4
            self._read()

    @on(MemoryList.Chosen)
    def _look(self) -> None:
        self.query_one(MemoryDetail).focus()

    @work(exclusive=True, group="dialog")
    async def action_edit(self) -> None:
        """Let the person reword the highlighted memory."""
        row = self._list.row
        if row is None or (found := await tried(self, lambda: self._services.memories.get([row.id]))) is None:
            return
        if not found:
            self.notify(GONE, severity="warning")
            return
        memory = found[0]

        def save(text: str, _: Kind) -> Memory:
            return self._services.curator.edit(memory.id, text)

        if edited := await self.app.push_screen_wait(WriteDialog(save, memory)):
            self._read(keep=edited.id)

    @work(exclusive=True, group="dialog")
    async def action_add(self) -> None:
        """Let the person write a memory."""

        def save(text: str, kind: Kind) -> Memory:
            return self._services.curator.add(text, kind, None)

        if added := await self.app.push_screen_wait(WriteDialog(save)):
            with self.prevent(Input.Changed):
                self.query_one(Input).clear()
            self._read(keep=added.id)

    @work(exclusive=True, group="pin")
    async def action_pin(self) -> None:
        """Pin the highlighted memory, or take the pin off."""
        if row := self._list.row:
            change = self._services.curator.unpin if row.pinned else self._services.curator.pin
            if memory := await tried(self, lambda: change(row.id)):
                self._read(keep=memory.id)

    @work(exclusive=True, group="dialog")
    async def action_forget(self) -> None:
        """Erase the highlighted memory, once the person has seen what goes along."""
        if row := self._list.row:
            dialog = ForgetDialog(self._services.forgetting, [row.id])
            if await self.app.push_screen_wait(dialog):
                self._forgotten = True
                self._read()

    @work(exclusive=True, group="read")
    async def _read(self, *, keep: MemoryId | None = None, pause_s: float = 0.0) -> None:
        await asyncio.sleep(pause_s)
        query = self._query()
        limits = [self._limit] if query == self._shown else [PAGE, READ]
        for limit in limits:
            rows = await self._find(query, limit)
            if rows is None:
                self.query_one("#memory-count", Static).update("Not read; r tries again")
                return
            self._limit, self._whole = max(limit, READ), len(rows) < limit
            self._show_rows(rows, query, keep)
            if self._whole:
                return

    async def _find(self, query: MemoryQuery, limit: int) -> list[MemoryRow] | None:
        services = self._services
        return await tried(self, lambda: find_rows(services.memories, services.recall, query, limit=limit))

    def _show_rows(self, rows: list[MemoryRow], query: MemoryQuery, keep: MemoryId | None) -> None:
        if query == self._shown and self._list.row:
            keep = keep or self._list.row.id
        self._list.show(rows, keep=keep, empty=empty_text(query))
        self.query_one("#memory-count", Static).update(count_line(rows, query, whole=self._whole))
        self._shown = query

    @work(exclusive=True, group="detail")
    async def _show_detail(self, row: MemoryRow | None) -> None:
        detail = self.query_one(MemoryDetail)
        if row is None:
            await detail.show_nothing()
            return
        await asyncio.sleep(WALKING_PAUSE_S)
        dossier = await tried(self, lambda: gather(self._services.memories, self._services.log, row.id))
        if dossier:
            await detail.show(dossier, row)
        else:
            await detail.show_nothing(GONE)

    def _query(self) -> MemoryQuery:
        filters = self.query_one(MemoryFilters)
        return MemoryQuery(
            text=self.query_one(Input).value,
            kind=filters.kinds.value,
            status=filters.statuses.value,
            pinned=filters.pins.value,
        )

    @property
    def _list(self) -> MemoryList:
        return self.query_one(MemoryList)
