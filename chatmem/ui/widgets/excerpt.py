"""Which turns of a session are on the screen: a run of them, as mounting all of a long session takes seconds."""

from collections.abc import Sequence

from chatmem.domain.turn import Turn, TurnId

TAIL = 30
"""Turns mounted when a session is opened, and each time more are asked for."""

LEAD = 6
"""Turns mounted before the one that is looked for."""


class Excerpt:
    """A run of a session's turns, which grows at both ends."""

    def __init__(self, turns: Sequence[Turn] = (), at: TurnId | None = None) -> None:
        """Take the newest turns, or those around the turn `at`."""
        self._turns = list(turns)
        self._first, self._end = max(0, len(turns) - TAIL), len(turns)
        wanted = next((number for number, turn in enumerate(turns) if turn.id == at), self._first)
        if wanted < self._first:
            self._first = max(0, wanted - LEAD)
            self._end = self._first + TAIL

    @property
    def turns(self) -> list[Turn]:
        """The turns of the run."""
        return self._turns[self._first : self._end]

    @property
    def all(self) -> list[Turn]:
        """Every turn of the session."""
        return self._turns

    @property
    def earlier(self) -> int:
        """How many turns are before the run."""
        return self._first

    @property
    def later(self) -> int:
        """How many turns are after the run."""
        return len(self._turns) - self._end

    def extend_back(self) -> list[Turn]:
        """Take more turns before the run, and return them."""
        end, self._first = self._first, max(0, self._first - TAIL)
        return self._turns[self._first : end]

    def extend_on(self) -> list[Turn]:
        """Take more turns after the run, and return them."""
        first, self._end = self._end, min(len(self._turns), self._end + TAIL)
        return self._turns[first : self._end]

    def append(self, turn: Turn) -> None:
        """Add a turn to a run that reaches to the end."""
        self._turns.append(turn)
        self._end = len(self._turns)

    def replace(self, turn: Turn) -> None:
        """Take a turn as it is now."""
        self._turns = [turn if other.id == turn.id else other for other in self._turns]

    def drop_from(self, turn_id: TurnId) -> None:
        """Leave out a turn and all after it."""
        number = next((number for number, turn in enumerate(self._turns) if turn.id == turn_id), len(self._turns))
        del self._turns[number:]
        self._end = min(self._end, len(self._turns))
        self._first = min(self._first, self._end)

    def __contains__(self, turn_id: object) -> bool:
        """Whether a turn is in the session, shown or not."""
        return any(turn.id == turn_id for turn in self._turns)
