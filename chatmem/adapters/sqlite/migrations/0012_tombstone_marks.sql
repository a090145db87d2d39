-- One byte for each telling word of what was forgotten, so that a paraphrase is known without its words.
ALTER TABLE tombstones ADD COLUMN marks BLOB;
