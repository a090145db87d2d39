"""The review screen: what waits for the person's word."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from chatmem.consolidation.reviewing import Keep
from chatmem.domain.memory import Memory, MemoryId, Quote
from chatmem.ui.services import MemoryDesk
from chatmem.ui.widgets.citation_words import unsourced
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_words import memories
from chatmem.ui.widgets.review_words import NOTHING_WAITS, Waiting, explained, find_waiting, rows, sides
from chatmem.ui.widgets.row_list import RowList

ALONE = {"accept", "reject", "accept_group", "reject_group"}
"""What can be done with a memory that contradicts nothing; of others one side is kept."""

NOTED_S = 5

KEPT: dict[Keep, str] = {
    "new": "The new one holds; the old one stays readable.",
    "old": "The old one holds; the new one stays readable.",
    "both": "Both hold.",
}


class ReviewList(RowList[Waiting]):
    """What waits."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Source")]


class ReviewScreen(Screen[Quote | None]):
    """Lists what waits, group by group; ends with the quote whose turn the person wants to see, or `None`."""

    CSS_PATH = "upkeep.tcss"
    TITLE = "Review"
    AUTO_FOCUS = "ReviewList"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 Textual declares no class variable here
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "accept", "Accept"),
        Binding("r", "reject", "Reject"),
        Binding("A", "accept_group", "Accept group", key_display="A"),
        Binding("R", "reject_group", "Reject group", key_display="R"),
        Binding("n", "keep('new')", "Keep new"),
        Binding("o", "keep('old')", "Keep old"),
        Binding("b", "keep('both')", "Keep both"),
        Binding("f5", "reload", "Reload", show=False),
        Binding("escape,f7", "close", "Chat", key_display="Esc"),
    ]

    def __init__(self, services: MemoryDesk) -> None:
        super().__init__()
        self._services = services

    def compose(self) -> ComposeResult:
        """Lay out the list and what helps to decide."""
        yield Static("Reading…", classes="upkeep-top", markup=False)
        with Container(classes="upkeep-panes"):
            yield ReviewList()
            with VerticalScroll(classes="upkeep-detail"):
                yield Static(id="review-detail", markup=False)
        yield KeyLine(palette=False)

    def on_mount(self) -> None:
        """Start reading."""
        self._read()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with the highlighted memory."""
        waiting = self._list.item if self.is_mounted and (action in ALONE or action == "keep") else None
        if action in ALONE:
            return waiting is not None and not waiting.against
        if action == "keep":
            return waiting is not None and bool(waiting.against)
        return super().check_action(action, parameters)

    def action_close(self) -> None:
        """Go back to the chat."""
        self.dismiss(None)

    def action_reload(self) -> None:
        """Read the list anew."""
        self._read()

    def action_accept(self) -> None:
        """Let the highlighted memory take part in recall."""
        self._settle(self._services.curator.accept, self._highlighted(), "Accepted")

    def action_reject(self) -> None:
        """Keep it out of recall."""
        self._settle(self._services.curator.reject, self._highlighted(), "Rejected")

    def action_accept_group(self) -> None:
        """Let its whole group take part in recall."""
        self._settle(self._services.curator.accept, self._group(), "Accepted")

    def action_reject_group(self) -> None:
        """Keep its whole group out of recall."""
        self._settle(self._services.curator.reject, self._group(), "Rejected")

    @work(exclusive=True, group="settle")
    async def action_keep(self, side: Keep) -> None:
        """Settle the highlighted contradiction."""
        if waiting := self._list.item:
            if await tried(self, lambda: self._services.curator.resolve(waiting.memory.id, side)):
                self._note(f"{KEPT[side]} F9 in the chat can take it back.")
            self._read()

    @on(OptionList.OptionHighlighted)
    def _follow(self) -> None:
        self.refresh_bindings()
        self._explain(self._list.item)

    @on(OptionList.OptionSelected)
    def _leave_for_source(self) -> None:
        if waiting := self._list.item:
            if waiting.memory.quotes:
                self.dismiss(waiting.memory.quotes[-1])
            else:
                self._note(unsourced(waiting.memory.imported_from))

    @work(exclusive=True, group="settle")
    async def _settle(
        self, change: Callable[[Sequence[MemoryId]], list[Memory]], ids: Sequence[MemoryId], done: str
    ) -> None:
        if changed := await tried(self, lambda: change(ids)):
            self._note(f"{done} {memories(len(changed))}. F9 in the chat can take it back.")
        self._read()

    @work(exclusive=True, group="read")
    async def _read(self) -> None:
        found = await tried(self, lambda: find_waiting(self._services.curator))
        top = self.query_one(".upkeep-top", Static)
        if found is None:
            top.update("Not read; F5 tries again")
            return
        self._list.fill(rows(found), keep=self._list.item)
        self._list.display = bool(found)
        top.update(f"{memories(len(found))} to review" if found else "Nothing to review")
        self.refresh_bindings()
        if not found:
            self._explain(None)

    @work(exclusive=True, group="detail")
    async def _explain(self, waiting: Waiting | None) -> None:
        detail = self.query_one("#review-detail", Static)
        if waiting is None:
            detail.update(Content.styled(NOTHING_WAITS, "$text-muted"))
            return
        found = await tried(self, lambda: sides(self._services, waiting))
        detail.update(explained(waiting, found or ()))
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def _highlighted(self) -> list[MemoryId]:
        return [self._list.item.memory.id] if self._list.item else []

    def _group(self) -> list[MemoryId]:
        chosen = self._list.item
        if chosen is None:
            return []
        return [one.memory.id for one in self._list.items if one.why is chosen.why and not one.against]

    def _note(self, text: str) -> None:
        self.notify(text, timeout=NOTED_S, markup=False)

    @property
    def _list(self) -> ReviewList:
        return self.query_one(ReviewList)
