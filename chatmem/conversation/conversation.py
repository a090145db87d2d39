"""A conversation: one open session, and the turns that are added to it."""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from time import perf_counter

from chatmem.conversation.compaction import Compaction
from chatmem.conversation.context import Context, Contexts, RecalledFor
from chatmem.conversation.events import ReplyEnded, TurnEvent, TurnRecorded
from chatmem.conversation.exchange import Ask, Exchange, Ready
from chatmem.conversation.parts import Parts
from chatmem.conversation.prompting import Prompting, View
from chatmem.conversation.recording import Recording
from chatmem.conversation.screening import Said
from chatmem.conversation.traces import Traces
from chatmem.conversation.working_memory import Gauge, Strategy
from chatmem.domain.errors import ChatMemError, RefusedError, UsageError
from chatmem.domain.model import Image, ModelChoice, Usage
from chatmem.domain.turn import Session, Turn, TurnId

PURPOSES = ("chat", "consolidation", "summary")

AT_ONCE = 20_000
"""Characters of a turn up to which it is recorded together with the place of its answer."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What was consumed: by this session's replies, and today by everything that asked a model."""

    session: Usage
    today: Usage


class Conversation:
    """One open session. All methods belong to one event loop; none blocks it.

    A session is a tree of turns: an answer that is given again, and a turn that is edited, stand beside the one before.
    What is said, shown and sent to a model is the branch that is current.

    The methods that ask a model yield what happens, and raise before anything was recorded: `UsageError` if the request
    makes no sense or a reply is still on its way, `NotFoundError` for a turn that is not there, `RefusedError` when
    today's budget is used up, `StoreError` if the log fails. The provider's failures do not raise: they end the reply,
    which says so.

    Attributes:
        session: The session as it is in the log; a new one is written with its first turn.
        strategy: What becomes of turns that no longer fit; may be changed at any time.
        as_of: The day as of which memories are recalled, `None` for the present; may be changed at any time.
        answering: Whether a reply is on its way.
    """

    def __init__(self, parts: Parts, *, session: Session, choice: ModelChoice, strategy: Strategy) -> None:
        self.session = session
        self.strategy = strategy
        self.as_of: date | None = None
        self.answering = False
        self._choice = choice
        self._parts = parts
        self._stop = asyncio.Event()
        self._prompting = Prompting(parts)
        self._contexts = Contexts(parts, self._prompting)
        self._recording = Recording(parts)
        self._compaction = Compaction(parts)
        self._noting: set[asyncio.Future[None]] = set()
        self._noting_alone = threading.Lock()

    @property
    def traces(self) -> Traces:
        """What is known of the answers since the conversation was taken up; in memory only."""
        return self._prompting.traces

    @property
    def choice(self) -> ModelChoice:
        """The model of the next turn; may be changed at any time, and the session remembers it."""
        return self._choice

    @choice.setter
    def choice(self, choice: ModelChoice) -> None:
        self._choice = choice
        if self.session.turn_count:
            noting = asyncio.ensure_future(asyncio.to_thread(self._note_model))
            self._noting.add(noting)
            noting.add_done_callback(self._noting.discard)

    async def send(
        self, text: str, *, images: Sequence[Image] = (), recall: bool = True, let_through: bool = False
    ) -> AsyncGenerator[TurnEvent, None]:
        """Record a turn, recall, ask the model, and record its reply as it arrives.

        Secrets are neither kept nor sent; with `let_through`, the model is shown them for this once.
        """
        arriving = self._say(
            lambda choice: self._recording.said(self.session, choice, text, images),
            length=len(text),
            recall=recall,
            let_through=let_through,
        )
        async with aclosing(arriving) as events:
            async for event in events:
                yield event

    async def resend(
        self, turn_id: TurnId, text: str, *, images: Sequence[Image] = ()
    ) -> AsyncGenerator[TurnEvent, None]:
        """Put an edited turn of the user's beside the old one, and have it answered.

        Its images are the old ones, unless others are given.
        """
        arriving = self._say(
            lambda choice: self._recording.edited(self.session, choice, turn_id, text, images),
            length=len(text),
            recall=True,
        )
        async with aclosing(arriving) as events:
            async for event in events:
                yield event

    async def regenerate(
        self, turn_id: TurnId | None = None, *, choice: ModelChoice | None = None
    ) -> AsyncGenerator[TurnEvent, None]:
        """Answer again beside a reply, the newest if none is named; perhaps, for once, with another model."""
        async with aclosing(self._answer(partial(self._beside, turn_id, choice or self.choice))) as events:
            async for event in events:
                yield event

    async def go_on(self, turn_id: TurnId | None = None) -> AsyncGenerator[TurnEvent, None]:
        """Continue, in its own turn, a reply that was cut; the newest if none is named."""
        async with aclosing(self._answer(partial(self._continued, turn_id))) as events:
            async for event in events:
                yield event

    async def let_through(self, turn_id: TurnId, text: str) -> AsyncGenerator[TurnEvent, None]:
        """Answer a turn again, with the model shown for this once the secrets that were taken out of it.

        Args:
            turn_id: The turn of the user's.
            text: What was said there, with the secrets, which are not kept this time either.
        """
        async with aclosing(self._answer(partial(self._let_through, turn_id, text))) as events:
            async for event in events:
                yield event

    def stop(self) -> None:
        """Stop the running answer; what has arrived is kept and marked."""
        self._stop.set()

    async def follow(self, turn_id: TurnId) -> None:
        """Make the branch current that goes through a turn.

        Raises:
            UsageError: If a reply is still on its way.
            NotFoundError: If there is no such turn.
            StoreError: If the log failed.
        """
        self._refuse_while_answering()
        await asyncio.to_thread(self._follow, turn_id)

    async def alternatives(self) -> Mapping[TurnId, tuple[TurnId, ...]]:
        """For each turn of the current branch that has alternatives: all of them and itself, oldest first."""
        if not self.session.turn_count:
            return {}
        return await asyncio.to_thread(self._parts.log.alternatives, self.session.id)

    async def set_off_record(self, off_record: bool) -> None:
        """Pause learning, or go on with it: what is said from now on is off the record, or on it.

        Raises:
            StoreError: If the log failed.
        """
        self.session = replace(self.session, off_record=off_record)
        if self.session.turn_count:
            await asyncio.to_thread(self._parts.log.set_off_record, self.session.id, off_record)

    async def turns(self) -> list[Turn]:
        """All turns of the current branch so far, in order."""
        if not self.session.turn_count:
            return []
        return await asyncio.to_thread(self._parts.log.turns, self.session.id)

    async def reread(self) -> list[Turn]:
        """The same, after the session was read anew as well: forgetting may have changed its title and summary."""
        self.traces.sent = None
        if self.session.turn_count:
            await asyncio.to_thread(self._refresh)
        return await self.turns()

    async def usage(self) -> Mapping[TurnId, Usage]:
        """What the replies consumed, as far as it was noted."""
        if not self.session.turn_count:
            return {}
        return await asyncio.to_thread(self._parts.log.usage, self.session.id)

    async def spending(self) -> Spending:
        """What this session consumed, and what today did."""
        return await asyncio.to_thread(self._spending)

    async def gauge(self) -> Gauge:
        """How full the context would be at the next turn."""
        return await asyncio.to_thread(self._gauge)

    async def context_of(self, answer_id: TurnId, recalled_for: RecalledFor) -> Context:
        """What was sent for an answer: the very prompt if it is known, else made again from the log.

        Args:
            answer_id: The answer.
            recalled_for: What the record says was recalled for a turn.

        Raises:
            NotFoundError: If there is no such turn.
            UsageError: If it is no answer to another turn.
            StoreError: If the log failed.
        """
        return await asyncio.to_thread(self._contexts.of_answer, answer_id, self.strategy, recalled_for)

    async def next_context(self, text: str = "") -> Context:
        """What would be sent with a text, or with one that is still to be typed."""
        recalls = self._recalls(recall=True)
        return await asyncio.to_thread(
            partial(self._contexts.of_next, self._view(self.choice), self.session, text, recalls=recalls)
        )

    async def compact(self) -> int:
        """Fold the oldest turns into the running summary when the window is nearly full; returns how many."""
        if self.strategy is not Strategy.SUMMARISING or not self.session.turn_count:
            return 0
        limits, room = await asyncio.to_thread(self._prompting.shares, self.choice)
        folded = await self._compaction.run(self.session.id, window_tokens=room, summary_tokens=limits.summary)
        await asyncio.to_thread(self._refresh)
        return folded

    async def _say(
        self, record: Callable[[ModelChoice], Said], *, length: int, recall: bool, let_through: bool = False
    ) -> AsyncGenerator[TurnEvent, None]:
        """Record a turn of the user's, of so many characters, and have it answered."""
        with self._alone():
            started, choice = perf_counter(), self.choice
            recalls = self._recalls(recall=recall)
            # Nothing that takes its time may keep other windows from writing.
            at_once = not recalls and length <= AT_ONCE
            exchange, ready, recorded = await asyncio.to_thread(
                self._said, record, choice, recalls=recalls, at_once=at_once, let_through=let_through, started=started
            )
            async with aclosing(self._carried_out(exchange, ready, recorded)) as events:
                async for event in events:
                    yield event

    async def _answer(self, ask: Callable[[float], Ask]) -> AsyncGenerator[TurnEvent, None]:
        """Have something answered that is recorded already."""
        with self._alone():
            exchange = await asyncio.to_thread(self._exchange, ask, perf_counter())
            async with aclosing(self._carried_out(exchange)) as events:
                async for event in events:
                    yield event

    async def _carried_out(
        self, exchange: Exchange, ready: Ready | None = None, *recorded: TurnEvent
    ) -> AsyncGenerator[TurnEvent, None]:
        async with aclosing(exchange.run(ready, *recorded)) as events:
            async for event in events:
                if isinstance(event, ReplyEnded):
                    await asyncio.to_thread(self._refresh)
                yield event

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self._refuse_while_answering()
        self._stop.clear()
        self._set_answering(True)
        try:
            yield
        finally:
            self._set_answering(False)

    def _set_answering(self, answering: bool) -> None:
        self.answering = answering
        self._parts.answering(answering)

    def _refuse_while_answering(self) -> None:
        if self.answering:
            raise UsageError("An answer is still on its way. Stop it first, or wait.")

    def _refuse_beyond_budget(self, choice: ModelChoice) -> None:
        if spent := self._parts.chat_budget(choice):
            key = "usd_per_day" if spent.startswith("$") else "tokens_per_day"
            raise RefusedError(
                f"Today's budget for chat, {spent}, is used up. Raise {key} under [chat] in the settings, or switch to "
                "a model that costs nothing."
            )

    def _said(
        self,
        record: Callable[[ModelChoice], Said],
        choice: ModelChoice,
        *,
        recalls: bool,
        at_once: bool,
        let_through: bool,
        started: float,
    ) -> tuple[Exchange, Ready | None, TurnRecorded]:
        """Record a turn; where nothing is recalled, which takes its time, have the request ready in the same breath."""
        self._refuse_beyond_budget(choice)
        with self._parts.log.together() if at_once else nullcontext():
            said = record(choice)
            turn, removed = said.turn, said.screened.kinds
            self._refresh()
            view = replace(self._view(choice, turn.seq), let_through=said if let_through and removed else None)
            ask = Ask(view=view, question=turn if recalls else None, started=started)
            exchange = Exchange(self._parts, self._prompting, ask, self._stop)
            ready = None
            if not recalls:
                # What fails here fails again when it is tried again, after the turn was told to be recorded.
                with suppress(ChatMemError):
                    ready = exchange.begin()
            cut = exchange.framed.window.cut_tokens
        if self.session.model != self._choice.name:
            self._note_model()
        self._parts.said(turn)
        return exchange, ready, TurnRecorded(turn, cut, removed, view.let_through is not None)

    def _exchange(self, ask: Callable[[float], Ask], started: float) -> Exchange:
        return Exchange(self._parts, self._prompting, ask(started), self._stop)

    def _beside(self, turn_id: TurnId | None, choice: ModelChoice, started: float) -> Ask:
        self._refuse_beyond_budget(choice)
        question, beside = self._recording.answered(self.session, turn_id)
        return Ask(
            view=self._view(choice, question.seq),
            question=question if self._recalls(recall=True) else None,
            beside=beside,
            started=started,
        )

    def _let_through(self, turn_id: TurnId, text: str, started: float) -> Ask:
        self._refuse_beyond_budget(self.choice)
        said, beside = self._recording.held_back(self.session, turn_id, text)
        return Ask(
            view=replace(self._view(self.choice, said.turn.seq), let_through=said),
            question=said.turn if self._recalls(recall=True) else None,
            beside=beside,
            started=started,
        )

    def _continued(self, turn_id: TurnId | None, started: float) -> Ask:
        self._refuse_beyond_budget(self.choice)
        reply = self._recording.cut(self.session, turn_id)
        view = replace(self._view(self.choice, reply.seq), going_on=bool(reply.text))
        return Ask(view=view, partial=reply, started=started)

    def _view(self, choice: ModelChoice, upto: int | None = None) -> View:
        return View(session_id=self.session.id, choice=choice, strategy=self.strategy, upto=upto, as_of=self.as_of)

    def _recalls(self, *, recall: bool) -> bool:
        return recall and self._parts.recalls and self._parts.limits.recalled > 0

    def _refresh(self) -> None:
        self.session = self._parts.log.session(self.session.id)

    def _note_model(self) -> None:
        """Note the model that is chosen when it is written, so that of two quick choices the last one stands."""
        with self._noting_alone:
            try:
                self._parts.log.set_model(self.session.id, self._choice.name)
            except ChatMemError as error:
                logger.warning("the session's model was not noted: %s", type(error).__name__)

    def _follow(self, turn_id: TurnId) -> None:
        self._recording.turn_of(self.session, turn_id)
        self._parts.log.follow(turn_id)
        self._prompting.forget_shown()
        self._refresh()

    def _spending(self) -> Spending:
        meter = self._parts.meter
        session = meter.spent_in(self.session.id) if self.session.turn_count else Usage()
        return Spending(session=session, today=meter.spent_today(PURPOSES))

    def _gauge(self) -> Gauge:
        if self.session.turn_count:
            return self._prompting.gauge(self._view(self.choice))
        return Gauge(used=0, budget=self._prompting.shares(self.choice)[1])
