"""A reply, from its first piece to its place in the session log."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from time import perf_counter

from chatmem.domain.errors import ChatMemError
from chatmem.domain.model import EndPart, ReplyPart, TextPart, Usage
from chatmem.domain.text import clean
from chatmem.domain.turn import Turn, TurnStatus
from chatmem.ports.session_log import SessionLog

SAVE_EVERY_S = 0.5
"""At most this much of a reply is lost to kill -9; a save costs one fsync."""

SIGN_OF_LIFE_S = 2.0
"""A reply that is saved less often than this has nobody to save it any more."""

logger = logging.getLogger(__name__)


class Reply:
    """One reply on its way.

    Attributes:
        turn: The reply's turn as far as it has come.
        usage: What it consumed, once it has ended.
        reason: Why the model ended.
        first_at: `perf_counter` of its first piece; `None` before.
    """

    def __init__(self, log: SessionLog, turn: Turn, stop: asyncio.Event) -> None:
        self.turn = turn
        self.usage = Usage()
        self.reason = ""
        self.first_at: float | None = None
        self._log = log
        self._stop = stop
        self._pieces: list[str] = []
        self._saved_at = perf_counter()
        self._saved_pieces = 0

    async def relay(self, parts: AsyncGenerator[ReplyPart, None]) -> AsyncGenerator[str, None]:
        """Yield the pieces of the reply, saving them on the way; afterwards the turn says how it ended.

        Leaving early, by an exception or a cancelled task, saves what has arrived as stopped.
        """
        status, error = TurnStatus.STOPPED, None
        try:
            async with aclosing(self._until_stopped(parts)) as arriving:
                async for part in arriving:
                    match part:
                        case TextPart(text=text):
                            yield self._take(text)
                        case EndPart(reason=reason, usage=usage):
                            self.reason, self.usage, status = reason, usage, TurnStatus.COMPLETE
                    await self._save_if_due()
        except ChatMemError as failure:
            logger.warning("the reply of turn %s failed: %s", self.turn.id, type(failure).__name__)
            status, error = TurnStatus.FAILED, str(failure)
        finally:
            # Also reached when the task is cancelled, where nothing may be awaited any more: one fsync, on the spot.
            self._save(status, error)

    async def _until_stopped(self, parts: AsyncGenerator[ReplyPart, None]) -> AsyncGenerator[ReplyPart | None, None]:
        """Yield parts as they come, and `None` whenever it is time to save; end when the person stops the answer."""
        stop = asyncio.ensure_future(self._stop.wait())
        following = asyncio.ensure_future(_next(parts))
        try:
            while True:
                done, _ = await asyncio.wait(
                    {stop, following}, timeout=SAVE_EVERY_S, return_when=asyncio.FIRST_COMPLETED
                )
                if stop in done:
                    return
                if following not in done:
                    yield None
                    continue
                part = following.result()
                if part is None:
                    return
                following = asyncio.ensure_future(_next(parts))
                yield part
        finally:
            stop.cancel()
            following.cancel()
            await asyncio.gather(stop, following, return_exceptions=True)
            await parts.aclose()

    def _take(self, text: str) -> str:
        text = clean(text)
        self.first_at = self.first_at or perf_counter()
        self._pieces.append(text)
        return text

    async def _save_if_due(self) -> None:
        since = perf_counter() - self._saved_at
        if since >= SIGN_OF_LIFE_S or (since >= SAVE_EVERY_S and self._saved_pieces < len(self._pieces)):
            await asyncio.to_thread(self._save, TurnStatus.STREAMING, None)

    def _save(self, status: TurnStatus, error: str | None) -> None:
        self.turn = replace(self.turn, text="".join(self._pieces), status=status, error=error)
        self._log.save_reply(self.turn.id, text=self.turn.text, status=status, error=error)
        self._saved_at, self._saved_pieces = perf_counter(), len(self._pieces)


async def _next(parts: AsyncGenerator[ReplyPart, None]) -> ReplyPart | None:
    """The next part, or `None` at the end; a plain coroutine, as `ensure_future` wants one."""
    return await anext(parts, None)
