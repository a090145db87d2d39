"""What a role may consume in a day."""

from dataclasses import dataclass

from chatmem.domain.model import Usage


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
