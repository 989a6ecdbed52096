-- How many leads of a pool somebody may look at on a day, when managers are told of what nobody takes or answers, and
-- where leads go that are taken back by its rules (decision 088).
alter table lead_pool
  add views_a_day      int not null default 100 check (views_a_day between 1 and 100000),
  add unclaimed_hours  int check (unclaimed_hours between 1 and 2160),
  add unanswered_hours int check (unanswered_hours between 1 and 2160),
  add returns_to_id    bigint references lead_pool (id);

-- Whom whoever may claim has looked at: each lead once a day, however often it is opened.
create table lead_view (
  staff_id bigint not null references staff (id),
  day      date not null,
  lead_id  bigint not null references lead (id) on delete cascade,
  primary key (staff_id, day, lead_id)
);
create index lead_view_lead on lead_view (lead_id);
create index lead_view_day on lead_view (day);

alter table lead
  -- Where it was last: there it goes back to, and those of that pool are told that somebody has it.
  add last_pool_id bigint references lead_pool (id),
  -- When managers were told that nobody takes it, or answers.
  add escalated_at timestamptz;
create or replace function keep_lead_pool() returns trigger language plpgsql as $$
begin
  if new.ended_at is not null or new.owner_id is not null then
    new.last_pool_id := coalesce(new.pool_id, new.last_pool_id);
    new.pool_id := null;
    new.pooled_at := null;
  elsif new.pool_id is null then
    new.pool_id := coalesce(
      (select id from lead_pool where id = new.last_pool_id and is_open), (select id from lead_pool where is_default));
    new.pooled_at := coalesce(new.pooled_at, new.state_since, now());
  end if;
  return new;
end $$;
-- What may have to be told to managers: what waits in a pool, and what nobody has answered.
create index lead_unclaimed on lead (pool_id, pooled_at)
  where pool_id is not null and (escalated_at is null or escalated_at < pooled_at);
create index lead_unanswered on lead (owner_since, id)
  where status = 'ASSIGNED' and (escalated_at is null or escalated_at < owner_since);
create index lead_escalated on lead (escalated_at, id);
