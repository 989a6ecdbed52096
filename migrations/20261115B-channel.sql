-- What travels between instances, people and platforms.

-- Rows, not notifications, carry the signals: NOTIFY only wakes the readers, who read what they missed.
create table signal (
  id      bigint generated always as identity primary key,
  at      timestamptz not null default clock_timestamp(),
  topic   text not null,
  payload jsonb not null
);
create index signal_at on signal (at);
create function wake_signal_readers() returns trigger language plpgsql as $$
begin
  perform pg_notify('signal', '');
  return null;
end $$;
create trigger signal_wakes after insert on signal for each statement execute function wake_signal_readers();

-- One effect per key: the row is written in the effect's own transaction.
create table idempotency (
  actor_id   bigint not null references staff (id),
  key        text not null check (length(key) between 1 and 255),
  route      text not null,
  body_hash  text not null,
  answer     jsonb not null,
  created_at timestamptz not null,
  primary key (actor_id, key)
);
create index idempotency_created on idempotency (created_at);

-- Signed events from the app and the platforms: stored first, applied by a job, once per event key.
create table inbox_event (
  id          bigint generated always as identity primary key,
  source      text not null,
  event_key   text not null,
  type        text not null,
  payload     jsonb not null,
  received_at timestamptz not null,
  applied_at  timestamptz,
  attempts    int not null default 0,
  next_at     timestamptz not null,
  error       text,
  unique (source, event_key)
);
create index inbox_event_waiting on inbox_event (next_at) where applied_at is null;

-- Long work: one row shows progress, result and failure to whoever started it.
create table task (
  id          bigint generated always as identity primary key,
  kind        text not null check (kind in ('EXPORT')),
  title       text not null,
  owner_id    bigint not null references staff (id),
  state       text not null default 'WAITING' check (state in ('WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
  done_rows   int not null default 0,
  all_rows    int not null default 0,
  request     jsonb not null,
  file_id     uuid,
  error       text,
  created_at  timestamptz not null,
  started_at  timestamptz,
  ended_at    timestamptz,
  -- Shown by whoever runs it; one that stands still is taken up by another, and the number of the try tells them apart.
  heartbeat_at timestamptz,
  attempts    int not null default 0
);
create index task_owner on task (owner_id, id);
create index task_waiting on task (id) where state in ('WAITING', 'RUNNING');

create table file (
  id          uuid primary key default gen_random_uuid(),
  purpose     text not null,
  name        text not null check (length(name) between 1 and 200),
  type        text not null,
  bytes       int  not null,
  sha256      text not null,
  owner_id    bigint not null references staff (id),
  -- The record it belongs to; a file without one is swept after a day.
  page        text,
  record_id   bigint,
  created_at  timestamptz not null
);
create index file_record on file (page, record_id);
create index file_loose on file (created_at) where record_id is null;

-- Counts of big tables by scope and state, as movements: writers only append, a job folds.
create table kept_count (
  table_name text not null,
  org_id     bigint,
  owner_id   bigint,
  state      text not null,
  n          bigint not null
);
create index kept_count_table on kept_count (table_name, org_id, owner_id, state) include (n);

create function keep_count() returns trigger language plpgsql as $$
declare
  -- Arguments: state column, 'owned' or 'shared'.
  cell text := case when tg_argv[1] = 'owned' then 'org_id, owner_id, ' else 'null::bigint, null::bigint, ' end
               || format('%I::text', tg_argv[0]);
  rows text := case tg_op
    when 'INSERT' then format('select %s, 1 as d from new_rows', cell)
    when 'DELETE' then format('select %s, -1 as d from old_rows', cell)
    else format('select %s, 1 as d from new_rows union all select %s, -1 from old_rows', cell, cell) end;
begin
  execute format('insert into kept_count (table_name, org_id, owner_id, state, n)
    select %L, r.a, r.b, r.c, sum(r.d) from (%s) as r (a, b, c, d) group by r.a, r.b, r.c having sum(r.d) <> 0',
    tg_table_name, rows);
  return null;
end $$;

create function start_keeping_count(of regclass, state_column text, scope text) returns void language plpgsql as $$
begin
  execute format('create trigger keep_count_insert after insert on %s referencing new table as new_rows
    for each statement execute function keep_count(%L, %L)', of, state_column, scope);
  execute format('create trigger keep_count_update after update on %s referencing new table as new_rows old table as old_rows
    for each statement execute function keep_count(%L, %L)', of, state_column, scope);
  execute format('create trigger keep_count_delete after delete on %s referencing old table as old_rows
    for each statement execute function keep_count(%L, %L)', of, state_column, scope);
end $$;
