"""What the person has the chat screen learn."""

import asyncio

from textual import work

from chatmem.consolidation.profile_card import profile_card
from chatmem.domain.errors import ChatMemError
from chatmem.domain.memory import Memory, Status
from chatmem.ports.memory_store import MemoryFilter
from chatmem.ui.failures import telling
from chatmem.ui.screens.chat_places import ChatPlaces

NOTED_S = 8
CARD_OF = 2000
"""The newest memories, of which the profile card is made."""


class ChatLearning(ChatPlaces):
    """The actions of the chat screen that have something learned."""

    @work(exclusive=True, group="learn")
    async def action_learn(self) -> None:
        """Have consolidated what waits."""
        with telling(self):
            await asyncio.to_thread(self._services.consolidate)

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
            return f"Waits for your word, F2: {memory.text}"
        case Status.ACTIVE:
            return f"Remembered as a {memory.kind.word}: {memory.text}"
        case _:
            return f"Kept, but {memory.status.value}: {memory.text}"
