"""What the person has the chat screen learn."""

import asyncio

from textual import work

from chatmem.domain.errors import ChatMemError
from chatmem.domain.memory import Memory, Status
from chatmem.ui.failures import telling
from chatmem.ui.screens.chat_places import ChatPlaces

NOTED_S = 8


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


def _stored(memory: Memory) -> str:
    """What became of a text that was to be remembered."""
    match memory.status:
        case Status.PENDING:
            return f"Waits for your word, F2: {memory.text}"
        case Status.ACTIVE:
            return f"Remembered as a {memory.kind.word}: {memory.text}"
        case _:
            return f"Kept, but {memory.status.value}: {memory.text}"
