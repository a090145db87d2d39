"""One memory by itself, to be traced to its words, walked from by its links, and corrected."""

from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from chatmem.domain.memory import MemoryId
from chatmem.domain.text import clean, shortened
from chatmem.ui.screens.memory_acts import GONE, MemoryActs
from chatmem.ui.services import MemoryDesk
from chatmem.ui.widgets.citation_calls import Place
from chatmem.ui.widgets.citation_words import unsourced
from chatmem.ui.widgets.key_line import KeyLine
from chatmem.ui.widgets.memory_calls import tried
from chatmem.ui.widgets.memory_detail import MemoryDetail
from chatmem.ui.widgets.memory_source import Dossier, gather

TURN_GONE = "The turn it rests on is gone."
CRUMB_LENGTH = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """How a memory was left.

    Attributes:
        forgotten: Whether anything was forgotten.
        changed: Whether anything was changed.
        place: Where the person wants to go; `None` back.
    """

    forgotten: bool = False
    changed: bool = False
    place: Place | None = None


class OneMemoryScreen(Screen[Left]):
    """Shows one memory, and those the person walks to from there.

    Args:
        services: What is behind the screen.
        memory_id: The first memory.
    """

    CSS_PATH = "memory.tcss"
    TITLE = "Memory"
    AUTO_FOCUS = "MemoryDetail"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "source", "Its words"),
        *(Binding(str(digit), f"walk({digit})", "Walk", key_display="1-9", show=digit == 1) for digit in range(1, 10)),
        Binding("backspace", "back", "Back", key_display="⌫"),
        Binding("e", "edit", "Edit"),
        Binding("p", "pin", "Pin"),
        Binding("S", "split", "Split"),
        Binding("w", "wrong", "Wrong"),
        Binding("f", "forget", "Forget"),
        Binding("escape,q", "close", "Leave", key_display="Esc"),
    ]

    def __init__(self, services: MemoryDesk, memory_id: MemoryId) -> None:
        super().__init__()
        self._services = services
        self._acts = MemoryActs(self, services)
        self._trail = [memory_id]
        self._names: dict[MemoryId, str] = {}
        self._dossier: Dossier | None = None
        self._left = Left()

    def compose(self) -> ComposeResult:
        """Lay out the way that led here above the memory."""
        yield Static("Reading…", id="memory-trail", markup=False)
        yield MemoryDetail(id="memory-detail")
        yield KeyLine(palette=False)

    def on_mount(self) -> None:
        """Start reading."""
        self._read()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what there is: links to walk, words to go to, a way back."""
        neighbours = self._dossier.neighbours if self._dossier else ()
        match action, parameters:
            case "walk", (int(place),):
                return place <= len(neighbours)
            case "back", _:
                return len(self._trail) > 1
            case (("source" | "edit" | "pin" | "split" | "wrong" | "forget"), _):
                return self._dossier is not None
            case _:
                return super().check_action(action, parameters)

    def action_close(self) -> None:
        """Go back to where the person came from."""
        self.dismiss(self._left)

    def action_walk(self, place: int) -> None:
        """Go to a neighbour."""
        if self._dossier and place <= len(self._dossier.neighbours):
            self._walk_to(self._dossier.neighbours[place - 1].memory.id)

    @on(MemoryDetail.Walked)
    def _walk(self, event: MemoryDetail.Walked) -> None:
        self._walk_to(event.memory_id)

    @on(MemoryDetail.SourceOpened)
    def _open_source(self, event: MemoryDetail.SourceOpened) -> None:
        self._leave(Place(event.turn.session_id, event.turn.id))

    def action_back(self) -> None:
        """Go back to the memory before."""
        if len(self._trail) > 1:
            self._trail.pop()
            self._read()

    def action_source(self) -> None:
        """Go to the newest turn that it rests on."""
        sources = self._dossier.sources if self._dossier else ()
        if self._dossier and not sources:
            self.notify(unsourced(self._dossier.memory.imported_from), timeout=5, markup=False)
        elif sources and (turn := sources[-1].turn):
            self._leave(Place(turn.session_id, turn.id))
        else:
            self.notify(TURN_GONE, timeout=5)

    @work(exclusive=True, group="dialog")
    async def action_edit(self) -> None:
        """Let the person change the memory."""
        self._note_changed(await self._acts.edit(self._here) is not None)

    @work(exclusive=True, group="dialog")
    async def action_pin(self) -> None:
        """Pin the memory, or take the pin off."""
        self._note_changed(await self._acts.pin(self._here))

    @work(exclusive=True, group="dialog")
    async def action_split(self) -> None:
        """Let the person make several memories of this one."""
        self._note_changed(await self._acts.split(self._here) is not None)

    @work(exclusive=True, group="dialog")
    async def action_wrong(self) -> None:
        """Let the person call the memory wrong."""
        self._note_changed(await self._acts.call_wrong([self._here]))

    @work(exclusive=True, group="dialog")
    async def action_forget(self) -> None:
        """Erase the memory, once the person has seen what goes along."""
        if await self._acts.forget([self._here]):
            self._left = Left(forgotten=True, changed=True)
            if len(self._trail) > 1:
                self.action_back()
            else:
                self.dismiss(self._left)

    @work(exclusive=True, group="read")
    async def _read(self) -> None:
        memory_id = self._here
        detail, trail = self.query_one(MemoryDetail), self.query_one("#memory-trail", Static)
        self._dossier = await tried(self, lambda: gather(self._services, memory_id))
        if self._dossier is None:
            trail.update("Not there any more")
            await detail.show_nothing(GONE)
        else:
            self._names[memory_id] = shortened(clean(self._dossier.memory.text), CRUMB_LENGTH)
            trail.update(" › ".join(self._names.get(id_, id_) for id_ in self._trail[-4:]))  # noqa: RUF001
            await detail.show(self._dossier)
        self.refresh_bindings()

    def _note_changed(self, changed: bool) -> None:
        if changed:
            self._left = Left(forgotten=self._left.forgotten, changed=True)
            self._read()

    def _walk_to(self, memory_id: MemoryId) -> None:
        self._trail.append(memory_id)
        self._read()

    def _leave(self, place: Place) -> None:
        self.dismiss(Left(forgotten=self._left.forgotten, changed=self._left.changed, place=place))

    @property
    def _here(self) -> MemoryId:
        return self._trail[-1]
