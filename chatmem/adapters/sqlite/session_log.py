"""The session log in SQLite."""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from chatmem.adapters.sqlite.database import Database, Statements
from chatmem.adapters.sqlite.records import moment, stamp, usage_of
from chatmem.adapters.sqlite.search import models_used, said, search
from chatmem.adapters.sqlite.turns import add, leaf, make_current, newest_after, turns_of
from chatmem.domain.errors import NotFoundError
from chatmem.domain.model import Usage
from chatmem.domain.recall import Recalled
from chatmem.domain.turn import AttachmentId, Session, SessionId, Turn, TurnId, TurnStatus
from chatmem.ports.clock import Clock

_OPEN_SESSION = """
    INSERT INTO sessions (id, title, started_at, model, summary, summarised_to, last_at, off_record)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING"""
# Turns that were left have an index of their own, which is empty for most sessions.
_COUNTED = """
    SELECT *, (SELECT COUNT(*) FROM turns WHERE session_id = sessions.id AND is_current = 0) AS aside_count
    FROM sessions"""
_SESSION = f"{_COUNTED} WHERE id = ?"
_SESSIONS = f"{_COUNTED} WHERE turn_count > 0 ORDER BY last_at DESC, rowid DESC LIMIT ?"
_RENAME = "UPDATE sessions SET title = ? WHERE id = ?"
_SET_MODEL = "UPDATE sessions SET model = ? WHERE id = ?"
_SET_OFF_RECORD = "UPDATE sessions SET off_record = ? WHERE id = ?"
_SAVE_SUMMARY = "UPDATE sessions SET summary = ?, summarised_to = ? WHERE id = ?"

_EXTEND_SESSION = "UPDATE sessions SET turn_count = turn_count + 1, last_at = ? WHERE id = ?"
_FOLLOWED = "UPDATE sessions SET followed_at = ? WHERE id = ?"
_TURN = "SELECT * FROM turns WHERE id = ?"
_TURNS = """
    SELECT * FROM turns WHERE session_id = ? AND seq >= ? AND (? IS NULL OR seq <= ?) AND (? OR is_current = 1)
    ORDER BY seq"""
# Where there are alternatives, all but one are not current, and those have an index: the outer loop, by CROSS JOIN.
_ALTERNATIVES = """
    SELECT DISTINCT turns.id, turns.seq, turns.parent_id, turns.is_current
    FROM turns AS aside CROSS JOIN turns ON turns.parent_id IS aside.parent_id AND turns.session_id = aside.session_id
    WHERE aside.session_id = ? AND aside.is_current = 0 ORDER BY turns.seq"""
_ATTACHMENT = "SELECT content FROM attachments WHERE id = ?"
# On its way: a reply that was cut has an error, whatever its status.
_ARRIVING = "status IN ('streaming', 'interrupted') AND error IS NULL"
_SAVE_REPLY = f"""
    UPDATE turns SET text = ?, status = ?, error = ?, reasoning = ?, finish_reason = ?, saved_at = ?,
        is_indexed = 0
    WHERE id = ? AND {_ARRIVING}"""  # noqa: S608  # of the constant above
_RESUME = """
    UPDATE turns SET status = 'streaming', error = NULL, finish_reason = NULL, model = ?, saved_at = ? WHERE id = ?"""
_CUT = f"""
    UPDATE turns SET status = CASE status WHEN 'streaming' THEN 'failed' ELSE status END, error = ?, is_indexed = 0
    WHERE {_ARRIVING} RETURNING *"""  # noqa: S608
_ANSWERED_BY = "UPDATE turns SET model = ? WHERE id = ?"
_REDACT = "UPDATE turns SET text = ?, error = ?, reasoning = '', attachment_count = 0, is_indexed = 0 WHERE id = ?"
_DROP_ATTACHMENTS = "DELETE FROM attachments WHERE turn_id = ?"
_CLOSE_INTERRUPTED = (
    "UPDATE turns SET status = 'interrupted', is_indexed = 0 WHERE status = 'streaming' AND saved_at < ?"
)
_SAVE_USAGE = """
    INSERT INTO usage (turn_id, prompt_tokens, completion_tokens, cost_usd, ms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (turn_id) DO UPDATE SET prompt_tokens = excluded.prompt_tokens,
        completion_tokens = excluded.completion_tokens, cost_usd = excluded.cost_usd, ms = excluded.ms"""
_USAGE = """
    SELECT turn_id, prompt_tokens, completion_tokens, cost_usd FROM usage JOIN turns ON turns.id = turn_id
    WHERE session_id = ? ORDER BY seq"""

_DROP_DRAFT = "DELETE FROM drafts WHERE session_id IS ?"
_SAVE_DRAFT = "INSERT INTO drafts (session_id, text) VALUES (?, ?)"
_DRAFT = "SELECT text FROM drafts WHERE session_id IS ?"

_DROP_RECALL = "DELETE FROM recalls WHERE turn_id = ?"
_SAVE_RECALL = "INSERT INTO recalls (turn_id, ms) VALUES (?, ?)"
_SAVE_RECALLED = """
    INSERT INTO recalled_items (recall, place, item_id, score, is_injected, parts) VALUES (?, ?, ?, ?, ?, ?)"""
_RECALLED = """
    SELECT item_id, score, is_injected, parts FROM recalled_items JOIN recalls ON recalls.number = recalled_items.recall
    WHERE turn_id = ? ORDER BY score DESC, place"""

_SHOWN = """
    SELECT DISTINCT turn_id FROM recalled_items JOIN recalls ON recalls.number = recalled_items.recall
    WHERE item_id IN (SELECT value FROM json_each(?)) AND is_injected = 1"""
_UNINDEXED = """
    SELECT * FROM turns WHERE is_indexed = 0 AND off_record = 0 AND status <> 'streaming'
    ORDER BY said_at DESC, rowid DESC LIMIT ?"""
_MARK_INDEXED = "UPDATE turns SET is_indexed = 1 WHERE id = ? AND text = ?"
_MARK_ALL_UNINDEXED = "UPDATE turns SET is_indexed = 0 WHERE is_indexed = 1"


class SqliteSessionLog:
    """Keeps sessions and turns in the profile's database; `clock` dates the saves of a reply."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def open_session(self, session: Session) -> None:
        """Add a new, empty session; one that is there already is left as it is."""
        started_at = stamp(session.started_at)
        with self._database.writing() as statements:
            statements.execute(
                _OPEN_SESSION,
                *(session.id, session.title, started_at, session.model),
                *(session.summary, session.summarised_to, started_at, session.off_record),
            )

    def session(self, session_id: SessionId) -> Session:
        """One session."""
        for row in self._database.rows(_SESSION, session_id):
            return _session(row)
        raise _no_session(session_id)

    def sessions(self, *, limit: int | None = None) -> list[Session]:
        """Sessions that have turns, the one last spoken in first."""
        return [_session(row) for row in self._database.rows(_SESSIONS, _limit(limit))]

    def rename(self, session_id: SessionId, title: str) -> None:
        """Give a session another title."""
        with self._database.writing() as statements:
            _need_session(session_id, statements.execute(_RENAME, title, session_id))

    def set_model(self, session_id: SessionId, model: str) -> None:
        """Note the model that a session talks to."""
        with self._database.writing() as statements:
            _need_session(session_id, statements.execute(_SET_MODEL, model, session_id))

    def set_off_record(self, session_id: SessionId, off_record: bool) -> None:
        """Pause learning in a session, or go on with it."""
        with self._database.writing() as statements:
            _need_session(session_id, statements.execute(_SET_OFF_RECORD, off_record, session_id))

    def save_summary(self, session_id: SessionId, summary: str, summarised_to: int) -> None:
        """Replace the running summary, which now covers the turns up to `summarised_to`."""
        with self._database.writing() as statements:
            _need_session(session_id, statements.execute(_SAVE_SUMMARY, summary, summarised_to, session_id))

    def together(self) -> AbstractContextManager[object]:
        """Have what is written in the block become durable at its end, with one wait for the disk."""
        return self._database.writing()

    def append(self, turn: Turn, contents: Sequence[bytes] = ()) -> Turn:
        """Add a turn at the end of its session's current branch, unless it is there; return it as it is stored."""
        with self._database.writing() as statements:
            if statements.execute(_TURN, turn.id).fetchone() is None:
                self._add(statements, turn, contents, leaf(statements, turn.session_id))
            return _find_turn(statements, turn.id)

    def append_beside(self, turn: Turn, other: TurnId, contents: Sequence[bytes] = ()) -> Turn:
        """Add a turn as an alternative to another one; from now on it ends the current branch."""
        with self._database.writing() as statements:
            if statements.execute(_TURN, turn.id).fetchone() is None:
                self._add(statements, turn, contents, _find_turn(statements, other).parent_id)
                make_current(statements, turn.session_id, turn.id)
            return _find_turn(statements, turn.id)

    def _add(self, statements: Statements, turn: Turn, contents: Sequence[bytes], parent_id: TurnId | None) -> None:
        extended = statements.execute(_EXTEND_SESSION, stamp(turn.said_at), turn.session_id)
        _need_session(turn.session_id, extended)
        add(statements, turn, contents, parent_id=parent_id, saved_at=stamp(self._clock.now()))

    def follow(self, turn_id: TurnId) -> None:
        """Make the branch current that goes through this turn and ends with the newest turn after it."""
        with self._database.writing() as statements:
            turn = _find_turn(statements, turn_id)
            make_current(statements, turn.session_id, newest_after(statements, turn_id))
            statements.execute(_FOLLOWED, stamp(self._clock.now()), turn.session_id)

    def alternatives(self, session_id: SessionId) -> Mapping[TurnId, tuple[TurnId, ...]]:
        """For each turn of the current branch that has alternatives: all of them and itself, oldest first."""
        rows = self._database.rows(_ALTERNATIVES, session_id)
        if not rows:
            self.session(session_id)
        return {
            TurnId(row["id"]): tuple(TurnId(other["id"]) for other in rows if other["parent_id"] == row["parent_id"])
            for row in rows
            if row["is_current"]
        }

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
        """Replace what is known of a reply that is on its way; False where it had ended."""
        known = (text, status.value, error, reasoning, finish_reason, stamp(self._clock.now()))
        with self._database.writing() as statements:
            if statements.execute(_SAVE_REPLY, *known, turn_id).rowcount:
                return True
            _find_turn(statements, turn_id)
            return False

    def resume_reply(self, turn_id: TurnId, model: str) -> Turn:
        """Set a reply that had ended on its way again, from this model, and return it as it is now."""
        with self._database.writing() as statements:
            statements.execute(_RESUME, model, stamp(self._clock.now()), turn_id)
            return _find_turn(statements, turn_id)

    def cut_replies(self, error: str) -> list[Turn]:
        """End every reply that is on its way, in whichever window, as failed for this reason; return them."""
        with self._database.writing() as statements:
            return turns_of(statements.execute(_CUT, error).fetchall(), statements.execute)

    def answered_by(self, turn_id: TurnId, model: str) -> None:
        """Note that another model than the one asked first gives a reply."""
        with self._database.writing() as statements:
            _need_turn(turn_id, statements.execute(_ANSWERED_BY, model, turn_id))

    def save_usage(self, turn_id: TurnId, usage: Usage, *, ms: float) -> None:
        """Note what a reply consumed, and how long it took in milliseconds."""
        with self._database.writing() as statements:
            _find_turn(statements, turn_id)
            statements.execute(_SAVE_USAGE, turn_id, usage.prompt_tokens, usage.completion_tokens, usage.cost_usd, ms)

    def usage(self, session_id: SessionId) -> Mapping[TurnId, Usage]:
        """What the replies of a session consumed, as far as it was noted."""
        rows = self._database.rows(_USAGE, session_id)
        if not rows:
            self.session(session_id)
        return {TurnId(row["turn_id"]): usage_of(row) for row in rows}

    def attachment(self, attachment_id: AttachmentId) -> bytes:
        """The content of an attachment."""
        for row in self._database.rows(_ATTACHMENT, attachment_id):
            return bytes(row["content"])
        raise NotFoundError(f"There is no attachment {attachment_id}.")

    def turn(self, turn_id: TurnId) -> Turn:
        """One turn, of any branch."""
        for turn in turns_of(self._database.rows(_TURN, turn_id), self._database.rows):
            return turn
        raise _no_turn(turn_id)

    def turns(
        self, session_id: SessionId, *, first: int = 1, last: int | None = None, every_branch: bool = False
    ) -> list[Turn]:
        """The turns of a session's current branch from `seq` `first` to `last`, both included, in order."""
        rows = self._database.rows(_TURNS, session_id, first, last, last, every_branch)
        if not rows:
            self.session(session_id)
        return turns_of(rows, self._database.rows)

    def search(self, text: str, *, session_id: SessionId | None = None, limit: int = 100) -> list[Turn]:
        """Turns of current branches that hold a text, whatever its case, newest first; of one session or of all."""
        if session_id is not None:
            self.session(session_id)
        found = search(self._database, text, session_id=session_id, limit=limit)
        return turns_of(found, self._database.rows)

    def said(self, *, limit: int) -> list[str]:
        """What the user said last, newest first, each text once."""
        return said(self._database, limit)

    def models_used(self, *, limit: int) -> list[str]:
        """Names of the models that sessions talked to, the one last used first."""
        return models_used(self._database, limit)

    def save_draft(self, session_id: SessionId | None, text: str) -> None:
        """Keep what was typed but not sent, for a session or, with `None`, for the next new one; empty to drop it."""
        if session_id is not None:
            self.session(session_id)
        with self._database.writing() as statements:
            statements.execute(_DROP_DRAFT, session_id)
            if text:
                statements.execute(_SAVE_DRAFT, session_id, text)

    def draft(self, session_id: SessionId | None) -> str:
        """What was typed but not sent; empty where there is nothing."""
        if session_id is not None:
            self.session(session_id)
        return "".join(row["text"] for row in self._database.rows(_DRAFT, session_id))

    def close_interrupted(self, before: datetime) -> int:
        """Mark replies still streaming but not saved since `before` as interrupted; returns how many."""
        with self._database.writing() as statements:
            return statements.execute(_CLOSE_INTERRUPTED, stamp(before)).rowcount

    def save_recalled(self, turn_id: TurnId, recalled: Sequence[Recalled], *, ms: float) -> None:
        """Note what was recalled for a user's turn (ids and scores, no texts), and how long it took."""
        with self._database.writing() as statements:
            _find_turn(statements, turn_id)
            noted: dict[str, tuple[float, bool, str | None]] = {
                row["item_id"]: (row["score"], True, row["parts"])
                for row in statements.execute(_RECALLED, turn_id)
                if row["is_injected"]
            }
            noted |= {item.id: (item.score, item.injected or item.id in noted, _parts(item)) for item in recalled}
            statements.execute(_DROP_RECALL, turn_id)
            recall = statements.execute(_SAVE_RECALL, turn_id, ms).lastrowid
            for place, (item_id, (score, injected, parts)) in enumerate(noted.items()):
                statements.execute(_SAVE_RECALLED, recall, place, item_id, score, injected, parts)

    def recalled(self, turn_id: TurnId) -> list[tuple[str, float, bool]]:
        """Id, score and whether it was injected, of each item recalled for a user's turn, best first."""
        rows = self._database.rows(_RECALLED, turn_id)
        if not rows:
            self.turn(turn_id)
        return [(row["item_id"], row["score"], bool(row["is_injected"])) for row in rows]

    def shown(self, ids: Collection[str]) -> set[TurnId]:
        """The user's turns whose prompt held any of these memories or turns."""
        return {TurnId(row["turn_id"]) for row in self._database.rows(_SHOWN, json.dumps(list(ids)))}

    def unindexed(self, *, limit: int) -> list[Turn]:
        """Ended turns, on the record, not yet written to the turn index in their present wording, newest first."""
        return turns_of(self._database.rows(_UNINDEXED, limit), self._database.rows)

    def mark_indexed(self, turns: Sequence[Turn]) -> None:
        """Note that these turns, in this wording, are in the turn index."""
        with self._database.writing() as statements:
            for turn in turns:
                statements.execute(_MARK_INDEXED, turn.id, turn.text)

    def mark_all_unindexed(self) -> None:
        """Have every turn written to the turn index anew."""
        with self._database.writing() as statements:
            statements.execute(_MARK_ALL_UNINDEXED)

    def redact(self, turn_id: TurnId, text: str, error: str | None = None) -> None:
        """Replace a turn's words and error for good, and drop its reasoning and attachments."""
        with self._database.writing() as statements:
            _need_turn(turn_id, statements.execute(_REDACT, text, error, turn_id))
            statements.execute(_DROP_ATTACHMENTS, turn_id)


def _parts(item: Recalled) -> str | None:
    """The terms of a score as they are kept; four digits tell all that is ever shown."""
    return json.dumps({name: round(value, 4) for name, value in item.parts}) if item.parts else None


def _session(row: sqlite3.Row) -> Session:
    return Session(
        id=row["id"],
        title=row["title"],
        started_at=moment(row["started_at"]),
        model=row["model"],
        summary=row["summary"],
        summarised_to=row["summarised_to"],
        turn_count=row["turn_count"],
        aside_count=row["aside_count"],
        last_at=moment(row["last_at"]),
        off_record=bool(row["off_record"]),
    )


def _limit(limit: int | None) -> int:
    # SQLite reads a negative limit as none.
    return -1 if limit is None else limit


def _need_session(session_id: SessionId, update: sqlite3.Cursor) -> None:
    if update.rowcount == 0:
        raise _no_session(session_id)


def _need_turn(turn_id: TurnId, update: sqlite3.Cursor) -> None:
    if update.rowcount == 0:
        raise _no_turn(turn_id)


def _find_turn(statements: Statements, turn_id: TurnId) -> Turn:
    for turn in turns_of(statements.execute(_TURN, turn_id).fetchall(), statements.execute):
        return turn
    raise _no_turn(turn_id)


def _no_session(session_id: SessionId) -> NotFoundError:
    return NotFoundError(f"There is no session {session_id}.")


def _no_turn(turn_id: TurnId) -> NotFoundError:
    return NotFoundError(f"There is no turn {turn_id}.")
