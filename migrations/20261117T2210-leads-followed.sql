-- A lead is followed until it has paid or nobody wants it any more: registering ties it to its member and does not end it.
alter table lead
  drop constraint lead_status_check, drop constraint lead_pool, drop constraint lead_ended, drop constraint lead_became,
  drop constraint lead_reached,
  add registered_at     timestamptz,
  -- How likely it is to buy, as whoever follows it judges.
  add level             text check (level in ('A', 'B', 'C', 'D')),
  add first_contact_at  timestamptz,
  add last_contact_at   timestamptz,
  add times_returned    int not null default 0,
  add return_reason     text,
  add previous_owner_id bigint references staff (id),
  add end_reason        text;

alter table lead_owner drop constraint lead_owner_got_check;
alter table lead_owner
  add constraint lead_owner_got_check check (got in ('ALLOCATED', 'ASSIGNED', 'HANDED_OVER', 'CLAIMED')),
  -- How it left those hands, why, and by whom: nobody where the console did it.
  add ended_by_id bigint references staff (id),
  add end_kind    text check (end_kind in ('MOVED', 'HANDED_OVER', 'RETURNED', 'EXPIRED', 'DEAL', 'LOST', 'INVALID')),
  add end_reason  text;
update lead_owner o set end_kind = case when o.id < last.id then 'MOVED' when l.status = 'INVALID' then 'INVALID' else 'DEAL' end
from lead l, lateral (select max(id) as id from lead_owner where lead_id = l.id) last
where l.id = o.lead_id and o.until is not null;
alter table lead_owner add constraint lead_owner_ended check ((until is null) = (end_kind is null));

-- Who registered and has not paid is followed on, by whoever has the member.
with paid as (
  select distinct on (member_id) member_id, paid_at from sales_order where paid_at is not null order by member_id, paid_at
)
update lead l set registered_at = l.ended_at, status = 'DEAL', ended_at = greatest(l.ended_at, paid.paid_at)
from paid where paid.member_id = l.member_id and l.status = 'REGISTERED';
update lead l set registered_at = l.ended_at, ended_at = null, owner_id = m.owner_id, org_id = m.org_id,
  owner_since = case when m.owner_id is not null then coalesce(m.owner_since, l.ended_at) end,
  status = case when m.owner_id is null then 'UNASSIGNED' else 'TRIAL' end
from member m where m.id = l.member_id and l.status = 'REGISTERED';
update lead_owner o set until = null, end_kind = null
from lead l where l.id = o.lead_id and l.status = 'TRIAL' and o.end_kind = 'DEAL' and o.owner_id = l.owner_id;
update lead_owner o set end_kind = 'MOVED' from lead l where l.id = o.lead_id and l.ended_at is null and o.end_kind = 'DEAL';
insert into lead_owner (lead_id, owner_id, org_id, since, got)
select l.id, l.owner_id, l.org_id, l.owner_since, 'ASSIGNED' from lead l
where l.status = 'TRIAL' and not exists (select from lead_owner o where o.lead_id = l.id and o.until is null);

alter table lead
  add constraint lead_status_check check (status in
    ('UNASSIGNED', 'ASSIGNED', 'CONTACTED', 'ADDED', 'TRIAL', 'INTENT', 'DEAL', 'INVALID', 'LOST', 'RETURNED')),
  add constraint lead_pool check (ended_at is not null or (status <> 'UNASSIGNED' and status <> 'RETURNED') = (owner_id is not null)),
  add constraint lead_ended check ((ended_at is null) = (status not in ('DEAL', 'INVALID', 'LOST'))),
  add constraint lead_became check ((member_id is null) = (registered_at is null) and (status <> 'DEAL' or member_id is not null)),
  add constraint lead_reached check (ended_at is not null or member_id is not null or phone is not null);
-- A number has one open lead until its person is a member: from then on the member has the number.
drop index lead_open_phone;
create unique index lead_open_phone on lead (phone) where ended_at is null and member_id is null;
drop index lead_pool_since;
create index lead_pool_since on lead (state_since, id) where status in ('UNASSIGNED', 'RETURNED');
drop index lead_forgotten;
create index lead_forgotten on lead (ended_at) where status in ('INVALID', 'LOST') and phone is not null;
