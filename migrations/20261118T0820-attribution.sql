-- What somebody came by belongs to the lead of that number and to the member it became; of a number that was a member's already, to the member alone.
alter table lead_touch
  alter column lead_id drop not null,
  add member_id bigint references member (id),
  -- What people know it by: the title of a note, the code of a link.
  add about text check (length(about) between 1 and 200),
  drop constraint lead_touch_came_by_check,
  add constraint lead_touch_came_by_check check (came_by in ('REGISTRATION', 'IMPORT', 'FORM', 'LINK', 'PLATFORM_ORDER')),
  add constraint lead_touch_of check (lead_id is not null or member_id is not null);
create index lead_touch_member on lead_touch (member_id) where member_id is not null;
create unique index lead_touch_of_member on lead_touch (member_id, key) where lead_id is null;
update lead_touch t set member_id = coalesce(l.member_id, m.id) from lead l left join member m on m.phone = l.phone
where l.id = t.lead_id and (l.member_id is not null or m.id is not null);
-- Forms say when they were sent, and of which note.
update lead_touch t set first_at = least(t.first_at, f.submitted_at), about = left(n.title, 200)
from lead_form f left join note n on n.id = f.note_id where t.lead_id = f.lead_id and t.key = 'form:' || f.form_no;

-- When a member first paid, and the one channel that is credited with it (decision 085).
alter table member
  add first_paid_at    timestamptz,
  add first_paid_day   date generated always as ((first_paid_at at time zone 'Asia/Shanghai')::date) stored,
  -- For so many days before it a touch counted, as was in force then.
  add credit_days      int check (credit_days > 0),
  add credited_source  text,
  add credited_channel text,
  add constraint member_credited check (num_nulls(first_paid_at, credit_days, credited_source, credited_channel) in (0, 4));
create index member_first_paid on member (first_paid_at, id);
create index member_credited_source on member (credited_source, id);
create index member_credited_channel on member (credited_channel, id);

with paid as (
  select member_id, min(paid_at) as at from sales_order where paid_fen > 0 and paid_at is not null group by 1
), credited as (
  select p.member_id, p.at, t.source, t.channel from paid p
  left join lateral (
    select t.source, t.channel from lead_touch t
    where t.member_id = p.member_id and t.came_by <> 'IMPORT' and t.first_at <= p.at
    order by t.first_at < p.at - interval '90 days',
      case when t.first_at >= p.at - interval '90 days' then t.first_at end,
      case when t.first_at < p.at - interval '90 days' then t.first_at end desc, t.key limit 1) t on true
)
update member m set first_paid_at = c.at, credit_days = 90, credited_source = coalesce(c.source, m.source),
  credited_channel = coalesce(c.channel, m.channel)
from credited c where c.member_id = m.id;
select start_telling_of_member('lead_touch');
