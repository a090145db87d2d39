"""Compaction: folding the oldest turns of a session into its running summary."""

import asyncio
import logging
from collections.abc import Sequence

from chatmem.conversation.working_memory import extract_summary, fit
from chatmem.domain.errors import ModelError
from chatmem.domain.model import ChatRequest, ModelChoice, PromptMessage
from chatmem.domain.turn import Role, Session, Turn
from chatmem.ports.chat_model import ChatModel
from chatmem.ports.meter import Meter
from chatmem.ports.session_log import SessionLog
from chatmem.ports.token_counter import TokenCounter
from chatmem.prompts import prompt

START_AT = 0.85
"""Part of the window's budget above which turns are folded, so that it is done before it is needed."""

FOLD_TO = 0.5
"""Part of the budget that stays verbatim afterwards, so that not every turn folds."""

WORDS_PER_TOKEN = 0.6

logger = logging.getLogger(__name__)


class Compaction:
    """Folds evicted turns into the running summary: by the model, or by extracting sentences when the model fails."""

    def __init__(self, log: SessionLog, chat_model: ChatModel, counter: TokenCounter, meter: Meter) -> None:
        self._log = log
        self._chat_model = chat_model
        self._counter = counter
        self._meter = meter

    async def run(self, session: Session, choice: ModelChoice, *, window_tokens: int, summary_tokens: int) -> int:
        """Fold when the window is nearly full; returns the number of turns folded.

        Raises:
            StoreError: If the summary could not be saved.
        """
        turns = await asyncio.to_thread(self._log.turns, session.id, first=session.summarised_to + 1)
        evicted = await asyncio.to_thread(self._due, turns, window_tokens)
        if not evicted:
            return 0
        summary = await self._fold(session.summary, evicted, choice, window_tokens, summary_tokens)
        await asyncio.to_thread(self._log.save_summary, session.id, summary, evicted[-1].seq)
        return len(evicted)

    def extract(self, summary: str, turns: Sequence[Turn], tokens: int) -> str:
        """Fold without a model."""
        return extract_summary(summary, turns, self._counter, budget_tokens=tokens)

    def _due(self, turns: Sequence[Turn], window_tokens: int) -> tuple[Turn, ...]:
        if not fit(turns, self._counter, budget_tokens=int(window_tokens * START_AT)).evicted:
            return ()
        return fit(turns, self._counter, budget_tokens=int(window_tokens * FOLD_TO)).evicted

    async def _fold(
        self, summary: str, turns: Sequence[Turn], choice: ModelChoice, window_tokens: int, summary_tokens: int
    ) -> str:
        text = await asyncio.to_thread(self._counter.cut, transcript(turns), window_tokens)
        request = ChatRequest(
            choice=choice,
            messages=(
                PromptMessage(
                    role="user",
                    text=prompt("summarise").fill(
                        words=str(int(summary_tokens * WORDS_PER_TOKEN)), summary=summary or "(none)", turns=text
                    ),
                ),
            ),
            max_reply_tokens=summary_tokens,
            temperature=0.0,
        )
        try:
            completion = await self._chat_model.complete(request)
        except ModelError as error:
            logger.warning("the model could not summarise: %s", type(error).__name__)
            return await asyncio.to_thread(self.extract, summary, turns, summary_tokens)
        await asyncio.to_thread(self._meter.count_call, "summary", choice.model, completion.usage)
        return completion.text.strip() or await asyncio.to_thread(self.extract, summary, turns, summary_tokens)


def transcript(turns: Sequence[Turn]) -> str:
    """Turns as a model reads them in a task about a conversation."""
    return "\n".join(f"{'User' if turn.role is Role.USER else 'Assistant'}: {turn.text}" for turn in turns)
