"""What a conversation knows of its answers beyond what is kept: in memory only, gone when chatmem ends."""

from collections.abc import Iterable, Mapping

from chatmem.domain.recall import Recalled
from chatmem.domain.turn import TurnId

Parts = tuple[tuple[str, float], ...]
"""The terms of a score, by name."""


class Traces:
    """Remembers how recall came to its ranks: numbers, no texts.

    Attributes:
        parts: The terms of the score of what was recalled, by the user's turn and the item's id.
    """

    def __init__(self) -> None:
        self.parts: dict[TurnId, Mapping[str, Parts]] = {}

    def recalled(self, turn_id: TurnId, items: Iterable[Recalled]) -> None:
        """Note how what was recalled for a user's turn came to its rank."""
        self.parts[turn_id] = {item.id: item.parts for item in items}
