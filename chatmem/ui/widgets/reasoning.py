"""What a reasoning model thinks before it answers, folded into a line."""

from time import monotonic

from textual.content import Content
from textual.widgets import Static

from chatmem.ui.wording import counted

LAST_CHARACTERS = 56
"""Of the last line of thoughts that are still coming."""


class Reasoning(Static):
    """Thoughts in one line, which opens by a click.

    Attributes:
        folded: Whether only that line is shown.
    """

    def __init__(self, thoughts: str = "") -> None:
        super().__init__(markup=False)
        self.folded = True
        self._pieces = [thoughts] if thoughts else []
        self._began: float | None = None
        self._took_s: float | None = None
        self._ended = bool(thoughts)

    def on_mount(self) -> None:
        """Begin folded."""
        self.draw()

    @property
    def thoughts(self) -> str:
        """All that was thought so far."""
        return "".join(self._pieces)

    @property
    def thinking(self) -> bool:
        """Whether more thoughts may come."""
        return bool(self._pieces) and not self._ended

    def grow(self, text: str) -> None:
        """Take the next piece; whoever calls it calls `draw` afterwards."""
        self._began = self._began or monotonic()
        self._ended = False
        self._pieces.append(text)

    def end(self) -> None:
        """The thoughts are whole."""
        if self.thinking:
            self._ended = True
            self._took_s = monotonic() - self._began if self._began is not None else None
            self.draw()

    def toggle(self) -> None:
        """Fold, or unfold."""
        self.folded = not self.folded
        self.draw()

    def draw(self) -> None:
        """Show it as it is now."""
        line = self._line()
        body = "" if self.folded else "\n" + self.thoughts.strip()
        self.update(Content.assemble(line, (body, "italic")))

    def on_click(self) -> None:
        """Fold, or unfold."""
        if not self.screen.get_selected_text():
            self.toggle()

    def _line(self) -> str:
        arrow = "▸" if self.folded else "▾"
        if self.thinking:
            return f"Thinking {arrow} {self._last_line() if self.folded else ''}".rstrip()
        took = f" for {max(1, round(self._took_s))} s" if self._took_s is not None else ""
        return f"Thought{took} · {counted(len(self.thoughts.split()), 'word')} {arrow}"

    def _last_line(self) -> str:
        tail = "".join(self._pieces[-LAST_CHARACTERS:]).rstrip().rpartition("\n")[2].strip()
        return tail if len(tail) <= LAST_CHARACTERS else "…" + tail[1 - LAST_CHARACTERS :]
