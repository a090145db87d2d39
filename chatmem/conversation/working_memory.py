"""Working memory: what the model sees of the session."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from chatmem.domain.text import sentences
from chatmem.domain.turn import Role, Turn, TurnId
from chatmem.ports.token_counter import TokenCounter

PER_TURN_TOKENS = 4
"""What a chat template adds around each turn, about."""

CUT_NOTE = "\n[… cut here: too long for this model]"

LEAST_QUESTION_TOKENS = 32
"""With less room than this beside its reply, a question is left out rather than cut."""

LINE_TOKENS = 60
"""What of one turn goes into a summary that is made without a model, at most."""

LEAST_LINE_TOKENS = 16
"""With less room than this, a line is left out of a summary rather than cut."""


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
        tokens: Total of `kept`; above the budget only where the images of the newest turn are too large for it.
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


class Sizes:
    """What the words of turns cost in a prompt, in tokens; counted again only when they change."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter
        self._known: dict[TurnId, tuple[int, int]] = {}

    def __call__(self, turn: Turn) -> int:
        """The cost of one turn, its images aside."""
        words = hash(turn.text)
        known = self._known.get(turn.id)
        if known is None or known[0] != words:
            known = self._known[turn.id] = words, self._counter.count(turn.text) + PER_TURN_TOKENS
        return known[1]


def fit(
    turns: Sequence[Turn], counter: TokenCounter, *, budget_tokens: int, cost: Callable[[Turn], int] | None = None
) -> Window:
    """Keep the newest turns that fit.

    The newest turn is always kept, and where it is a reply, its question too; they are cut with a visible note where
    they alone are above the budget. Otherwise the window never begins with a reply, whose question would be missing.

    Args:
        turns: The session's, in order.
        counter: Counts tokens.
        budget_tokens: For all that is kept.
        cost: What a turn costs, in tokens; that of its words if not given.
    """
    cost = cost or Sizes(counter)
    kept: list[Turn] = []
    tokens = cut = 0
    for turn in reversed(turns):
        size = cost(turn)
        room = budget_tokens - tokens
        if size > room:
            if kept and not (_is_lone_reply(kept) and room > LEAST_QUESTION_TOKENS):
                break
            turn, cut = _cut(turn, counter, room - PER_TURN_TOKENS)  # noqa: PLW2901 what is kept is the cut turn
            size = cost(turn)
        kept.append(turn)
        tokens += size
    while len(kept) > 1 and kept[-1].role is Role.ASSISTANT:
        tokens -= cost(kept.pop())
    return Window(
        kept=tuple(reversed(kept)), evicted=tuple(turns[: len(turns) - len(kept)]), tokens=tokens, cut_tokens=cut
    )


def _is_lone_reply(kept: Sequence[Turn]) -> bool:
    return len(kept) == 1 and kept[0].role is Role.ASSISTANT


def _cut(turn: Turn, counter: TokenCounter, tokens: int) -> tuple[Turn, int]:
    """The turn with the words that fit, and how many tokens that takes off; a turn with images may just fit."""
    if counter.count(turn.text) <= tokens:
        return turn, 0
    text = counter.cut(turn.text, max(0, tokens - counter.count(CUT_NOTE)))
    return replace(turn, text=text + CUT_NOTE), counter.count(turn.text) - counter.count(text)


def ending(text: str, counter: TokenCounter, tokens: int) -> str:
    """An end of a text that has at most `tokens` tokens, about as long as it can be."""
    while (size := counter.count(text)) > tokens:
        length = int(len(text) * 0.95 * max(tokens, 0) / size)
        text = text[len(text) - length :]
    return text


def extract_summary(summary: str, turns: Sequence[Turn], counter: TokenCounter, *, budget_tokens: int) -> str:
    """Fold turns into a running summary without a model: the first sentence of each of the user's turns.

    What is oldest goes first when the summary outgrows its budget.
    """
    kept: list[str] = []
    left = budget_tokens
    for line in _newest_first(summary, turns, counter):
        size = counter.count(line) + 1
        if size > left:
            if left > LEAST_LINE_TOKENS:
                kept.append(counter.cut(line, left - 1))
            break
        kept.append(line)
        left -= size
    return "\n".join(reversed(kept))


def _newest_first(summary: str, turns: Sequence[Turn], counter: TokenCounter) -> Iterator[str]:
    for turn in reversed(turns):
        if turn.role is Role.USER and (first := next(sentences(turn.text), "")):
            yield f"- {turn.said_at:%Y-%m-%d}: the user said: {counter.cut(first, LINE_TOKENS)}"
    yield from reversed(summary.splitlines())
