"""Compaction: folding the oldest turns of a session into its running summary."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import accumulate, takewhile

from chatmem.conversation.parts import Parts
from chatmem.conversation.working_memory import PER_TURN_TOKENS, extract_summary, fit
from chatmem.domain.budget import estimated
from chatmem.domain.errors import ModelError
from chatmem.domain.model import ChatRequest, EndPart, PromptMessage, ReasoningPart, ReplyPart, TextPart, Usage
from chatmem.domain.turn import Role, Session, SessionId, Turn
from chatmem.prompts import prompt

START_AT = 0.85
"""Part of the window's budget above which turns are folded, so that it is done before it is needed."""

FOLD_TO = 0.5
"""Part of the budget that stays verbatim afterwards, so that not every turn folds."""

WORDS_PER_TOKEN = 0.6

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """What a model is asked, and the turns that this shows it: what it is not shown would be in no summary."""

    request: ChatRequest
    turns: Sequence[Turn]


@dataclass(slots=True)
class _Answer:
    """What has come of an answer."""

    text: str = ""
    thoughts: str = ""
    usage: Usage | None = None

    @property
    def arrived(self) -> str:
        return self.thoughts + self.text

    def take(self, part: ReplyPart) -> None:
        match part:
            case TextPart(text):
                self.text += text
            case ReasoningPart(text):
                self.thoughts += text
            case EndPart(_, usage):
                self.usage = usage


class Compaction:
    """Folds evicted turns into the running summary: by the model, or by extracting sentences without one."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def run(self, session_id: SessionId, *, window_tokens: int, summary_tokens: int) -> int:
        """Fold when the window is nearly full; returns the number of turns folded.

        Raises:
            StoreError: If the summary could not be saved.
        """
        session, evicted = await asyncio.to_thread(self._due, session_id, window_tokens)
        if not evicted:
            return 0
        task = await asyncio.to_thread(self._task, session.summary, evicted, summary_tokens)
        if task is not None and (summary := await self._by_model(task.request)):
            return await asyncio.to_thread(self._save, session, summary, task.turns)
        summary = await asyncio.to_thread(self._extracted, session.summary, evicted, summary_tokens)
        return await asyncio.to_thread(self._save, session, summary, evicted)

    def _due(self, session_id: SessionId, window_tokens: int) -> tuple[Session, tuple[Turn, ...]]:
        session, counter = self._parts.log.session(session_id), self._parts.counter
        turns = self._parts.log.turns(session_id, first=session.summarised_to + 1)
        if not fit(turns, counter, budget_tokens=int(window_tokens * START_AT)).evicted:
            return session, ()
        return session, fit(turns, counter, budget_tokens=int(window_tokens * FOLD_TO)).evicted

    def _extracted(self, summary: str, turns: Sequence[Turn], tokens: int) -> str:
        return extract_summary(summary, turns, self._parts.counter, budget_tokens=tokens)

    def _task(self, summary: str, evicted: Sequence[Turn], tokens: int) -> _Task | None:
        """What to ask of the first of the turns, as many as the model takes in; `None` without a model."""
        choice, counter = self._parts.background(), self._parts.counter
        if choice is None:
            return None
        template = prompt("summarise")
        room = max(0, self._parts.chat_model.context_tokens(choice) - 2 * tokens - counter.count(template.text))
        sizes = accumulate(counter.count(turn.text) + PER_TURN_TOKENS for turn in evicted)
        turns = evicted[: max(1, sum(1 for _ in takewhile(room.__ge__, sizes)))]
        text = template.fill(
            words=str(int(tokens * WORDS_PER_TOKEN)),
            summary=summary or "(none)",
            # Only of a single turn that is larger than the room is anything cut.
            turns=counter.cut(transcript(turns), room),
        )
        request = ChatRequest(
            choice=choice,
            messages=(PromptMessage(role="user", text=text),),
            max_reply_tokens=tokens,
            temperature=0.0,
        )
        return _Task(request=request, turns=turns)

    async def _by_model(self, request: ChatRequest) -> str:
        """What the model answers; empty if it fails. However the call ends, what it consumed is counted."""
        answer = _Answer()
        try:
            async with aclosing(self._parts.chat_model.stream(request)) as parts:
                async for part in parts:
                    answer.take(part)
        except asyncio.CancelledError:
            # As the next turn does, where nothing may be awaited any more: one fsync, on the spot.
            self._count(request, answer)
            raise
        except ModelError as error:
            logger.warning("the model could not summarise: %s", type(error).__name__)
            if answer.arrived:
                await asyncio.to_thread(self._count, request, answer)
            return ""
        await asyncio.to_thread(self._count, request, answer)
        return answer.text.strip()

    def _count(self, request: ChatRequest, answer: _Answer) -> None:
        count, facts = self._parts.counter.count, self._parts.chat_model.facts
        usage = answer.usage or estimated(request, answer.arrived, count, facts)
        self._parts.meter.count_call("summary", request.choice.model, usage)

    def _save(self, session: Session, summary: str, folded: Sequence[Turn]) -> int:
        """Save the summary, unless what it tells of was left by branching off, or forgotten, while it was written."""
        log, last = self._parts.log, folded[-1]
        now = log.turns(session.id, first=session.summarised_to + 1, last=last.seq)
        if tuple((turn.id, turn.text) for turn in now) != tuple((turn.id, turn.text) for turn in folded):
            return 0
        if log.session(session.id).summary != session.summary:
            return 0
        self._parts.log.save_summary(session.id, summary, last.seq)
        return len(folded)


def transcript(turns: Sequence[Turn]) -> str:
    """Turns as a model reads them in a task about a conversation."""
    return "\n".join(f"{'User' if turn.role is Role.USER else 'Assistant'}: {turn.text}" for turn in turns)
