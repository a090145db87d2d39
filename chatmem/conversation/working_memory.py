"""Working memory: what the model sees of the session."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from chatmem.domain.text import sentences
from chatmem.domain.turn import Role, Turn
from chatmem.ports.token_counter import TokenCounter

PER_TURN_TOKENS = 4
"""What a chat template adds around each turn, about."""

CUT_NOTE = "\n[… cut here: too long for this model]"


class Strategy(StrEnum):
    """What becomes of turns that no longer fit."""

    SLIDING = "sliding"
    """They leave the prompt; recall can still find them."""
    SUMMARISING = "summarising"
    """They are folded into a running summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A split of the session into what stays verbatim and what does not.

    Attributes:
        kept: The newest turns, oldest first.
        evicted: The turns before them, oldest first, due for compaction.
        tokens: Total of `kept`; never above the budget.
        cut_tokens: Tokens taken off the newest turn because it alone was too large; 0 as a rule.
    """

    kept: tuple[Turn, ...]
    evicted: tuple[Turn, ...]
    tokens: int
    cut_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """How full the context is, in tokens."""

    used: int
    budget: int

    @property
    def share(self) -> float:
        """Part of the budget in use, [0, 1] unless the turn was cut."""
        return self.used / self.budget if self.budget else 1.0


def fit(turns: Sequence[Turn], counter: TokenCounter, *, budget_tokens: int) -> Window:
    """Keep the newest turns that fit.

    The newest turn is always kept, cut with a visible note where it alone is above the budget. The window never begins
    with a reply, whose question would be missing.
    """
    kept: list[Turn] = []
    tokens = cut = 0
    for turn in reversed(turns):
        size = counter.count(turn.text) + PER_TURN_TOKENS
        if tokens + size > budget_tokens:
            if kept:
                break
            turn, cut = _cut(turn, counter, budget_tokens - PER_TURN_TOKENS)  # noqa: PLW2901 what is kept is the cut turn
            size = counter.count(turn.text) + PER_TURN_TOKENS
        kept.append(turn)
        tokens += size
    while len(kept) > 1 and kept[-1].role is Role.ASSISTANT:
        tokens -= counter.count(kept.pop().text) + PER_TURN_TOKENS
    return Window(
        kept=tuple(reversed(kept)), evicted=tuple(turns[: len(turns) - len(kept)]), tokens=tokens, cut_tokens=cut
    )


def _cut(turn: Turn, counter: TokenCounter, tokens: int) -> tuple[Turn, int]:
    room = max(0, tokens - counter.count(CUT_NOTE))
    text = counter.cut(turn.text, room)
    return replace(turn, text=text + CUT_NOTE), counter.count(turn.text) - counter.count(text)


def extract_summary(summary: str, turns: Sequence[Turn], counter: TokenCounter, *, budget_tokens: int) -> str:
    """Fold turns into a running summary without a model: the first sentence of each of the user's turns.

    What is oldest goes first when the summary outgrows its budget.
    """
    lines = summary.splitlines()
    for turn in turns:
        if turn.role is Role.USER and (first := next(sentences(turn.text), "")):
            lines.append(f"- {turn.said_at:%Y-%m-%d}: the user said: {counter.cut(first, 60)}")
    sizes = [counter.count(line) + 1 for line in lines]
    while lines and sum(sizes) > budget_tokens:
        del lines[0], sizes[0]
    return "\n".join(lines)
