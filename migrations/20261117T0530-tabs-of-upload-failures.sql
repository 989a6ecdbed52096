-- The tabs of whoever looks after a pupil, as teacher or as owner: each by its index, and both together.
create index upload_failure_owner_status on upload_failure (owner_id, status, last_at, id);
