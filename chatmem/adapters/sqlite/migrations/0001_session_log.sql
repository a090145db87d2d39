-- What was said. A session's turn_count is the seq of its last turn, since seq has no gaps.
CREATE TABLE sessions (
    id            TEXT NOT NULL PRIMARY KEY,
    title         TEXT NOT NULL,
    started_at    TEXT NOT NULL,
    model         TEXT,
    summary       TEXT NOT NULL,
    summarised_to INTEGER NOT NULL,
    turn_count    INTEGER NOT NULL DEFAULT 0,
    last_at       TEXT NOT NULL
);

CREATE INDEX sessions_spoken_in ON sessions (last_at) WHERE turn_count > 0;

CREATE TABLE turns (
    id         TEXT NOT NULL PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id),
    seq        INTEGER NOT NULL,
    role       TEXT NOT NULL,
    text       TEXT NOT NULL,
    said_at    TEXT NOT NULL,
    status     TEXT NOT NULL,
    speaker    TEXT,
    model      TEXT,
    error      TEXT,
    saved_at   TEXT NOT NULL,
    is_indexed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session_id, seq)
);

CREATE INDEX turns_to_index ON turns (said_at) WHERE is_indexed = 0 AND status <> 'streaming';
CREATE INDEX turns_streaming ON turns (session_id, seq) WHERE status = 'streaming';

-- What a reply consumed.
CREATE TABLE usage (
    turn_id           TEXT NOT NULL PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost_usd          REAL,
    ms                REAL NOT NULL
);

-- What was recalled for a user's turn: ids and scores, no texts.
CREATE TABLE recalls (
    number  INTEGER PRIMARY KEY,
    turn_id TEXT NOT NULL UNIQUE REFERENCES turns (id) ON DELETE CASCADE,
    ms      REAL NOT NULL
);

CREATE TABLE recalled_items (
    recall      INTEGER NOT NULL REFERENCES recalls (number) ON DELETE CASCADE,
    place       INTEGER NOT NULL,
    item_id     TEXT NOT NULL,
    score       REAL NOT NULL,
    is_injected INTEGER NOT NULL,
    PRIMARY KEY (recall, place)
) WITHOUT ROWID;

CREATE INDEX recalled_items_by_item ON recalled_items (item_id);
