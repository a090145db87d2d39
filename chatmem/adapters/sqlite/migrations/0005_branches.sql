-- A session is a tree of turns: parent_id is the turn that one follows, and is_current marks the turns of the branch
-- that is followed. Until now each turn followed the one before.
ALTER TABLE turns ADD COLUMN parent_id TEXT REFERENCES turns (id) ON DELETE CASCADE;
ALTER TABLE turns ADD COLUMN is_current INTEGER NOT NULL DEFAULT 1;
ALTER TABLE turns ADD COLUMN reasoning TEXT NOT NULL DEFAULT '';
ALTER TABLE turns ADD COLUMN finish_reason TEXT;
ALTER TABLE turns ADD COLUMN attachment_count INTEGER NOT NULL DEFAULT 0;

UPDATE turns SET parent_id = (
    SELECT before.id FROM turns AS before WHERE before.session_id = turns.session_id AND before.seq = turns.seq - 1
);

CREATE INDEX turns_by_parent ON turns (parent_id, session_id);
CREATE INDEX turns_aside ON turns (session_id, seq) WHERE is_current = 0;
CREATE INDEX turns_by_time ON turns (said_at);
CREATE INDEX turns_by_model ON turns (model, said_at) WHERE model IS NOT NULL;

-- Images that were sent with a turn.
CREATE TABLE attachments (
    id         TEXT NOT NULL PRIMARY KEY,
    turn_id    TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    place      INTEGER NOT NULL,
    name       TEXT NOT NULL,
    media_type TEXT NOT NULL,
    size       INTEGER NOT NULL,
    content    BLOB NOT NULL,
    UNIQUE (turn_id, place)
);

-- What was typed but not sent; without a session, for the next new one.
CREATE TABLE drafts (
    session_id TEXT UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
    text       TEXT NOT NULL
);
