-- What the person thinks of an answer; is_marked where they marked it, else their words told.
CREATE TABLE opinions (
    turn_id   TEXT NOT NULL PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    is_liked  INTEGER NOT NULL,
    is_marked INTEGER NOT NULL
);
