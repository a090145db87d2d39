"""One turn of the transcript: the user's, or a reply."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from chatmem.domain.turn import Role, Turn, TurnStatus
from chatmem.ui.widgets.markdown_text import MarkdownText
from chatmem.ui.wording import clock_time, counted, size

GATHER_S = 0.1
"""Pieces of a reply are drawn together this often: drawing each costs three times the processor time."""

SETTLE_CHARACTERS = 2_000
"""Of a growing answer that are laid out anew at each drawing, about; it takes 5 ms."""

SHOWN_CHARACTERS = 4_000
SHOWN_LINES = 60
"""Of a user's turn; a paste of a megabyte is not drawn in full."""


WAITING = "…"


class UserTurn(Vertical):
    """What the person said."""

    def __init__(self, turn: Turn, note: str = "") -> None:
        super().__init__()
        self.turn = turn
        self._note = note

    def compose(self) -> ComposeResult:
        """Lay out who and when, the words, and what to know about them."""
        yield Static(f"{self.turn.speaker or 'You'} · {clock_time(self.turn.said_at)}", classes="who", markup=False)
        yield Static(_beginning(self.turn.text), classes="words", markup=False)
        if self._note:
            yield Static(self._note, classes="mark", markup=False)


class ReplyTurn(Vertical):
    """A reply, arriving or ended."""

    def __init__(self, turn: Turn, recalled: int = 0) -> None:
        super().__init__()
        self.turn = turn
        self._recalled = recalled
        self._pieces: list[str] = []
        self._arrived: list[str] = []
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out who and when, the words, and how they ended."""
        yield Static(self._who(), classes="who")
        yield MarkdownText(self.turn.text)
        yield Static(mark(self.turn), classes="mark", markup=False)

    def on_mount(self) -> None:
        """Show the mark only where there is something to say."""
        self._say(WAITING if self.turn.status is TurnStatus.STREAMING and not self.turn.text else mark(self.turn))

    @property
    def words(self) -> str:
        """The reply as far as it has come."""
        return self.turn.text or "".join(self._arrived)

    @property
    def arriving(self) -> bool:
        """Whether it has not ended yet."""
        return self.turn.status is TurnStatus.STREAMING

    def grow(self, text: str) -> None:
        """Take the next piece; it is drawn with others within `GATHER_S`."""
        self._arrived.append(text)
        self._pieces.append(text)
        if self._timer is None:
            self._timer = self.set_timer(GATHER_S, self._draw)

    async def end(self, turn: Turn) -> None:
        """Draw what is left, and how it ended."""
        if self._timer is not None:
            self._timer.stop()
        await self._draw()
        self.turn = turn
        self._say(mark(turn))

    async def _draw(self) -> None:
        self._timer = None
        text = "".join(self._pieces)
        self._pieces.clear()
        if text:
            self._say("")
            await self._extend(text)

    async def _extend(self, text: str) -> None:
        """Lay out the growing end anew; what is settled before it is left alone."""
        from chatmem.ui.flat_markdown import settled

        end = self.query(MarkdownText).last()
        source = end.source + text
        cut = settled(source) if len(source) > SETTLE_CHARACTERS else 0
        end.update(source[:cut] or source)
        if cut:
            await self.mount(MarkdownText(source[cut:]).add_class("-continued"), before=".mark")

    def _say(self, text: str) -> None:
        said = self.query_one(".mark", Static)
        said.update(text)
        said.display = bool(text)

    def _who(self) -> Content:
        who = "Tool" if self.turn.role is Role.TOOL else self.turn.model or "Assistant"
        recalled = counted(self._recalled, "memory", "memories")
        return Content.assemble(
            (who, "$primary"),
            f" · {clock_time(self.turn.said_at)}",
            (f" · {recalled} recalled" if self._recalled else "", "$accent"),
        )


def mark(turn: Turn) -> str:
    """How a reply ended, where it did not end well."""
    match turn.status:
        case TurnStatus.STOPPED:
            return "Stopped by you. What had arrived is kept."
        case TurnStatus.FAILED:
            kept = " What had arrived is kept." if turn.text else ""
            return f"Failed: {turn.error or 'the provider gave no reason.'}{kept}"
        case TurnStatus.INTERRUPTED:
            return "Interrupted: chatmem ended while this answer was arriving. What had arrived is kept."
        case _:
            return ""


def _beginning(text: str) -> str:
    lines = text.split("\n", SHOWN_LINES)
    shown = "\n".join(lines[:SHOWN_LINES])[:SHOWN_CHARACTERS]
    hidden = len(text) - len(shown)
    return shown if hidden <= 0 else f"{shown}\n… and {size(hidden)} more"
