"""Picking one of several code blocks."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from chatmem.domain.text import shortened
from chatmem.ui.flat_markdown import CodeBlock
from chatmem.ui.wording import counted

LINE_LENGTH = 64


class CodePicker(ModalScreen[str | None]):
    """Lists code blocks; ends with the code of the one that was picked, or `None`."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back")]

    def __init__(self, blocks: Sequence[CodeBlock]) -> None:
        super().__init__()
        self._blocks = blocks

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        with Vertical(classes="dialog"):
            yield Static("Copy which code block?", classes="dialog-title")
            yield OptionList(*map(_row, self._blocks), markup=False, compact=True)
            yield Static("Enter copies · Esc goes back", classes="dialog-hint")

    def action_leave(self) -> None:
        """Copy nothing."""
        self.dismiss(None)

    @on(OptionList.OptionSelected)
    def _pick(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._blocks[event.option_index].code)


def _row(block: CodeBlock) -> Option:
    lines = block.code.splitlines()
    first = next((line for line in lines if line.strip()), "")
    about = f"{block.language or 'text'} · {counted(len(lines), 'line')}"
    return Option(
        Content.assemble((f"{about:<22}", "$foreground-muted"), (shortened(first, LINE_LENGTH - 22), "$foreground"))
    )
