"""The changes screen: what changed in memory, as diffs that can be taken back."""

from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, OptionList, Static

from chatmem.domain.change import ChangeSet
from chatmem.ui.services import ChangesDesk
from chatmem.ui.widgets.change_words import NOTHING_CHANGED, Counts, Entry, counts, entries, row, told
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_words import memories
from chatmem.ui.widgets.row_list import RowList
from chatmem.ui.wording import counted

READ = 300
"""Change sets read at first; four times as many when the person comes to the end."""

MUCH = 3
"""Taking back more changes than this is asked about first."""

NOTED_S = 5


class ChangeList(RowList[Entry]):
    """Change sets, the newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Read")]


class ChangesScreen(Screen[None]):
    """Lists change sets and shows the one that is highlighted."""

    CSS_PATH = "upkeep.tcss"
    TITLE = "Changes"
    AUTO_FOCUS = "ChangeList"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 Textual declares no class variable here
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Undo"),
        Binding("r", "reload", "Reload"),
        Binding("escape,f9", "close", "Chat", key_display="Esc"),
    ]

    def __init__(self, services: ChangesDesk) -> None:
        super().__init__()
        self._services = services
        self._limit = READ

    def compose(self) -> ComposeResult:
        """Lay out the list and the diff."""
        yield Static("Reading…", classes="upkeep-top", markup=False)
        with Container(classes="upkeep-panes"):
            yield ChangeList()
            with VerticalScroll(classes="upkeep-detail"):
                yield Static(id="change-detail", markup=False)
        yield KeyLine(palette=False)

    def on_mount(self) -> None:
        """Start reading."""
        self._read()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to take back what there is."""
        if action == "undo":
            return self.is_mounted and self._list.item is not None
        return super().check_action(action, parameters)

    def action_close(self) -> None:
        """Go back to the chat."""
        self.dismiss(None)

    def action_reload(self) -> None:
        """Read the list anew."""
        self._read()

    @work(exclusive=True, group="undo")
    async def action_undo(self) -> None:
        """Take the highlighted change set back, once the person agrees where it changes much."""
        if (entry := self._list.item) is None:
            return
        wanted = entry.change_set
        if len(wanted.changes) > MUCH and not await self.app.push_screen_wait(UndoDialog(wanted)):
            return
        if made := await tried(self, lambda: self._services.undo.run(wanted.id)):
            self.notify(f"{_undone(counts(made))}. Undo this one to bring it again.", timeout=NOTED_S, markup=False)
            self._list.highlighted = 0
            self._read(to_top=True)

    @on(OptionList.OptionHighlighted)
    def _follow(self) -> None:
        self.refresh_bindings()
        self._show(self._list.item)
        if len(self._list.items) == self._limit and self._list.item == self._list.items[-1]:
            self._limit *= 4
            self._read()

    @on(OptionList.OptionSelected)
    def _go_to_diff(self) -> None:
        self.query_one(VerticalScroll).focus()

    @work(exclusive=True, group="read")
    async def _read(self, *, to_top: bool = False) -> None:
        limit = self._limit
        found = await tried(self, lambda: self._services.journal.change_sets(limit=limit))
        top = self.query_one(".upkeep-top", Static)
        if found is None:
            top.update("Not read; r tries again")
            return
        there = entries(found)
        keep = there[0] if to_top and there else self._list.item
        self._list.fill([(row(entry), entry) for entry in there], keep=keep)
        self._list.display = bool(found)
        more = " and more" if len(found) == limit else ""
        top.update(f"{counted(len(found), 'change', 'changes')}{more}, newest first" if found else "No changes")
        self.refresh_bindings()
        if not found:
            self._show(None)

    def _show(self, entry: Entry | None) -> None:
        shown = told(entry.change_set) if entry else Content.styled(NOTHING_CHANGED, "$text-muted")
        self.query_one("#change-detail", Static).update(shown)
        self.query_one(VerticalScroll).scroll_home(animate=False)

    @property
    def _list(self) -> ChangeList:
        return self.query_one(ChangeList)


class UndoDialog(ModalScreen[bool]):
    """Asks whether to take back a change set that changed much."""

    CSS_PATH = "upkeep.tcss"
    AUTO_FOCUS = "#keep"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "undo", "Take back"),
        Binding("escape", "keep", "Keep"),
    ]

    def __init__(self, change_set: ChangeSet) -> None:
        super().__init__()
        self._change_set = change_set

    def compose(self) -> ComposeResult:
        """Lay out what would become of which memories, and the question."""
        number = counts(self._change_set)
        lines = [
            *([f"{memories(number.new)} it added will go"] if number.new else []),
            *([f"{memories(number.changed)} will be again as before"] if number.changed else []),
            *([f"{memories(number.gone)} it took back will be there again"] if number.gone else []),
        ]
        with Vertical(classes="upkeep-dialog"):
            yield Static("Take this change back?", classes="title")
            yield Static(Content("\n").join([Content(line) for line in lines]), markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Take back  y", variant="primary", id="undo", compact=True)
                yield Button("Keep  esc", id="keep", compact=True)

    @on(Button.Pressed, "#undo")
    def action_undo(self) -> None:
        """Agree."""
        self.dismiss(True)

    @on(Button.Pressed, "#keep")
    def action_keep(self) -> None:
        """Leave it as it is."""
        self.dismiss(False)


def _undone(number: Counts) -> str:
    return f"Taken back: {memories(number.new + number.changed + number.gone)}"
