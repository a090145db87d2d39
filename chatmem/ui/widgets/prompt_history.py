"""Walking through what was said before, while what is being typed waits."""

from collections.abc import Sequence

KEPT = 200
"""How many texts can be walked through."""


class SaidBefore:
    """The place in the list of what was said, and what was typed at each place.

    Attributes:
        walking: Whether another text than the unsent one is shown.
    """

    def __init__(self) -> None:
        self._said: Sequence[str] = ()
        self._at = 0
        self._typed: dict[int, str] = {}

    @property
    def walking(self) -> bool:
        """Whether one of the texts is shown, and not what is being typed."""
        return self._at > 0

    def begin(self, said: Sequence[str]) -> None:
        """Walk through these texts, newest first, from what is being typed on."""
        self._said, self._at, self._typed = said, 0, {}

    def step(self, by: int, shown: str) -> str | None:
        """Go to an older text for 1, to a newer one for -1.

        Args:
            by: How far.
            shown: What stands in the prompt now; it is there again when the walk comes back.

        Returns:
            What to show now; `None` if there is nothing further that way.
        """
        at = min(max(self._at + by, 0), len(self._said))
        if at == self._at:
            return None
        self._typed[self._at] = shown
        self._at = at
        return self._typed.get(at, self._said[at - 1] if at else "")

    def unsent(self, shown: str) -> str:
        """What would be lost if the prompt were: what is being typed, or a text of the list that was changed."""
        if self.walking and shown == self._said[self._at - 1]:
            return self._typed.get(0, "")
        return shown

    def end(self) -> None:
        """Begin anew: what stood in the prompt was sent, or dropped."""
        self.begin(())
