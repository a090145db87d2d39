"""One turn of the transcript: the user's, or a reply."""

from dataclasses import replace
from math import ceil
from time import monotonic

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from chatmem.conversation import FellOver, Retrying
from chatmem.domain.model import Usage
from chatmem.domain.turn import Turn, TurnStatus
from chatmem.ui.widgets.markdown_text import MarkdownText
from chatmem.ui.widgets.reasoning import Reasoning
from chatmem.ui.widgets.turn_words import (
    Place,
    asking_again,
    beginning,
    chips,
    fell_over,
    mark,
    reply_header,
    user_header,
)

GATHER_S = 0.1
"""Pieces of a reply are drawn together this often: drawing each costs three times the processor time."""

SETTLE_CHARACTERS = 2_000
"""Of a growing answer that are laid out anew at each drawing, about; it takes 5 ms."""

WAITING = "…"


class TurnBox(Vertical):
    """A turn, whoever said it.

    Attributes:
        turn: The turn as it was last recorded.
        place: Which of its alternatives it is.
    """

    def __init__(self, turn: Turn) -> None:
        super().__init__()
        self.turn = turn
        self.place = Place()
        self.usage: Usage | None = None

    @property
    def words(self) -> str:
        """What was said, as far as it has come."""
        return self.turn.text

    @property
    def arriving(self) -> bool:
        """Whether it has not ended yet."""
        return self.turn.status is TurnStatus.STREAMING

    def know(self, place: Place, usage: Usage | None) -> None:
        """Say in the header which alternative it is, and what it took."""
        if (place, usage) != (self.place, self.usage):
            self.place, self.usage = place, usage
            self._show_header()

    def header(self) -> Content:
        """The line above the words."""
        raise NotImplementedError

    def _show_header(self) -> None:
        for line in self.query(".who").results(Static):
            line.update(self.header())


class UserTurn(TurnBox):
    """What the person said.

    Attributes:
        said: With the secrets that were taken out, while they may still be let through; nowhere but here.
    """

    def __init__(self, turn: Turn, note: str = "", said: str = "") -> None:
        super().__init__(turn)
        self.said = said
        self._note = note

    def compose(self) -> ComposeResult:
        """Lay out who and when, the words, and what to know about them."""
        yield Static(self.header(), classes="who")
        yield Static(beginning(self.turn.text), classes="words", markup=False)
        if self.turn.attachments:
            yield Static(chips(self.turn.attachments), classes="chips", markup=False)
        if self._note:
            yield Static(self._note, classes="mark", markup=False)

    def header(self) -> Content:
        """Who said it and when."""
        return user_header(self.turn, self.place)


class ReplyTurn(TurnBox):
    """A reply, arriving or ended.

    Attributes:
        thoughts: What the model thought before it answered; `None` where it did not.
    """

    def __init__(self, turn: Turn, recalled: int = 0, notes: tuple[str, ...] = ()) -> None:
        super().__init__(turn)
        self.thoughts = Reasoning(turn.reasoning) if turn.reasoning else None
        self._recalled = recalled
        self._notes = list(notes)
        self._arrived: list[str] = [turn.text]
        self._pieces: list[str] = []
        self._fresh = False
        self._gathering: Timer | None = None
        self._waiting: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out who and when, what to know beforehand, the thoughts, the words, and how they ended."""
        yield Static(self.header(), classes="who")
        if self._notes:
            yield self._note_widget()
        if self.thoughts is not None:
            yield self.thoughts
        yield MarkdownText(self.turn.text)
        yield Static(mark(self.turn), classes="mark", markup=False)

    def on_mount(self) -> None:
        """Show the mark only where there is something to say."""
        self._say(WAITING if self.arriving and not self.turn.text else mark(self.turn))

    @property
    def words(self) -> str:
        """The reply as far as it has come."""
        return "".join(self._arrived) if self.arriving else self.turn.text

    def header(self) -> Content:
        """Who answered and when, on what it rests, and what it took."""
        return reply_header(self.turn, self.place, self._recalled, self.usage)

    def note(self, text: str) -> None:
        """Say something above the words, for good."""
        self._notes.append(text)
        if notes := self.query(".note"):
            notes.last(Static).update("\n".join(self._notes))
        else:
            self.mount(self._note_widget(), after=".who")

    def go_on(self, turn: Turn) -> None:
        """Take more of a reply that had ended."""
        self.turn = turn
        self._arrived = [turn.text]
        self._say(WAITING)

    def think(self, text: str) -> None:
        """Take the next piece of the thoughts."""
        if self.thoughts is None:
            self.thoughts = Reasoning()
            self.mount(self.thoughts, before="MarkdownText")
        self.thoughts.grow(text)
        self._gather()

    def grow(self, text: str) -> None:
        """Take the next piece: the first is drawn at once, others together within `GATHER_S`."""
        self._arrived.append(text)
        self._pieces.append(text)
        self._gather()

    def retry(self, event: Retrying) -> None:
        """Count down to the next attempt."""
        until = monotonic() + event.wait_s
        self._end_wait()
        self._count_down(event, until)
        self._waiting = self.set_interval(1.0, lambda: self._count_down(event, until))

    def fall_over(self, event: FellOver) -> None:
        """Say that another model answers."""
        self._end_wait()
        self.note(fell_over(self.turn.model or "The model", event))
        self.turn = replace(event.turn, text=self.turn.text)
        self._show_header()
        self._say(WAITING)

    async def end(self, turn: Turn, usage: Usage | None = None) -> None:
        """Draw what is left, and how it ended."""
        if self._gathering is not None:
            self._gathering.stop()
        await self._draw()
        if self.thoughts is not None:
            self.thoughts.end()
        self._end_wait()
        self.turn = turn
        self.usage = usage or self.usage
        self._show_header()
        self._say(mark(turn))

    def _gather(self) -> None:
        """Draw at once what comes after a rest, and let what follows soon wait for the rest of `GATHER_S`."""
        self._fresh = True
        if self._gathering is None:
            self._gathering = self.set_timer(GATHER_S, self._draw_gathered)
            self.call_next(self._draw)

    async def _draw_gathered(self) -> None:
        self._gathering = None
        if self._fresh:
            self._gather()

    async def _draw(self) -> None:
        self._fresh = False
        text = "".join(self._pieces)
        self._pieces.clear()
        if text:
            self._end_wait()
            self._say("")
            if self.thoughts is not None:
                self.thoughts.end()
            await self._extend(text)
        elif self.thoughts is not None and self.thoughts.thinking:
            self._end_wait()
            self._say("")
            self.thoughts.draw()

    async def _extend(self, text: str) -> None:
        """Lay out the growing end anew; what is settled before it is left alone."""
        from chatmem.ui.flat_markdown import settled

        end = self.query(MarkdownText).last()
        source = end.source + text
        cut = settled(source) if len(source) > SETTLE_CHARACTERS else 0
        end.update(source[:cut] or source)
        if cut:
            await self.mount(MarkdownText(source[cut:]).add_class("-continued"), before=".mark")

    def _count_down(self, event: Retrying, until: float) -> None:
        self._say(asking_again(event, ceil(until - monotonic())))

    def _end_wait(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None

    def _say(self, text: str) -> None:
        said = self.query_one(".mark", Static)
        said.update(text)
        said.display = bool(text)

    def _note_widget(self) -> Static:
        return Static("\n".join(self._notes), classes="note", markup=False)
