-- How far each number of a list has come, and in whose hands: told of the spans of its lead.
alter table number_row
  -- Whoever sees the lead sees it; one that is nobody's is seen where its list was brought.
  add column org_id       bigint references org (id),
  -- Who has it, or had it last.
  add column held_by      bigint references staff (id),
  add column contacted_at timestamptz,
  add column added_at     timestamptz,
  add column created_at   timestamptz,
  add column version      int not null default 1;
update number_row r set org_id = coalesce(l.org_id, b.org_id), created_at = b.created_at,
  held_by = s.held_by, contacted_at = s.contacted_at, added_at = s.added_at
from number_batch b, lead l left join (
  select lead_id, min(contacted_at) as contacted_at, min(added_at) as added_at, (array_agg(owner_id order by since desc, id desc))[1] as held_by
  from lead_owner group by 1
) s on s.lead_id = l.id
where b.id = r.batch_id and l.id = r.lead_id;
alter table number_row
  alter column org_id set not null,
  alter column created_at set not null,
  add column created_day date not null generated always as ((created_at at time zone 'Asia/Shanghai')::date) stored,
  add column reached     text not null generated always as (
    case when result = 'PAID' then 'PAID' when result = 'REGISTERED' then 'REGISTERED' when added_at is not null then 'ADDED'
      when contacted_at is not null then 'CONTACTED' when held_by is not null then 'ALLOCATED' else 'IMPORTED' end) stored
    check (reached in ('IMPORTED', 'ALLOCATED', 'CONTACTED', 'ADDED', 'REGISTERED', 'PAID'));
create index number_row_created on number_row (created_at, id);
create index number_row_held_by on number_row (held_by, id);
create index number_row_owned on number_row (owner_id, id);
create index number_row_org on number_row (org_id, id);
create index number_row_reached on number_row (reached, created_at, id);
create index number_row_came_to on number_row (result, id);
select start_keeping_count('number_row', 'reached', 'owned');
insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
  select 'number_row', org_id, owner_id, null::bigint, reached, count(*) from number_row group by 2, 3, 5;
