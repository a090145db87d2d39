"""What the chat screen shows of what waits and what changed, and the screens for it."""

import asyncio

from textual import events, on, work

from chatmem.domain.memory import Quote, Status
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ui.failures import telling
from chatmem.ui.screens.chat_places import ChatPlaces
from chatmem.ui.widgets.status_line import StatusLine


class ChatReview(ChatPlaces):
    """The actions of the chat screen that lead to what waits, what changed, and how memory does."""

    _memories_open = False
    """Whether memories are loaded: counting what waits before that would load them while the person begins to type."""

    def action_review(self) -> None:
        """Show what waits for the person's word."""
        from chatmem.ui.screens.review import ReviewScreen

        def closed(quote: Quote | None) -> None:
            if quote is not None:
                self.go_to(quote.session_id, quote.turn_id)

        self.app.push_screen(ReviewScreen(self._services), closed)

    def action_changes(self) -> None:
        """Show what changed in memory."""
        from chatmem.ui.screens.changes import ChangesScreen

        self.app.push_screen(ChangesScreen(self._services))

    def action_health(self) -> None:
        """Show how memory does."""
        from chatmem.ui.screens.health import HealthScreen

        self.app.push_screen(HealthScreen(self._services))

    def action_tombstones(self) -> None:
        """Show what forgetting left behind."""
        from chatmem.ui.screens.tombstones import TombstonesScreen

        self.app.push_screen(TombstonesScreen(self._services.tombstones))

    def count_waiting(self, *, opened: bool = False) -> None:
        """Show how many memories wait, once memories are loaded; `opened` says that they are."""
        self._memories_open = self._memories_open or opened
        if self._memories_open:
            self._count_waiting()

    @on(events.ScreenResume)
    def _count_anew(self) -> None:
        self.count_waiting()

    @work(exclusive=True, group="waiting")
    async def _count_waiting(self) -> None:
        with telling(self):
            pending = MemoryFilter(status=Status.PENDING)
            waiting = await asyncio.to_thread(self._services.memories.select, pending)
            self.query_one(StatusLine).to_review = len(waiting)
