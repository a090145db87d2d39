"""A reply, from its first piece to its place in the session log."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from time import perf_counter
from types import TracebackType
from typing import Self

from chatmem.conversation.events import ReasoningGrew, ReplyGrew, Retrying, TurnEvent
from chatmem.conversation.screening import Withheld
from chatmem.domain.errors import ChatMemError, StoreError
from chatmem.domain.model import EndPart, ModelChoice, ReasoningPart, ReplyPart, RetryPart, TextPart, Usage
from chatmem.domain.text import clean
from chatmem.domain.turn import Turn, TurnStatus
from chatmem.ports.session_log import SessionLog

SAVE_EVERY_S = 0.5
"""At most this much of a reply is lost to kill -9; a save costs one fsync."""

SIGN_OF_LIFE_S = 2.0
"""A reply that is saved less often than this has nobody to save it any more."""

logger = logging.getLogger(__name__)


class Reply:
    """One reply on its way; what its turn holds already stays, and what arrives is added to it.

    It is entered as a context while it may arrive. Leaving that, also by an exception or a cancelled task, saves how it
    ended; where nothing tells that it did, it was stopped.

    Args:
        log: Where it is kept.
        turn: Its turn.
        stop: Set when the person stops it.
        withheld: Keeps secrets that the model was let see out of what is kept; `None` where there are none.

    Attributes:
        turn: The reply's turn as far as it has come.
        failure: Why the model failed, if it did.
        cut: Whether it was ended by another hand, by forgetting; what arrives is kept no more.
        first_at: `perf_counter` of its first piece; `None` before.
    """

    def __init__(self, log: SessionLog, turn: Turn, stop: asyncio.Event, withheld: Withheld | None = None) -> None:
        self.turn = turn
        self.failure: ChatMemError | None = None
        self.cut = False
        self.first_at: float | None = None
        self._log = log
        self._stop = stop
        self._withheld = withheld
        self._text = [turn.text]
        self._reasoning = [turn.reasoning]
        self._end: EndPart | None = None
        self._status = TurnStatus.STOPPED
        self._saved_at = perf_counter()
        self._saved_pieces = self._pieces

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Also reached when the task is cancelled, where nothing may be awaited any more: one fsync, on the spot.
        self._save(self._status)

    @property
    def stopped(self) -> bool:
        """Whether the person has stopped it."""
        return self._stop.is_set()

    @property
    def usage(self) -> Usage | None:
        """What it consumed; `None` if the model did not come to say."""
        return self._end.usage if self._end else None

    @property
    def arrived(self) -> str:
        """What has arrived, thoughts first, without what the turn held before."""
        return "".join(self._reasoning[1:] + self._text[1:])

    def answered_by(self, choice: ModelChoice) -> None:
        """Note that another model answers. Blocks.

        Raises:
            StoreError: If it could not be noted.
        """
        self.turn = replace(self.turn, model=choice.name)
        self._log.answered_by(self.turn.id, choice.name)
        self.keep()

    def keep(self) -> bool:
        """Save what has arrived so far; returns whether more is wanted. Blocks.

        Raises:
            StoreError: If it could not be saved.
        """
        self._save(TurnStatus.STREAMING)
        return not self.cut

    async def relay(
        self, parts: AsyncGenerator[ReplyPart, None], *heralds: TurnEvent
    ) -> AsyncGenerator[TurnEvent, None]:
        """Yield what arrives, saving it on the way.

        Args:
            parts: What the model answers.
            heralds: Told first, when the model has been asked.
        """
        waiting = list(heralds)
        self.failure, self._end, self._status = None, None, TurnStatus.STOPPED
        try:
            async with aclosing(self._until_stopped(parts)) as arriving:
                async for part in arriving:
                    while waiting:
                        yield waiting.pop(0)
                    if part is not None and (event := self._take(part)) is not None:
                        yield event
                    await self._save_if_due()
                    if self.cut:
                        return
            self._status = self._ended()
        except ChatMemError as failure:
            logger.warning("the reply of turn %s failed: %s", self.turn.id, type(failure).__name__)
            self.failure, self._status = failure, TurnStatus.FAILED

    async def _until_stopped(self, parts: AsyncGenerator[ReplyPart, None]) -> AsyncGenerator[ReplyPart | None, None]:
        """Yield parts as they come, and `None` at first and when it is time to save; end when the person stops it."""
        stop = asyncio.ensure_future(self._stop.wait())
        following = asyncio.ensure_future(_next(parts))
        try:
            # The request leaves before anybody draws that it does.
            await asyncio.sleep(0)
            yield None
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

    def _take(self, part: ReplyPart) -> TurnEvent | None:
        match part:
            case TextPart(text) if text := clean(text):
                self._text.append(text)
                self.first_at = self.first_at or perf_counter()
                return ReplyGrew(text)
            case ReasoningPart(text) if text := clean(text):
                self._reasoning.append(text)
                self.first_at = self.first_at or perf_counter()
                return ReasoningGrew(text)
            case RetryPart(error=error, wait_s=wait_s, attempt=attempt, attempts=attempts):
                return Retrying(error=error, wait_s=wait_s, attempt=attempt, attempts=attempts)
            case EndPart():
                self._end = part
        return None

    def _ended(self) -> TurnStatus:
        return TurnStatus.COMPLETE if self._end else TurnStatus.STOPPED

    async def _save_if_due(self) -> None:
        since = perf_counter() - self._saved_at
        if since >= SIGN_OF_LIFE_S or (since >= SAVE_EVERY_S and self._saved_pieces < self._pieces):
            try:
                await asyncio.to_thread(self._save, TurnStatus.STREAMING)
            except StoreError as error:
                # What arrives is worth more than this save: the last one fails too, and says why.
                logger.warning("turn %s could not be saved: %s", self.turn.id, type(error).__name__)
                self._saved_at = perf_counter()

    @property
    def _pieces(self) -> int:
        return len(self._text) + len(self._reasoning)

    def _save(self, status: TurnStatus) -> None:
        if self.cut:
            return
        self.turn = replace(
            self.turn,
            text=self._kept("".join(self._text), status),
            reasoning=self._kept("".join(self._reasoning), status),
            status=status,
            error=self._kept(str(self.failure), status) if status is TurnStatus.FAILED else None,
            finish_reason=self._end.reason if self._end else None,
        )
        saved = self._log.save_reply(
            self.turn.id,
            text=self.turn.text,
            status=status,
            error=self.turn.error,
            reasoning=self.turn.reasoning,
            finish_reason=self.turn.finish_reason,
        )
        self._saved_at, self._saved_pieces = perf_counter(), self._pieces
        if not saved:
            self.cut, self.turn = True, self._log.turn(self.turn.id)

    def _kept(self, text: str, status: TurnStatus) -> str:
        return self._withheld.kept(text, arriving=status is TurnStatus.STREAMING) if self._withheld else text


async def _next(parts: AsyncGenerator[ReplyPart, None]) -> ReplyPart | None:
    """The next part, or `None` at the end; a plain coroutine, as `ensure_future` wants one."""
    return await anext(parts, None)
