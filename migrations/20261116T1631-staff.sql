-- A person as the staff list sees one: whose record it is (the person's own, so that scopes reach people as they reach
-- records), and whether the person still works here.
alter table staff
  add column owner_id bigint not null generated always as (id) stored,
  add column birthday date,
  add column employment text not null default 'ACTIVE' check (employment in ('ACTIVE', 'LEFT')),
  add constraint staff_left_on_a_day check ((employment = 'LEFT') = (left_on is not null)),
  add constraint staff_not_own_manager check (manager_id <> id);
create index staff_owner on staff (owner_id, id);
create index staff_org_id on staff (org_id, id);
create index staff_manager_id on staff (manager_id, id);
create index staff_gender on staff (gender, id);
create index staff_employment on staff (employment, id);
create index staff_left on staff (left_on, id);
drop index staff_org, staff_manager;

select start_keeping_count('staff', 'employment', 'owned');
insert into kept_count (table_name, org_id, owner_id, state, n)
  select 'staff', org_id, id, employment, count(*) from staff group by 2, 3, 4;

-- What went from one pair of hands into another's, and how much of it.
create table staff_handover (
  id       bigint generated always as identity primary key,
  staff_id bigint not null references staff (id),
  to_id    bigint not null references staff (id),
  by_id    bigint references staff (id),
  at       timestamptz not null,
  is_leave boolean not null,
  -- [{what, count, moves}]: `what` names a text.
  moved    jsonb not null default '[]'
);
create index staff_handover_staff on staff_handover (staff_id, id);
create index staff_handover_to on staff_handover (to_id, id);
