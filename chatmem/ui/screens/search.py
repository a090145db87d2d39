"""Searching over all sessions."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from chatmem.domain.turn import Role, Session, Turn
from chatmem.ports.session_log import SessionLog
from chatmem.ui.failures import telling
from chatmem.ui.widgets.hits import hit_line
from chatmem.ui.wording import short_date

SHOWN = 100
LINE_LENGTH = 76

HINT = "Enter opens the conversation there · Esc goes back"
NOTHING = "No turn holds these words."


@dataclass(frozen=True, slots=True)
class Hit:
    """A turn that holds what was looked for, and its session."""

    turn: Turn
    session: Session


class SearchScreen(ModalScreen[Hit | None]):
    """Finds words in all sessions; ends with the turn that was picked, or `None`."""

    CSS_PATH = "../dialogs.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("up", "move(-1)", "Up", show=False),
        Binding("down", "move(1)", "Down", show=False),
    ]

    def __init__(self, log: SessionLog, words: str = "") -> None:
        super().__init__()
        self._log = log
        self._words = words
        self._hits: Sequence[Hit] = ()

    def compose(self) -> ComposeResult:
        """Lay out what is looked for, and what was found."""
        with Vertical(classes="dialog"):
            yield Static("Search all conversations", classes="dialog-title")
            yield Input(self._words, placeholder="Words as they were said", compact=True, select_on_focus=False)
            yield OptionList(markup=False, compact=True)
            yield Static(HINT, id="search-said", classes="dialog-hint", markup=False)

    def action_leave(self) -> None:
        """Stay where one is."""
        self.dismiss(None)

    def action_move(self, by: int) -> None:
        """Move the highlight while the cursor stays in the words."""
        options = self.query_one(OptionList)
        if by < 0:
            options.action_cursor_up()
        else:
            options.action_cursor_down()

    @on(Input.Changed)
    def _look(self, event: Input.Changed) -> None:
        self._find(event.value.strip())

    @on(Input.Submitted)
    def _pick_highlighted(self) -> None:
        self.query_one(OptionList).action_select()

    @on(OptionList.OptionSelected)
    def _pick(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._hits[event.option_index])

    @work(exclusive=True, group="find")
    async def _find(self, wanted: str) -> None:
        with telling(self):
            self._hits = await asyncio.to_thread(_hits, self._log, wanted) if wanted else ()
            options = self.query_one(OptionList)
            options.clear_options()
            options.add_options([Option(_row(hit, wanted)) for hit in self._hits])
            options.action_first()
            self.query_one("#search-said", Static).update(HINT if self._hits or not wanted else NOTHING)


def _hits(log: SessionLog, wanted: str) -> list[Hit]:
    turns = log.search(wanted, limit=SHOWN)
    sessions = {session_id: log.session(session_id) for session_id in {turn.session_id for turn in turns}}
    return [Hit(turn, sessions[turn.session_id]) for turn in turns]


def _row(hit: Hit, wanted: str) -> Content:
    who = "you" if hit.turn.role is Role.USER else hit.turn.model or "answer"
    return Content.assemble(
        (" ".join(hit.session.title.split()), "bold $foreground"),
        (f" · {short_date(hit.turn.said_at)} · {hit.turn.speaker or who}\n", "$foreground-muted"),
        (hit_line(hit.turn.text, wanted, LINE_LENGTH), "$foreground"),
    )
