"""What calls consume, and what a role may consume in a day."""

from collections.abc import Callable
from dataclasses import dataclass

from chatmem.domain.model import ChatRequest, ModelChoice, ModelFacts, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of one day; `None` for no limit.

    Attributes:
        tokens: Of prompts and replies together.
        usd: In US dollars; calls whose price is unknown count as nothing.
    """

    tokens: int | None = None
    usd: float | None = None

    def exceeded(self, spent: Usage) -> str:
        """What is used up, in words (`50,000 tokens`); empty while something is left."""
        if self.tokens is not None and spent.prompt_tokens + spent.completion_tokens >= self.tokens:
            return f"{self.tokens:,} tokens"
        if self.usd is not None and (spent.cost_usd or 0.0) >= self.usd:
            return f"${self.usd:,.2f}"
        return ""


def estimated(
    request: ChatRequest, arrived: str, count: Callable[[str], int], facts: Callable[[ModelChoice], ModelFacts]
) -> Usage:
    """What a call took whose end never came, and with it no figures.

    Args:
        request: What was asked.
        arrived: What came of the answer, thoughts included.
        count: Counts tokens.
        facts: Tells what the model costs.
    """
    prompt_tokens = sum(count(message.text) for message in request.messages)
    completion_tokens = count(arrived)
    known, cost = facts(request.choice), None
    if known.prompt_usd is not None and known.completion_usd is not None:
        cost = (prompt_tokens * known.prompt_usd + completion_tokens * known.completion_usd) / 1e6
    return Usage(prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, cost_usd=cost)
