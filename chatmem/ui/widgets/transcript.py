"""The transcript of a conversation: it scrolls, and one of its turns can be selected."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message

from chatmem.domain.model import Usage
from chatmem.domain.turn import Turn, TurnId, TurnStatus
from chatmem.ui.widgets.markdown_text import MarkdownText
from chatmem.ui.widgets.turn_actions import ACTIONS, BY_WISH, LETTERS, TurnAction, Wish
from chatmem.ui.widgets.turn_column import EarlierRow, LaterRow, MoreRow, TurnColumn
from chatmem.ui.widgets.turns import ReplyTurn, TurnBox, UserTurn

UNRECORDED = "the end of this answer could not be recorded."


class Transcript(VerticalScroll):
    """The turns of one conversation; it stays at the newest until the person scrolls away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k,ctrl+up,alt+up", "step(-1)", "Turn before", show=False),
        Binding("down,j,ctrl+down,alt+down", "step(1)", "Turn after", show=False),
        Binding("escape,enter", "leave", "Back", show=False),
        *(Binding(action.key, f"ask('{action.wish}')", action.title, show=False) for action in ACTIONS),
    ]

    class Selected(Message):
        """Another turn is selected, or none."""

    class Asked(Message):
        """The person wants something of a turn."""

        def __init__(self, wish: Wish, box: TurnBox) -> None:
            self.wish = wish
            self.box = box
            super().__init__()

    class Left(Message):
        """The person goes back to the prompt, with a letter if they began to type."""

        def __init__(self, typed: str = "") -> None:
            self.typed = typed
            super().__init__()

    def compose(self) -> ComposeResult:
        """Lay out the turns."""
        yield TurnColumn()

    def on_mount(self) -> None:
        """Begin empty, and hold on to the bottom."""
        self.selected: TurnBox | None = None
        self._settled = False
        self.anchor()

    @property
    def last_answer(self) -> str:
        """The words of the newest reply; empty where there is none."""
        replies = self.query(ReplyTurn)
        return replies.last().words if replies else ""

    @property
    def reply(self) -> ReplyTurn:
        """The newest reply."""
        return self.query(ReplyTurn).last()

    def on_which(self, action: TurnAction) -> TurnBox | None:
        """The turn that an action would be about: the selected one, else the newest of which it can be asked."""
        if self.selected is not None:
            return self.selected if action.applies(self.selected) else None
        return next((box for box in reversed(self._turns.boxes) if action.applies(box)), None)

    async def show(self, turns: Sequence[Turn], at: TurnId | None = None) -> None:
        """Replace everything by a session's turns, and go to the newest, or select the turn `at`."""
        self._settled = False
        self.select(None)
        await self._turns.show(turns, at)
        if at is None:
            self.anchor()
        self.call_after_refresh(self._settle, at)

    async def add(self, turn: Turn, note: str = "", said: str = "") -> None:
        """Add a turn of the person, with what there is to know of it, and its words if some were taken out."""
        await self._turns.show_newest()
        await self._turns.add(UserTurn(turn, note, said))
        self.anchor()

    async def begin_reply(self, turn: Turn, recalled: int, notes: Sequence[str] = ()) -> None:
        """Add a reply that will grow, or let one that had ended grow on."""
        await self._turns.show_newest()
        box = self._turns.box(turn.id)
        if isinstance(box, ReplyTurn):
            box.go_on(turn)
        else:
            await self._turns.add(ReplyTurn(turn, recalled, tuple(notes)))

    async def end_reply(self, turn: Turn, usage: Usage) -> None:
        """Finish the reply that was arriving."""
        await self.reply.end(turn, usage)
        self._turns.keep(turn)

    async def break_off(self) -> None:
        """Finish a reply whose end could not be recorded; does nothing where all is well."""
        for reply in self.query(ReplyTurn):
            if reply.arriving:
                await reply.end(replace(reply.turn, text=reply.words, status=TurnStatus.FAILED, error=UNRECORDED))

    async def drop_from(self, turn_id: TurnId) -> None:
        """Take a turn and all after it off the screen."""
        self.select(None)
        await self._turns.drop_from(turn_id)

    def tell(self, usage: Mapping[TurnId, Usage], alternatives: Mapping[TurnId, tuple[TurnId, ...]]) -> None:
        """Say of each turn what it took, and which of its alternatives it is."""
        self._turns.tell(usage, alternatives)
        self.post_message(self.Selected())

    def neighbour(self, turn_id: TurnId, step: int) -> TurnId | None:
        """The alternative before a turn for -1, or after it for 1; `None` where there is none."""
        return self._turns.neighbour(turn_id, step)

    def after(self, turn_id: TurnId) -> TurnId | None:
        """The turn that follows a mounted one; `None` where there is none."""
        ids = [box.turn.id for box in self._turns.boxes]
        return next((after for before, after in pairwise(ids) if before == turn_id), None)

    def shows(self, turn_id: TurnId) -> bool:
        """Whether a turn is mounted."""
        return self._turns.box(turn_id) is not None

    def select(self, turn_id: TurnId | None) -> None:
        """Select a turn that is mounted and bring it into view, or none."""
        if self.selected is not None:
            self.selected.remove_class("-selected")
        self.selected = self._turns.box(turn_id) if turn_id else None
        if self.selected is not None:
            self.selected.add_class("-selected")
            self.release_anchor()
            self.scroll_to_widget(self.selected, animate=False, top=self.selected.size.height > self.size.height)
        elif self.is_vertical_scroll_end and self._turns.newest_shown:
            self.anchor()
        self.post_message(self.Selected())

    async def step(self, by: int) -> None:
        """Select the turn before for -1, or after for 1; beyond the newest, go back to the prompt."""
        if loading := by < 0 and self.selected is not None and self.selected is self._turns.boxes[0]:
            await self.load_earlier()
        boxes = self._turns.boxes
        number = (boxes.index(self.selected) if self.selected in boxes else len(boxes)) + by
        if number >= len(boxes):
            self.post_message(self.Left())
        elif number < 0:
            self.scroll_home(animate=False)
        elif loading:
            self.call_after_refresh(self.select, boxes[number].turn.id)  # before that it has no place to scroll to
        else:
            self.select(boxes[number].turn.id)

    async def load_earlier(self) -> None:
        """Mount the turns before the first one shown; what is on the screen stays where it is."""
        self._settled = False
        below = self.max_scroll_y - self.scroll_y
        await self._turns.load_earlier()
        self.call_after_refresh(self._keep_place, below)

    def page(self, direction: int) -> None:
        """Scroll by a page, up for -1 and down for 1."""
        if direction < 0:
            self.release_anchor()
            self.scroll_page_up(animate=False)
        else:
            self.scroll_page_down(animate=False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Load what is before when the person has come to the top, and what is after at the bottom."""
        super().watch_scroll_y(old_value, new_value)
        if self._settled and new_value == 0 < old_value:
            self.query_one(EarlierRow).on_click()
        elif self._settled and old_value < new_value == self.max_scroll_y and not self._turns.newest_shown:
            self.query_one(LaterRow).on_click()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer of a turn only what applies to it."""
        if action == "ask":
            return self.selected is not None and BY_WISH[Wish(str(parameters[0]))].applies(self.selected)
        return super().check_action(action, parameters)

    async def action_step(self, by: int) -> None:
        """Select the turn before or after."""
        await self.step(by)

    def action_leave(self) -> None:
        """Go back to the prompt."""
        self.post_message(self.Left())

    def action_ask(self, wish: str) -> None:
        """Ask something of the selected turn."""
        if self.selected is not None:
            self.post_message(self.Asked(Wish(wish), self.selected))

    def on_click(self, event: events.Click) -> None:
        """Select the turn under the mouse, unless text was marked with it."""
        box = next((node for node in (event.widget or self).ancestors_with_self if isinstance(node, TurnBox)), None)
        if box is not None and not self.screen.get_selected_text():
            self.select(box.turn.id)

    def on_key(self, event: events.Key) -> None:
        """Whoever types something else means the prompt."""
        letter = event.character
        if letter and event.is_printable and letter not in LETTERS | {"j", "k", "?"}:
            event.stop()
            self.post_message(self.Left(letter))

    @on(MoreRow.Chosen)
    async def _load(self, event: MoreRow.Chosen) -> None:
        event.stop()
        if isinstance(event.row, EarlierRow):
            await self.load_earlier()
        else:
            self.release_anchor()  # the turns that come stand below what is on the screen
            await self._turns.load_later()

    @on(MarkdownText.LinkFollowed)
    def _open_link(self, event: MarkdownText.LinkFollowed) -> None:
        event.stop()
        if event.href.startswith(("https://", "http://")):
            self.app.open_url(event.href)

    @property
    def _turns(self) -> TurnColumn:
        return self.query_one(TurnColumn)

    def _keep_place(self, below: float) -> None:
        self.scroll_to(y=self.max_scroll_y - below, animate=False)
        self.call_after_refresh(self._settle)

    def _settle(self, at: TurnId | None = None) -> None:
        self._settled = True
        if at is not None:
            self.select(at)
