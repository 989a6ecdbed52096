-- What is nobody's waits in a pool: who may claim from it, how much, and when it takes back what nobody follows.
create table lead_pool (
  id              bigint generated always as identity primary key,
  name            text not null check (length(name) between 1 and 50),
  is_default      boolean not null default false,
  is_open         boolean not null default true,
  claims_a_day    int not null default 20 check (claims_a_day between 1 and 1000),
  -- So many open leads somebody may have and still claim; where it says so, those who registered do not count.
  capacity        int not null default 200 check (capacity between 1 and 100000),
  spares_trial    boolean not null default true,
  cool_down_days  int not null default 7 check (cool_down_days between 0 and 365),
  embargo_hours   int not null default 0 check (embargo_hours between 0 and 720),
  -- Back after so many days without a word, or without a deal; both together where it says so.
  no_contact_days int check (no_contact_days between 1 and 365),
  no_deal_days    int check (no_deal_days between 1 and 365),
  needs_both      boolean not null default false,
  spared_levels   text[] not null default '{}',
  warn_days       int not null default 1 check (warn_days between 0 and 30),
  version         int not null default 1,
  created_at      timestamptz not null default now(),
  constraint lead_pool_both check (not needs_both or (no_contact_days is not null and no_deal_days is not null))
);
create unique index lead_pool_name on lead_pool (name text_pattern_ops);
create index lead_pool_name_pairs on lead_pool using gin (name_pairs(name));
create unique index lead_pool_default on lead_pool (is_default) where is_default;
create table lead_pool_member (
  pool_id  bigint not null references lead_pool (id) on delete cascade,
  staff_id bigint not null references staff (id),
  is_admin boolean not null default false,
  primary key (pool_id, staff_id)
);
create index lead_pool_member_staff on lead_pool_member (staff_id);
insert into lead_pool (name, is_default) values ('公共线索池', true);

alter table lead
  add pool_id   bigint references lead_pool (id),
  add pooled_at timestamptz,
  add warned_at timestamptz;
-- In a pool exactly as long as it is open and nobody's: no writer has to think of it.
create function keep_lead_pool() returns trigger language plpgsql as $$
begin
  if new.ended_at is not null or new.owner_id is not null then
    new.pool_id := null;
    new.pooled_at := null;
  elsif new.pool_id is null then
    new.pool_id := (select id from lead_pool where is_default);
    new.pooled_at := coalesce(new.pooled_at, new.state_since, now());
  end if;
  return new;
end $$;
create trigger keep_pool before insert or update on lead for each row execute function keep_lead_pool();
update lead set pooled_at = coalesce(state_since, created_at) where ended_at is null and owner_id is null;
alter table lead add constraint lead_in_pool
  check ((pool_id is not null) = (ended_at is null and owner_id is null) and (pool_id is null) = (pooled_at is null));

drop index lead_pool_since;
create index lead_by_owner on lead (owner_id, id);
create index lead_org on lead (org_id, id);
create index lead_pool_id on lead (pool_id, id);
create index lead_pool_status on lead (pool_id, status, id);
create index lead_name on lead (name text_pattern_ops, id);
create index lead_name_pairs on lead using gin (name_pairs(name));
create index lead_level on lead (level, id);
create index lead_source on lead (source, id);
create index lead_channel on lead (channel, id);
create index lead_next_at on lead (next_at, id);
create index lead_last_contact on lead (last_contact_at, id);
create index lead_last_touch on lead (last_touch_at, id);
create index lead_created on lead (created_at, id);
create index lead_returned_for on lead (return_reason, id);
create index lead_previous_owner on lead (previous_owner_id, id);
create index lead_times_returned on lead (times_returned, id);
-- What may be taken back by its pool's rule.
create index lead_held on lead (owner_since, id) where ended_at is null and owner_id is not null;
create index lead_owner_claims on lead_owner (owner_id, since) where got = 'CLAIMED';
select start_keeping_count('lead', 'status', 'owned', 'pool_id');

-- What was said to somebody who is no member yet; registering hands it to the member.
alter table follow_up alter member_id drop not null, add lead_id bigint references lead (id) on delete cascade;
alter table follow_up add constraint follow_up_whom check (member_id is not null or lead_id is not null);
create index follow_up_lead on follow_up (lead_id, id) where lead_id is not null;
