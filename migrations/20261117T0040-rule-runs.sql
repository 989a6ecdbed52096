-- Chains that events run through, and what they decided (docs/decisions/058).
alter table rule_chain
  -- The event it decides about; the code declares which there are.
  add column event      text check (event ~ '^[A-Za-z_][A-Za-z0-9_]{0,63}$'),
  -- Since when it fails, and how; nothing once somebody has looked at it.
  add column failed_at  timestamptz,
  add column failure    text not null default '' check (length(failure) <= 500);
create unique index rule_chain_event on rule_chain (event text_pattern_ops);

create table rule_run (
  id              bigint generated always as identity primary key,
  event           text not null,
  record_id       bigint not null,
  record_no       text not null check (length(record_no) <= 64),
  chain_record_id bigint references rule_chain (id) on delete cascade,
  -- None where the chain that was shipped decided.
  edition         int not null check (edition >= 0),
  result          text not null check (result in ('DECIDED', 'FELL_BACK')),
  outcome         text not null check (length(outcome) <= 2000),
  ms              int not null check (ms >= 0),
  fault           text check (length(fault) <= 500),
  created_at      timestamptz not null,
  check ((result = 'FELL_BACK') = (fault is not null))
);
create index rule_run_record on rule_run (event, record_id, id);
create index rule_run_chain on rule_run (chain_record_id, id);
create index rule_run_chain_result on rule_run (chain_record_id, result, id);
create index rule_run_chain_created_at on rule_run (chain_record_id, created_at, id);
create index rule_run_created_at on rule_run (created_at);

alter table refund_application
  -- Whether a chain is still to decide, has held it, or somebody has let it go on since.
  add column hold        text not null default 'NONE' check (hold in ('NONE', 'JUDGING', 'HELD', 'RELEASED')),
  add column hold_reason text not null default '' check (length(hold_reason) <= 200),
  add column released_by bigint references staff (id),
  add constraint refund_application_released check ((released_by is not null) = (hold = 'RELEASED'));

update rule_chain_edition set body = body || '{"event": null}';
