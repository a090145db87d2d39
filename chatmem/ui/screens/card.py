"""The profile card on the screen."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

NOTHING = "Nothing is known of you yet. It comes from what you say; /remember TEXT adds something by hand."


class CardScreen(ModalScreen[None]):
    """Shows what is known of the user.

    Args:
        card: The profile card; empty where nothing is known.
    """

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "leave", "Back")]

    def __init__(self, card: str) -> None:
        super().__init__()
        self._card = card

    def compose(self) -> ComposeResult:
        """Lay out the card."""
        with VerticalScroll(classes="dialog"):
            yield Static("What is known of you", classes="dialog-title")
            yield Static(self._card or NOTHING, id="card", markup=False)
            yield Static("F2 shows where it comes from, and corrects it · Esc goes back", classes="dialog-hint")

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss()
