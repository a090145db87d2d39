-- Which memories ever linked to which, so that a link can be walked from either end. Some may link there no more.
CREATE TABLE memory_links (
    to_id   TEXT NOT NULL,
    from_id TEXT NOT NULL,
    PRIMARY KEY (to_id, from_id)
) WITHOUT ROWID;

CREATE INDEX memory_links_by_source ON memory_links (from_id);

INSERT OR IGNORE INTO memory_links (to_id, from_id)
SELECT json_extract(link.value, '$.to'), changes.memory_id
FROM changes, json_each(changes.memory_after, '$.links') AS link
WHERE changes.memory_after IS NOT NULL AND json_extract(link.value, '$.to') IS NOT NULL;

INSERT OR IGNORE INTO memory_links (to_id, from_id)
SELECT json_extract(memory_after, '$.superseded_by'), memory_id FROM changes
WHERE memory_after IS NOT NULL AND json_extract(memory_after, '$.superseded_by') IS NOT NULL;
