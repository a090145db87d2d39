"""Compaction: folding the oldest turns of a session into its running summary."""

import asyncio
import logging
from collections.abc import Sequence

from chatmem.conversation.parts import Parts
from chatmem.conversation.working_memory import PER_TURN_TOKENS, extract_summary, fit
from chatmem.domain.errors import ModelError
from chatmem.domain.model import ChatRequest, ModelChoice, PromptMessage
from chatmem.domain.turn import Role, Session, SessionId, Turn
from chatmem.prompts import prompt

START_AT = 0.85
"""Part of the window's budget above which turns are folded, so that it is done before it is needed."""

FOLD_TO = 0.5
"""Part of the budget that stays verbatim afterwards, so that not every turn folds."""

WORDS_PER_TOKEN = 0.6

logger = logging.getLogger(__name__)


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
        told = await asyncio.to_thread(self._told, evicted, summary_tokens)
        if told and (summary := await self._by_model(session.summary, told, summary_tokens)):
            return await asyncio.to_thread(self._save, session, summary, told)
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

    async def _by_model(self, summary: str, turns: Sequence[Turn], tokens: int) -> str:
        """The summary as the model for background work writes it; empty if there is none, or it fails."""
        request = await asyncio.to_thread(self._request, summary, turns, tokens)
        if request is None:
            return ""
        try:
            completion = await self._parts.chat_model.complete(request)
        except ModelError as error:
            logger.warning("the model could not summarise: %s", type(error).__name__)
            return ""
        await asyncio.to_thread(self._parts.meter.count_call, "summary", request.choice.model, completion.usage)
        return completion.text.strip()

    def _request(self, summary: str, turns: Sequence[Turn], tokens: int) -> ChatRequest | None:
        choice, counter = self._parts.background(), self._parts.counter
        if choice is None:
            return None
        room = self._room(choice, tokens)
        text = prompt("summarise").fill(
            words=str(int(tokens * WORDS_PER_TOKEN)),
            summary=summary or "(none)",
            turns=counter.cut(transcript(turns), max(0, room)),
        )
        return ChatRequest(
            choice=choice,
            messages=(PromptMessage(role="user", text=text),),
            max_reply_tokens=tokens,
            temperature=0.0,
        )

    def _told(self, evicted: Sequence[Turn], tokens: int) -> tuple[Turn, ...]:
        """The first of the turns, as many as the model takes in: what it is not shown would be in no summary."""
        if (choice := self._parts.background()) is None:
            return ()
        left, told = self._room(choice, tokens), 0
        for turn in evicted:
            left -= self._parts.counter.count(turn.text) + PER_TURN_TOKENS
            if left < 0:
                break
            told += 1
        return tuple(evicted[: max(1, told)])

    def _room(self, choice: ModelChoice, tokens: int) -> int:
        context = self._parts.chat_model.context_tokens(choice)
        return context - 2 * tokens - self._parts.counter.count(prompt("summarise").text)

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
