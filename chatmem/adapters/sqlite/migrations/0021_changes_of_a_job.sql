-- What a job recorded in parts is read as one change set.
CREATE INDEX change_sets_by_whole ON change_sets (COALESCE(job_id, id));
