-- A change that takes a memory back has no memory_after; SQLite can't drop NOT NULL from a column.
CREATE TABLE changes_anew (
    number        INTEGER PRIMARY KEY,
    change_set    INTEGER NOT NULL REFERENCES change_sets (number) ON DELETE CASCADE,
    memory_id     TEXT NOT NULL,
    memory_before TEXT,
    memory_after  TEXT,
    CHECK (memory_before IS NOT NULL OR memory_after IS NOT NULL)
);

INSERT INTO changes_anew SELECT number, change_set, memory_id, memory_before, memory_after FROM changes;
DROP TABLE changes;
ALTER TABLE changes_anew RENAME TO changes;
CREATE INDEX changes_by_change_set ON changes (change_set);
CREATE INDEX changes_by_memory ON changes (memory_id);

-- The id of the change set that this one takes back.
ALTER TABLE change_sets ADD COLUMN undoes TEXT;

-- When each piece of upkeep was last done.
CREATE TABLE upkeep (
    name    TEXT NOT NULL PRIMARY KEY,
    last_at TEXT NOT NULL
);
