"""The session log: every turn, durably, before anything else happens with it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from chatmem.domain.model import Usage
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import Session, SessionId, Turn, TurnId, TurnStatus


class SessionLog(Protocol):
    """Keeps sessions and turns. Methods block, and may be called from any thread and process.

    Every method raises `StoreError` if the log can't be read or written, and `NotFoundError` for an id it lacks.
    What a method has written is durable when it returns.
    """

    def open_session(self, session: Session) -> None:
        """Add a new, empty session; one that is there already is left as it is."""
        ...

    def session(self, session_id: SessionId) -> Session:
        """One session."""
        ...

    def sessions(self, *, limit: int | None = None) -> list[Session]:
        """Sessions that have turns, the one last spoken in first."""
        ...

    def rename(self, session_id: SessionId, title: str) -> None:
        """Give a session another title."""
        ...

    def set_model(self, session_id: SessionId, model: str) -> None:
        """Note the model that a session talks to."""
        ...

    def save_summary(self, session_id: SessionId, summary: str, summarised_to: int) -> None:
        """Replace the running summary, which now covers the turns up to `summarised_to`."""
        ...

    def append(self, turn: Turn) -> Turn:
        """Add a turn at the end of its session and return it with the `seq` it was given; its own `seq` is ignored.

        Adding a turn whose id is there already changes nothing and returns the one that is there.
        """
        ...

    def save_reply(self, turn_id: TurnId, *, text: str, status: TurnStatus, error: str | None = None) -> None:
        """Replace the text and status of an assistant's turn that is arriving or has ended."""
        ...

    def save_usage(self, turn_id: TurnId, usage: Usage, *, ms: float) -> None:
        """Note what a reply consumed, and how long it took in milliseconds."""
        ...

    def turn(self, turn_id: TurnId) -> Turn:
        """One turn."""
        ...

    def turns(self, session_id: SessionId, *, first: int = 1, last: int | None = None) -> list[Turn]:
        """The turns of a session from `seq` `first` to `last`, both included, in order."""
        ...

    def close_interrupted(self, before: datetime) -> int:
        """Mark replies still streaming but not saved since `before` as interrupted; returns how many."""
        ...

    def save_recalled(self, turn_id: TurnId, recalled: Sequence[Recalled], *, ms: float) -> None:
        """Note what was recalled for a user's turn (ids and scores, no texts), and how long it took."""
        ...

    def recalled(self, turn_id: TurnId) -> list[tuple[str, float, bool]]:
        """Id, score and whether it was injected, of each item recalled for a user's turn, best first."""
        ...

    def unindexed(self, *, limit: int) -> list[Turn]:
        """Ended turns that were not yet written to the turn index in their present wording, oldest first."""
        ...

    def mark_indexed(self, turns: Sequence[Turn]) -> None:
        """Note that these turns, in this wording, are in the turn index."""
        ...

    def mark_all_unindexed(self) -> None:
        """Have every turn written to the turn index anew."""
        ...

    def redact(self, turn_id: TurnId, text: str) -> None:
        """Replace a turn's words for good; the turn becomes unindexed."""
        ...
