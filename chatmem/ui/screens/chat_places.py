"""Where the chat screen leads: its turns and panes, searches, and other screens."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on, work
from textual.screen import Screen
from textual.widget import Widget

from chatmem.domain.errors import NotFoundError
from chatmem.domain.memory import MemoryId
from chatmem.domain.model import ModelChoice
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ui.failures import telling
from chatmem.ui.services import Services
from chatmem.ui.widgets.conversation_pane import ConversationPane
from chatmem.ui.widgets.recalled_pane import RecalledPane
from chatmem.ui.widgets.session_list import SessionList

if TYPE_CHECKING:
    from chatmem.ui.screens.one_memory import Left

NOTHING_SAID = "Nothing was said here yet."


class ChatPlaces(Screen[None]):
    """The actions of the chat screen that lead somewhere."""

    def __init__(self, services: Services, choice: ModelChoice | None) -> None:
        super().__init__()
        self._services = services
        self._choice = choice

    @property
    def pane(self) -> ConversationPane:
        """The conversation."""
        return self.query_one(ConversationPane)

    def go_to(self, session_id: SessionId, at: TurnId | None = None) -> None:
        """Open a session, at its end or at a turn."""
        raise NotImplementedError

    def use(self, choice: ModelChoice) -> None:
        """Talk to a model from the next turn on, and at the next start."""
        raise NotImplementedError

    def action_new(self) -> None:
        """Begin a new conversation."""
        raise NotImplementedError

    def _list_sessions(self) -> object:
        raise NotImplementedError

    def action_model(self, name: str = "") -> None:
        """Talk to the model of a name; without one, pick it."""
        if name:
            self._use_named(name)
        else:
            self._pick_model(self.use)

    async def action_turn(self, by: int) -> None:
        """Select the turn before, or after."""
        await self.pane.step(by)

    async def action_turn_offered(self, by: int) -> None:
        """The same, where the footer has room to offer it."""
        await self.pane.step(by)

    def action_memories(self, words: str = "") -> None:
        """Open the memory screen, perhaps with something to search."""
        from chatmem.ui.screens.memory import MemoryScreen

        self.app.push_screen(MemoryScreen(self._services, search=words), self._memories_left)

    def open_memory(self, memory_id: MemoryId) -> None:
        """Open one memory by itself."""
        from chatmem.ui.screens.one_memory import OneMemoryScreen

        self.app.push_screen(OneMemoryScreen(self._services, memory_id), self._memories_left)

    def _memories_left(self, left: "Left | None") -> None:
        """Come back from memories, to where the person wants to go."""
        if left is not None and left.forgotten:
            self.query_one(RecalledPane).reset()
            self.pane.reread()
            self._list_sessions()
        if left is not None and left.place is not None:
            self.go_to(left.place.session_id, left.place.turn_id)

    def action_sessions(self) -> None:
        """Go to the session list; from there, hide it."""
        sessions = self.query_one(SessionList)
        if sessions.display and sessions.has_focus_within:
            _set_shown(sessions, False)
            self.pane.focus_prompt()
        else:
            _set_shown(sessions, True)
            sessions.focus_list()

    @on(SessionList.Unwanted)
    def _forget_session(self, event: SessionList.Unwanted) -> None:
        """Erase a session, once the person has seen what goes along."""
        from chatmem.ui.screens.memory_dialogs import ForgetDialog

        def closed(forgotten: bool | None) -> None:
            if not forgotten:
                return
            self.query_one(RecalledPane).reset()
            if open_here:
                self.action_new()
            else:
                self.pane.reread()
            self._list_sessions()

        conversation = self.pane.conversation
        open_here = conversation is not None and conversation.session.id == event.session_id
        self.app.push_screen(ForgetDialog(self._services.forgetting, (), [event.session_id]), closed)

    def action_recalled(self) -> None:
        """Show or hide what was recalled."""
        recalled = self.query_one(RecalledPane)
        _set_shown(recalled, not recalled.display)

    def action_find(self) -> None:
        """Search in this conversation."""
        self.pane.find()

    def action_find_offered(self) -> None:
        """The same, where the footer has room to offer it."""
        self.pane.find()

    def action_search(self, words: str = "") -> None:
        """Search in all conversations, perhaps for words that are known already."""
        from chatmem.ui.screens.search import Hit, SearchScreen

        def picked(hit: Hit | None) -> None:
            if hit is not None:
                self.go_to(hit.session.id, hit.turn.id)

        self.app.push_screen(SearchScreen(self._services.log, words), picked)

    def action_export(self, name: str = "") -> None:
        """Write this conversation to a file, once its name is confirmed."""
        from chatmem.ui.screens.export import ExportDialog

        def written(file: Path | None) -> None:
            if file is not None:
                self.notify(f"Written to {file}", timeout=5, markup=False)

        conversation = self.pane.conversation
        if conversation is not None and conversation.session.turn_count:
            self.app.push_screen(ExportDialog(self._services, conversation.session, name), written)
        else:
            self.notify(NOTHING_SAID, timeout=3)

    def write(self, text: str) -> None:
        """Put a text into the prompt, and the cursor behind it."""
        self.pane.prompt.write(text)
        self.pane.focus_prompt()

    @work(exclusive=True, group="model")
    async def _use_named(self, name: str) -> None:
        with telling(self):
            choice = await asyncio.to_thread(self._services.models.resolve, name)
            if "/" not in choice.model:
                raise NotFoundError(f"There is no model {name}. /model alone lists them.")
            self.use(choice)

    def _pick_model(self, use: Callable[[ModelChoice], object]) -> None:
        from chatmem.ui.screens.models import ModelPicker

        def picked(choice: ModelChoice | None) -> None:
            if choice is not None:
                use(choice)

        self.app.push_screen(ModelPicker(self._services, self._choice.name if self._choice else ""), picked)


def _set_shown(pane: Widget, shown: bool) -> None:
    """Show or hide a pane whatever the width of the screen."""
    pane.set_class(shown, "-asked")
    pane.set_class(not shown, "-dismissed")
