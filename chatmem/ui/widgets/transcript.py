"""The transcript of a conversation."""

from collections.abc import Sequence
from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from chatmem.domain.turn import Role, Turn, TurnStatus
from chatmem.ui.widgets.markdown_text import MarkdownText
from chatmem.ui.widgets.turns import ReplyTurn, UserTurn
from chatmem.ui.wording import counted

TAIL = 30
"""Turns mounted when a session is opened, and each time more are asked for."""

UNRECORDED = "the end of this answer could not be recorded."

GREETING = "Say something below. What matters of it will be remembered, and you can see, correct and erase all of it."


class EarlierRow(Static):
    """The row above the first turn shown, while there are others before it."""

    class Chosen(Message):
        """The person wants the turns before."""

    def on_click(self) -> None:
        """Ask for them."""
        self.post_message(self.Chosen())


class Transcript(VerticalScroll):
    """The turns of one conversation; it stays at the newest until the person scrolls away."""

    def compose(self) -> ComposeResult:
        """Lay out what stands around the turns."""
        with Vertical(id="turns"):
            yield EarlierRow(id="earlier")
            yield Static(GREETING, id="greeting", markup=False)

    def on_mount(self) -> None:
        """Begin empty, and hold on to the bottom."""
        self._earlier: list[Turn] = []
        self._settled = False
        self._show_row()
        self.anchor()

    @property
    def last_answer(self) -> str:
        """The words of the newest reply; empty where there is none."""
        replies = self.query(ReplyTurn)
        return replies.last().words if replies else ""

    async def show(self, turns: Sequence[Turn]) -> None:
        """Replace everything by a session's turns; only the newest are mounted."""
        self._settled = False
        await self.query("UserTurn, ReplyTurn").remove()
        self._earlier = list(turns[:-TAIL])
        self._show_row()
        self.query_one("#greeting").display = not turns
        await self._turns.mount_all(map(_widget, turns[-TAIL:]))
        self.anchor()
        self.call_after_refresh(self._settle)

    async def add(self, turn: Turn, note: str = "") -> None:
        """Add a turn of the person."""
        self.query_one("#greeting").display = False
        await self._turns.mount(UserTurn(turn, note))
        self.anchor()

    async def begin_reply(self, turn: Turn, recalled: int) -> None:
        """Add a reply that will grow."""
        await self._turns.mount(ReplyTurn(turn, recalled))

    def grow(self, text: str) -> None:
        """Add a piece to the reply that is arriving."""
        self.query(ReplyTurn).last().grow(text)

    async def end_reply(self, turn: Turn) -> None:
        """Finish the reply that was arriving."""
        await self.query(ReplyTurn).last().end(turn)

    async def break_off(self) -> None:
        """Finish a reply whose end could not be recorded; does nothing where all is well."""
        for reply in self.query(ReplyTurn):
            if reply.arriving:
                await reply.end(replace(reply.turn, text=reply.words, status=TurnStatus.FAILED, error=UNRECORDED))

    async def load_earlier(self) -> None:
        """Mount the turns before the first one shown; what is on the screen stays where it is."""
        if not self._earlier:
            return
        self._settled = False
        batch, self._earlier = self._earlier[-TAIL:], self._earlier[:-TAIL]
        below = self.max_scroll_y - self.scroll_y
        await self._turns.mount_all(map(_widget, batch), after="#greeting")
        self._show_row()
        self.call_after_refresh(self._keep_place, below)

    def page(self, direction: int) -> None:
        """Scroll by a page, up for -1 and down for 1."""
        if direction < 0:
            self.release_anchor()
            self.scroll_page_up(animate=False)
        else:
            self.scroll_page_down(animate=False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Load what is before when the person has come to the top."""
        super().watch_scroll_y(old_value, new_value)
        if self._settled and new_value == 0 < old_value:
            self.query_one(EarlierRow).post_message(EarlierRow.Chosen())

    @on(EarlierRow.Chosen)
    async def _load(self, event: EarlierRow.Chosen) -> None:
        event.stop()
        await self.load_earlier()

    @on(MarkdownText.LinkFollowed)
    def _open_link(self, event: MarkdownText.LinkFollowed) -> None:
        event.stop()
        if event.href.startswith(("https://", "http://")):
            self.app.open_url(event.href)

    @property
    def _turns(self) -> Vertical:
        return self.query_one("#turns", Vertical)

    def _show_row(self) -> None:
        row = self.query_one(EarlierRow)
        row.display = bool(self._earlier)
        row.update(f"▲ {counted(len(self._earlier), 'earlier turn')}: scroll up or click")

    def _keep_place(self, below: float) -> None:
        self.scroll_to(y=self.max_scroll_y - below, animate=False)
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self._settled = True


def _widget(turn: Turn) -> UserTurn | ReplyTurn:
    return UserTurn(turn) if turn.role is Role.USER else ReplyTurn(turn)
