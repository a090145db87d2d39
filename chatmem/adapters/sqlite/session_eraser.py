"""Erasing sessions from SQLite."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.records import moment, stamp
from chatmem.domain.turn import SessionId, TurnId

_EVERY = "SELECT id FROM sessions ORDER BY rowid"
_BEGIN = "INSERT INTO sessions_going (session_id) VALUES (?) ON CONFLICT (session_id) DO NOTHING"
_KNOW = "INSERT INTO forgotten_sessions (hash, made_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING"
_UNFINISHED = "SELECT session_id FROM sessions_going ORDER BY session_id"
_END = "DELETE FROM sessions_going"
_KNOWN = "SELECT hash FROM forgotten_sessions"
_KNOWN_SINCE = "SELECT made_at, COUNT(*) FROM forgotten_sessions GROUP BY made_at ORDER BY made_at"
_KNOW_NO_MORE = "DELETE FROM forgotten_sessions WHERE made_at = ?"

_IS_FORGETTING = "SELECT 1 FROM forgetting UNION ALL SELECT 1 FROM sessions_going LIMIT 1"

_GOING = "SELECT value FROM json_each(?1)"
_TURNS = f"SELECT id FROM turns WHERE session_id IN ({_GOING})"  # noqa: S608  # of the constant above
_ERASE = (
    f"DELETE FROM recalled_items WHERE item_id IN ({_TURNS}) OR item_id IN ({_GOING})",  # noqa: S608
    # Turns would go one after another along a branch, deeper than SQLite lets them.
    f"UPDATE turns SET parent_id = NULL WHERE session_id IN ({_GOING})",  # noqa: S608
    f"DELETE FROM turns WHERE session_id IN ({_GOING})",  # noqa: S608
    f"DELETE FROM jobs WHERE session_id IN ({_GOING})",  # noqa: S608
    f"DELETE FROM sessions WHERE id IN ({_GOING})",  # noqa: S608
)
"""In this order. Images, drafts, usage and recall records go with the row that they belong to."""


def is_forgetting(database: Database) -> bool:
    """Whether something is being forgotten, by another window or by one that was killed over it."""
    return bool(database.rows(_IS_FORGETTING))


class SqliteSessionEraser:
    """A `SessionEraser` on the profile's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def every(self) -> list[SessionId]:
        """All sessions, also those in which nothing was said."""
        return [SessionId(row["id"]) for row in self._database.rows(_EVERY)]

    def begin(self, ids: Sequence[SessionId], hashes: Collection[bytes], at: datetime) -> None:
        """Note what is being forgotten, and the hashes by which it is known from now on."""
        with self._database.writing() as statements:
            for session_id in ids:
                statements.execute(_BEGIN, session_id)
            for digest in hashes:
                statements.execute(_KNOW, digest, stamp(at))

    def unfinished(self) -> list[SessionId]:
        """What `begin` noted and `end` did not end."""
        return [SessionId(row["session_id"]) for row in self._database.rows(_UNFINISHED)]

    def erase(self, ids: Sequence[SessionId]) -> list[TurnId]:
        """Take sessions out, with everything that hangs on them; returns the turns that went."""
        named = json.dumps(list(ids))
        with self._database.writing() as statements:
            gone = [TurnId(row["id"]) for row in statements.execute(_TURNS, named)]
            for erasure in _ERASE:
                statements.execute(erasure, named)
        return gone

    def end(self) -> None:
        """Forget what was begun; the hashes stay."""
        with self._database.writing() as statements:
            statements.execute(_END)

    def known(self) -> frozenset[bytes]:
        """The hashes of all forgotten sessions."""
        return frozenset(bytes(row["hash"]) for row in self._database.rows(_KNOWN))

    def known_since(self) -> Mapping[datetime, int]:
        """When sessions were forgotten, and by how many hashes they are known."""
        return {moment(made_at): count for made_at, count in self._database.rows(_KNOWN_SINCE)}

    def know_no_more(self, at: datetime) -> None:
        """Drop the hashes of the sessions that were forgotten at this moment."""
        with self._database.writing() as statements:
            statements.execute(_KNOW_NO_MORE, stamp(at))
