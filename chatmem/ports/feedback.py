"""What became of what was recalled: where the answer lay, and what it used."""

from collections.abc import Collection, Mapping
from typing import Protocol

from chatmem.domain.recall import Opinion, Tier
from chatmem.domain.turn import TurnId


class Feedback(Protocol):
    """Keeps it beside what the session log noted of each recall, without any text.

    Methods block, may be called from any thread and process, and raise `StoreError` if the file fails. A turn for which
    nothing was recalled is passed over.
    """

    def save(self, turn_id: TurnId, tier: Tier | None, used: Collection[str]) -> None:
        """Note where the best of what was recalled for a user's turn lay, and which of it the answer used.

        Args:
            turn_id: The user's turn.
            tier: `None` where nothing bore on it.
            used: Ids of the items that were used; the others were not. What the person has marked keeps the mark.
        """
        ...

    def tier(self, turn_id: TurnId) -> Tier | None:
        """Where the best of what was recalled for a user's turn lay, as noted last."""
        ...

    def mark(self, turn_id: TurnId, item_id: str, *, used: bool) -> None:
        """Note the person's word on an item that was recalled for their turn.

        Raises:
            NotFoundError: If the item was not recalled for this turn.
        """
        ...

    def used(self, turn_id: TurnId) -> Mapping[str, bool]:
        """Of the items recalled for a user's turn whether they were used, as far as that is known."""
        ...

    def parts(self, turn_id: TurnId) -> Mapping[str, tuple[tuple[str, float], ...]]:
        """The terms of the score of each item recalled for a user's turn, by name, as far as they were noted."""
        ...

    def save_opinion(self, answer_id: TurnId, opinion: Opinion) -> None:
        """Note what the person thinks of an answer, in place of what was noted before."""
        ...

    def opinion(self, answer_id: TurnId) -> Opinion | None:
        """What the person thinks of an answer; `None` where that is not known."""
        ...
