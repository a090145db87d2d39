"""Searching in the conversation that is open."""

import asyncio
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

from chatmem.domain.turn import SessionId, Turn, TurnId
from chatmem.ports.session_log import SessionLog
from chatmem.ui.failures import telling
from chatmem.ui.widgets.hits import hit_line

HINT = "type to find · ↑ ↓ others · Enter stays there · Esc closes"
LINE_LENGTH = 48


class FindBar(Horizontal):
    """Finds words in one session, and goes from one turn that holds them to the next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,shift+f3", "go(1)", "Before", show=False),
        Binding("down", "go(-1)", "After", show=False),
        Binding("escape", "close", "Close", show=False),
    ]

    class Found(Message):
        """A turn holds what is looked for, and the person wants to see it."""

        def __init__(self, turn_id: TurnId) -> None:
            self.turn_id = turn_id
            super().__init__()

    class Closed(Message):
        """The person is done; `stay` is whether at the turn that was found."""

        def __init__(self, stay: bool) -> None:
            self.stay = stay
            super().__init__()

    def __init__(self, log: SessionLog) -> None:
        super().__init__()
        self._log = log
        self._session_id: SessionId | None = None
        self._hits: list[Turn] = []
        self._at = 0

    def compose(self) -> ComposeResult:
        """Lay out what is looked for, and what was found."""
        yield Input(placeholder="Find in this conversation", compact=True, select_on_focus=True)
        yield Static(HINT, id="found", markup=False)

    def open(self, session_id: SessionId) -> None:
        """Begin to look in a session; what was looked for before can be looked for again."""
        self._session_id = session_id
        self.display = True
        self.query_one(Input).focus()
        self._find()

    def action_go(self, by: int) -> None:
        """Go to an older hit for 1, to a newer one for -1."""
        if self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._show()

    def action_close(self) -> None:
        """Go back to the prompt."""
        self._close(stay=False)

    @on(Input.Submitted)
    def _stay(self, event: Input.Submitted) -> None:
        event.stop()
        self._close(stay=bool(self._hits))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._find()

    @work(exclusive=True, group="find")
    async def _find(self) -> None:
        with telling(self):
            wanted = self.query_one(Input).value.strip()
            found: list[Turn] = []
            if wanted and self._session_id is not None:
                found = await asyncio.to_thread(self._log.search, wanted, session_id=self._session_id)
            self._hits, self._at = found, 0
            self._show()

    def _show(self) -> None:
        wanted = self.query_one(Input).value.strip()
        said = self.query_one("#found", Static)
        if self._hits:
            hit = self._hits[self._at]
            said.update(f"{self._at + 1} of {len(self._hits)} · {hit_line(hit.text, wanted, LINE_LENGTH)}")
            self.post_message(self.Found(hit.id))
        else:
            said.update("nothing found" if wanted else HINT)

    def _close(self, *, stay: bool) -> None:
        self.display = False
        self.post_message(self.Closed(stay))
