"""What a reasoning model thinks before it answers, folded into a line."""

from time import monotonic

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from chatmem.ui.wording import counted

LAST_CHARACTERS = 400
"""Of thoughts that are still coming, the part in which their last line is looked for."""


class Reasoning(Vertical):
    """Thoughts in one line, which opens by a click.

    Attributes:
        folded: Whether only that line is shown.
    """

    def __init__(self, thoughts: str = "") -> None:
        super().__init__()
        self.folded = True
        self._pieces = [thoughts] if thoughts else []
        self._began: float | None = None
        self._took_s: float | None = None
        self._ended = bool(thoughts)

    def compose(self) -> ComposeResult:
        """Lay out the line and the thoughts."""
        yield Static(classes="thought-line", markup=False)
        yield Static(classes="thoughts", markup=False)

    def on_mount(self) -> None:
        """Begin folded, and unseen where there are no thoughts."""
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
        self.display = bool(self._pieces)
        if not self._pieces:
            return
        line, body = self.query_one(".thought-line", Static), self.query_one(".thoughts", Static)
        line.update(self._line())
        body.display = not self.folded
        if not self.folded:
            body.update(self.thoughts.strip())

    def on_click(self) -> None:
        """Fold, or unfold."""
        if not self.screen.get_selected_text():
            self.toggle()

    def _line(self) -> Content:
        arrow = "▸" if self.folded else "▾"
        if self.thinking:
            return Content(f"Thinking {arrow} {self._last_line() if self.folded else ''}".rstrip())
        took = f" for {max(1, round(self._took_s))} s" if self._took_s is not None else ""
        return Content(f"Thought{took} · {counted(len(self.thoughts.split()), 'word')} {arrow}")

    def _last_line(self) -> str:
        tail, size = [], 0
        for piece in reversed(self._pieces):
            tail.append(piece)
            size += len(piece)
            if size >= LAST_CHARACTERS:
                break
        lines = [line.strip() for line in "".join(reversed(tail))[-LAST_CHARACTERS:].splitlines() if line.strip()]
        return lines[-1] if lines else ""
