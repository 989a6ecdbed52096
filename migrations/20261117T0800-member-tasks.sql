-- What members have been given to do (docs/decisions/070): a task for many is a row for each of them.
create table member_task_batch (
  id           bigint generated always as identity primary key,
  title        text not null check (length(title) <= 100),
  note         text not null default '' check (length(note) <= 500),
  due_on       date not null,
  target       int not null check (target between 1 and 1000),
  reward_coins int not null check (reward_coins between 0 and 1000),
  -- Who has it by this, and who is still to get it.
  members      int not null default 0 check (members >= 0),
  creator_id   bigint not null references staff (id),
  created_at   timestamptz not null
);
-- Who was chosen and is still to get it. No reference to the members: one call would hold ten thousand of them.
create table member_task_awaiting (
  batch_id  bigint not null references member_task_batch (id),
  member_id bigint not null,
  primary key (batch_id, member_id)
);
create table member_task (
  id           bigint generated always as identity primary key,
  batch_id     bigint not null references member_task_batch (id),
  title        text not null check (length(title) <= 100),
  note         text not null default '' check (length(note) <= 500),
  member_id    bigint not null references member (id),
  due_on       date not null,
  target       int not null check (target between 1 and 1000),
  progress     int not null default 0 check (progress between 0 and 1000),
  picture      uuid[] not null default '{}',
  words        text check (length(words) <= 200),
  status       text not null default 'OPEN' check (status in ('OPEN', 'SUBMITTED', 'DONE', 'OVERDUE', 'CANCELLED')),
  reward_coins int not null check (reward_coins between 0 and 1000),
  earned_coins int not null default 0 check (earned_coins between 0 and 1000),
  returned_for text check (length(returned_for) <= 200),
  submitted_at timestamptz,
  creator_id   bigint not null references staff (id),
  created_at   timestamptz not null,
  owner_id     bigint references staff (id),
  org_id       bigint references org (id),
  teacher_id   bigint references staff (id),
  version      int not null default 1,
  constraint member_task_progress check (progress <= target),
  constraint member_task_proved check (status not in ('SUBMITTED', 'DONE') or submitted_at is not null),
  constraint member_task_earned check (earned_coins = 0 or (status = 'DONE' and earned_coins = reward_coins))
);
-- The same task for the same day is one task, whoever gives it: nobody earns it twice.
create unique index member_task_once on member_task (member_id, title, due_on) where status <> 'CANCELLED';
create index member_task_batch_of on member_task (batch_id);
create index member_task_member on member_task (member_id, id);
create index member_task_title on member_task (title text_pattern_ops, id);
create index member_task_status on member_task (status, id);
create index member_task_due on member_task (due_on, id);
create index member_task_submitted on member_task (submitted_at, id);
create index member_task_creator on member_task (creator_id, id);
create index member_task_created on member_task (created_at, id);
create index member_task_owner on member_task (owner_id, id);
create index member_task_owner_status on member_task (owner_id, status, id);
create index member_task_org on member_task (org_id, id);
create index member_task_teacher on member_task (teacher_id, id);
create index member_task_teacher_status on member_task (teacher_id, status, id);
-- What the clock has to end.
create index member_task_open on member_task (due_on) where status = 'OPEN';
select start_keeping_count('member_task', 'status', 'owned', 'teacher_id');
