-- Codes of different embedding models say nothing about one another; until now there was one model.
ALTER TABLE tombstones ADD COLUMN model TEXT;
UPDATE tombstones SET model = 'all-MiniLM-L6-v2' WHERE code IS NOT NULL;
