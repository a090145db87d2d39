"""Looking for words, and for models, in the whole session log."""

import re
import sqlite3
from collections.abc import Iterator
from itertools import count, islice

from chatmem.adapters.sqlite.database import Database
from chatmem.domain.turn import SessionId

# The lock on the connection is let go after so many turns, so that nothing that is said meanwhile waits for long.
_AT_ONCE = 20_000
_LONGEST_PATTERN = 200

_IN_SESSION = """
    SELECT * FROM turns WHERE session_id = ? AND is_current = 1 AND text LIKE ? ESCAPE '\\' AND holds(text, ?)
    ORDER BY said_at DESC, rowid DESC LIMIT ?"""
_EDGE = """
    SELECT said_at, rowid AS number FROM turns WHERE (said_at, rowid) < (?, ?)
    ORDER BY said_at DESC, rowid DESC LIMIT 1 OFFSET ?"""
_BETWEEN = """
    SELECT * FROM turns WHERE (said_at, rowid) < (?, ?) AND (said_at, rowid) >= (?, ?)
        AND is_current = 1 AND text LIKE ? ESCAPE '\\' AND holds(text, ?)
    ORDER BY said_at DESC, rowid DESC LIMIT ?"""
_END_OF_TIME = ("~", 0)
_BEGINNING = ("", 0)

_SAID = "SELECT text FROM turns WHERE role = 'user' ORDER BY said_at DESC, rowid DESC LIMIT ? OFFSET ?"
# One look into the index for each model, not for each turn.
_MODELS_USED = """
    WITH RECURSIVE answering (model) AS (
        SELECT MIN(model) FROM turns WHERE model IS NOT NULL
        UNION ALL
        SELECT (SELECT MIN(turns.model) FROM turns WHERE turns.model > answering.model)
        FROM answering WHERE model IS NOT NULL
    ), used (model, at) AS (
        SELECT model, (SELECT MAX(said_at) FROM turns WHERE turns.model = answering.model) FROM answering
        UNION ALL
        SELECT model, last_at FROM sessions WHERE turn_count > 0
    )
    SELECT model FROM used WHERE model IS NOT NULL GROUP BY model ORDER BY MAX(at) DESC, model LIMIT ?"""
# What LIKE, which knows the case of ASCII letters only, does not find: letters such as é, and s, since ß is ss.
_FOLDED = re.compile(r"s+|[^\x00-\x7f]")
_WILD = re.compile(r"[%_\\]")


def search(database: Database, text: str, *, session_id: SessionId | None, limit: int) -> list[sqlite3.Row]:
    """Rows of turns of current branches that hold a text, whatever its case, newest first."""
    folded = text.casefold()
    if not folded:
        return []
    pattern = _pattern(folded)
    if session_id is not None:
        return database.rows(_IN_SESSION, session_id, pattern, folded, limit)
    return list(islice(_everywhere(database, pattern, folded, limit), limit))


def said(database: Database, limit: int) -> list[str]:
    """What the user said last, newest first, each text once."""
    texts: dict[str, None] = {}
    for offset in count(0, limit):
        rows = database.rows(_SAID, limit, offset)
        texts |= {row["text"]: None for row in rows if row["text"] not in texts}
        if len(texts) >= limit or len(rows) < limit:
            break
    return list(texts)[:limit]


def models_used(database: Database, limit: int) -> list[str]:
    """Names of the models that answered or that sessions talked to, the one last used first."""
    return [row["model"] for row in database.rows(_MODELS_USED, limit)]


def _everywhere(database: Database, pattern: str, folded: str, limit: int) -> Iterator[sqlite3.Row]:
    newest, oldest = _END_OF_TIME, _END_OF_TIME
    while oldest != _BEGINNING:
        edge = database.rows(_EDGE, *newest, _AT_ONCE - 1)
        oldest = (edge[0]["said_at"], edge[0]["number"]) if edge else _BEGINNING
        yield from database.rows(_BETWEEN, *newest, *oldest, pattern, folded, limit)
        newest = oldest


def _pattern(folded: str) -> str:
    """What LIKE needs to pass over most texts without these words, quickly; `holds` decides on those it lets by."""
    beginning = _WILD.sub(r"\\\g<0>", folded[:_LONGEST_PATTERN])
    return f"%{_FOLDED.sub(lambda found: _unless_cased(found.group()), beginning)}%"


def _unless_cased(letter: str) -> str:
    return letter if letter.upper() == letter.lower() else "%"
