"""The list of memories: only the lines in view are ever drawn, so that 100,000 open at once."""

from collections.abc import Collection
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
from chatmem.ui.widgets.memory_rows import MemoryRow, Rows
from chatmem.ui.widgets.memory_words import MARKS, PIN

MARKED = "✓"

DATE_WIDTH = 12
MARGIN = 3
"""Cells before the text, with the mark and the kind."""


class MemoryList(ScrollView, can_focus=True):
    """Shows rows, one a line, and lets the person walk through them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "first", "First", show=False),
        Binding("end", "last", "Last", show=False),
        Binding("space", "mark", "Mark", key_display="Space"),
        Binding("shift+up", "mark_on(-1)", "Mark up", show=False),
        Binding("shift+down", "mark_on(1)", "Mark down", show=False),
        Binding("a", "mark_all", "All"),
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
        "memory-list--marked",
        "memory-list--aside",
    }

    class Highlighted(Message):
        """The person has come to another row; `None` where the list is empty."""

        def __init__(self, row: MemoryRow | None) -> None:
            super().__init__()
            self.row = row

    class Marked(Message):
        """Other memories are marked than before."""

    class Chosen(Message):
        """The person wants to look at the highlighted memory."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 Textual's own word
        super().__init__(id=id)
        self._rows: Rows | None = None
        self._marked: set[MemoryId] = set()
        self._cursor = 0
        self._hovered: int | None = None
        self._empty = ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with rows where there are some."""
        if action in {"mark", "mark_all", "choose"} and not self._rows:
            return None
        return super().check_action(action, parameters)

    @property
    def row(self) -> MemoryRow | None:
        """The highlighted row."""
        return self._rows[self._cursor] if self._rows else None

    @property
    def rows(self) -> Rows | None:
        """All rows, in view or not; `None` before they were read."""
        return self._rows

    @property
    def marked(self) -> Collection[MemoryId]:
        """The memories that the person marked, all of them shown."""
        return self._marked

    @property
    def chosen(self) -> list[MemoryRow]:
        """The marked rows, in order; where none is marked, the highlighted one."""
        if self._rows and self._marked:
            return [self._rows[at] for at in range(len(self._rows)) if self._rows.id(at) in self._marked]
        return [self.row] if self.row else []

    @property
    def row_count(self) -> int:
        """Number of rows, in view or not."""
        return len(self._rows or ())

    def show(self, rows: Rows, *, keep: MemoryId | None = None, empty: str = "") -> None:
        """Replace all rows; marks of memories that are not shown any more vanish.

        Args:
            rows: In the order in which they are shown.
            keep: The memory to stay at; where it is gone, the place in the list is kept. `None` starts at the top.
            empty: What to say when there are none.
        """
        place = 0 if keep is None else rows.place_of(keep)
        self._cursor = max(0, min(self._cursor if place is None else place, len(rows) - 1))
        self._rows, self._empty = rows, empty
        self._marked = self._marked.intersection(rows.ids) if self._marked else set()
        self._hovered = None
        self.virtual_size = Size(0, len(rows))
        self.refresh()
        self.call_after_refresh(self._scroll_to_cursor)
        self.post_message(self.Highlighted(self.row))

    def move_to(self, index: int) -> None:
        """Highlight the row nearest to an index."""
        index = max(0, min(index, self.row_count - 1))
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
        self.move_to(self.row_count - 1)

    def action_mark(self) -> None:
        """Mark the highlighted memory, or take its mark off, and go on to the next."""
        if self._rows:
            self._marked ^= {self._rows.id(self._cursor)}
            self.refresh_line(self._cursor)
            self.post_message(self.Marked())
            self.move_to(self._cursor + 1)

    def action_mark_on(self, by: int) -> None:
        """Mark the highlighted memory and the one before it, or after it, and go there."""
        if self._rows:
            there = max(0, min(self._cursor + by, self.row_count - 1))
            self._marked |= {self._rows.id(self._cursor), self._rows.id(there)}
            self.post_message(self.Marked())
            self.move_to(there)
            self.refresh()

    def action_mark_all(self) -> None:
        """Mark all that is shown; where all is marked, nothing."""
        self._marked = set() if len(self._marked) == self.row_count else set(self._rows.ids if self._rows else ())
        self.refresh()
        self.post_message(self.Marked())

    def unmark(self) -> None:
        """Take all marks off, as what they were for is done."""
        self._marked = set()
        self.refresh()
        self.post_message(self.Marked())

    def action_choose(self) -> None:
        """Ask for the detail."""
        if self._rows:
            self.post_message(self.Chosen())

    def on_click(self, event: events.Click) -> None:
        """Highlight the row under the mouse; with shift mark all up to there, in the margin or with control mark it."""
        if (index := self._row_under(event)) is None:
            return
        if event.shift:
            self._mark_up_to(index)
        self.move_to(index)
        if event.ctrl or (event.x < MARGIN and not event.shift):
            self.action_mark()
            self.move_to(index)

    def _mark_up_to(self, index: int) -> None:
        first, last = sorted((self._cursor, index))
        self._marked |= {self._rows.id(at) for at in range(first, last + 1)} if self._rows else set()
        self.refresh()
        self.post_message(self.Marked())

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
            return self._drawn(self._rows, index, width) if index < len(self._rows) else self._blank(width)
        lines = [line for part in self._empty.split("\n") for line in wrap(part, max(1, width - 2)) or [""]]
        if not 1 <= y <= len(lines):
            return self._blank(width)
        return Strip([Segment(set_cell_size(f" {lines[y - 1]}", width), self._style("text"))])

    def _drawn(self, rows: Rows, index: int, width: int) -> Strip:
        row = rows[index]
        on = "cursor" if index == self._cursor else "hover" if index == self._hovered else "row"
        value = fitted(rows.value(row), rows.value_width, right=True)
        room = max(0, width - MARGIN - 2 - rows.value_width - DATE_WIDTH)
        mark = "text" if on == "cursor" else row.kind.value
        text = "text" if row.status is Status.ACTIVE else "past"
        return Strip(
            [
                Segment(MARKED if row.id in self._marked else " ", self._style(on, "marked")),
                Segment(f"{MARKS[row.kind]} ", self._style(on, mark)),
                Segment(fitted(row.text, room), self._style(on, text)),
                Segment(f" {PIN if row.pinned else ' '}", self._style(on, "pin")),
                Segment(f"{value} {row.created_at.astimezone():%Y-%m-%d} ", self._style(on, "aside")),
            ]
        ).adjust_cell_length(width)

    def _blank(self, width: int) -> Strip:
        return Strip.blank(width, self._style("row"))

    def _style(self, *parts: str) -> Style:
        return self.get_visual_style(*(f"memory-list--{part}" for part in parts)).rich_style

    def _row_under(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        index = -1 if offset is None else offset.y + self.scroll_offset.y
        return index if 0 <= index < self.row_count else None

    def _hover(self, index: int | None) -> None:
        if index != self._hovered:
            for line in (index, self._hovered):
                if line is not None:
                    self.refresh_line(line)
            self._hovered = index

    def _scroll_to_cursor(self) -> None:
        self.scroll_to_region(Region(0, self._cursor, 1, 1), animate=False, force=True)


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """A text of exactly this many cells, with an ellipsis where it was cut; at the right where that is asked."""
    length = cell_len(text)
    if length <= width:
        return " " * (width - length) + text if right else set_cell_size(text, width)
    return set_cell_size(text, max(0, width - 1)) + "…"[:width]
