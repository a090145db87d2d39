-- What is said while learning is paused: neither learned from nor recalled elsewhere.
ALTER TABLE sessions ADD COLUMN off_record INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN off_record INTEGER NOT NULL DEFAULT 0;

CREATE INDEX turns_off_record ON turns (session_id) WHERE off_record = 1;

DROP INDEX turns_to_index;
CREATE INDEX turns_to_index ON turns (said_at) WHERE is_indexed = 0 AND off_record = 0 AND status <> 'streaming';

DROP INDEX turns_uncovered;
CREATE INDEX turns_uncovered ON turns (session_id, seq) WHERE job IS NULL AND off_record = 0 AND is_current = 1;
