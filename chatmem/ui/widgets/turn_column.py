"""The turns of a conversation, one below the other."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from chatmem.domain.model import Usage
from chatmem.domain.turn import Role, Turn, TurnId
from chatmem.ui.widgets.excerpt import Excerpt
from chatmem.ui.widgets.turn_words import Place
from chatmem.ui.widgets.turns import ReplyTurn, TurnBox, UserTurn
from chatmem.ui.wording import counted

GREETING = (
    "Say something below. What matters of it will be remembered, and you can see, correct and erase all of it.\n\n"
    "F2 shows what is remembered, / lists the commands, F1 tells every key."
)


class MoreRow(Static):
    """The row in place of turns that are not mounted."""

    PLACE: ClassVar[str] = ""

    class Chosen(Message):
        """The person wants these turns."""

        def __init__(self, row: "MoreRow") -> None:
            self.row = row
            super().__init__()

    def on_click(self) -> None:
        """Ask for them."""
        self.post_message(self.Chosen(self))

    def tell(self, count: int) -> None:
        """Say how many there are; vanish where there is none."""
        self.display = bool(count)
        self.update(self.PLACE.format(turns=counted(count, "turn")))


class EarlierRow(MoreRow):
    """The row above the first turn shown, while there are others before it."""

    PLACE = "▲ {turns} before: scroll up or click"


class LaterRow(MoreRow):
    """The row below the last turn shown, while there are others after it."""

    PLACE = "▼ {turns} after: scroll down or click"


class TurnColumn(Vertical):
    """Mounts the turns of one conversation, as many as are needed."""

    def __init__(self) -> None:
        super().__init__()
        self._excerpt = Excerpt()
        self._usage: Mapping[TurnId, Usage] = {}
        self._alternatives: Mapping[TurnId, tuple[TurnId, ...]] = {}

    def compose(self) -> ComposeResult:
        """Lay out what stands around the turns."""
        yield EarlierRow()
        yield Static(GREETING, id="greeting", markup=False)
        yield LaterRow()

    def on_mount(self) -> None:
        """Begin empty."""
        self._show_rows()

    @property
    def boxes(self) -> list[TurnBox]:
        """The turns that are mounted, in order."""
        return list(self.query_children(TurnBox))

    @property
    def newest_shown(self) -> bool:
        """Whether the newest turn is among them."""
        return not self._excerpt.later

    def box(self, turn_id: TurnId) -> TurnBox | None:
        """A turn that is mounted; `None` where it is not."""
        return next((box for box in self.boxes if box.turn.id == turn_id), None)

    def holds(self, turn_id: TurnId) -> bool:
        """Whether a turn is in this conversation, mounted or not."""
        return turn_id in self._excerpt

    def neighbour(self, turn_id: TurnId, step: int) -> TurnId | None:
        """The alternative before a turn for -1, or after it for 1; `None` where there is none."""
        others = self._alternatives.get(turn_id, (turn_id,))
        number = others.index(turn_id) + step
        return others[number] if 0 <= number < len(others) else None

    async def show(self, turns: Sequence[Turn], at: TurnId | None = None) -> None:
        """Replace everything; only the newest turns are mounted, or those around `at`."""
        with self.app.batch_update():
            await self.query_children(TurnBox).remove()
            self._excerpt = Excerpt(turns, at)
            await self.mount_all(self._boxes(self._excerpt.turns), before="LaterRow")
            self._show_rows()

    async def show_newest(self) -> None:
        """Go back to the newest turns."""
        if not self.newest_shown:
            await self.show(self._excerpt.all)

    async def load_earlier(self) -> None:
        """Mount the turns before the first one."""
        await self.mount_all(self._boxes(self._excerpt.extend_back()), after="#greeting")
        self._show_rows()

    async def load_later(self) -> None:
        """Mount the turns after the last one."""
        await self.mount_all(self._boxes(self._excerpt.extend_on()), before="LaterRow")
        self._show_rows()

    async def add(self, box: TurnBox) -> None:
        """Add a turn at the end."""
        self._excerpt.append(box.turn)
        await self.mount(self._informed(box), before="LaterRow")
        self._show_rows()

    async def drop_from(self, turn_id: TurnId) -> None:
        """Take a turn and all after it off the screen."""
        self._excerpt.drop_from(turn_id)
        for box in [box for box in self.boxes if not self.holds(box.turn.id)]:
            await box.remove()
        self._show_rows()

    def tell(self, usage: Mapping[TurnId, Usage], alternatives: Mapping[TurnId, tuple[TurnId, ...]]) -> None:
        """Say of each turn what it took, and which of its alternatives it is."""
        self._usage, self._alternatives = usage, alternatives
        for box in self.boxes:
            self._informed(box)

    def keep(self, turn: Turn) -> None:
        """Take a turn as it is now, for when it is mounted anew."""
        self._excerpt.replace(turn)

    def _boxes(self, turns: Sequence[Turn]) -> list[TurnBox]:
        return [self._informed(UserTurn(turn) if turn.role is Role.USER else ReplyTurn(turn)) for turn in turns]

    def _informed(self, box: TurnBox) -> TurnBox:
        others = self._alternatives.get(box.turn.id, (box.turn.id,))
        place = Place(others.index(box.turn.id) + 1, len(others)) if box.turn.id in others else Place()
        box.know(place, self._usage.get(box.turn.id, box.usage))
        return box

    def _show_rows(self) -> None:
        self.query_one("#greeting").display = not self.boxes
        self.query_one(EarlierRow).tell(self._excerpt.earlier)
        self.query_one(LaterRow).tell(self._excerpt.later)
