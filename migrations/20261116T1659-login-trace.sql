-- A sign-in is listed with how it ended: kept where the session ends, so that the list asks one table.
alter table login_trace
  add column ended_at timestamptz,
  add column end_reason text check (end_reason in ('LOGOUT', 'FORCED', 'DISABLED', 'PASSWORD', 'EXPIRED')),
  add column online boolean not null generated always as (session_id is not null and ended_at is null) stored,
  add column version int not null default 1,
  add constraint login_trace_account_length check (length(account) <= 50),
  add constraint login_trace_address_length check (length(address) <= 100),
  add constraint login_trace_device_length check (length(device) <= 200);

create index login_trace_at on login_trace (at, id);
create index login_trace_account on login_trace (account text_pattern_ops);
create index login_trace_address on login_trace (address text_pattern_ops);
create index login_trace_result on login_trace (result, id);
create index login_trace_online on login_trace (online, id);
create index login_trace_session on login_trace (session_id) where session_id is not null;

create function keep_sign_in_ended() returns trigger language plpgsql as $$
begin
  update login_trace set ended_at = new.ended_at, end_reason = new.end_reason where session_id = new.id;
  return null;
end $$;
create trigger keep_sign_in_ended after update of ended_at on session
  for each row when (old.ended_at is distinct from new.ended_at) execute function keep_sign_in_ended();

update login_trace t set ended_at = s.ended_at, end_reason = s.end_reason
from session s where s.id = t.session_id and s.ended_at is not null;

-- Nobody deletes sessions but whoever clears a database by hand: then too the account counts right.
create function keep_session_gone() returns trigger language plpgsql as $$
begin
  update staff set open_sessions = open_sessions - 1 where id = old.staff_id;
  return null;
end $$;
create trigger keep_session_gone after delete on session
  for each row when (old.ended_at is null) execute function keep_session_gone();
