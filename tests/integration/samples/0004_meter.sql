BEGIN TRANSACTION;
CREATE TABLE calls (
    purpose           TEXT NOT NULL,
    model             TEXT NOT NULL,
    calls             INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost_usd          REAL NOT NULL,
    PRIMARY KEY (purpose, model)
) WITHOUT ROWID;
INSERT INTO "calls" VALUES('chat','openai/llama',2,20,40,0.5);
CREATE TABLE change_sets (
    number     INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    made_at    TEXT NOT NULL,
    cause      TEXT NOT NULL,
    job_id     TEXT,
    is_applied INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE changes (
    number        INTEGER PRIMARY KEY,
    change_set    INTEGER NOT NULL REFERENCES change_sets (number) ON DELETE CASCADE,
    memory_id     TEXT NOT NULL,
    memory_before TEXT,
    memory_after  TEXT NOT NULL
);
CREATE TABLE forgetting (
    number INTEGER PRIMARY KEY,
    what   TEXT NOT NULL CHECK (what IN ('memory', 'turn')),
    id     TEXT NOT NULL,
    UNIQUE (what, id)
);
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
INSERT INTO "jobs" VALUES(1,'s1:1-5','s1',1,5,0,0,NULL,NULL,NULL);
CREATE TABLE keys (
    name  TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
);
CREATE TABLE memory_use (
    memory_id TEXT NOT NULL PRIMARY KEY,
    uses      INTEGER NOT NULL,
    last_at   TEXT NOT NULL
);
CREATE TABLE migrations (name TEXT PRIMARY KEY, applied_at TEXT DEFAULT CURRENT_TIMESTAMP);
INSERT INTO "migrations" VALUES('0001_session_log','2026-11-21 11:57:51');
INSERT INTO "migrations" VALUES('0002_jobs','2026-11-21 11:57:51');
INSERT INTO "migrations" VALUES('0003_journal','2026-11-21 11:57:51');
INSERT INTO "migrations" VALUES('0004_meter','2026-11-21 11:57:51');
CREATE TABLE recalled_items (
    recall      INTEGER NOT NULL REFERENCES recalls (number) ON DELETE CASCADE,
    place       INTEGER NOT NULL,
    item_id     TEXT NOT NULL,
    score       REAL NOT NULL,
    is_injected INTEGER NOT NULL,
    PRIMARY KEY (recall, place)
) WITHOUT ROWID;
CREATE TABLE recalls (
    number  INTEGER PRIMARY KEY,
    turn_id TEXT NOT NULL UNIQUE REFERENCES turns (id) ON DELETE CASCADE,
    ms      REAL NOT NULL
);
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
INSERT INTO "sessions" VALUES('s1','Session 1','2026-03-04T12:00:00.000000+00:00','llama','They talked.',2,5,'2026-03-04T12:15:00.000000+00:00');
INSERT INTO "sessions" VALUES('s2','Session 2','2026-03-04T12:00:00.000000+00:00','llama','',0,5,'2026-03-04T12:25:00.000000+00:00');
CREATE TABLE tombstones (
    number   INTEGER PRIMARY KEY,
    id       TEXT NOT NULL UNIQUE,
    made_at  TEXT NOT NULL,
    turn_ids TEXT NOT NULL,
    hashes   TEXT NOT NULL,
    code     BLOB
);
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
INSERT INTO "turns" VALUES('s1t1','s1',1,'user','Words 1 of session 1.','2026-03-04T12:11:00.000000+00:00','complete',NULL,NULL,NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s1t2','s1',2,'assistant','Words 2 of session 1.','2026-03-04T12:12:00.000000+00:00','complete',NULL,'llama',NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s1t3','s1',3,'user','Words 3 of session 1.','2026-03-04T12:13:00.000000+00:00','complete',NULL,NULL,NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s1t4','s1',4,'assistant','Words 4 of session 1.','2026-03-04T12:14:00.000000+00:00','complete',NULL,'llama',NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s1t5','s1',5,'user','Words 5 of session 1.','2026-03-04T12:15:00.000000+00:00','complete',NULL,NULL,NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s2t1','s2',1,'user','Words 1 of session 2.','2026-03-04T12:21:00.000000+00:00','complete',NULL,NULL,NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s2t2','s2',2,'assistant','Words 2 of session 2.','2026-03-04T12:22:00.000000+00:00','complete',NULL,'llama',NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s2t3','s2',3,'user','Words 3 of session 2.','2026-03-04T12:23:00.000000+00:00','complete',NULL,NULL,NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s2t4','s2',4,'assistant','Words 4 of session 2.','2026-03-04T12:24:00.000000+00:00','complete',NULL,'llama',NULL,'2026-03-04T12:00:00.000000+00:00',0);
INSERT INTO "turns" VALUES('s2t5','s2',5,'user','Words 5 of session 2.','2026-03-04T12:25:00.000000+00:00','complete',NULL,NULL,NULL,'2026-03-04T12:00:00.000000+00:00',0);
CREATE TABLE usage (
    turn_id           TEXT NOT NULL PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost_usd          REAL,
    ms                REAL NOT NULL
);
INSERT INTO "usage" VALUES('s1t2',10,20,0.5,12.5);
CREATE INDEX sessions_spoken_in ON sessions (last_at) WHERE turn_count > 0;
CREATE INDEX turns_to_index ON turns (said_at) WHERE is_indexed = 0 AND status <> 'streaming';
CREATE INDEX turns_streaming ON turns (session_id, seq) WHERE status = 'streaming';
CREATE INDEX recalled_items_by_item ON recalled_items (item_id);
CREATE INDEX jobs_by_session ON jobs (session_id, last_seq);
CREATE INDEX jobs_to_do ON jobs (number) WHERE is_done = 0;
CREATE INDEX change_sets_to_apply ON change_sets (number) WHERE is_applied = 0;
CREATE INDEX changes_by_change_set ON changes (change_set);
CREATE INDEX changes_by_memory ON changes (memory_id);
COMMIT;
