-- What was learned. memory_before and memory_after are memories as JSON (see records.py).
CREATE TABLE change_sets (
    number     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    made_at    TEXT NOT NULL,
    cause      TEXT NOT NULL,
    job_id     TEXT,
    is_applied INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX change_sets_to_apply ON change_sets (number) WHERE is_applied = 0;

CREATE TABLE changes (
    number        INTEGER PRIMARY KEY,
    change_set    INTEGER NOT NULL REFERENCES change_sets (number) ON DELETE CASCADE,
    memory_id     TEXT NOT NULL,
    memory_before TEXT,
    memory_after  TEXT NOT NULL
);

CREATE INDEX changes_by_change_set ON changes (change_set);
CREATE INDEX changes_by_memory ON changes (memory_id);

-- What was forgotten: ids and keyed hashes, no text. turn_ids and hashes (hexadecimal) are JSON arrays.
CREATE TABLE tombstones (
    number   INTEGER PRIMARY KEY,
    id       TEXT NOT NULL UNIQUE,
    made_at  TEXT NOT NULL,
    turn_ids TEXT NOT NULL,
    hashes   TEXT NOT NULL,
    code     BLOB
);

CREATE TABLE keys (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
);

-- What is being forgotten at this moment; empty at all other times.
CREATE TABLE forgetting (
    number INTEGER PRIMARY KEY,
    what   TEXT NOT NULL CHECK (what IN ('memory', 'turn')),
    id     TEXT NOT NULL,
    UNIQUE (what, id)
);

CREATE TABLE memory_use (
    memory_id TEXT NOT NULL PRIMARY KEY,
    uses      INTEGER NOT NULL,
    last_at   TEXT NOT NULL
);
