-- Calls to language models by day, the local date; '' for those made before days were told apart.
CREATE TABLE calls_by_day (
    day               TEXT NOT NULL,
    purpose           TEXT NOT NULL,
    model             TEXT NOT NULL,
    calls             INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost_usd          REAL NOT NULL,
    PRIMARY KEY (day, purpose, model)
) WITHOUT ROWID;

INSERT INTO calls_by_day (day, purpose, model, calls, prompt_tokens, completion_tokens, cost_usd)
SELECT '', purpose, model, calls, prompt_tokens, completion_tokens, cost_usd FROM calls;

DROP TABLE calls;
ALTER TABLE calls_by_day RENAME TO calls;
