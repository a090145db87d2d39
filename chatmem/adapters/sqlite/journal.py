"""The journal of memories in SQLite."""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from chatmem.adapters.sqlite.database import Database
from chatmem.adapters.sqlite.records import memory_from_json, memory_to_json, moment, stamp
from chatmem.domain.change import Cause, Change, ChangeSet, ChangeSetId, JobId, whole
from chatmem.domain.errors import NotFoundError
from chatmem.domain.forgetting import Tombstone, TombstoneId
from chatmem.domain.memory import Kind, Memory, MemoryId
from chatmem.domain.turn import TurnId

_RECORD = """
    INSERT INTO change_sets (id, made_at, cause, job_id, undoes) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING"""
_RECORD_LINK = "INSERT OR IGNORE INTO memory_links (to_id, from_id) VALUES (?, ?)"
_RECORD_CHANGE = "INSERT INTO changes (change_set, memory_id, memory_before, memory_after) VALUES (?, ?, ?, ?)"
_MARK_APPLIED = "UPDATE change_sets SET is_applied = 1 WHERE id = ?"
_UNAPPLIED = """
    SELECT change_sets.*, memory_id, memory_before, memory_after
    FROM change_sets LEFT JOIN changes ON changes.change_set = change_sets.number
    WHERE is_applied = 0 ORDER BY change_sets.number, changes.number"""
_NEWEST = """
    SELECT change_sets.*, memory_id, memory_before, memory_after
    FROM (SELECT COALESCE(job_id, id) AS whole, MAX(number) AS last
          FROM change_sets GROUP BY COALESCE(job_id, id) ORDER BY last DESC LIMIT ?) AS newest
    JOIN change_sets ON COALESCE(change_sets.job_id, change_sets.id) = newest.whole
    LEFT JOIN changes ON changes.change_set = change_sets.number
    ORDER BY newest.last DESC, change_sets.number, changes.number"""
_ONE = """
    SELECT change_sets.*, memory_id, memory_before, memory_after
    FROM change_sets LEFT JOIN changes ON changes.change_set = change_sets.number
    WHERE COALESCE(job_id, id) = (SELECT COALESCE(job_id, id) FROM change_sets WHERE id = ?)
    ORDER BY change_sets.number, changes.number"""
_PARTS = """
    SELECT change_sets.*, memory_id, memory_before, memory_after
    FROM change_sets LEFT JOIN changes ON changes.change_set = change_sets.number
    WHERE COALESCE(job_id, id) = ?1 AND job_id = ?1 ORDER BY change_sets.number, changes.number"""
_LATEST = """
    SELECT memory_after FROM changes
    WHERE number IN (SELECT MAX(number) FROM changes GROUP BY memory_id) AND memory_after IS NOT NULL ORDER BY number"""
_TAKEN_BACK = """
    SELECT memory_before FROM changes
    WHERE number IN (SELECT MAX(number) FROM changes GROUP BY memory_id) AND memory_after IS NULL ORDER BY number"""
_HISTORY = """
    SELECT change_sets.*, memory_id, memory_before, memory_after
    FROM changes JOIN change_sets ON changes.change_set = change_sets.number
    WHERE memory_id = ? ORDER BY change_sets.number DESC, changes.number"""
_LINKING = "SELECT from_id FROM memory_links WHERE to_id = ? ORDER BY from_id"
_AS_OF = """
    SELECT memory_after FROM changes
    WHERE number IN (
        SELECT MAX(changes.number) FROM changes JOIN change_sets ON changes.change_set = change_sets.number
        WHERE made_at <= ? GROUP BY memory_id
    ) AND memory_after IS NOT NULL ORDER BY number"""
_LATEST_OF = "SELECT memory_after FROM changes WHERE memory_id = ? ORDER BY number DESC LIMIT 1"

# In this order: a change set is dropped when the memory was all it changed, while its changes still tell.
_ERASE = (
    """DELETE FROM change_sets
       WHERE number IN (SELECT change_set FROM changes WHERE memory_id = ?1)
           AND NOT EXISTS (SELECT 1 FROM changes WHERE change_set = change_sets.number AND memory_id <> ?1)""",
    "DELETE FROM changes WHERE memory_id = ?1",
    "DELETE FROM memory_use WHERE memory_id = ?1",
    "DELETE FROM recalled_items WHERE item_id = ?1",
    "DELETE FROM memory_links WHERE from_id = ?1 OR to_id = ?1",
)

_REWRITE = """
    UPDATE changes SET memory_before = CASE WHEN memory_before IS NULL THEN NULL ELSE ?2 END,
        memory_after = CASE WHEN memory_after IS NULL THEN NULL ELSE ?2 END
    WHERE memory_id = ?1"""

_BURY = """
    INSERT INTO tombstones (id, made_at, turn_ids, hashes, code, model, marks, kind) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO NOTHING"""
_UNBURY = "DELETE FROM tombstones WHERE id = ?"
_TOMBSTONES = "SELECT * FROM tombstones ORDER BY made_at, number"
_KEEP_KEY = "INSERT INTO keys (name, value) VALUES ('tombstones', ?) ON CONFLICT (name) DO NOTHING"
_KEY = "SELECT value FROM keys WHERE name = 'tombstones'"

_BEGIN_FORGETTING = """
    INSERT INTO forgetting (what, id, keeps_turns) VALUES (?, ?, ?) ON CONFLICT (what, id) DO NOTHING"""
_KEEPS_TURNS = "SELECT 1 FROM forgetting WHERE keeps_turns = 1 LIMIT 1"
_UNFINISHED = "SELECT id FROM forgetting WHERE what = ? ORDER BY number"
_END_FORGETTING = "DELETE FROM forgetting"

_LAST_UPKEEP = "SELECT last_at FROM upkeep WHERE name = 'memories'"
_NOTE_UPKEEP = """
    INSERT INTO upkeep (name, last_at) VALUES ('memories', ?)
    ON CONFLICT (name) DO UPDATE SET last_at = excluded.last_at"""

_NOTE_USE = """
    INSERT INTO memory_use (memory_id, uses, last_at) VALUES (?, 1, ?)
    ON CONFLICT (memory_id) DO UPDATE SET uses = uses + 1, last_at = MAX(last_at, excluded.last_at)"""
_TAKE_BACK_USE = "UPDATE memory_use SET uses = MAX(0, uses - 1) WHERE memory_id = ?"
_USES = "SELECT memory_id, uses, last_at FROM memory_use WHERE uses > 0"
_USES_OF = "SELECT memory_id, uses, last_at FROM memory_use WHERE uses > 0 AND memory_id = ?"


class SqliteJournal:
    """Keeps change sets, tombstones and use counts in the profile's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, changes: ChangeSet) -> None:
        """Write a change set; recording one that is there already changes nothing."""
        with self._database.writing() as statements:
            head = (changes.id, stamp(changes.made_at), changes.cause.value, changes.job_id, changes.undoes)
            added = statements.execute(_RECORD, *head)
            if added.rowcount:
                for change in changes.changes:
                    before, after = _json(change.before), _json(change.after)
                    statements.execute(_RECORD_CHANGE, added.lastrowid, change.memory_id, before, after)
                    for to in _named(change.after):
                        statements.execute(_RECORD_LINK, to, change.memory_id)

    def unapplied(self) -> list[ChangeSet]:
        """Change sets not yet known to be in the memory store, as they were recorded, oldest first."""
        return _change_sets(self._database.rows(_UNAPPLIED))

    def mark_applied(self, change_set_id: ChangeSetId) -> None:
        """Note that a change set is in the memory store, durably."""
        with self._database.writing() as statements:
            statements.execute(_MARK_APPLIED, change_set_id)

    def change_sets(self, *, limit: int | None = None) -> list[ChangeSet]:
        """Change sets, newest first; all that a job recorded is one, which stands where the last of it was made."""
        # SQLite reads a negative limit as none.
        parts = _change_sets(self._database.rows(_NEWEST, -1 if limit is None else limit))
        return [whole(list(group)) for _, group in groupby(parts, key=lambda part: part.job_id or part.id)]

    def change_set(self, change_set_id: ChangeSetId) -> ChangeSet:
        """The change set of an id, or that of the job which recorded it.

        Raises:
            NotFoundError: If there is none.
        """
        parts = _change_sets(self._database.rows(_ONE, change_set_id))
        if not parts:
            raise NotFoundError(f"There is no change {change_set_id}. `chatmem memory changes` lists them.")
        return whole(parts)

    def parts(self, job_id: JobId) -> list[ChangeSet]:
        """What a job recorded, as it did, oldest first."""
        return _change_sets(self._database.rows(_PARTS, job_id))

    def history(self, memory_id: MemoryId) -> list[ChangeSet]:
        """What changed one memory, the newest first; each change set holds the change to this memory alone."""
        return _change_sets(self._database.rows(_HISTORY, memory_id))

    def linking(self, memory_id: MemoryId) -> list[MemoryId]:
        """Memories that link to this one, or were replaced by it; some of them may do so no more."""
        return [MemoryId(row["from_id"]) for row in self._database.rows(_LINKING, memory_id)]

    def as_of(self, moment: datetime) -> list[Memory]:
        """Every memory as it read at a moment, as far as was known then; the one changed longest ago first."""
        return [memory_from_json(row["memory_after"]) for row in self._database.rows(_AS_OF, stamp(moment))]

    def latest(self, ids: Iterable[MemoryId] | None = None) -> list[Memory]:
        """Every memory as the last change left it, the one changed longest ago first; of `ids` those that are there."""
        if ids is None:
            rows = self._database.rows(_LATEST)
        else:
            rows = [row for id_ in ids for row in self._database.rows(_LATEST_OF, id_)]
        return [memory_from_json(row["memory_after"]) for row in rows if row["memory_after"] is not None]

    def taken_back(self) -> list[Memory]:
        """Memories that the last change took back, as they were."""
        return [memory_from_json(row["memory_before"]) for row in self._database.rows(_TAKEN_BACK)]

    def erase_memories(self, ids: Sequence[MemoryId]) -> None:
        """Take every trace of these memories out: their changes, use and mentions in recall."""
        with self._database.writing() as statements:
            for memory_id in ids:
                for erasure in _ERASE:
                    statements.execute(erasure, memory_id)

    def rewrite(self, memories: Sequence[Memory]) -> None:
        """Replace every recorded version of these memories by the one given."""
        with self._database.writing() as statements:
            for memory in memories:
                statements.execute(_REWRITE, memory.id, memory_to_json(memory))

    def bury(self, tombstones: Sequence[Tombstone]) -> None:
        """Add tombstones; one that is there already is left as it is."""
        with self._database.writing() as statements:
            for tombstone in tombstones:
                turn_ids = json.dumps(tombstone.turn_ids)
                hashes = json.dumps([digest.hex() for digest in tombstone.hashes])
                head = (tombstone.id, stamp(tombstone.made_at), turn_ids, hashes)
                kind = tombstone.kind.value if tombstone.kind else None
                statements.execute(_BURY, *head, tombstone.code, tombstone.model, tombstone.marks, kind)

    def unbury(self, ids: Sequence[TombstoneId]) -> None:
        """Take tombstones away, those that are there."""
        with self._database.writing() as statements:
            for tombstone_id in ids:
                statements.execute(_UNBURY, tombstone_id)

    def tombstones(self) -> list[Tombstone]:
        """All tombstones, oldest first."""
        return [_tombstone(row) for row in self._database.rows(_TOMBSTONES)]

    def tombstone_key(self) -> bytes:
        """The profile's own key for the hashes in tombstones, 32 random bytes; made on first use."""
        rows = self._database.rows(_KEY)
        if not rows:
            with self._database.writing() as statements:
                statements.execute(_KEEP_KEY, secrets.token_bytes(32))
            rows = self._database.rows(_KEY)
        return bytes(rows[0]["value"])

    def begin_forgetting(
        self, memory_ids: Sequence[MemoryId], turn_ids: Sequence[TurnId], *, keeps_turns: bool = False
    ) -> None:
        """Note, without any text, what is being forgotten, so that a crash in the middle is made good."""
        with self._database.writing() as statements:
            for memory_id in memory_ids:
                statements.execute(_BEGIN_FORGETTING, "memory", memory_id, keeps_turns)
            for turn_id in turn_ids:
                statements.execute(_BEGIN_FORGETTING, "turn", turn_id, keeps_turns)

    def forgetting_keeps_turns(self) -> bool:
        """What `begin_forgetting` was told of the turns."""
        return bool(self._database.rows(_KEEPS_TURNS))

    def unfinished_forgetting(self) -> tuple[list[MemoryId], list[TurnId]]:
        """What `begin_forgetting` noted and `end_forgetting` did not end."""
        memory_ids = [MemoryId(row["id"]) for row in self._database.rows(_UNFINISHED, "memory")]
        turn_ids = [TurnId(row["id"]) for row in self._database.rows(_UNFINISHED, "turn")]
        return memory_ids, turn_ids

    def end_forgetting(self) -> None:
        """Forget what was begun."""
        with self._database.writing() as statements:
            statements.execute(_END_FORGETTING)

    def last_upkeep(self) -> datetime | None:
        """When upkeep was last done; `None` if it never was."""
        rows = self._database.rows(_LAST_UPKEEP)
        return moment(rows[0]["last_at"]) if rows else None

    def note_upkeep(self, at: datetime) -> None:
        """Note that upkeep was done."""
        with self._database.writing() as statements:
            statements.execute(_NOTE_UPKEEP, stamp(at))

    def note_use(self, ids: Sequence[MemoryId], at: datetime) -> None:
        """Count that memories were used; each once, however often it is named."""
        with self._database.writing() as statements:
            for memory_id in dict.fromkeys(ids):
                statements.execute(_NOTE_USE, memory_id, stamp(at))

    def take_back_use(self, ids: Sequence[MemoryId]) -> None:
        """Count one use less of each of these memories, as it was none."""
        with self._database.writing() as statements:
            for memory_id in dict.fromkeys(ids):
                statements.execute(_TAKE_BACK_USE, memory_id)

    def uses(self, ids: Iterable[MemoryId] | None = None) -> Mapping[MemoryId, tuple[int, datetime]]:
        """How often, and when last, each memory was used; of `ids` those that were."""
        rows = (
            self._database.rows(_USES)
            if ids is None
            else [row for id_ in ids for row in self._database.rows(_USES_OF, id_)]
        )
        return {MemoryId(row["memory_id"]): (row["uses"], moment(row["last_at"])) for row in rows}


def _change_sets(rows: Iterable[sqlite3.Row]) -> list[ChangeSet]:
    return [_change_set(list(group)) for _, group in groupby(rows, key=itemgetter("number"))]


def _change_set(rows: Sequence[sqlite3.Row]) -> ChangeSet:
    head = rows[0]
    return ChangeSet(
        id=head["id"],
        made_at=moment(head["made_at"]),
        cause=Cause(head["cause"]),
        changes=tuple(_change(row) for row in rows if row["memory_id"] is not None),
        job_id=head["job_id"],
        undoes=head["undoes"],
    )


def _change(row: sqlite3.Row) -> Change:
    return Change(before=_memory(row["memory_before"]), after=_memory(row["memory_after"]))


def _memory(text: str | None) -> Memory | None:
    return None if text is None else memory_from_json(text)


def _named(memory: Memory | None) -> Iterable[MemoryId]:
    """The other memories that a memory names."""
    if memory is None:
        return ()
    replaced_by = [memory.superseded_by] if memory.superseded_by else []
    return dict.fromkeys([*(link.to for link in memory.links), *replaced_by])


def _json(memory: Memory | None) -> str | None:
    return None if memory is None else memory_to_json(memory)


def _tombstone(row: sqlite3.Row) -> Tombstone:
    return Tombstone(
        id=row["id"],
        made_at=moment(row["made_at"]),
        turn_ids=tuple(json.loads(row["turn_ids"])),
        hashes=tuple(bytes.fromhex(digest) for digest in json.loads(row["hashes"])),
        code=row["code"],
        model=row["model"],
        marks=row["marks"] or b"",
        kind=Kind(row["kind"]) if row["kind"] else None,
    )
