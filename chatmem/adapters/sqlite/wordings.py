"""All words in the session log and the journal."""

import json
from collections.abc import Callable, Collection, Iterator

import msgspec

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.records import memory_from_json
from chatmem.domain.memory import MemoryId
from chatmem.domain.turn import SessionId, TurnId
from chatmem.ports.wordings import Learned, Said

_SAID = """
    SELECT session_id, id, text || char(10) || COALESCE(error, '') || char(10) || reasoning || char(10) ||
        CASE attachment_count WHEN 0 THEN ''
        ELSE (SELECT group_concat(name, char(10)) FROM attachments WHERE turn_id = turns.id) END
    FROM turns ORDER BY session_id, seq"""
_VERSIONS = "SELECT memory_id, memory_before, memory_after FROM changes ORDER BY number"
_CHANGED = """
    SELECT COUNT(DISTINCT COALESCE(job_id, change_sets.id))
    FROM changes JOIN change_sets ON change_sets.number = changes.change_set
    WHERE memory_id IN (SELECT value FROM json_each(?))"""

_EVERYTHING = (
    "SELECT id, title, summary, model FROM sessions",
    "SELECT text FROM drafts",
    "SELECT id, role, status, text, reasoning, error, speaker, model FROM turns",
    "SELECT id, name, media_type FROM attachments",
    "SELECT cause, job_id FROM change_sets",
    "SELECT memory_before, memory_after FROM changes",
    "SELECT id, batch, error FROM jobs",
    "SELECT purpose, model FROM calls",
    "SELECT kind FROM blocked",
    "SELECT model FROM tombstones",
    "SELECT sql FROM sqlite_master",
)

_TOGETHER = 2_000
"""Rows whose words are given as one text."""


class _Quote(msgspec.Struct):
    session_id: str
    turn_id: str
    text: str


class _Link(msgspec.Struct):
    to: str


class _Version(msgspec.Struct):
    """What of a memory's JSON tells whether it is wanted; to read all of it takes four times as long."""

    text: str
    quotes: list[_Quote] = []
    links: list[_Link] = []


_read = msgspec.json.Decoder(_Version).decode


class SqliteWordings:
    """A `Wordings` on the profile's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def said(self) -> Iterator[Said]:
        """Every turn, session by session."""
        for session_id, turn_id, words in self._database.rows(_SAID):
            yield Said(SessionId(session_id), TurnId(turn_id), words)

    def learned(self, telling: Callable[[str], bool]) -> list[Learned]:
        """The memories of which a recorded version is told by its words."""
        told: dict[str, dict[str, None]] = {}
        last: dict[str, tuple[str | None, str | None]] = {}
        for memory_id, before, after in self._database.rows(_VERSIONS):
            last[memory_id] = before, after
            for version in (before, after):
                if version is not None and telling(_told(version)):
                    told.setdefault(memory_id, {})[version] = None
        return [_learned(versions, *last[memory_id]) for memory_id, versions in told.items()]

    def changed(self, ids: Collection[MemoryId]) -> int:
        """How many change sets tell of any of these memories."""
        return int(self._database.rows(_CHANGED, json.dumps(list(ids)))[0][0])

    def everything(self) -> Iterator[str]:
        """All words there are, those of memories as JSON."""
        for query in _EVERYTHING:
            rows = self._database.rows(query)
            for at in range(0, len(rows), _TOGETHER):
                yield "\n".join([value for row in rows[at : at + _TOGETHER] for value in row if value])


def _learned(versions: Collection[str], before: str | None, after: str | None) -> Learned:
    newest = after or before or ""
    return Learned(
        memory=memory_from_json(newest),
        taken_back=after is None,
        former=tuple(memory_from_json(version) for version in versions if version != newest),
    )


def _told(text: str) -> str:
    try:
        version = _read(text)
    except msgspec.DecodeError:
        return text  # it is read in full then, which tells what is wrong
    quoted = (part for quote in version.quotes for part in (quote.text, quote.turn_id, quote.session_id))
    return "\n".join([version.text, *quoted, *(link.to for link in version.links)])
