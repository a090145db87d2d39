"""What the person asks the chat screen of an answer: what it rested on."""

import asyncio
from datetime import UTC, date, datetime
from functools import partial

from textual import on, work

from chatmem.conversation.as_of import day_named
from chatmem.domain.memory import MemoryId
from chatmem.domain.model import ModelChoice
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import TurnId
from chatmem.ui.failures import telling
from chatmem.ui.screens.chat_learning import ChatLearning
from chatmem.ui.services import Services
from chatmem.ui.widgets.citation_calls import CitationOpened, ForgetAsked, Place, SourceAsked
from chatmem.ui.widgets.citation_words import ONLY_MEMORIES, unsourced
from chatmem.ui.widgets.recalled_pane import RecalledPane
from chatmem.ui.widgets.status_line import StatusLine
from chatmem.ui.widgets.turn_actions import BY_WISH, Wish

NO_ANSWER = "There is no answer to explain yet."
THEN = "From the next turn on, recall knows what was known on {day}. /as-of alone comes back to the present."
NOW = "Recall knows the present again."
NEVER_LEFT = "Recall knows the present. /as-of 2026-03-04 goes back to a day."


class ChatCiting(ChatLearning):
    """The actions of the chat screen that trace an answer to what it rested on."""

    def __init__(self, services: Services, choice: ModelChoice | None) -> None:
        super().__init__(services, choice)
        self._as_of: date | None = None

    def action_why(self) -> None:
        """Explain the selected answer, or else the newest."""
        box = self.pane.transcript.on_which(BY_WISH[Wish.WHY])
        if box is None:
            self.notify(NO_ANSWER, timeout=3)
        else:
            self.explain(box.turn.id)

    def explain(self, turn_id: TurnId) -> None:
        """Show what the answer to a turn, or a turn that is an answer, rested on."""
        from chatmem.ui.screens.why import WhyScreen

        def left(place: Place | None) -> None:
            if place is not None:
                self.go_to(place.session_id, place.turn_id)

        if (conversation := self.pane.conversation) is not None:
            explain = partial(self._services.explaining.explain, turn_id, conversation.traces.parts)
            self.app.push_screen(WhyScreen(self._services, explain, self._forget_words), left)

    def action_context(self) -> None:
        """Show what was sent for the selected answer, or else the newest; without one, what would be sent."""
        from chatmem.ui.screens.context import ContextScreen

        if (conversation := self.pane.conversation) is not None:
            box = self.pane.transcript.on_which(BY_WISH[Wish.WHY])
            recalled = self._services.explaining.recalled
            sent = partial(conversation.context_of, box.turn.id, recalled) if box else None
            self.app.push_screen(ContextScreen(sent, partial(conversation.next_context, self.pane.prompt.words)))

    @work(exclusive=True, group="as-of")
    async def action_as_of(self, day: str = "") -> None:
        """Recall as of a day from now on; without one, as of the present again."""
        with telling(self):
            was, self._as_of = self._as_of, await asyncio.to_thread(day_named, day, datetime.now(UTC)) if day else None
            self._take_as_of()
            if self._as_of is not None:
                self.notify(THEN.format(day=_day(self._as_of)), timeout=6, markup=False)
            else:
                self.notify(NOW if was else NEVER_LEFT, timeout=4)

    def _take_as_of(self) -> None:
        """Have the conversation recall as of the day that was chosen."""
        if self.pane.conversation is not None:
            self.pane.conversation.as_of = self._as_of
        self.query_one(StatusLine).as_of = _day(self._as_of) if self._as_of else ""

    @on(CitationOpened)
    def _open_citation(self, event: CitationOpened) -> None:
        if event.item.source.is_memory:
            self.open_memory(MemoryId(event.item.id))
        else:
            self._go_to_source(event.item)

    @on(SourceAsked)
    def _show_source(self, event: SourceAsked) -> None:
        self._go_to_source(event.item)

    @on(ForgetAsked)
    def _forget_citation(self, event: ForgetAsked) -> None:
        if not event.item.source.is_memory:
            self.notify(ONLY_MEMORIES, timeout=6)
            return
        from chatmem.ui.screens.memory_dialogs import ForgetDialog

        def closed(forgotten: bool | None) -> None:
            if forgotten:
                self._forget_words()

        self.app.push_screen(ForgetDialog(self._services.forgetting, [MemoryId(event.item.id)]), closed)

    @work(exclusive=True, group="source")
    async def _go_to_source(self, item: Recalled) -> None:
        with telling(self):
            citation = await asyncio.to_thread(self._services.explaining.source, item)
            if citation is None or citation.session_id is None:
                self.notify(unsourced(citation.imported_from if citation else ""), timeout=5, markup=False)
            else:
                self.go_to(citation.session_id, citation.turn_id)

    def _forget_words(self) -> None:
        """Show the chat without what was forgotten."""
        self.query_one(RecalledPane).reset()
        self.pane.reread()
        self._list_sessions()


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
