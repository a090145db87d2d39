"""The tombstones screen: what forgetting left behind, without a word of it, and taking it away."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from chatmem.forgetting.tombstones import Gravestone, Tombstones
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_words import moment
from chatmem.ui.widgets.row_list import RowList
from chatmem.ui.wording import counted

MEANING = (
    "A tombstone keeps what was forgotten from being learned or imported again. "
    "It holds no text: only hashes, which tell nothing by themselves. "
    "Remove it, and it may be learned again from what is said."
)
NONE = "There are no tombstones. Whatever is forgotten for good leaves one."
SURE = "Press x again to remove it: what was forgotten there may be learned again."


class TombstoneList(RowList[Gravestone]):
    """Tombstones, the newest first."""


class TombstonesScreen(Screen[None]):
    """Lists tombstones; one is removed when the person says so twice."""

    CSS_PATH = "tombstones.tcss"
    TITLE = "Tombstones"
    AUTO_FOCUS = "TombstoneList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "remove", "Remove"),
        Binding("r", "reload", "Reload"),
        Binding("escape", "close", "Chat", key_display="Esc"),
    ]

    def __init__(self, tombstones: Tombstones) -> None:
        """Open the screen.

        Args:
            tombstones: Lists and removes them; blocks.
        """
        super().__init__()
        self._tombstones = tombstones
        self._asked: Gravestone | None = None

    def compose(self) -> ComposeResult:
        """Lay out the list below what tombstones are for."""
        yield Static("Reading…", id="tombstones-top", markup=False)
        yield Static(MEANING, id="tombstones-meaning", markup=False)
        with Container():
            yield TombstoneList()
        yield KeyLine(palette=False)

    def on_mount(self) -> None:
        """Start reading."""
        self.action_reload()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to remove what there is."""
        if action == "remove":
            return self.is_mounted and self._list.item is not None
        return super().check_action(action, parameters)

    def action_close(self) -> None:
        """Go back to the chat."""
        self.dismiss(None)

    @work(exclusive=True, group="read")
    async def action_reload(self) -> None:
        """Read the list anew."""
        self._show(await tried(self, self._tombstones.list))

    @work(exclusive=True, group="remove")
    async def action_remove(self) -> None:
        """Remove the highlighted one, the second time that the person asks for it."""
        wanted = self._list.item
        if wanted is None or wanted != self._asked:
            self._asked = wanted
            self.notify(SURE, timeout=5, markup=False)
            return

        def removed() -> Sequence[Gravestone]:
            self._tombstones.remove([wanted.id])
            return self._tombstones.list()

        self._show(await tried(self, removed))

    @on(OptionList.OptionHighlighted)
    def _follow(self) -> None:
        self.refresh_bindings()

    def _show(self, found: Sequence[Gravestone] | None) -> None:
        self._asked = None
        top = self.query_one("#tombstones-top", Static)
        if found is None:
            top.update("Not read; r tries again")
            return
        self._list.fill([(row(one), one) for one in found], keep=self._list.item)
        self._list.display = bool(found)
        top.update(f"{counted(len(found), 'tombstone')}, newest first" if found else NONE)
        self.refresh_bindings()

    @property
    def _list(self) -> TombstoneList:
        return self.query_one(TombstoneList)


def row(one: Gravestone) -> Content:
    """A tombstone in a line."""
    known = "known in these words and others" if one.paraphrases else "known in these words"
    return Content.assemble(
        (f"{moment(one.made_at)}  ", "$foreground-muted"),
        f"{one.of:<10}  {counted(one.marks, 'mark'):<9}  ",
        (known, "$foreground-muted"),
    )
