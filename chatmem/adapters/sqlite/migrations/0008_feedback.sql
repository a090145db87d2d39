-- Where the best of what was recalled lay; NULL where nothing bore on the question, or it was not noted.
ALTER TABLE recalls ADD COLUMN tier TEXT;

-- Whether the answer used the item; NULL where that is not known.
ALTER TABLE recalled_items ADD COLUMN used INTEGER;

-- Whether `used` is the person's word.
ALTER TABLE recalled_items ADD COLUMN is_marked INTEGER NOT NULL DEFAULT 0;

-- Names come from imports only.
CREATE INDEX turns_by_speaker ON turns (speaker) WHERE speaker IS NOT NULL;
