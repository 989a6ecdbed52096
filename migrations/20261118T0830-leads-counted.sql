-- What came of a lead in whose hands, and when: leads change hands, and what was done stays done in the hands it was done in.
alter table lead_owner
  add column source       text,
  add column channel      text,
  add column contacted_at timestamptz,
  add column added_at     timestamptz,
  add column tried_at     timestamptz,
  add column keen_at      timestamptz,
  -- The first payment, where it ended with one.
  add column deal_fen     bigint check (deal_fen >= 0);
update lead_owner o set source = l.source, channel = l.channel,
  contacted_at = case when l.first_contact_at between o.since and coalesce(o.until, 'infinity') then l.first_contact_at end,
  added_at = (select min(a.at) from chat_account_add a where a.lead_id = l.id and a.at between o.since and coalesce(o.until, 'infinity')),
  tried_at = case when l.registered_at between o.since and coalesce(o.until, 'infinity') then l.registered_at end,
  keen_at = case when l.status = 'INTENT' and o.until is null then greatest(l.state_since, o.since) end,
  deal_fen = case when o.end_kind = 'DEAL' then
    coalesce((select s.paid_fen from sales_order s where s.member_id = l.member_id and s.paid_at is not null order by s.paid_at, s.id limit 1), 0) end
from lead l where l.id = o.lead_id;
alter table lead_owner
  alter column source set not null,
  alter column channel set not null,
  add constraint lead_owner_dealt check ((deal_fen is null) = (end_kind is distinct from 'DEAL')),
  add column sold_by      bigint not null generated always as (owner_id) stored references staff (id),
  add column since_day    date not null generated always as ((since at time zone 'Asia/Shanghai')::date) stored,
  add column prompt       boolean not null generated always as (coalesce(contacted_at - since <= interval '30 minutes', false)) stored,
  add column reached      text not null generated always as (
    case when end_kind = 'DEAL' then 'DEAL' when keen_at is not null then 'INTENT' when tried_at is not null then 'TRIAL'
      when added_at is not null then 'ADDED' when contacted_at is not null then 'CONTACTED' else 'ASSIGNED' end) stored
    check (reached in ('ASSIGNED', 'CONTACTED', 'ADDED', 'TRIAL', 'INTENT', 'DEAL')),
  add column days_to_deal int generated always as (
    case when end_kind = 'DEAL' then (until at time zone 'Asia/Shanghai')::date - (since at time zone 'Asia/Shanghai')::date end) stored,
  add column version      int not null default 1;
create index lead_owner_since on lead_owner (since, id);
create index lead_owner_until on lead_owner (until, id);
create index lead_owner_sold_by on lead_owner (sold_by, id);
create index lead_owner_org on lead_owner (org_id, id);
create index lead_owner_owner on lead_owner (owner_id, id);
create index lead_owner_channel on lead_owner (channel, since, id);
create index lead_owner_source on lead_owner (source, id);
create index lead_owner_got on lead_owner (got, id);
create index lead_owner_reached on lead_owner (reached, since, id);
create index lead_owner_prompt on lead_owner (prompt, id);
create index lead_owner_end_kind on lead_owner (end_kind, id);
create index lead_owner_days_to_deal on lead_owner (days_to_deal, id);
select start_keeping_count('lead_owner', 'reached', 'owned');
insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
  select 'lead_owner', org_id, owner_id, null::bigint, reached, count(*) from lead_owner group by 2, 3, 5;

-- What a lead is called where others name it: its person, else as much of the number as anybody sees.
alter table lead add column called text not null generated always as
  (coalesce(name, left(phone, 3) || '****' || right(phone, 4), '#' || id::text)) stored;

-- How likely somebody looked to buy, each time it was judged.
create table lead_judgement (
  id       bigint generated always as identity primary key,
  lead_id  bigint not null references lead (id) on delete cascade,
  -- Whose the lead was.
  owner_id bigint not null references staff (id),
  org_id   bigint not null references org (id),
  was      text not null check (was in ('NONE', 'A', 'B', 'C', 'D')),
  level    text not null check (level in ('A', 'B', 'C', 'D')),
  source   text not null,
  channel  text not null,
  judged_at timestamptz not null,
  judged_day date not null generated always as ((judged_at at time zone 'Asia/Shanghai')::date) stored,
  -- How old the lead was.
  days_old int not null check (days_old >= 0),
  is_last  boolean not null default true,
  turn     text not null generated always as (
    case when was = 'NONE' then 'FIRST' when level < was then 'RAISED' else 'LOWERED' end) stored
    check (turn in ('FIRST', 'RAISED', 'LOWERED')),
  version  int not null default 1,
  constraint lead_judgement_changes check (was <> level)
);
create unique index lead_judgement_now on lead_judgement (lead_id) where is_last;
create index lead_judgement_lead on lead_judgement (lead_id, id);
create index lead_judgement_owner on lead_judgement (owner_id, id);
create index lead_judgement_org on lead_judgement (org_id, id);
create index lead_judgement_judged on lead_judgement (judged_at, id);
create index lead_judgement_was on lead_judgement (was, id);
create index lead_judgement_level on lead_judgement (level, id);
create index lead_judgement_source on lead_judgement (source, id);
create index lead_judgement_channel on lead_judgement (channel, id);
create index lead_judgement_days_old on lead_judgement (days_old, id);
create index lead_judgement_is_last on lead_judgement (is_last, id);
create index lead_judgement_turn on lead_judgement (turn, id);
insert into lead_judgement (lead_id, owner_id, org_id, was, level, source, channel, judged_at, days_old)
select l.id, had.owner_id, had.org_id, 'NONE', l.level, l.source, l.channel, at.at,
  greatest(0, (at.at at time zone 'Asia/Shanghai')::date - (l.created_at at time zone 'Asia/Shanghai')::date)
from lead l, lateral (select coalesce(l.last_contact_at, l.state_since) as at) at,
  -- What is in a pool again was judged by whoever had it last.
  lateral (select owner_id, org_id from lead_owner o where o.lead_id = l.id order by o.id desc limit 1) had
where l.level is not null;
select start_keeping_count('lead_judgement', 'level', 'owned');
insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
  select 'lead_judgement', org_id, owner_id, null::bigint, level, count(*) from lead_judgement group by 2, 3, 5;
