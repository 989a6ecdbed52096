-- The furthest a lead ever came, whatever became of it later: what sources are compared by.
alter table lead
  add furthest    text not null default 'CAME' check (furthest in ('CAME', 'ADDED', 'REGISTERED', 'TRIED', 'PAID')),
  add created_day date generated always as ((created_at at time zone 'Asia/Shanghai')::date) stored;
update lead l set furthest = case
  when l.status = 'DEAL' then 'PAID'
  when l.registered_at is null then 'ADDED'
  when exists (select from lesson_taken t where t.member_id = l.member_id) or exists (select from work w where w.member_id = l.member_id) then 'TRIED'
  else 'REGISTERED' end
where l.registered_at is not null or l.status in ('ADDED', 'INTENT')
  or exists (select from chat_account_add a where a.lead_id = l.id);
create index lead_furthest on lead (furthest, id);
