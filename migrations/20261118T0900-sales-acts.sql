-- What consultants do with leads, as they do it: who, when, and what.
create table lead_act (
  id       bigint generated always as identity primary key,
  lead_id  bigint not null references lead (id) on delete cascade,
  -- Whoever did it, and where that person worked.
  owner_id bigint not null references staff (id),
  org_id   bigint not null references org (id),
  act      text not null check (act in ('FOLLOW_UP', 'CLAIM', 'ADD', 'JUDGE', 'ASSIGN', 'GIVE_BACK', 'LOSE', 'DISMISS')),
  -- How somebody was spoken to.
  way      text,
  done_at  timestamptz not null,
  done_day date not null generated always as ((done_at at time zone 'Asia/Shanghai')::date) stored,
  hour     int not null generated always as (extract(hour from done_at at time zone 'Asia/Shanghai')::int) stored,
  version  int not null default 1,
  constraint lead_act_way check ((way is not null) = (act = 'FOLLOW_UP'))
);
create index lead_act_lead on lead_act (lead_id, id);
create index lead_act_owner on lead_act (owner_id, id);
create index lead_act_org on lead_act (org_id, id);
create index lead_act_done on lead_act (done_at, id);
create index lead_act_act on lead_act (act, id);
create index lead_act_way on lead_act (way, id);
create index lead_act_hour on lead_act (hour, id);
insert into lead_act (lead_id, owner_id, org_id, act, way, done_at)
select f.lead_id, f.staff_id, s.org_id, 'FOLLOW_UP', f.kind, f.created_at from follow_up f join staff s on s.id = f.staff_id
where f.lead_id is not null order by f.created_at;
insert into lead_act (lead_id, owner_id, org_id, act, done_at)
select lead_id, owner_id, org_id, 'CLAIM', since from lead_owner where got = 'CLAIMED' order by since;
select start_keeping_count('lead_act', 'act', 'owned');
insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
  select 'lead_act', org_id, owner_id, null::bigint, act, count(*) from lead_act group by 2, 3, 5;
