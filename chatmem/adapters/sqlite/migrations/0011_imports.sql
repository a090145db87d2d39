-- The import that brought a job's session; null for what was said here, which is learned from first.
ALTER TABLE jobs ADD COLUMN batch TEXT;

-- The last turn of the stretch that has been learned from: the next attempt goes on behind it.
ALTER TABLE jobs ADD COLUMN done_to INTEGER NOT NULL DEFAULT 0;

DROP INDEX jobs_to_do;
CREATE INDEX jobs_to_do ON jobs (batch IS NOT NULL, number) WHERE is_done = 0;
