"""What was typed but not sent, kept for when the session is opened again."""

import asyncio
from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

from chatmem.domain.turn import SessionId
from chatmem.ui.failures import telling
from chatmem.ui.services import Services

QUIET_S = 0.5
"""A draft is saved once nothing was typed for this long."""


class Drafts:
    """Saves drafts shortly after the person has paused, one session at a time.

    Args:
        node: Runs the timer and the worker.
        services: Where drafts are kept, without the secrets in them.
        typed: Tells what stands in the prompt.
    """

    def __init__(self, node: Widget, services: Services, typed: Callable[[], str]) -> None:
        self._node = node
        self._services = services
        self._typed = typed
        self._session_id: SessionId | None = None
        self._opened = False
        self._saved = ""
        self._timer: Timer | None = None
        self._lock = asyncio.Lock()

    def changed(self) -> None:
        """Something was typed."""
        if not self._opened:
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._node.set_timer(QUIET_S, self._save_soon)

    async def save(self) -> None:
        """Save what stands in the prompt now; before a session is open, beside the draft that waits for a new one.

        Raises:
            StoreError: If it could not be kept.
        """
        if self._timer is not None:
            self._timer.stop()
        async with self._lock:
            if not self._opened and self._typed():
                self._saved = await asyncio.to_thread(self._services.log.draft, None)
                await asyncio.to_thread(
                    self._services.conversations.save_draft, None, "\n".join(filter(None, (self._saved, self._typed())))
                )
            elif self._opened and (text := self._typed()) != self._saved:
                await asyncio.to_thread(self._services.conversations.save_draft, self._session_id, text)
                self._saved = text

    async def turn_to(self, session_id: SessionId | None) -> str:
        """Save the draft of the session that was open, and give that of another one.

        Raises:
            StoreError: If it could not be kept or read.
        """
        if self._opened:
            await self.save()
        saved = await asyncio.to_thread(self._services.log.draft, session_id)
        self._session_id, self._saved, self._opened = session_id, saved, True
        self.changed()
        return saved

    def sent(self, session_id: SessionId) -> None:
        """The draft is a turn now, of a session that may have been new."""
        self._node.run_worker(self._drop(session_id), group="draft-sent")

    def _save_soon(self) -> None:
        self._node.run_worker(self._save_telling(), group="draft", exclusive=True)

    async def _save_telling(self) -> None:
        with telling(self._node):
            await self.save()

    async def _drop(self, session_id: SessionId) -> None:
        with telling(self._node):
            async with self._lock:
                if self._saved:
                    await asyncio.to_thread(self._services.conversations.save_draft, self._session_id, "")
                self._saved, self._session_id = "", session_id
            self.changed()
