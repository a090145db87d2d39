"""Erasing whole sessions, and what keeps them from coming back."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from chatmem.domain.turn import SessionId, TurnId


class SessionEraser(Protocol):
    """Erases sessions with everything that hangs on them. Methods block, and may be called from any thread and process.

    All raise `StoreError` if the file fails. What a method has written is durable when it returns.
    """

    def every(self) -> list[SessionId]:
        """All sessions, also those in which nothing was said."""
        ...

    def begin(self, ids: Sequence[SessionId], hashes: Collection[bytes], at: datetime) -> None:
        """Note, without any text, what is being forgotten, and the hashes by which it is known from now on."""
        ...

    def unfinished(self) -> list[SessionId]:
        """What `begin` noted and `end` did not end."""
        ...

    def erase(self, ids: Sequence[SessionId]) -> list[TurnId]:
        """Take sessions out: turns of every branch, images, drafts, recall records, jobs, and what replies consumed.

        Sums of what was consumed stay. An id that is not there is passed over.

        Returns:
            The turns that went.
        """
        ...

    def end(self) -> None:
        """Forget what was begun; the hashes stay."""
        ...

    def known(self) -> frozenset[bytes]:
        """The hashes of all forgotten sessions."""
        ...

    def known_since(self) -> Mapping[datetime, int]:
        """When sessions were forgotten, and by how many hashes they are known; oldest first."""
        ...

    def know_no_more(self, at: datetime) -> None:
        """Drop the hashes of the sessions that were forgotten at this moment."""
        ...
