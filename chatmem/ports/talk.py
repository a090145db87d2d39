"""What was said around a turn: what recall needs of the session log, for many turns at once."""

from collections.abc import Collection, Mapping
from typing import Protocol

from chatmem.domain.recall import Said, Summary
from chatmem.domain.turn import SessionId, TurnId


class Talk(Protocol):
    """Reads what was said. Methods block, and may be called from any thread and process."""

    def around(self, ids: Collection[TurnId], *, before: int, after: int) -> list[Said]:
        """What these turns say, and the turns said up to `before` before and `after` after them in their sessions.

        Turns without words, those that are not on their session's current branch, and ids that are not there are left
        out. In order of session and place.

        Raises:
            StoreError: If the log could not be read.
        """
        ...

    def summaries(self, ids: Collection[SessionId]) -> Mapping[SessionId, Summary]:
        """The running summaries of these sessions, those that have one.

        Raises:
            StoreError: If the log could not be read.
        """
        ...

    def speakers(self) -> frozenset[str]:
        """The names of all who spoke, where an import knows them.

        Raises:
            StoreError: If the log could not be read.
        """
        ...
