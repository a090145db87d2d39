-- The terms that added up to the score, as a JSON object of numbers by name; NULL where they were not noted.
ALTER TABLE recalled_items ADD COLUMN parts TEXT;
