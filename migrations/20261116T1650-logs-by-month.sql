-- The operation log and the trace of sign-ins stand in months, so that what has been kept long enough goes by dropping a
-- table instead of deleting rows (docs/decisions/054). Months are those of the business; they stand in a schema of their own.
create schema if not exists part;

-- The number is taken after the transaction has one of its own: whoever seals the log then knows that no lower number can
-- still come once the transactions he saw under way have ended.
create sequence operation_log_line;
create function next_log_line() returns bigint language plpgsql as $$
begin
  perform pg_current_xact_id();
  return nextval('operation_log_line');
end $$;

-- Each line is taken back once at most, however many press at the same moment; over months no index of the log says so.
create table line_taken_back (
  line_id bigint primary key,
  by_id   bigint not null
);
insert into line_taken_back (line_id, by_id) select undoes, id from operation_log where undoes is not null;

do $$
begin
  if exists (select from operation_log) then
    perform setval('operation_log_line', (select max(id) from operation_log));
  end if;
end $$;

-- The lines there are become one partition, read and written once: all of them are kept long, for nothing tells which
-- of them may go sooner.
alter table operation_log rename to operation_log_before;
alter table operation_log_before set schema part;
drop index part.operation_log_record;
drop index part.operation_log_actor;
drop index part.operation_log_at;
drop index part.operation_log_undoes;
alter table part.operation_log_before drop constraint operation_log_undoes_fkey;
alter table part.operation_log_before drop constraint operation_log_pkey;
alter table part.operation_log_before alter column id drop identity;
alter table part.operation_log_before
  alter column id set default next_log_line(),
  add column version int not null default 1,
  -- How long the line is kept.
  add column keep text not null default 'LONG' constraint operation_log_keep check (keep in ('SHORT', 'LONG')),
  -- The number people know the record by, where it has one.
  add column record_no text constraint operation_log_no check (length(record_no) <= 64),
  -- Beside what is personal when the line is sealed, so that what was erased cannot be guessed from the seal.
  add column salt uuid default gen_random_uuid(),
  add column result text not null generated always as (case when code = 0 then 'DONE' else 'REFUSED' end) stored
    constraint operation_log_result check (result in ('DONE', 'REFUSED')),
  add column kind text not null generated always as (case
    when action = 'create' then 'CREATE'
    when action in ('update', 'move') then 'UPDATE'
    when action = 'delete' then 'DELETE'
    when action in ('takeBack', 'undoImport') then 'TAKE_BACK'
    when action = 'import' then 'IMPORT'
    when action in ('export', 'download', 'print') then 'EXPORT'
    when action in ('reveal', 'find-by-phone') then 'REVEAL'
    else 'STEP' end) stored
    constraint operation_log_kind check (kind in ('CREATE', 'UPDATE', 'DELETE', 'STEP', 'TAKE_BACK', 'IMPORT', 'EXPORT', 'REVEAL'));
alter table part.operation_log_before rename constraint operation_log_actor_id_fkey to operation_log_before_actor_id_fkey;

create table operation_log (like part.operation_log_before including defaults including generated including constraints)
  partition by list (keep);
alter sequence operation_log_line owned by operation_log.id;
alter table operation_log add primary key (id, keep, at);
alter table operation_log add foreign key (actor_id) references staff (id);
create index operation_log_record on operation_log (record_id, page, id);
create index operation_log_no on operation_log (record_no text_pattern_ops);
create index operation_log_actor on operation_log (actor_id, id);
create index operation_log_at on operation_log (at, id);
create index operation_log_kind on operation_log (kind, id);
create index operation_log_result on operation_log (result, id);
create table part.operation_log_short partition of operation_log for values in ('SHORT') partition by range (at);
create table part.operation_log_long partition of operation_log for values in ('LONG') partition by range (at);
-- What no month is there for.
create table part.operation_log_short_rest partition of part.operation_log_short default;
create table part.operation_log_long_rest partition of part.operation_log_long default;

alter table login_trace rename to login_trace_before;
alter table login_trace_before set schema part;
create sequence login_trace_line;
do $$
begin
  if exists (select from part.login_trace_before) then
    perform setval('login_trace_line', (select max(id) from part.login_trace_before));
  end if;
end $$;
drop index part.login_trace_staff;
drop index part.login_trace_known;
alter table part.login_trace_before drop constraint login_trace_pkey;
alter table part.login_trace_before alter column id drop identity;
alter table part.login_trace_before alter column id set default nextval('login_trace_line');
alter table part.login_trace_before rename constraint login_trace_staff_id_fkey to login_trace_before_staff_id_fkey;
alter table part.login_trace_before rename constraint login_trace_session_id_fkey to login_trace_before_session_id_fkey;
create table login_trace (like part.login_trace_before including defaults including constraints) partition by range (at);
alter sequence login_trace_line owned by login_trace.id;
alter table login_trace add primary key (id, at);
alter table login_trace add foreign key (staff_id) references staff (id);
alter table login_trace add foreign key (session_id) references session (id);
create index login_trace_staff on login_trace (staff_id, id);
-- From where a person is known to sign in: a stranger's wrong guesses do not shut that door.
create index login_trace_known on login_trace (staff_id, address, at) where result = 'SUCCESS';
create table part.login_trace_rest partition of login_trace default;

-- Gives a log the month that an instant lies in, with what of that month had to stand elsewhere until now. Says whether
-- there was none. Attached, not created in its place: whoever writes lines meanwhile does not wait.
create function make_log_month(log text, instant timestamptz) returns boolean language plpgsql as $$
declare
  parent text := case log when 'login_trace' then 'public.login_trace' else 'part.' || log end;
  first timestamp := date_trunc('month', instant at time zone 'Asia/Shanghai');
  begins timestamptz := first at time zone 'Asia/Shanghai';
  ends timestamptz := (first + interval '1 month') at time zone 'Asia/Shanghai';
  name text := log || to_char(first, '_YYYY_MM');
  own text;
begin
  if exists (
    select from pg_inherits i join pg_class c on c.oid = i.inhrelid,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''?([^'')]+)') low,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([^'']+)''\)') high
    where i.inhparent = parent::regclass and high is not null
      and begins < high::timestamptz and (low = 'MINVALUE' or ends > low::timestamptz)
  ) then
    return false;
  end if;
  execute format('create table part.%I (like %s including all)', name, parent);
  -- What is generated is generated again.
  select string_agg(format('%I', attname), ', ' order by attnum) into own from pg_attribute
    where attrelid = parent::regclass and attnum > 0 and not attisdropped and attgenerated = '';
  execute format('with moved as (delete from part.%I where at >= $1 and at < $2 returning *)
    insert into part.%I (%s) select %s from moved', log || '_rest', name, own, own) using begins, ends;
  execute format('alter table %s attach partition part.%I for values from (%L) to (%L)', parent, name, begins, ends);
  return true;
end $$;

-- What stands in the tables of before reaches to the end of its last month.
do $$
declare
  told record;
  ends timestamptz;
begin
  for told in select * from (values
    ('operation_log_before', 'part.operation_log_long', 'operation_log_long'),
    ('login_trace_before', 'public.login_trace', 'login_trace')) v (name, parent, log)
  loop
    execute format('select (date_trunc(''month'', greatest(max(at), now()) at time zone ''Asia/Shanghai'') + interval ''1 month'')
      at time zone ''Asia/Shanghai'' from part.%I having count(*) > 0', told.name) into ends;
    if ends is null then
      execute format('drop table part.%I', told.name);
    else
      execute format('alter table %s attach partition part.%I for values from (minvalue) to (%L)', told.parent, told.name, ends);
    end if;
  end loop;
  perform make_log_month(log, at) from unnest(array['operation_log_short', 'operation_log_long', 'login_trace']) log,
    unnest(array[now(), now() + interval '1 month']) at;
end $$;
