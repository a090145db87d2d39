"""The dialog that orders and narrows the list of memories; what is chosen shows behind it at once."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from chatmem.recall.browsing import Wish
from chatmem.ui.widgets.memory_filters import Chips, choices


class ViewDialog(ModalScreen[None]):
    """Shows all that can be chosen of a `Wish`."""

    CSS_PATH = "memory.tcss"
    AUTO_FOCUS = "Chips"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", "Before", show=False),
        Binding("down", "app.focus_next", "Next", show=False),
        Binding("x", "clear", "Clear"),
        Binding("escape,enter,v", "close", "Done"),
    ]

    def __init__(self, wish: Wish, slots: Sequence[str], changed: Callable[[Wish], object]) -> None:
        """Open the dialog.

        Args:
            wish: What is chosen now.
            slots: The names of the slots that memories have.
            changed: Called with each other choice; does not block.
        """
        super().__init__()
        self._wish = wish
        self._slots = slots
        self._changed = changed

    def compose(self) -> ComposeResult:
        """Lay out a line for each choice."""
        with Vertical(classes="memory-dialog"):
            yield Static("Sort and filter   ↑ ↓ lines, ← → choose", classes="title", markup=False)
            for choice in choices(self._wish, self._slots).values():
                with Horizontal(classes="choice"):
                    yield Static(choice.label, classes="choice-label", markup=False)
                    yield Chips(choice, choice.chosen(self._wish))
            with Horizontal(classes="buttons"):
                yield Button("Done  esc", variant="primary", id="done", compact=True)
                yield Button("Clear  x", id="clear", compact=True)

    @on(Chips.Changed)
    def _choose(self, event: Chips.Changed) -> None:
        self._take(choices(self._wish, self._slots)[event.name].choose(self._wish, event.at))

    @on(Button.Pressed, "#clear")
    def action_clear(self) -> None:
        """Leave nothing out, the newest first."""
        self._take(Wish())

    @on(Button.Pressed, "#done")
    def action_close(self) -> None:
        """Close."""
        self.dismiss(None)

    def _take(self, wish: Wish) -> None:
        self._wish = wish
        for chips, choice in zip(self.query(Chips), choices(wish, self._slots).values(), strict=True):
            chips.show(choice, choice.chosen(wish))
        self._changed(wish)
