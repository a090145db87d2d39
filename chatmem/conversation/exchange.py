"""One exchange: a question goes to a model, and its answer into the session log."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from time import perf_counter

from chatmem.conversation.as_of import asked_as_of
from chatmem.conversation.events import (
    FellOver,
    MemoriesRecalled,
    Refitted,
    ReplyBegun,
    ReplyEnded,
    Timings,
    TurnEvent,
)
from chatmem.conversation.parts import Parts
from chatmem.conversation.prompting import Framed, Prompting, View
from chatmem.conversation.reply import Reply
from chatmem.conversation.working_memory import Strategy
from chatmem.domain.budget import estimated
from chatmem.domain.errors import ChatMemError, PromptTooLongError
from chatmem.domain.model import ChatRequest, Usage
from chatmem.domain.recall import Recollection
from chatmem.domain.turn import Role, Turn, TurnId, TurnStatus

REFIT_TO = 0.6
"""Part of a refused prompt's window that is tried next: small enough to make good at once what was wrong about the
model's context, or about its way to count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked, and where the answer goes.

    Attributes:
        view: What the model sees.
        question: What memories are recalled for; `None` to recall none.
        beside: The reply beside which the answer is put; `None` to put it at the end.
        partial: The reply that the answer continues, in its own turn.
        started: `perf_counter` of Enter.
    """

    view: View
    question: Turn | None = None
    beside: TurnId | None = None
    partial: Turn | None = None
    started: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """All that is needed to ask.

    Attributes:
        heralds: What is told once the model has been asked.
    """

    reply: Reply
    request: ChatRequest
    heralds: tuple[TurnEvent, ...]


class Exchange:
    """Carries one question out.

    What `run` does not do itself blocks, and is run in a worker thread.
    """

    def __init__(self, parts: Parts, prompting: Prompting, ask: Ask, stop: asyncio.Event) -> None:
        self._parts = parts
        self._prompting = prompting
        self._ask = ask
        self._stop = stop
        self._view = ask.view
        self._reply_id = TurnId(uuid.uuid4().hex)
        self._framed: Framed | None = None
        self._recalled = MemoriesRecalled((), 0.0)
        self._refitted = False
        self._assembly_ms = 0.0

    @property
    def framed(self) -> Framed:
        """The window of the prompt, with what goes with it.

        Raises:
            StoreError: If the log could not be read.
        """
        if self._framed is None:
            self._framed = self._prompting.frame(self._view)
        return self._framed

    def begin(self) -> Ready:
        """Recall, and have all ready to ask. Blocks.

        Raises:
            StoreError: If the log could not be read or written.
        """
        heralds: list[TurnEvent] = []
        # First of all: what is forgotten after it was read for the prompt ends the replies that are in the log.
        reply = self._reply()
        self._framed = None
        if self._ask.question is not None:
            self._recalled = self._recall(self._ask.question)
            heralds.append(self._recalled)
        self._prompting.recollect(self._view, self.framed)
        if left_out := self._prompting.left_out(self.framed):
            heralds.append(self._told(left_out))
        assembling = perf_counter()
        request = self._prompting.request(self.framed, self._recalled.items, reply.turn.id)
        self._assembly_ms = (perf_counter() - assembling) * 1000
        return Ready(reply=reply, request=request, heralds=(*heralds, ReplyBegun(reply.turn)))

    async def run(self, ready: Ready | None = None, *recorded: TurnEvent) -> AsyncGenerator[TurnEvent, None]:
        """Ask, and relay the answer. The provider's failures do not raise: they end the reply, which says so.

        Args:
            ready: What `begin` gave; without it, that is done here.
            recorded: What has happened before. It is told before `begin`, but not before a request that is ready.

        Raises:
            StoreError: If the log could not be written; the model was not asked then.
        """
        if ready is None:
            for event in recorded:
                yield event
            recorded, ready = (), await asyncio.to_thread(self.begin)
        reply, request = ready.reply, ready.request
        heralds: Sequence[TurnEvent] = (*recorded, *ready.heralds)
        with reply:
            while True:
                answer = self._parts.chat_model.stream(request)
                async with aclosing(reply.relay(answer, *heralds)) as arriving:
                    async for event in arriving:
                        yield event
                again = await asyncio.to_thread(self._again, reply) if reply.failure else None
                if again is None:
                    break
                request, heralds = again
        timings = Timings(
            recall=self._recalled.ms,
            assembly=self._assembly_ms,
            first_token=(reply.first_at - self._ask.started) * 1000 if reply.first_at else None,
            total=(perf_counter() - self._ask.started) * 1000,
        )
        usage, used = await asyncio.to_thread(self._settle, reply, request, timings)
        yield ReplyEnded(reply.turn, usage, timings, used)

    def _recall(self, question: Turn) -> MemoriesRecalled:
        started = perf_counter()
        hidden = frozenset(turn.id for turn in self.framed.window.kept) | self._left(question)
        try:
            asked = asked_as_of(question.text, self._view.as_of)
            found = self._parts.recall.recollect(asked, exclude=hidden, budget_tokens=self.framed.limits.recalled)
        except ChatMemError as error:
            return MemoriesRecalled((), (perf_counter() - started) * 1000, str(error))
        ms = (perf_counter() - started) * 1000
        self._parts.log.save_recalled(question.id, found.items, ms=ms)
        self._prompting.traces.recalled(question.id, found.items)
        return MemoriesRecalled(found.items, ms, tier=found.tier)

    def _used(self, reply: Reply) -> frozenset[str]:
        """What the answer used of that which was recalled for it; noted for good."""
        question, recalled = self._ask.question, self._recalled
        if question is None or recalled.error or not reply.turn.text:
            return frozenset()
        recollection = Recollection(items=recalled.items, tier=recalled.tier)
        return self._parts.recall.answered(question, recollection, reply.turn.text)

    def _left(self, question: Turn) -> frozenset[TurnId]:
        """The session's turns that the person has left by branching off, and those that are being left now."""
        log, session_id = self._parts.log, self._view.session_id
        if self._ask.beside is None and not log.alternatives(session_id):
            return frozenset()
        staying = {turn.id for turn in log.turns(session_id, last=question.seq)}
        return frozenset(turn.id for turn in log.turns(session_id, every_branch=True)) - staying

    def _reply(self) -> Reply:
        log, choice = self._parts.log, self._view.choice
        if self._ask.partial is not None:
            return Reply(log, log.resume_reply(self._ask.partial.id, choice.name), self._stop)
        turn = Turn(
            id=self._reply_id,
            session_id=self._view.session_id,
            seq=1,
            role=Role.ASSISTANT,
            text="",
            said_at=self._parts.clock.now(),
            status=TurnStatus.STREAMING,
            model=choice.name,
        )
        beside = self._ask.beside
        begun = log.append_beside(turn, beside) if beside else log.append(turn)
        let_through = self._view.let_through
        withheld = self._parts.screening.withheld(let_through) if let_through else None
        return Reply(log, begun, self._stop, withheld)

    def _again(self, reply: Reply) -> tuple[ChatRequest, list[TurnEvent]] | None:
        """What is asked next, if anything, after a model has failed before its first word."""
        failure = reply.failure
        if failure is None or reply.arrived or reply.stopped or not reply.keep():
            return None
        heralds = self._refit(failure) or self._fall_over(reply, str(failure))
        if not heralds:
            return None
        return self._prompting.request(self.framed, self._recalled.items, reply.turn.id), heralds

    def _refit(self, failure: ChatMemError) -> list[TurnEvent]:
        """Make the window smaller, once, if the model found the prompt too long."""
        tried = self.framed.window.tokens
        if self._refitted or not isinstance(failure, PromptTooLongError):
            return []
        self._refitted = True
        framed = self._prompting.frame(self._view, most_tokens=int(tried * REFIT_TO))
        if framed.window.tokens >= tried:
            return []
        self._framed = framed
        return [self._told(self._prompting.left_out(framed))]

    def _fall_over(self, reply: Reply, error: str) -> list[TurnEvent]:
        """Turn to the model that is to be asked in place of this one, if there is one."""
        choice = self._view.choice.fallback
        if choice is None or self._parts.chat_budget(choice):
            return []
        # What was let through was so for the model that was asked.
        self._view = replace(self._view, choice=choice, let_through=None)
        self._refitted = False
        self._framed = None
        reply.answered_by(choice)
        fell: list[TurnEvent] = [FellOver(choice=choice, error=error, turn=reply.turn)]
        left_out = self._prompting.left_out(self.framed)
        return [*fell, self._told(left_out)] if left_out else fell

    def _told(self, left_out: int) -> Refitted:
        return Refitted(left_out=left_out, summarised=self._view.strategy is Strategy.SUMMARISING)

    def _settle(self, reply: Reply, request: ChatRequest, timings: Timings) -> tuple[Usage, frozenset[str]]:
        used = reply.usage or self._estimated(request, reply)
        self._parts.meter.count_call("chat", request.choice.model, used)
        if self._ask.partial is not None:
            used = _total(used, self._parts.log.usage(self._view.session_id).get(reply.turn.id))
        self._parts.log.save_usage(reply.turn.id, used, ms=timings.total)
        helpful = self._used(reply)
        self._parts.ended(self._view.session_id)
        return used, helpful

    def _estimated(self, request: ChatRequest, reply: Reply) -> Usage:
        if reply.failure is not None and not reply.arrived:
            return Usage()
        return estimated(request, reply.arrived, self._parts.counter.count, self._parts.chat_model.facts)


def _total(used: Usage, before: Usage | None) -> Usage:
    if before is None:
        return used
    costs = [one.cost_usd for one in (used, before) if one.cost_usd is not None]
    return Usage(
        prompt_tokens=used.prompt_tokens + before.prompt_tokens,
        completion_tokens=used.completion_tokens + before.completion_tokens,
        cost_usd=sum(costs) if costs else None,
    )
