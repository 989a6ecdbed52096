-- What is rewarded is rewarded once, whoever asks and however often.
alter table entitlement_lot add reward_key text check (length(reward_key) <= 60);
create unique index entitlement_lot_reward on entitlement_lot (reward_key) where reward_key is not null;

-- A pupil practised on a day of a plan. Days are those of Shanghai.
create table check_in (
  id           bigint generated always as identity primary key,
  member_id    bigint not null references member (id),
  plan         text not null,
  day          date not null,
  -- The how-manyeth of the plan it is, and of how many days in a row the last: kept with every row, as make-ups fill gaps.
  day_no       int not null default 0 check (day_no >= 0),
  streak       int not null default 0 check (streak >= 0),
  is_make_up   boolean not null default false,
  status       text not null default 'DONE' check (status in ('DONE', 'REQUESTED', 'REJECTED')),
  reason       text check (length(reason) <= 200),
  work         text check (length(work) <= 64),
  reward_coins int not null default 0 check (reward_coins >= 0),
  -- Its day, while none of the plan came after it: how long a pupil has been away is found by it.
  quiet_since  date,
  told_at      timestamptz,
  submitted_at timestamptz not null,
  owner_id     bigint references staff (id),
  org_id       bigint references org (id),
  teacher_id   bigint references staff (id),
  version      int not null default 1,
  constraint check_in_counted check (status <> 'DONE' or (day_no > 0 and streak > 0)),
  constraint check_in_uncounted check (status = 'DONE' or (day_no = 0 and streak = 0)),
  constraint check_in_quiet check (quiet_since is null or (quiet_since = day and status = 'DONE')),
  constraint check_in_asked check (status = 'DONE' or is_make_up)
);
create unique index check_in_once on check_in (member_id, plan, day) where status <> 'REJECTED';
create unique index check_in_last on check_in (member_id, plan) where quiet_since is not null;
create index check_in_member on check_in (member_id, id);
create index check_in_plan on check_in (plan, day, id);
create index check_in_day on check_in (day, id);
create index check_in_streak on check_in (streak, id);
create index check_in_quiet_since on check_in (quiet_since, id);
create index check_in_make_up on check_in (is_make_up, day, id);
create index check_in_status on check_in (status, day, id);
create index check_in_owner on check_in (owner_id, day, id);
create index check_in_org on check_in (org_id, day, id);
create index check_in_teacher on check_in (teacher_id, day, id);
create index check_in_asked_since on check_in (status, submitted_at, id) where status = 'REQUESTED';
select start_keeping_count('check_in', 'status', 'owned', 'teacher_id');
