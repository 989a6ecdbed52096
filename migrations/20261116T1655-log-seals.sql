-- What was logged is sealed once it is committed: each seal holds a digest of its lines and of the seal before it, so that
-- whoever alters, removes or adds a line afterwards breaks a chain that `npm run doctor` reads (docs/decisions/054).
create table log_seal (
  -- 1, 2, 3 …: a number left out is a seal removed.
  id         bigint primary key,
  kind       text not null check (kind in ('LINES', 'DROPPED')),
  keep       text not null check (keep in ('SHORT', 'LONG')),
  month      date not null,
  -- All lines of this month and keeping whose numbers lie in between; of a dropped month, all it ever had.
  from_id    bigint not null,
  to_id      bigint not null,
  lines      int not null,
  lines_hash text not null,
  hash       text not null,
  sealed_at  timestamptz not null,
  -- Of each line its number and the beginning of its digest: tells which one was altered, and goes with the month.
  marks      bytea
);
create index log_seal_month on log_seal (keep, month, id);
-- Each line finds the seal it must stand in by itself.
create index log_seal_range on log_seal (keep, month, from_id desc) where kind = 'LINES';

-- Where the chain has come to, beside the chain: a seal removed at its end is missed.
create table log_head (
  is_only boolean primary key default true check (is_only),
  seal_id bigint not null,
  hash    text not null,
  line_id bigint not null
);
insert into log_head (seal_id, hash, line_id) values (0, '', 0);

-- What was sealed of lines whose values were erased since.
create table log_erased (
  line_id bigint primary key,
  digests jsonb not null
);

create function log_month(at timestamptz) returns date language sql immutable parallel safe as
  $$ select date_trunc('month', at at time zone 'Asia/Shanghai')::date $$;

-- Whatever may be somebody's: each value by itself, so that any of them can be erased.
create function log_digests(l operation_log) returns jsonb language sql stable as $$
  select jsonb_object_agg(part.name, encode(sha256(convert_to(l.salt::text || part.value, 'UTF8')), 'hex'))
  from (
    select 'name' as name, l.actor_name as value
    union all select 'address', l.address
    union all select 'reason', l.reason
    union all select 'number', l.record_no
    union all select 'diff.' || key, value::text from jsonb_each(l.diff)
  ) part where part.value is not null $$;

-- A line as it is sealed. Never changed: seals of before would no longer be true of their lines.
create function log_line_digest(l operation_log) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(
    l.id, (extract(epoch from l.at) * 1000000)::bigint, l.actor_id, l.request_id, l.page, l.action, l.record_id, l.code,
    l.undoes, l.duration_ms, l.keep,
    -- What was erased is gone from the line: one that says something again is not the line that was sealed.
    case when l.salt is null and l.reason is null and l.record_no is null and not exists (select from jsonb_each(l.diff) where value <> 'null')
      then (select e.digests from log_erased e where e.line_id = l.id)
      else log_digests(l) end
  )::text, 'UTF8')) $$;

-- Takes the values out of all lines of a record, with the salt by which they could be guessed; says of how many lines.
create function erase_log(pages text[], record bigint) returns int language plpgsql as $$
declare
  erased int;
begin
  insert into log_erased (line_id, digests)
    select l.id, log_digests(l) from operation_log l where l.page = any(pages) and l.record_id = record and l.salt is not null;
  update operation_log l set salt = null, reason = null, record_no = null,
    diff = (select coalesce(jsonb_object_agg(key, null), '{}') from jsonb_each(l.diff))
    where l.page = any(pages) and l.record_id = record and l.salt is not null;
  get diagnostics erased = row_count;
  return erased;
end $$;
