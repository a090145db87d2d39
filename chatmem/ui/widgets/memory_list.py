"""The list of memories: only the lines in view are ever drawn, so that 100,000 open at once."""

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from chatmem.domain.memory import MemoryId, Status
from chatmem.ui.widgets.memory_rows import MemoryRow
from chatmem.ui.widgets.memory_words import MARKS, PIN

DATE_WIDTH = 12
SCORE_WIDTH = 7


class MemoryList(ScrollView, can_focus=True):
    """Shows rows, one a line, and lets the person walk through them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "first", "First", show=False),
        Binding("end", "last", "Last", show=False),
        Binding("enter", "choose", "Detail"),
    ]

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "memory-list--row",
        "memory-list--hover",
        "memory-list--cursor",
        "memory-list--semantic",
        "memory-list--episodic",
        "memory-list--procedural",
        "memory-list--text",
        "memory-list--past",
        "memory-list--pin",
        "memory-list--aside",
    }

    class Highlighted(Message):
        """The person has come to another row; `None` where the list is empty."""

        def __init__(self, row: MemoryRow | None) -> None:
            super().__init__()
            self.row = row

    class Chosen(Message):
        """The person wants to look at the highlighted memory."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's own word
        super().__init__(id=id)
        self._rows: Sequence[MemoryRow] = ()
        self._cursor = 0
        self._hovered: int | None = None
        self._empty = ""

    @property
    def row(self) -> MemoryRow | None:
        """The highlighted row."""
        return self._rows[self._cursor] if self._rows else None

    @property
    def at_end(self) -> bool:
        """Whether the highlighted row is the last."""
        return self._cursor == len(self._rows) - 1

    @property
    def row_count(self) -> int:
        """Number of rows, in view or not."""
        return len(self._rows)

    def show(self, rows: Sequence[MemoryRow], *, keep: MemoryId | None = None, empty: str = "") -> None:
        """Replace all rows.

        Args:
            rows: In the order in which they are shown.
            keep: The memory to stay at; where it is gone, the place in the list is kept. `None` starts at the top.
            empty: What to say when there are none.
        """
        place = next((index for index, row in enumerate(rows) if row.id == keep), self._cursor if keep else 0)
        self._rows, self._empty = rows, empty
        self._cursor = max(0, min(place, len(rows) - 1))
        self._hovered = None
        self.virtual_size = Size(0, len(rows))
        self.refresh()
        self.call_after_refresh(self._scroll_to_cursor)
        self.post_message(self.Highlighted(self.row))

    def move_to(self, index: int) -> None:
        """Highlight the row nearest to an index."""
        index = max(0, min(index, len(self._rows) - 1))
        if index == self._cursor or not self._rows:
            return
        self.refresh_line(self._cursor)
        self._cursor = index
        self.refresh_line(index)
        self._scroll_to_cursor()
        self.post_message(self.Highlighted(self.row))

    def action_move(self, rows: int) -> None:
        """Go up or down."""
        self.move_to(self._cursor + rows)

    def action_page(self, pages: int) -> None:
        """Go up or down by what is in view."""
        self.move_to(self._cursor + pages * max(1, self.size.height - 1))

    def action_first(self) -> None:
        """Go to the first row."""
        self.move_to(0)

    def action_last(self) -> None:
        """Go to the last row."""
        self.move_to(len(self._rows) - 1)

    def action_choose(self) -> None:
        """Ask for the detail."""
        if self._rows:
            self.post_message(self.Chosen())

    def on_click(self, event: events.Click) -> None:
        """Highlight the row under the mouse."""
        if (index := self._row_under(event)) is not None:
            self.move_to(index)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Mark the row under the mouse."""
        self._hover(self._row_under(event))

    def on_leave(self) -> None:
        """Unmark it."""
        self._hover(None)

    def render_line(self, y: int) -> Strip:
        """Draw one line of what is in view."""
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        if self._rows:
            return self._drawn(index, width) if index < len(self._rows) else self._blank(width)
        lines = [line for part in self._empty.split("\n") for line in wrap(part, max(1, width - 2)) or [""]]
        if not 1 <= y <= len(lines):
            return self._blank(width)
        return Strip([Segment(set_cell_size(f" {lines[y - 1]}", width), self._style("text"))])

    def _drawn(self, index: int, width: int) -> Strip:
        row = self._rows[index]
        on = "cursor" if index == self._cursor else "hover" if index == self._hovered else "row"
        score = "" if row.score is None else f"{row.score:+{SCORE_WIDTH}.2f}"
        room = max(0, width - 5 - len(score) - DATE_WIDTH)
        mark = "text" if on == "cursor" else row.kind.value
        text = "text" if row.status is Status.ACTIVE else "past"
        return Strip(
            [
                Segment(f" {MARKS[row.kind]} ", self._style(on, mark)),
                Segment(fitted(row.text, room), self._style(on, text)),
                Segment(f" {PIN if row.pinned else ' '}", self._style(on, "pin")),
                Segment(f"{score} {row.created_at.astimezone():%Y-%m-%d} ", self._style(on, "aside")),
            ]
        ).adjust_cell_length(width)

    def _blank(self, width: int) -> Strip:
        return Strip.blank(width, self._style("row"))

    def _style(self, *parts: str) -> Style:
        return self.get_visual_style(*(f"memory-list--{part}" for part in parts)).rich_style

    def _row_under(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        index = -1 if offset is None else offset.y + self.scroll_offset.y
        return index if 0 <= index < len(self._rows) else None

    def _hover(self, index: int | None) -> None:
        if index != self._hovered:
            for line in (index, self._hovered):
                if line is not None:
                    self.refresh_line(line)
            self._hovered = index

    def _scroll_to_cursor(self) -> None:
        self.scroll_to_region(Region(0, self._cursor, 1, 1), animate=False, force=True)


def fitted(text: str, width: int) -> str:
    """A text of exactly this many cells, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, max(0, width - 1)) + "…"[:width]
