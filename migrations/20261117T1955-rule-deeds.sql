-- What chains had done for a record, once each: a run that comes again gives nothing twice, even after the runs themselves are forgotten.
create table rule_deed (
  event      text not null,
  record_id  bigint not null,
  node       text not null,
  -- Digest of what was bound to the node.
  bound      text not null check (length(bound) = 64),
  created_at timestamptz not null,
  primary key (event, record_id, node, bound)
);
