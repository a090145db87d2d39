"""Counting tokens."""

from typing import Protocol


class TokenCounter(Protocol):
    """Counts tokens. Cheap, and safe to call from any thread; never fails on any text."""

    def count(self, text: str) -> int:
        """Number of tokens of a text."""
        ...

    def cut(self, text: str, tokens: int) -> str:
        """The longest beginning of a text that has at most `tokens` tokens."""
        ...
