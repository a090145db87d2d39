"""What a conversation knows of its answers beyond what is kept: in memory only, gone when chatmem ends."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chatmem.conversation.assembly import Piece
from chatmem.domain.model import ModelChoice
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import TurnId

Parts = tuple[tuple[str, float], ...]
"""The terms of a score, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A prompt in its pieces.

    Attributes:
        answer_id: The answer that it was sent for; `None` where it was not sent.
        reply_tokens: Upper bound of the reply's length.
    """

    choice: ModelChoice
    answer_id: TurnId | None
    pieces: tuple[Piece, ...]
    reply_tokens: int


class Traces:
    """Remembers what was sent last, and how recall came to its ranks.

    Attributes:
        parts: The terms of the score of what was recalled, by the user's turn and the item's id: numbers, no texts.
        sent: What the model was sent last, without the secrets that it was let see; `None` where that is not known.
    """

    def __init__(self) -> None:
        self.parts: dict[TurnId, Mapping[str, Parts]] = {}
        self.sent: Sent | None = None

    def recalled(self, turn_id: TurnId, items: Iterable[Recalled]) -> None:
        """Note how what was recalled for a user's turn came to its rank."""
        self.parts[turn_id] = {item.id: item.parts for item in items}
