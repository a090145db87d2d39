"""The row of filters above the list of memories."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from chatmem.domain.memory import Kind, Status
from chatmem.ui.widgets.memory_words import MARKS, PIN

Value = TypeVar("Value")


class Chips(Widget, Generic[Value]):
    """Values on one line, of which one is chosen, or none; a click on the chosen one takes the choice back."""

    class Changed(Message):
        """Another value was chosen."""

    def __init__(self, key: str, values: Sequence[tuple[str, Value]]) -> None:
        """Make the row.

        Args:
            key: Shown before the values: the key that goes through them.
            values: The label of each, and the value.
        """
        super().__init__()
        self._key = key
        self._values = values
        self._chosen: int | None = None

    @property
    def value(self) -> Value | None:
        """The chosen value."""
        return None if self._chosen is None else self._values[self._chosen][1]

    def choose_next(self) -> None:
        """Choose the value after the present one; after the last, none."""
        following = 0 if self._chosen is None else self._chosen + 1
        self._choose(following if following < len(self._values) else None)

    def render(self) -> Content:
        """Draw the values, the chosen one emphasised."""
        return Content.assemble(
            (self._key, "bold $text-accent"),
            *(
                (f" {label} ", "bold reverse $text-accent" if index == self._chosen else "")
                for index, (label, _) in enumerate(self._values)
            ),
        )

    def get_content_width(self, *_: object) -> int:
        """As wide as its key and its values."""
        return cell_len(self._key) + sum(cell_len(label) + 2 for label, _ in self._values)

    def on_click(self, event: events.Click) -> None:
        """Choose the value under the mouse."""
        offset = event.get_content_offset(self)
        left = -1 if offset is None else offset.x - cell_len(self._key)
        for index, (label, _) in enumerate(self._values):
            width = cell_len(label) + 2
            if 0 <= left < width:
                self._choose(None if index == self._chosen else index)
            left -= width

    def _choose(self, index: int | None) -> None:
        self._chosen = index
        self.refresh()
        self.post_message(self.Changed())


class MemoryFilters(Horizontal):
    """Lets the person narrow the list by kind, by status and to what is pinned; posts `Chips.Changed`."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds = Chips("k", [(f"{MARKS[kind]} {kind.word.capitalize()}s", kind) for kind in Kind])
        self.statuses = Chips("s", [(status.value.capitalize(), status) for status in Status])
        self.pins = Chips("o", [(f"{PIN} Pinned", True)])

    def compose(self) -> ComposeResult:
        """Lay the chips side by side."""
        yield self.kinds
        yield self.statuses
        yield self.pins
