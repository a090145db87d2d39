-- Of the memory that was forgotten; NULL for what was forgotten before this was kept.
ALTER TABLE tombstones ADD COLUMN kind TEXT;

-- Whether what is being forgotten stays in the words of turns, as the person chose.
ALTER TABLE forgetting ADD COLUMN keeps_turns INTEGER NOT NULL DEFAULT 0;
