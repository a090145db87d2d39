-- Secrets that were taken out of texts before anything was kept, by kind: never the secrets.
CREATE TABLE blocked (
    kind  TEXT PRIMARY KEY,
    count INTEGER NOT NULL
) WITHOUT ROWID;
