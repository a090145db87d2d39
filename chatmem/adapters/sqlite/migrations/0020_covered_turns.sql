-- Which job has read a turn. One that was not on the current branch when its job ran is read if it is followed again.
ALTER TABLE turns ADD COLUMN job INTEGER REFERENCES jobs (number);

UPDATE turns SET job = (
    SELECT number FROM jobs
    WHERE jobs.session_id = turns.session_id AND turns.seq BETWEEN first_seq AND last_seq AND attempts > 0
)
WHERE is_current = 1;

CREATE INDEX turns_uncovered ON turns (session_id, seq) WHERE job IS NULL AND is_current = 1;

-- When another branch of a session was last gone to.
ALTER TABLE sessions ADD COLUMN followed_at TEXT;
