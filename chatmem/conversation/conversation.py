"""A conversation: one open session, and the turns that are added to it."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from time import perf_counter

from chatmem.conversation.assembly import assemble
from chatmem.conversation.compaction import Compaction
from chatmem.conversation.events import (
    MemoriesRecalled,
    ReplyBegun,
    ReplyEnded,
    ReplyGrew,
    Timings,
    TurnEvent,
    TurnRecorded,
)
from chatmem.conversation.reply import Reply
from chatmem.conversation.working_memory import Gauge, Strategy, Window, fit
from chatmem.domain.errors import ChatMemError, UsageError
from chatmem.domain.model import ChatRequest, Image, ModelChoice, Usage
from chatmem.domain.recall import Recalled
from chatmem.domain.text import clean, shortened
from chatmem.domain.turn import Role, Session, SessionId, Turn, TurnId, TurnStatus
from chatmem.ports.chat_model import ChatModel
from chatmem.ports.clock import Clock
from chatmem.ports.meter import Meter
from chatmem.ports.session_log import SessionLog
from chatmem.ports.token_counter import TokenCounter
from chatmem.prompts import prompt
from chatmem.recall import Recall

TITLE_LENGTH = 60
INCOGNITO_TITLE = "Incognito: nothing is kept, recalled or learned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How a model's context is shared out, in tokens.

    Attributes:
        reply: Kept free for the reply.
        recalled: For recalled memories; less where the context is small.
        summary: For the running summary.
    """

    reply: int = 1024
    recalled: int = 1500
    summary: int = 600

    def within(self, context_tokens: int) -> "Limits":
        """The same, scaled down so that at least half of the context is left for the window."""
        scale = min(1.0, context_tokens / 2 / (self.reply + self.recalled + self.summary))
        return Limits(
            reply=int(self.reply * scale), recalled=int(self.recalled * scale), summary=int(self.summary * scale)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What every conversation works with.

    Attributes:
        ended: Called with the session after each turn, from a worker thread, to have it consolidated.
        recalls: Whether anything is recalled at all; not in an incognito conversation.
        answering: Told when a model begins to answer and when it has ended; must not block.
        chat_budget: What of today's budget for chat is used up for this model, in words (`$0.50`); empty while
            something is left, and for a model that costs nothing if only the money is used up. May block.
        background: The model that folds turns into the running summary; `None` to fold without one. May block.
    """

    log: SessionLog
    recall: Recall
    chat_model: ChatModel
    counter: TokenCounter
    clock: Clock
    meter: Meter
    ended: Callable[[SessionId], object]
    recalls: bool = True
    answering: Callable[[bool], object] = lambda _: None
    limits: Limits = Limits()
    chat_budget: Callable[[ModelChoice], str] = lambda _: ""
    background: Callable[[], ModelChoice | None] = lambda: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What was consumed: by this session's replies, and today by everything that asked a model."""

    session: Usage
    today: Usage


class Conversation:
    """One open session. All methods belong to one event loop; none blocks it.

    Attributes:
        session: The session as it is in the log; a new one is written with its first turn.
        choice: The model of the next turn; may be changed at any time.
        strategy: What becomes of turns that no longer fit; may be changed at any time.
        answering: Whether a reply is on its way.
    """

    def __init__(self, parts: Parts, *, session: Session, choice: ModelChoice, strategy: Strategy) -> None:
        self.session = session
        self.choice = choice
        self.strategy = strategy
        self.answering = False
        self._parts = parts
        self._stop = asyncio.Event()
        self._compaction = Compaction(parts.log, parts.chat_model, parts.counter, parts.meter)

    async def send(
        self, text: str, *, images: Sequence[Image] = (), recall: bool = True
    ) -> AsyncGenerator[TurnEvent, None]:
        """Record a turn, recall, ask the model, and record its reply as it arrives.

        The provider's failures do not raise: they end the reply, which says so.

        Raises:
            UsageError: If there is nothing to send, or a reply is still on its way.
            StoreError: If the turn could not be recorded; the model was not asked then.
        """
        if self.answering:
            raise UsageError("An answer is still on its way. Stop it first, or wait.")
        text = clean(text).strip()
        if not text:
            raise UsageError("There is nothing to send: the prompt is empty.")
        self._stop.clear()
        self._set_answering(True)
        try:
            async with aclosing(self._turn(text, recall=recall and self._parts.recalls)) as events:
                async for event in events:
                    yield event
        finally:
            self._set_answering(False)

    def regenerate(
        self, turn_id: TurnId | None = None, *, choice: ModelChoice | None = None
    ) -> AsyncGenerator[TurnEvent, None]:
        """Answer again beside a reply, by default the newest; perhaps with another model."""
        raise NotImplementedError

    def resend(self, turn_id: TurnId, text: str, *, images: Sequence[Image] = ()) -> AsyncGenerator[TurnEvent, None]:
        """Say an edited turn beside the old one."""
        raise NotImplementedError

    def go_on(self, turn_id: TurnId | None = None) -> AsyncGenerator[TurnEvent, None]:
        """Continue a reply that was cut."""
        raise NotImplementedError

    async def follow(self, turn_id: TurnId) -> None:
        """Go over to the branch that goes through a turn."""
        await asyncio.to_thread(self._parts.log.follow, turn_id)

    async def alternatives(self) -> Mapping[TurnId, tuple[TurnId, ...]]:
        """For each turn of the current branch that has alternatives: all of them and itself, oldest first."""
        return await asyncio.to_thread(self._parts.log.alternatives, self.session.id)

    async def usage(self) -> Mapping[TurnId, Usage]:
        """What the replies consumed, as far as it was noted."""
        return await asyncio.to_thread(self._parts.log.usage, self.session.id)

    async def spending(self) -> Spending:
        """What this session consumed, and what today did."""
        raise NotImplementedError

    def stop(self) -> None:
        """Stop the running answer; what has arrived is kept and marked."""
        self._stop.set()

    async def turns(self) -> list[Turn]:
        """All turns so far, in order."""
        if not self.session.turn_count:
            return []
        return await asyncio.to_thread(self._parts.log.turns, self.session.id)

    async def gauge(self) -> Gauge:
        """How full the context would be at the next turn."""
        return await asyncio.to_thread(self._gauge)

    async def compact(self) -> int:
        """Fold the oldest turns into the running summary when the window is nearly full; returns how many."""
        if self.strategy is not Strategy.SUMMARISING or not self.session.turn_count:
            return 0
        limits, budget = await asyncio.to_thread(lambda: (self._limits(), self._budget()))
        folded = await self._compaction.run(
            self.session, self.choice, window_tokens=budget, summary_tokens=limits.summary
        )
        self.session = await asyncio.to_thread(self._parts.log.session, self.session.id)
        return folded

    async def _turn(self, text: str, *, recall: bool) -> AsyncGenerator[TurnEvent, None]:
        started = perf_counter()
        turn = await asyncio.to_thread(self._record, text)
        window = await asyncio.to_thread(self._window)
        yield TurnRecorded(turn, window.cut_tokens)
        recalled = MemoriesRecalled((), 0.0)
        if recall:
            recalled = await asyncio.to_thread(self._recall, turn, window)
            yield recalled
        assembling = perf_counter()
        request = await asyncio.to_thread(self._request, window, recalled.items)
        assembly_ms = (perf_counter() - assembling) * 1000
        reply = Reply(self._parts.log, await asyncio.to_thread(self._begin_reply), self._stop)
        yield ReplyBegun(reply.turn)
        async with aclosing(reply.relay(self._parts.chat_model.stream(request))) as pieces:
            async for piece in pieces:
                yield ReplyGrew(piece)
        timings = Timings(
            recall=recalled.ms,
            assembly=assembly_ms,
            first_token=(reply.first_at - started) * 1000 if reply.first_at else None,
            total=(perf_counter() - started) * 1000,
        )
        await asyncio.to_thread(self._settle, reply, timings)
        yield ReplyEnded(reply.turn, reply.usage, timings)

    def _set_answering(self, answering: bool) -> None:
        self.answering = answering
        self._parts.answering(answering)

    def _record(self, text: str) -> Turn:
        if not self.session.turn_count:
            title = shortened(text, TITLE_LENGTH) if self._parts.recalls else INCOGNITO_TITLE
            self.session = replace(self.session, title=title)
            self._parts.log.open_session(self.session)
        if self.session.model != self.choice.name:
            self._parts.log.set_model(self.session.id, self.choice.name)
        return self._append(Role.USER, text, TurnStatus.COMPLETE)

    def _begin_reply(self) -> Turn:
        return self._append(Role.ASSISTANT, "", TurnStatus.STREAMING)

    def _append(self, role: Role, text: str, status: TurnStatus) -> Turn:
        turn = self._parts.log.append(
            Turn(
                id=TurnId(uuid.uuid4().hex),
                session_id=self.session.id,
                seq=1,
                role=role,
                text=text,
                said_at=self._parts.clock.now(),
                status=status,
                model=self.choice.name if role is Role.ASSISTANT else None,
            )
        )
        self.session = self._parts.log.session(self.session.id)
        return turn

    def _recall(self, turn: Turn, window: Window) -> MemoriesRecalled:
        started = perf_counter()
        shown = frozenset(kept.id for kept in window.kept)
        try:
            items = self._parts.recall.find(turn.text, exclude=shown, budget_tokens=self._limits().recalled)
        except ChatMemError as error:
            return MemoriesRecalled((), (perf_counter() - started) * 1000, str(error))
        ms = (perf_counter() - started) * 1000
        self._parts.log.save_recalled(turn.id, items, ms=ms)
        return MemoriesRecalled(tuple(items), ms)

    def _request(self, window: Window, recalled: tuple[Recalled, ...]) -> ChatRequest:
        summary = self.session.summary
        if window.evicted and self.strategy is Strategy.SUMMARISING:
            summary = self._compaction.extract(summary, window.evicted, self._limits().summary)
        return ChatRequest(
            choice=self.choice,
            messages=assemble(window, recalled=recalled, summary=summary, today=self._parts.clock.now()),
            max_reply_tokens=self._limits().reply,
        )

    def _window(self) -> Window:
        """The turns not yet folded into the summary, as far as they fit; with a sliding window, any turn that fits."""
        first = self.session.summarised_to + 1 if self.strategy is Strategy.SUMMARISING else 1
        turns = [turn for turn in self._parts.log.turns(self.session.id, first=first) if turn.text]
        return fit(turns, self._parts.counter, budget_tokens=self._budget())

    def _gauge(self) -> Gauge:
        if not self.session.turn_count:
            return Gauge(used=0, budget=self._budget())
        window = self._window()
        return Gauge(used=window.tokens + self._parts.counter.count(self.session.summary), budget=self._budget())

    def _limits(self) -> Limits:
        return self._parts.limits.within(self._parts.chat_model.context_tokens(self.choice))

    def _budget(self) -> int:
        limits = self._limits()
        system = self._parts.counter.count(prompt("system").text)
        context = self._parts.chat_model.context_tokens(self.choice)
        return max(64, context - limits.reply - limits.recalled - limits.summary - system)

    def _settle(self, reply: Reply, timings: Timings) -> None:
        self._parts.log.save_usage(reply.turn.id, reply.usage, ms=timings.total)
        self._parts.meter.count_call("chat", self.choice.model, reply.usage)
        self._parts.ended(self.session.id)
