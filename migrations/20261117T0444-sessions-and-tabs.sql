-- One update of the people for all sessions of a statement, not one for each session.
create or replace function keep_open_sessions() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update staff s set open_sessions = s.open_sessions + n.open, last_login_at = greatest(s.last_login_at, n.last)
    from (select staff_id, count(*) filter (where ended_at is null) as open, max(created_at) as last
          from opened group by staff_id) n where s.id = n.staff_id;
  else
    update staff set open_sessions = open_sessions + (new.ended_at is null)::int - (old.ended_at is null)::int
    where id = new.staff_id;
  end if;
  return null;
end $$;
drop trigger keep_session_opened on session;
create trigger keep_session_opened after insert on session referencing new table as opened
  for each statement execute function keep_open_sessions();

-- The tabs of a teacher's own list.
create index upload_failure_teacher_status on upload_failure (teacher_id, status, last_at, id);
