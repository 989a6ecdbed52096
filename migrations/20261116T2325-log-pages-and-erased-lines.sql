-- Lines are found by the page they were done on.
create index operation_log_page on operation_log (page, id);

-- Who did something and from where stays in a line whose record was erased, and the seal has to vouch for it there too. Each
-- value has a salt of its own now, made from the line's: those of the two that stay are kept, and tell nothing of the others.
alter table operation_log add column form int not null default 1;
alter table operation_log alter column form set default 2;
alter table log_erased add column salts jsonb not null default '{}';

create function log_salt(l operation_log, name text) returns text language sql stable as
  $$ select encode(sha256(convert_to(l.salt::text || ' ' || name, 'UTF8')), 'hex') $$;
create function log_digest(salt text, value text) returns text language sql immutable as
  $$ select encode(sha256(convert_to(salt || value, 'UTF8')), 'hex') $$;

create function log_digests_2(l operation_log) returns jsonb language sql stable as $$
  select jsonb_object_agg(part.name, log_digest(log_salt(l, part.name), part.value))
  from (
    select 'name' as name, l.actor_name as value
    union all select 'address', l.address
    union all select 'reason', l.reason
    union all select 'number', l.record_no
    union all select 'diff.' || key, value::text from jsonb_each(l.diff)
  ) part where part.value is not null $$;

-- What was sealed of an erased line, where what stays in it is what was sealed; nothing where it is not.
create function log_erased_digests(l operation_log) returns jsonb language sql stable as $$
  select e.digests from log_erased e where e.line_id = l.id and case l.form
    when 1 then l.actor_name = '' and l.address = ''
    else log_digest(e.salts ->> 'name', l.actor_name) = e.digests ->> 'name'
      and log_digest(e.salts ->> 'address', l.address) = e.digests ->> 'address' end $$;

create function log_is_erased(l operation_log) returns boolean language sql stable as $$
  select l.salt is null and l.reason is null and l.record_no is null
    and not exists (select from jsonb_each(l.diff) where value <> 'null') $$;

-- A line as it is sealed since then, as little changed as the one before it.
create function log_line_digest_2(l operation_log) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(
    l.form, l.id, (extract(epoch from l.at) * 1000000)::bigint, l.actor_id, l.request_id, l.page, l.action, l.record_id, l.code,
    l.undoes, l.duration_ms, l.keep,
    case when log_is_erased(l) then log_erased_digests(l) else log_digests_2(l) end
  )::text, 'UTF8')) $$;

-- By the form it was written in. An erased one of before, which nothing vouches for while it still names somebody, is not as it was.
create function log_line_sealed(l operation_log) returns bytea language sql stable as $$
  select case
    when l.form <> 1 then log_line_digest_2(l)
    when log_is_erased(l) and log_erased_digests(l) is null then sha256(''::bytea)
    else log_line_digest(l) end $$;

-- Nothing vouches for who did it in lines of before once they are erased: the name goes with the rest, the person's number is sealed.
create or replace function erase_log(pages text[], record bigint) returns int language plpgsql as $$
declare
  erased int;
begin
  insert into log_erased (line_id, digests, salts)
    select l.id, case l.form when 1 then log_digests(l) else log_digests_2(l) end,
      case l.form when 1 then '{}' else jsonb_build_object('name', log_salt(l, 'name'), 'address', log_salt(l, 'address')) end
    from operation_log l where l.page = any(pages) and l.record_id = record and l.salt is not null;
  update operation_log l set salt = null, reason = null, record_no = null,
    actor_name = case l.form when 1 then '' else l.actor_name end, address = case l.form when 1 then '' else l.address end,
    diff = (select coalesce(jsonb_object_agg(key, null), '{}') from jsonb_each(l.diff))
    where l.page = any(pages) and l.record_id = record and l.salt is not null;
  get diagnostics erased = row_count;
  return erased;
end $$;
update operation_log set actor_name = '', address = '' where salt is null;
