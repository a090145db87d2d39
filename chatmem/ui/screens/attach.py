"""Asking for the path of a picture."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

HINT = "Enter attaches · Esc goes back · a file dropped on the prompt is attached too"


class AttachDialog(ModalScreen[str]):
    """Ends with what was typed; empty for nothing."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back")]

    def compose(self) -> ComposeResult:
        """Lay out the question."""
        with Vertical(classes="dialog"):
            yield Static("Attach a picture", classes="dialog-title")
            yield Input(placeholder="Path of a PNG, JPEG, GIF or WebP file", compact=True)
            yield Static(HINT, classes="dialog-hint")

    def action_leave(self) -> None:
        """Attach nothing."""
        self.dismiss("")

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)
