-- An account that was closed: nothing personal is left of its member, and everything that was paid, sent and earned stands (decision 072).
alter table member drop constraint member_status_check;
alter table member
  alter column phone drop not null,
  add constraint member_status_check check (status in ('ACTIVE', 'FROZEN', 'CLOSED')),
  add constraint member_reached check ((phone is null) = (status = 'CLOSED'));

-- Whom everything was erased of, so that it is erased again where an older copy was brought back.
create table erasure (
  member_id  bigint primary key references member (id),
  -- By a key of this house: tells of a number whether it is the one, and nothing else.
  phone_hash text not null check (length(phone_hash) = 64),
  erased_at  timestamptz not null
);

alter table member_application drop constraint member_application_kind_check;
alter table member_application
  add constraint member_application_kind_check check (kind in ('GIFT', 'PHONE', 'CLOSE')),
  -- Until then it can be taken back.
  add column closes_at timestamptz,
  add column closed_at timestamptz,
  add constraint member_application_closing check (closes_at is null or kind = 'CLOSE'),
  add constraint member_application_closed check (closed_at is null or (status = 'APPROVED' and closes_at is not null)),
  drop constraint member_application_phone,
  -- Of an erased member no number is left.
  add constraint member_application_phone check (kind = 'PHONE' or new_phone is null);
create index member_application_to_close on member_application (closes_at) where status = 'APPROVED' and closed_at is null;


-- What of the log lines of a record goes is said line by line: what tells of money stays.
create function erase_log_lines(lines bigint[]) returns int language plpgsql as $$
declare
  erased int;
begin
  insert into log_erased (line_id, digests, salts)
    select l.id, case l.form when 1 then log_digests(l) else log_digests_2(l) end,
      case l.form when 1 then '{}' else jsonb_build_object('name', log_salt(l, 'name'), 'address', log_salt(l, 'address')) end
    from operation_log l where l.id = any(lines) and l.salt is not null;
  update operation_log l set salt = null, reason = null, record_no = null,
    actor_name = case l.form when 1 then '' else l.actor_name end, address = case l.form when 1 then '' else l.address end,
    diff = (select coalesce(jsonb_object_agg(key, null), '{}') from jsonb_each(l.diff))
    where l.id = any(lines) and l.salt is not null;
  get diagnostics erased = row_count;
  return erased;
end $$;
create or replace function erase_log(pages text[], record bigint) returns int language sql as $$
  select erase_log_lines(array(
    select l.id from operation_log l where l.page = any(pages) and l.record_id = record and l.salt is not null)) $$;
