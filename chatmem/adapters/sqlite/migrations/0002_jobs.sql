-- Stretches of talk to consolidate. Those done stay, so that it is known which turns are covered.
CREATE TABLE jobs (
    number       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    session_id   TEXT NOT NULL REFERENCES sessions (id),
    first_seq    INTEGER NOT NULL,
    last_seq     INTEGER NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    is_done      INTEGER NOT NULL DEFAULT 0,
    due_at       TEXT,
    leased_until TEXT,
    error        TEXT
);

CREATE INDEX jobs_by_session ON jobs (session_id, last_seq);
CREATE INDEX jobs_to_do ON jobs (number) WHERE is_done = 0;
