"""The session log: every turn, durably, before anything else happens with it."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from chatmem.domain.model import Usage
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import AttachmentId, Session, SessionId, Turn, TurnId, TurnStatus


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

    def set_off_record(self, session_id: SessionId, off_record: bool) -> None:
        """Pause learning in a session, or go on with it: turns added from now on are off the record, or on it."""
        ...

    def save_summary(self, session_id: SessionId, summary: str, summarised_to: int) -> None:
        """Replace the running summary, which now covers the turns up to `summarised_to`."""
        ...

    def together(self) -> AbstractContextManager[object]:
        """Have what this thread writes in the block become durable at its end, with one wait for the disk.

        An error that leaves the block undoes all of it.
        """
        ...

    def append(self, turn: Turn, contents: Sequence[bytes] = ()) -> Turn:
        """Add a turn at the end of its session's current branch, and return it as it is stored.

        Its own `seq` and `parent_id` are ignored; where its session is off the record, so is the turn. Adding a turn
        whose id is there already changes nothing and returns the one that is there.

        Args:
            turn: The turn.
            contents: Of its attachments, in their order.
        """
        ...

    def append_beside(self, turn: Turn, other: TurnId, contents: Sequence[bytes] = ()) -> Turn:
        """Add a turn as an alternative to another one; from now on it ends the current branch.

        A running summary that covers the other turn is dropped, as it tells of what is no longer so.
        """
        ...

    def follow(self, turn_id: TurnId) -> None:
        """Make the branch current that goes through this turn and ends with the newest turn after it.

        A running summary that covers turns which are no longer current is dropped.
        """
        ...

    def alternatives(self, session_id: SessionId) -> Mapping[TurnId, tuple[TurnId, ...]]:
        """For each turn of the current branch that has alternatives: all of them and itself, oldest first."""
        ...

    def save_reply(
        self,
        turn_id: TurnId,
        *,
        text: str,
        status: TurnStatus,
        error: str | None = None,
        reasoning: str = "",
        finish_reason: str | None = None,
    ) -> bool:
        """Replace what is known of a reply that is on its way; any status but `STREAMING` ends it.

        One that was taken for interrupted, because its window slept, is on its way as well.

        Returns:
            False where it had ended, by another save or by `cut_replies`: nothing was changed then.
        """
        ...

    def resume_reply(self, turn_id: TurnId, model: str) -> Turn:
        """Set a reply that had ended on its way again, from this model, and return it as it is now."""
        ...

    def cut_replies(self, error: str) -> list[Turn]:
        """End every reply that is on its way, in whichever window, as failed for this reason.

        What arrives of them from now on is not kept. Those taken for interrupted stay so.

        Returns:
            What has been kept of them.
        """
        ...

    def answered_by(self, turn_id: TurnId, model: str) -> None:
        """Note that another model than the one asked first gives a reply."""
        ...

    def save_usage(self, turn_id: TurnId, usage: Usage, *, ms: float) -> None:
        """Note what a reply consumed, and how long it took in milliseconds."""
        ...

    def usage(self, session_id: SessionId) -> Mapping[TurnId, Usage]:
        """What the replies of a session consumed, as far as it was noted."""
        ...

    def attachment(self, attachment_id: AttachmentId) -> bytes:
        """The content of an attachment."""
        ...

    def turn(self, turn_id: TurnId) -> Turn:
        """One turn, of any branch."""
        ...

    def turns(
        self, session_id: SessionId, *, first: int = 1, last: int | None = None, every_branch: bool = False
    ) -> list[Turn]:
        """The turns of a session's current branch from `seq` `first` to `last`, both included, in order."""
        ...

    def search(self, text: str, *, session_id: SessionId | None = None, limit: int = 100) -> list[Turn]:
        """Turns of current branches that hold a text, whatever its case, newest first; of one session or of all."""
        ...

    def said(self, *, limit: int) -> list[str]:
        """What the user said last, newest first, each text once."""
        ...

    def models_used(self, *, limit: int) -> list[str]:
        """Names of the models that sessions talked to, the one last used first."""
        ...

    def save_draft(self, session_id: SessionId | None, text: str) -> None:
        """Keep what was typed but not sent, for a session or, with `None`, for the next new one; empty to drop it."""
        ...

    def draft(self, session_id: SessionId | None) -> str:
        """What was typed but not sent; empty where there is nothing."""
        ...

    def close_interrupted(self, before: datetime) -> int:
        """Mark replies still streaming but not saved since `before` as interrupted; returns how many."""
        ...

    def save_recalled(self, turn_id: TurnId, recalled: Sequence[Recalled], *, ms: float) -> None:
        """Note what was recalled for a user's turn (ids and scores, no texts), and how long it took.

        What was injected for an earlier answer to it stays noted, as that answer may rest on it.
        """
        ...

    def recalled(self, turn_id: TurnId) -> list[tuple[str, float, bool]]:
        """Id, score and whether it was injected, of each item recalled for a user's turn, best first."""
        ...

    def shown(self, ids: Collection[str]) -> set[TurnId]:
        """The user's turns whose prompt held any of these memories or turns."""
        ...

    def unindexed(self, *, limit: int) -> list[Turn]:
        """Ended turns, on the record, not yet written to the turn index in their present wording, newest first."""
        ...

    def mark_indexed(self, turns: Sequence[Turn]) -> None:
        """Note that these turns, in this wording, are in the turn index."""
        ...

    def mark_all_unindexed(self) -> None:
        """Have every turn written to the turn index anew."""
        ...

    def redact(self, turn_id: TurnId, text: str, error: str | None = None) -> None:
        """Replace a turn's words and error for good, and drop its reasoning and attachments.

        The turn becomes unindexed.
        """
        ...
