"""Turns in SQLite: their rows, and their places in the tree of a session."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from chatmem.adapters.sqlite.database import Statements
from chatmem.adapters.sqlite.records import moment, stamp
from chatmem.domain.turn import Attachment, Role, SessionId, Turn, TurnId, TurnStatus

_ADD = """
    INSERT INTO turns (id, session_id, seq, role, text, said_at, status, speaker, model, error, reasoning,
                       finish_reason, attachment_count, parent_id, saved_at, off_record)
    SELECT ?, id, turn_count, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, MAX(off_record, ?) FROM sessions WHERE id = ?"""
_ATTACH = "INSERT INTO attachments (id, turn_id, place, name, media_type, size, content) VALUES (?, ?, ?, ?, ?, ?, ?)"
_ATTACHMENTS = "SELECT id, name, media_type, size FROM attachments WHERE turn_id = ? ORDER BY place"

_LEAF = "SELECT id FROM turns WHERE session_id = ? AND is_current = 1 ORDER BY seq DESC LIMIT 1"
_NEWEST_AFTER = """
    WITH RECURSIVE after (id, session_id, seq) AS (
        SELECT id, session_id, seq FROM turns WHERE id = ?
        UNION ALL
        SELECT turns.id, turns.session_id, turns.seq
        FROM after JOIN turns ON turns.parent_id = after.id AND turns.session_id = after.session_id
    )
    SELECT id FROM after ORDER BY seq DESC LIMIT 1"""
_PATH = """
    WITH RECURSIVE path (id, parent_id) AS (
        SELECT id, parent_id FROM turns WHERE id = ?1
        UNION ALL
        SELECT turns.id, turns.parent_id FROM path JOIN turns ON turns.id = path.parent_id
    )"""
_CHANGING = "session_id = ?2 AND is_current <> (id IN (SELECT id FROM path))"
_FIRST_CHANGING = f"{_PATH} SELECT MIN(seq) FROM turns WHERE {_CHANGING}"  # noqa: S608  # of the constants above
_CHANGE = f"{_PATH} UPDATE turns SET is_current = 1 - is_current WHERE {_CHANGING}"  # noqa: S608
_DROP_SUMMARY = "UPDATE sessions SET summary = '', summarised_to = 0 WHERE id = ? AND summarised_to >= ?"

_ROLES = {role.value: role for role in Role}
_STATUSES = {status.value: status for status in TurnStatus}


def add(
    statements: Statements, turn: Turn, contents: Sequence[bytes], *, parent_id: TurnId | None, saved_at: str
) -> None:
    """Insert a turn, with the number that its session's `turn_count` has come to."""
    statements.execute(
        _ADD,
        *(turn.id, turn.role.value, turn.text, stamp(turn.said_at), turn.status.value, turn.speaker, turn.model),
        *(turn.error, turn.reasoning, turn.finish_reason, len(turn.attachments), parent_id, saved_at, turn.off_record),
        turn.session_id,
    )
    for place, (one, content) in enumerate(zip(turn.attachments, contents, strict=True)):
        statements.execute(_ATTACH, one.id, turn.id, place, one.name, one.media_type, one.size, content)


def turns_of(rows: Iterable[sqlite3.Row], ask: Callable[..., Iterable[sqlite3.Row]]) -> list[Turn]:
    """The turns that rows hold; `ask` runs a query for their attachments, where they have any."""
    return [_turn(row, ask(_ATTACHMENTS, row["id"]) if row["attachment_count"] else ()) for row in rows]


def leaf(statements: Statements, session_id: SessionId) -> TurnId | None:
    """The last turn of a session's current branch; numbers grow along a branch."""
    row = statements.execute(_LEAF, session_id).fetchone()
    return TurnId(row["id"]) if row else None


def newest_after(statements: Statements, turn_id: TurnId) -> TurnId:
    """The newest turn of all that follow a turn, on whichever branch; itself where none does."""
    return TurnId(statements.execute(_NEWEST_AFTER, turn_id).fetchone()["id"])


def make_current(statements: Statements, session_id: SessionId, end: TurnId) -> None:
    """Make the branch current that ends with a turn; a summary that told of turns of another one goes."""
    first = statements.execute(_FIRST_CHANGING, end, session_id).fetchone()[0]
    if first is not None:
        statements.execute(_CHANGE, end, session_id)
        statements.execute(_DROP_SUMMARY, session_id, first)


def _turn(row: sqlite3.Row, attachments: Iterable[sqlite3.Row]) -> Turn:
    # By place, which takes half as long as by name; migrations add columns at the end.
    id_, session_id, seq, role, text, said_at, status, speaker, model, error = tuple(row)[:10]
    parent_id, _, reasoning, finish_reason = tuple(row)[12:16]
    return Turn(
        id=id_,
        session_id=session_id,
        seq=seq,
        role=_ROLES[role],
        text=text,
        said_at=moment(said_at),
        status=_STATUSES[status],
        speaker=speaker,
        model=model,
        error=error,
        parent_id=parent_id,
        reasoning=reasoning,
        finish_reason=finish_reason,
        attachments=tuple(
            Attachment(id=one["id"], name=one["name"], media_type=one["media_type"], size=one["size"])
            for one in attachments
        ),
        off_record=bool(row["off_record"]),
    )
