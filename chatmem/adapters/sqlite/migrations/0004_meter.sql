-- Calls to language models.
CREATE TABLE calls (
    purpose           TEXT NOT NULL,
    model             TEXT NOT NULL,
    calls             INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost_usd          REAL NOT NULL,
    PRIMARY KEY (purpose, model)
) WITHOUT ROWID;
