"""The memory screen: see what is remembered, trace it, correct it, erase it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, Static

from chatmem.domain.memory import MemoryId
from chatmem.recall.browsing import Wish
from chatmem.ui.screens.as_of_day import AsOfDialog
from chatmem.ui.screens.memory_acts import MemoryActs
from chatmem.ui.screens.memory_dialogs import ForgetDialog
from chatmem.ui.screens.memory_view import ViewDialog
from chatmem.ui.screens.one_memory import Left, OneMemoryScreen
from chatmem.ui.services import MemoryDesk
from chatmem.ui.widgets.citation_calls import Place
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_detail import MemoryDetail
from chatmem.ui.widgets.memory_filters import FilterLine, choices
from chatmem.ui.widgets.memory_list import MemoryList
from chatmem.ui.widgets.memory_rows import MemoryQuery, MemoryRow, count_line, empty_text
from chatmem.ui.widgets.memory_shelf import Shelf
from chatmem.ui.widgets.memory_source import gather
from chatmem.ui.widgets.memory_words import memories

TYPING_PAUSE_S = 0.15
WALKING_PAUSE_S = 0.04
"""What the person must rest before the search, or the detail, is looked up."""

GONE = "This memory has been forgotten meanwhile. Press r to read the list anew."

ON_A_MEMORY = {"edit", "pin", "merge", "split", "wrong", "forget", "forget_all"}

BY_LETTER = ON_A_MEMORY | {"add", "search", "reload", "next", "turn_round", "clear", "view", "as_of"}
"""While the person types a search, a letter is a letter."""


class MemoryScreen(Screen[Left]):
    """Lists memories and shows the one that is highlighted; Escape goes back, and gives how it was left."""

    CSS_PATH = "memory.tcss"
    TITLE = "Memory"
    AUTO_FOCUS = "MemoryList"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 Textual declares no class variable here
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Edit"),
        Binding("n", "add", "New"),
        Binding("p", "pin", "Pin"),
        Binding("f", "forget", "Forget"),
        Binding("slash", "search", "Search", key_display="/"),
        Binding("v", "view", "View"),
        Binding("escape", "close", "Chat"),
        # From here on only where there is room; the help tells them all.
        Binding("f1", "app.help", "Help", key_display="F1"),
        Binding("m", "merge", "Merge"),
        Binding("S", "split", "Split", key_display="S"),
        Binding("w", "wrong", "Wrong"),
        Binding("d", "as_of", "As of a day"),
        Binding("F", "forget_all", "Forget all", key_display="F"),
        Binding("x", "clear", "Clear filters"),
        Binding("t", "next('sort')", "Sort", show=False),
        Binding("T", "turn_round", "Other way round", show=False),
        Binding("k", "next('kind')", "Kind", show=False),
        Binding("s", "next('status')", "Status", show=False),
        Binding("o", "next('pinned')", "Only pinned", show=False),
        Binding("r", "reload", "Reload", show=False),
        Binding("down", "walk", "List", show=False),
        Binding("f2", "close", "Chat", show=False),
    ]

    def __init__(self, services: MemoryDesk, search: str = "") -> None:
        super().__init__()
        self._search_for = search
        self._services = services
        self._acts = MemoryActs(self, services)
        self._shelf = Shelf(services)
        self._wish = Wish()
        self._as_of: datetime | None = None
        self._forgotten = False

    def compose(self) -> ComposeResult:
        """Lay out the search and how the list is ordered above the list and the detail."""
        with Horizontal(id="memory-top"):
            yield Input(
                self._search_for, placeholder="Search memories as recall ranks them", compact=True, id="memory-search"
            )
            yield Static("Reading…", id="memory-count", markup=False)
        yield FilterLine()
        with Container(id="memory-panes"):
            with Vertical(id="memory-found"):
                yield MemoryList(id="memory-list")
                yield Static(id="memory-standing", markup=False)
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
        self.dismiss(Left(forgotten=self._forgotten))

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
        self._read_anew()

    def action_next(self, name: str) -> None:
        """Choose the next order, or the next value of a filter."""
        choice = choices(self._wish)[name]
        self._follow_wish(choice.choose(self._wish, choice.chosen(self._wish) + 1))

    def action_turn_round(self) -> None:
        """Order the other way round."""
        self._follow_wish(replace(self._wish, backwards=not self._wish.backwards))

    def action_clear(self) -> None:
        """Leave nothing out; the order stays."""
        self._follow_wish(Wish(sort=self._wish.sort, backwards=self._wish.backwards))

    def action_view(self) -> None:
        """Show all that the list can be ordered and narrowed by."""
        rows = self._list.rows
        slots = () if rows is None else rows.outline.slot_names
        self.app.push_screen(ViewDialog(self._wish, slots, self._follow_wish))

    def _follow_wish(self, wish: Wish) -> None:
        self._wish = wish
        self._read()

    @on(Input.Changed, "#memory-search")
    def _search(self) -> None:
        self._read(pause_s=TYPING_PAUSE_S)

    @on(MemoryList.Highlighted)
    def _follow(self, event: MemoryList.Highlighted) -> None:
        self.refresh_bindings()
        self._show_detail(event.row)

    @on(MemoryList.Marked)
    def _count(self) -> None:
        if (rows := self._list.rows) is not None:
            self.query_one("#memory-count", Static).update(count_line(rows, len(self._list.marked)))

    @on(MemoryList.Chosen)
    def _look(self) -> None:
        if row := self._list.row:
            self._open(row.id)

    @on(MemoryDetail.Walked)
    def _walk(self, event: MemoryDetail.Walked) -> None:
        self._open(event.memory_id)

    @on(MemoryDetail.SourceOpened)
    def _open_source(self, event: MemoryDetail.SourceOpened) -> None:
        self.dismiss(Left(forgotten=self._forgotten, place=Place(event.turn.session_id, event.turn.id)))

    def _open(self, memory_id: MemoryId) -> None:
        self.app.push_screen(OneMemoryScreen(self._services, memory_id), self._come_back)

    def _come_back(self, left: Left | None) -> None:
        if left is None:
            return
        self._forgotten = self._forgotten or left.forgotten
        if left.place is not None:
            self.dismiss(Left(forgotten=self._forgotten, place=left.place))
        elif left.changed:
            self._read_anew()

    @work(exclusive=True, group="dialog")
    async def action_edit(self) -> None:
        """Let the person change the highlighted memory."""
        if (row := self._list.row) and (edited := await self._acts.edit(row.id)):
            self._read_anew(keep=edited.id)

    @work(exclusive=True, group="dialog")
    async def action_add(self) -> None:
        """Let the person write a memory."""
        if added := await self._acts.add():
            with self.prevent(Input.Changed):
                self.query_one(Input).clear()
            self._wish = Wish()
            self._read_anew(keep=added.id)

    @work(exclusive=True, group="dialog")
    async def action_as_of(self) -> None:
        """Look back to a day, or come back to the present."""
        if chosen := await self.app.push_screen_wait(AsOfDialog(self._services.clock.now)):
            self._as_of = chosen.moment
            self._read_anew()

    @work(exclusive=True, group="dialog")
    async def action_merge(self) -> None:
        """Let the person make one memory of the marked ones."""
        if merged := await self._acts.merge([row.id for row in self._list.chosen]):
            self._list.unmark()
            self._read_anew(keep=merged.id)

    @work(exclusive=True, group="dialog")
    async def action_split(self) -> None:
        """Let the person make several memories of the highlighted one."""
        if (row := self._list.row) and (part := await self._acts.split(row.id)):
            self._read_anew(keep=part.id)

    @work(exclusive=True, group="dialog")
    async def action_wrong(self) -> None:
        """Let the person call the marked memories wrong, or the highlighted one."""
        if await self._acts.call_wrong([row.id for row in self._list.chosen]):
            self._list.unmark()
            self._read_anew()

    @work(exclusive=True, group="pin")
    async def action_pin(self) -> None:
        """Pin the marked memories, or the highlighted one; where all of them are pinned, take the pins off."""
        rows = self._list.chosen
        pinned = not all(row.pinned for row in rows)
        ids = [row.id for row in rows if row.pinned != pinned]
        if len(ids) > 1:
            self.query_one("#memory-count", Static).update(
                f"{'Pinning' if pinned else 'Unpinning'} {memories(len(ids))}…"
            )
        if await tried(self, lambda: self._services.curator.pin_all(ids, pinned=pinned)) == []:
            self.notify(GONE, severity="warning")
        self._read_anew()

    @work(exclusive=True, group="dialog")
    async def action_forget(self) -> None:
        """Erase the marked memories, or the highlighted one, once the person has seen what goes along."""
        if ids := [row.id for row in self._list.chosen]:
            await self._forget(ids)

    @work(exclusive=True, group="dialog")
    async def action_forget_all(self) -> None:
        """Erase all that the list shows, once the person has seen what goes along."""
        if rows := self._list.rows:
            await self._forget(rows.ids)

    async def _forget(self, ids: Sequence[MemoryId]) -> None:
        if await self.app.push_screen_wait(ForgetDialog(self._services.forgetting, ids)):
            self._forgotten = True
            self._read_anew()

    def _read_anew(self, keep: MemoryId | None = None) -> None:
        self._shelf.outdate()
        self._read(keep=keep)

    @work(exclusive=True, group="read")
    async def _read(self, *, keep: MemoryId | None = None, pause_s: float = 0.0) -> None:
        ticket = self._shelf.ticket()
        await asyncio.sleep(pause_s)
        query = MemoryQuery(text=self.query_one(Input).value, wish=self._wish, as_of=self._as_of)
        self.query_one(FilterLine).show(query.wish, best_first=query.best_first)
        rows = await tried(self, lambda: self._shelf.find(query, ticket))
        if rows is None:
            self.query_one("#memory-count", Static).update("Not read; r tries again")
            return
        shown, row = self._list.rows, self._list.row
        if keep is None and row is not None and shown is not None and shown.query == query:
            keep = row.id
        self._list.show(rows, keep=keep, empty=empty_text(query))
        self._count()

    @work(exclusive=True, group="detail")
    async def _show_detail(self, row: MemoryRow | None) -> None:
        detail, told = self.query_one(MemoryDetail), self.query_one("#memory-standing", Static)
        if row is None:
            told.update("")
            await detail.show_nothing()
            return
        await asyncio.sleep(WALKING_PAUSE_S)
        told.update(await tried(self, lambda: self._shelf.standing(row)) or "")
        dossier = await tried(self, lambda: gather(self._services, row.id))
        if dossier:
            await detail.show(dossier, row)
        else:
            await detail.show_nothing(GONE)

    @property
    def _list(self) -> MemoryList:
        return self.query_one(MemoryList)
