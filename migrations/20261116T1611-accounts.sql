-- What is listed of an account beside the person: kept where it is written, so that the list asks one table.
alter table staff
  -- Its roles: by id as they are chosen, by name as they are found.
  add column role_ids jsonb not null default '[]',
  add column role_names text[] not null default '{}',
  add column open_sessions int not null default 0 check (open_sessions >= 0),
  add column last_login_at timestamptz,
  -- Too many wrong passwords: nobody signs in from elsewhere until then. Sessions that are open stay.
  add column locked_until timestamptz,
  add column account_state text not null generated always as
    (case when status = 'DISABLED' then 'DISABLED' when locked_until is not null then 'LOCKED' else 'ENABLED' end) stored
    check (account_state in ('ENABLED', 'LOCKED', 'DISABLED'));

create index staff_account_state on staff (account_state, id);
create index staff_role_names on staff using gin (role_names);
create index staff_last_login on staff (last_login_at, id);
create index staff_open_sessions on staff (open_sessions, id);
create index staff_created on staff (created_at, id);
create index staff_must_change on staff (must_change, id);

create function name_roles_of(people bigint[]) returns void language sql as $$
  update staff p set role_ids = held.ids, role_names = held.names
  from unnest(people) as named (id),
    lateral (
      select coalesce(jsonb_agg(r.id::text order by r.id), '[]') as ids, coalesce(array_agg(r.name order by r.id), '{}') as names
      from staff_role sr join role r on r.id = sr.role_id where sr.staff_id = named.id
    ) as held
  where p.id = named.id
$$;

create function keep_roles_of_staff() returns trigger language plpgsql as $$
begin
  perform name_roles_of(array(select distinct staff_id from changed order by staff_id));
  return null;
end $$;
create trigger keep_roles_given after insert on staff_role
  referencing new table as changed for each statement execute function keep_roles_of_staff();
create trigger keep_roles_taken after delete on staff_role
  referencing old table as changed for each statement execute function keep_roles_of_staff();

create function keep_role_renamed() returns trigger language plpgsql as $$
begin
  perform name_roles_of(array(select staff_id from staff_role where role_id = new.id order by staff_id));
  return null;
end $$;
create trigger keep_role_renamed after update of name on role
  for each row when (old.name is distinct from new.name) execute function keep_role_renamed();

create function keep_open_sessions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update staff set open_sessions = open_sessions + (new.ended_at is null)::int,
      last_login_at = greatest(last_login_at, new.created_at) where id = new.staff_id;
  else
    update staff set open_sessions = open_sessions + (new.ended_at is null)::int - (old.ended_at is null)::int
    where id = new.staff_id;
  end if;
  return null;
end $$;
create trigger keep_session_opened after insert on session for each row execute function keep_open_sessions();
create trigger keep_session_ended after update of ended_at on session
  for each row when ((old.ended_at is null) <> (new.ended_at is null)) execute function keep_open_sessions();
-- Those whose time is over are ended by it.
create index session_expires on session (expires_at) where ended_at is null;
create index session_active on session (active_at) where ended_at is null;

create function keep_locked_until() returns trigger language plpgsql as $$
declare
  gate attempt_gate := coalesce(new, old);
  named text := split_part(gate.subject, ' ', 1);
begin
  if gate.kind not in ('login', 'login-known') then return null; end if;
  -- Whoever holds the row signs in right now, and lifts the lock with it; waiting for that here could wait for ourselves.
  perform from staff where account = named for no key update skip locked;
  if found then
    update staff set locked_until = (
      select max(g.locked_until) from attempt_gate g
      where (g.kind = 'login' and g.subject = named) or (g.kind = 'login-known' and starts_with(g.subject, named || ' '))
    ) where account = named;
  end if;
  return null;
end $$;
create trigger keep_gate_shut after insert on attempt_gate
  for each row when (new.locked_until is not null) execute function keep_locked_until();
create trigger keep_gate_moved after update of locked_until on attempt_gate
  for each row when (old.locked_until is distinct from new.locked_until) execute function keep_locked_until();
create trigger keep_gate_opened after delete on attempt_gate
  for each row when (old.locked_until is not null) execute function keep_locked_until();

select name_roles_of(array(select id from staff));
update staff p set
  open_sessions = (select count(*) from session s where s.staff_id = p.id and s.ended_at is null),
  last_login_at = (select max(created_at) from session s where s.staff_id = p.id),
  locked_until = (select max(locked_until) from attempt_gate g where g.kind = 'login' and g.subject = p.account);
