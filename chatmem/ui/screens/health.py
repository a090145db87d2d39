"""The health screen: how memory does, and what has become stale."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Sparkline, Static

from chatmem.consolidation.hygiene import Stale
from chatmem.domain.memory import Memory, MemoryId
from chatmem.domain.text import clean
from chatmem.ui.services import HealthDesk
from chatmem.ui.widgets.health_report import HealthReport, look_over
from chatmem.ui.widgets.health_words import counts, figures, growth, stale_heading, stale_row
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.row_list import RowList

NOTED_S = 5


class StaleList(RowList[Stale]):
    """Memories that were not used for long."""


class HealthScreen(Screen[None]):
    """Shows figures, and lets the person keep or retire what is stale."""

    CSS_PATH = "upkeep.tcss"
    TITLE = "Health"
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 Textual declares no class variable here
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "confirm", "Keep"),
        Binding("d", "retire", "Retire"),
        Binding("tab", "other_pane", "Figures"),
        Binding("r", "reload", "Reload"),
        Binding("escape", "close", "Chat", key_display="Esc"),
    ]

    def __init__(self, services: HealthDesk) -> None:
        super().__init__()
        self._services = services

    def compose(self) -> ComposeResult:
        """Lay out the figures and what is stale."""
        yield Static("Reading…", classes="upkeep-top", markup=False)
        with Container(classes="upkeep-panes"):
            with VerticalScroll(classes="upkeep-detail"):
                yield Static(id="health-counts", markup=False)
                yield Static(id="health-growth", markup=False)
                yield Sparkline()
                yield Static(id="health-figures", markup=False)
            yield StaleList()
        yield KeyLine(palette=False)

    def on_mount(self) -> None:
        """Start reading."""
        self._list.display = self.query_one(Sparkline).display = False
        self._read()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to keep or retire what is stale."""
        if action in {"confirm", "retire", "other_pane"}:
            return self.is_mounted and self._list.item is not None
        return super().check_action(action, parameters)

    def action_close(self) -> None:
        """Go back to the chat."""
        self.dismiss(None)

    def action_other_pane(self) -> None:
        """Go from the list to the figures, or back."""
        (self.query_one(VerticalScroll) if self._list.has_focus else self._list).focus()

    def action_reload(self) -> None:
        """Read everything anew."""
        self._read()

    def action_confirm(self) -> None:
        """Note that the highlighted memory still holds."""
        self._settle(self._services.curator.confirm, "Kept")

    def action_retire(self) -> None:
        """Take the highlighted memory out of recall."""
        self._settle(self._services.curator.retire, "Retired")

    @on(OptionList.OptionHighlighted)
    def _offer(self) -> None:
        self.refresh_bindings()

    @work(exclusive=True, group="settle")
    async def _settle(self, change: Callable[[Sequence[MemoryId]], list[Memory]], done: str) -> None:
        if stale := self._list.item:
            if await tried(self, lambda: change([stale.memory.id])):
                text = f"{done}: {clean(stale.memory.text)}\nF9 in the chat can take it back."
                self.notify(text, timeout=NOTED_S, markup=False)
            self._read()

    @work(exclusive=True, group="read")
    async def _read(self) -> None:
        report = await tried(self, lambda: look_over(self._services))
        top = self.query_one(".upkeep-top", Static)
        if report is None:
            top.update("Not read; r tries again")
            return
        top.update("How memory does")
        self._show(report)
        self._show_stale(report.stale)

    def _show(self, report: HealthReport) -> None:
        self.query_one("#health-counts", Static).update(counts(report))
        self.query_one("#health-growth", Static).update(growth(report))
        self.query_one("#health-figures", Static).update(figures(report))
        line = self.query_one(Sparkline)
        line.data, line.display = report.learned, any(report.learned)

    def _show_stale(self, stale: Sequence[Stale]) -> None:
        rows = [(stale_heading(len(stale)), None), *((stale_row(one), one) for one in stale)]
        self._list.fill(rows if stale else (), keep=self._list.item)
        self._list.display = bool(stale)
        self.refresh_bindings()
        if not stale:
            self.query_one(VerticalScroll).focus()
        elif self.focused is None:
            self._list.focus()

    @property
    def _list(self) -> StaleList:
        return self.query_one(StaleList)
