"""The keys of vi over a text area: normal and insert mode, motions, operators, counts, one register."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from textual.widgets import TextArea
from textual.widgets.text_area import Document

from chatmem.ui.widgets.vi_motions import MOTIONS, first_word, line_end, line_start, span

_COMMAND = re.compile(r"([1-9]\d*)?(?:([dcy])([1-9]\d*)?)?(g?[^\d]|0)?")
"""A count, an operator with a count of its own, and the command or motion; as far as it was typed."""

_AS = {
    "x": ("d", "l"),
    "X": ("d", "h"),
    "D": ("d", "$"),
    "C": ("c", "$"),
    "s": ("c", "l"),
    "S": ("c", "c"),
    "Y": ("y", "y"),
}
"""Commands that are short for an operator with a motion."""


@dataclass(frozen=True, slots=True)
class _Cut:
    """What was deleted or yanked last; `lines` if it is whole lines."""

    text: str = ""
    lines: bool = False


class ViKeys:
    """Takes the keys that vi knows; all others are left to the text area. Begins in insert mode.

    Attributes:
        normal: Whether keys are commands; otherwise they type.

    Args:
        area: What is edited.
    """

    def __init__(self, area: TextArea) -> None:
        self._area = area
        self.normal = False
        self._keys = ""
        self._cut = _Cut()
        self._commands: Mapping[str, Callable[[int], None]] = {
            "i": lambda _: self.insert(),
            "a": lambda _: self._insert_at(min(self._at + 1, line_end(self._text, self._at))),
            "I": lambda _: self._insert_at(first_word(self._text, self._at)),
            "A": lambda _: self._insert_at(line_end(self._text, self._at)),
            "o": lambda _: self._open(below=True),
            "O": lambda _: self._open(below=False),
            "p": lambda count: self._paste(count, after=True),
            "P": lambda count: self._paste(count, after=False),
            "u": lambda count: self._repeat(self._area.undo, count),
            "U": lambda count: self._repeat(self._area.redo, count),
            "j": lambda count: self._repeat(self._area.action_cursor_down, count),
            "k": lambda count: self._repeat(self._area.action_cursor_up, count),
        }

    @property
    def mode(self) -> str:
        """What to show at the frame: the mode, and what was typed of a command."""
        return f"NORMAL {self._keys}".rstrip() if self.normal else "INSERT"

    def insert(self) -> None:
        """Go to insert mode."""
        self._area.history.checkpoint()
        self.normal, self._keys = False, ""

    def take(self, key: str, character: str | None) -> bool:
        """Do what a key means, if it means anything to vi.

        Args:
            key: As Textual names it.
            character: What it would type; `None` for nothing.
        """
        if not self.normal:
            return key == "escape" and self._to_normal()
        if key == "escape":
            begun, self._keys = bool(self._keys), ""
            return begun
        if key == "backspace":
            character = "h"
        elif key == "ctrl+r":
            character = "U"
        if character is None:
            return False
        self._keys += character
        self._obey()
        return True

    @property
    def _text(self) -> str:
        return self._area.text

    @property
    def _document(self) -> Document:
        document = self._area.document
        assert isinstance(document, Document)  # noqa: S101 the base class can't tell places; text areas use this one
        return document

    @property
    def _at(self) -> int:
        return self._document.get_index_from_location(self._area.cursor_location)

    def _to_normal(self) -> bool:
        self._area.history.checkpoint()
        self.normal, self._keys = True, ""
        self._go(max(self._at - 1, line_start(self._text, self._at)))
        return True

    def _obey(self) -> None:
        """Carry out the command once it is whole; drop it when it can't become one."""
        match = _COMMAND.fullmatch(self._keys)
        if match is not None and match[4] in {None, "g"}:
            return
        self._keys = ""
        if match is None:
            return
        given = bool(match[1] or match[3])
        count = int(match[1] or 1) * int(match[3] or 1)
        operator, command = match[2], match[4]
        if operator is None and command in _AS:
            operator, command = _AS[command]
        if operator is not None:
            self._operate(operator, command, count, given)
        else:
            self._do(command, count, given)
        if self.normal:
            self._stay_on_a_character()

    def _do(self, command: str, count: int, given: bool) -> None:
        if command in self._commands:
            self._commands[command](count)
        elif command in MOTIONS:
            self._go(MOTIONS[command](self._text, self._at, count))
        elif command in {"gg", "G"}:
            self._go_to_row(self._row_of(command, count, given))

    def _operate(self, operator: str, motion: str, count: int, given: bool) -> None:
        row = self._area.cursor_location[0]
        if motion == operator:
            self._take_rows(operator, row, min(row + count - 1, self._last_row))
        elif motion in {"j", "k", "gg", "G"}:
            other = self._row_of(motion, count, given)
            self._take_rows(operator, min(row, other), max(row, other))
        elif motion in MOTIONS:
            self._take_text(operator, *span(self._text, self._at, motion, count, changing=operator == "c"))

    def _take_text(self, operator: str, start: int, end: int) -> None:
        self._cut = _Cut(self._text[start:end])
        if operator != "y":
            self._replace("", start, end)
        self._go(start)
        if operator == "c":
            self.insert()

    def _take_rows(self, operator: str, first: int, last: int) -> None:
        start, end = self._place(first), line_end(self._text, self._place(last))
        self._cut = _Cut(self._text[start:end], lines=True)
        if operator == "c":
            self._replace("", start, end)
            self._insert_at(start)
            return
        if operator == "d" and last < self._last_row:
            self._replace("", start, end + 1)
        elif operator == "d":
            self._replace("", max(start - 1, 0), end)
        self._go_to_row(min(first, self._last_row))

    def _paste(self, count: int, *, after: bool) -> None:
        at, text = self._at, self._text
        if self._cut.lines:
            row = self._area.cursor_location[0] + after
            lines = "\n".join([self._cut.text] * count)
            place = line_end(text, at) if after else line_start(text, at)
            self._replace(f"\n{lines}" if after else f"{lines}\n", place, place)
            self._go_to_row(row)
        elif self._cut.text:
            place = min(at + 1, line_end(text, at)) if after else at
            self._replace(self._cut.text * count, place, place)
            self._go(place + len(self._cut.text) * count - 1)

    def _open(self, *, below: bool) -> None:
        place = line_end(self._text, self._at) if below else line_start(self._text, self._at)
        self._replace("\n", place, place)
        self._insert_at(place + below)

    def _insert_at(self, place: int) -> None:
        self._go(place)
        self.insert()

    @property
    def _last_row(self) -> int:
        return self._area.document.line_count - 1

    def _row_of(self, motion: str, count: int, given: bool) -> int:
        row = self._area.cursor_location[0]
        wanted = {"j": row + count, "k": row - count, "gg": count - 1, "G": count - 1 if given else self._last_row}
        return min(max(wanted[motion], 0), self._last_row)

    def _place(self, row: int) -> int:
        return self._document.get_index_from_location((row, 0))

    def _go_to_row(self, row: int) -> None:
        self._go(first_word(self._text, self._place(row)))

    def _go(self, place: int) -> None:
        self._area.move_cursor(self._document.get_location_from_index(place))

    def _stay_on_a_character(self) -> None:
        at, text = self._at, self._text
        if at == line_end(text, at) and at > line_start(text, at):
            self._area.move_cursor(self._document.get_location_from_index(at - 1), record_width=False)

    def _replace(self, text: str, start: int, end: int) -> None:
        document = self._document
        self._area.history.checkpoint()
        self._area.replace(text, document.get_location_from_index(start), document.get_location_from_index(end))

    def _repeat(self, act: Callable[[], object], count: int) -> None:
        for _ in range(min(count, self._area.document.line_count + 1_000)):
            act()
