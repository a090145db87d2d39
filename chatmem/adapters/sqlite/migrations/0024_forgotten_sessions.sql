-- Sessions that were forgotten: keyed hashes of their ids and of what was said, no text. No import brings them back.
CREATE TABLE forgotten_sessions (
    hash    BLOB NOT NULL PRIMARY KEY,
    made_at TEXT NOT NULL
) WITHOUT ROWID;

-- Sessions that are being forgotten at this moment; empty at all other times.
CREATE TABLE sessions_going (
    session_id TEXT NOT NULL PRIMARY KEY
) WITHOUT ROWID;
