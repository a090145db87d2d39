"""What was said around a turn, read from the session log for many turns at once."""

import json
from collections.abc import Collection, Mapping

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.records import moment
from chatmem.domain.recall import Said, Summary
from chatmem.domain.turn import Role, SessionId, TurnId

# Without order, and a turn for each hit that it stands near: sorting here costs more than sorting what came.
_AROUND = """
    SELECT said.session_id, said.seq, said.id, said.role, said.speaker, said.text, said.said_at
    FROM json_each(?) AS wanted JOIN turns AS hit ON hit.id = wanted.value AND hit.is_current = 1
    JOIN turns AS said ON said.session_id = hit.session_id AND said.seq BETWEEN hit.seq - ? AND hit.seq + ?
    WHERE said.text <> '' AND said.is_current = 1 AND said.off_record = 0"""

_SUMMARIES = """
    SELECT id, summary, last_at FROM sessions WHERE id IN (SELECT value FROM json_each(?)) AND summary <> ''
        AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.session_id = sessions.id AND turns.off_record = 1)
    ORDER BY id"""
# One step of the index for each name: to look through all turns would take too long before each of them.
_SPEAKERS = """
    WITH RECURSIVE names (name) AS (
        SELECT MIN(speaker) FROM turns WHERE speaker IS NOT NULL
        UNION ALL
        SELECT (SELECT MIN(speaker) FROM turns WHERE speaker > name) FROM names WHERE name IS NOT NULL
    )
    SELECT name FROM names WHERE name IS NOT NULL"""

_ROLES = {role.value: role for role in Role}


class SqliteTalk:
    """A `Talk` on the profile's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def around(self, ids: Collection[TurnId], *, before: int, after: int) -> list[Said]:
        """What these turns say, and the turns said up to `before` before and `after` after them in their sessions."""
        rows = self._database.rows(_AROUND, json.dumps(list(ids)), before, after)
        near = {(row[0], row[1]): row for row in rows}
        return [
            Said(
                turn_id=id_,
                session_id=session_id,
                seq=seq,
                role=_ROLES[role],
                speaker=speaker,
                text=text,
                said_at=moment(said_at),
            )
            for session_id, seq, id_, role, speaker, text, said_at in map(near.__getitem__, sorted(near))
        ]

    def summaries(self, ids: Collection[SessionId]) -> Mapping[SessionId, Summary]:
        """The running summaries of these sessions, those that have one."""
        rows = self._database.rows(_SUMMARIES, json.dumps(list(ids)))
        return {SessionId(id_): Summary(text=text, last_at=moment(last_at)) for id_, text, last_at in rows}

    def speakers(self) -> frozenset[str]:
        """The names of all who spoke, where an import knows them."""
        return frozenset(name for (name,) in self._database.rows(_SPEAKERS))
