-- Erasures are told outside the database as well, for what is brought back from an older backup does not know of them (decision 072). Heard
-- by a restore, these are erased again, if they stand in what was brought back.
create table erasure_heard (
  member_id bigint primary key,
  erased_at timestamptz not null
);
