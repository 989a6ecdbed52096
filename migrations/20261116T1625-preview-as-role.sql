-- Somebody looks at the console as a role does. It stands with the session, so that every tab and every instance knows.
alter table session
  add column preview_role_id bigint references role (id) on delete set null,
  add column preview_until   timestamptz;
create index session_preview on session (preview_role_id) where preview_role_id is not null;
