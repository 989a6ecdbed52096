-- Told outside the database as well: what is brought back from an older backup does not know whom was erased since (decision 072).
alter table erasure add column told_at timestamptz;

-- Heard by a restore: these are erased again, if they stand in what was brought back.
create table erasure_heard (
  member_id bigint primary key,
  erased_at timestamptz not null
);
