"""What the person has the chat screen learn."""

import asyncio

from textual import on, work

from chatmem.consolidation.profile_card import profile_card
from chatmem.domain.errors import ChatMemError
from chatmem.domain.memory import Memory, Status
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ui.failures import telling
from chatmem.ui.screens.chat_review import ChatReview
from chatmem.ui.widgets.recalled_pane import RecalledPane
from chatmem.ui.widgets.status_line import StatusLine
from chatmem.ui.widgets.turn_actions import Wish

NOTED_S = 8
PAUSED = "Learning is paused here: what you say now is neither learned nor recalled elsewhere. /pause goes on with it."
RESUMED = "Learning goes on; what was said while it was paused stays out of it."
USUAL_PROFILE = "default"
CARD_OF = 2000
"""The newest memories, of which the profile card is made."""
MARKED = {
    True: "Noted as of use: it fades more slowly.",
    False: "Noted as of no use: this does not count as a use of it.",
}


class ChatLearning(ChatReview):
    """The actions of the chat screen that have something learned."""

    @work(exclusive=True, group="learn")
    async def action_learn(self) -> None:
        """Have consolidated what waits."""
        with telling(self):
            await asyncio.to_thread(self._services.consolidate)

    @work(exclusive=True, group="pause")
    async def action_pause(self) -> None:
        """Pause learning in this conversation, or go on with it."""
        if (conversation := self.pane.conversation) is None:
            return
        with telling(self):
            await conversation.set_off_record(not conversation.session.off_record)
            self.show_mode()
            self.notify(PAUSED if conversation.session.off_record else RESUMED, timeout=NOTED_S)

    def show_mode(self) -> None:
        """Show which profile this is, and whether learning is paused or nothing is kept."""
        conversation, status = self.pane.conversation, self.query_one(StatusLine)
        status.off_record = conversation is not None and conversation.session.off_record
        status.incognito = self._services.incognito
        status.profile = self._services.profile if self._services.profile != USUAL_PROFILE else ""

    @work(group="remember")
    async def action_remember(self, text: str) -> None:
        """Keep a text as a memory, and show what was stored; one that can't be kept comes back."""
        with telling(self):
            try:
                memory = await asyncio.to_thread(self._services.curator.add, text)
            except ChatMemError:
                self.pane.prompt.restore(f"/remember {text}")
                raise
            self.notify(_stored(memory), timeout=NOTED_S, markup=False)
            self.count_waiting()

    def action_good(self) -> None:
        """Call the newest answer good, or that which is selected."""
        self.ask(Wish.GOOD)

    def action_bad(self) -> None:
        """Call it bad."""
        self.ask(Wish.BAD)

    def ask(self, wish: Wish) -> None:
        """Do something with the selected turn, or with the newest of which it can be asked."""
        raise NotImplementedError

    @on(RecalledPane.Marked)
    @work(group="judge")
    async def _mark_recalled(self, event: RecalledPane.Marked) -> None:
        with telling(self):
            await asyncio.to_thread(self._services.recall.mark, event.turn_id, event.item_id, used=event.used)
            self.notify(MARKED[event.used], timeout=3)

    @on(RecalledPane.Left)
    def _leave_recalled(self) -> None:
        self.pane.focus_prompt()

    @work(exclusive=True, group="card")
    async def action_card(self) -> None:
        """Show what is known of the user."""
        from chatmem.ui.screens.card import CardScreen

        with telling(self):
            known = MemoryFilter(status=Status.ACTIVE)
            memories = await asyncio.to_thread(self._services.memories.select, known, limit=CARD_OF)
            self.app.push_screen(CardScreen(profile_card(memories)))


def _stored(memory: Memory) -> str:
    """What became of a text that was to be remembered."""
    match memory.status:
        case Status.PENDING:
            return f"Waits for your word, F7: {memory.text}"
        case Status.ACTIVE:
            return f"Remembered as a {memory.kind.word}: {memory.text}"
        case _:
            return f"Kept, but {memory.status.value}: {memory.text}"
