"""The dialog that asks for a day to look back to."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from chatmem.conversation.as_of import day_named
from chatmem.ui.widgets.memory_calls import tried

HINT = "2026-03-04, March 2026, three weeks ago … Nothing at all comes back to the present."


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the person answered; `day` is `None` for the present."""

    day: date | None

    @property
    def moment(self) -> datetime | None:
        """The last moment of the day where the person is."""
        if self.day is None:
            return None
        return (datetime.combine(self.day, time()) + timedelta(days=1, microseconds=-1)).astimezone()


class AsOfDialog(ModalScreen[Chosen | None]):
    """Asks for a day; gives `None` where the person leaves it as it is.

    Args:
        now: Tells the time; does not block.
    """

    CSS_PATH = "memory.tcss"
    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__()
        self._now = now

    def compose(self) -> ComposeResult:
        """Lay out the question."""
        with Vertical(classes="memory-dialog"):
            yield Static("What did chatmem know on which day?", classes="title")
            yield Input(placeholder="A day", compact=True)
            yield Static(HINT, classes="hint")
            with Horizontal(classes="buttons"):
                yield Button("Look  ⏎", variant="primary", id="look", compact=True)
                yield Button("Cancel  esc", id="cancel", compact=True)

    @on(Input.Submitted)
    @on(Button.Pressed, "#look")
    def _look(self) -> None:
        self._read(self.query_one(Input).value.strip())

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Close, and leave it as it is."""
        self.dismiss(None)

    @work(exclusive=True, group="day")
    async def _read(self, text: str) -> None:
        if not text:
            self.dismiss(Chosen(None))
        elif day := await tried(self, lambda: day_named(text, self._now())):
            self.dismiss(Chosen(day))
