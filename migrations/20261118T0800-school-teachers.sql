-- Teachers at partner schools: who looks after each, by which channel their pupils come, and what each was given.
create table school_teacher (
  id           bigint generated always as identity primary key,
  name         text not null check (length(name) between 1 and 50),
  phone        text check (phone ~ '^1[3-9][0-9]{9}$'),
  school       text not null check (length(school) between 1 and 100),
  grade        text,
  class_name   text check (length(class_name) between 1 and 50),
  -- Employed by no school any more: no money is given to whoever is.
  has_left     boolean not null default false,
  status       text not null default 'ACTIVE' check (status in ('ACTIVE', 'STOPPED')),
  stopped_at   timestamptz,
  owner_id     bigint not null references staff (id),
  org_id       bigint not null references org (id),
  channel      text,
  link         text check (length(link) between 1 and 200),
  -- What has come by the channel, counted from what stands.
  leads        int not null default 0,
  members      int not null default 0,
  orders       int not null default 0,
  paid_fen     bigint not null default 0,
  counted_at   timestamptz,
  rewarded_fen bigint not null default 0 check (rewarded_fen >= 0),
  note         text not null default '' check (length(note) <= 500),
  created_at   timestamptz not null,
  version      int not null default 1,
  constraint school_teacher_stopped check ((status = 'STOPPED') = (stopped_at is not null))
);
create unique index school_teacher_phone on school_teacher (phone);
-- Whoever comes by a channel was brought by one person.
create unique index school_teacher_channel on school_teacher (channel);
create index school_teacher_name on school_teacher (name text_pattern_ops, id);
create index school_teacher_name_pairs on school_teacher using gin (name_pairs(name));
create index school_teacher_school on school_teacher (school text_pattern_ops, id);
create index school_teacher_school_pairs on school_teacher using gin (name_pairs(school));
create index school_teacher_grade on school_teacher (grade, id);
create index school_teacher_has_left on school_teacher (has_left, id);
create index school_teacher_status on school_teacher (status, id);
create index school_teacher_owner on school_teacher (owner_id, id);
create index school_teacher_org on school_teacher (org_id, id);
create index school_teacher_leads on school_teacher (leads, id);
create index school_teacher_members on school_teacher (members, id);
create index school_teacher_orders on school_teacher (orders, id);
create index school_teacher_paid on school_teacher (paid_fen, id);
create index school_teacher_created on school_teacher (created_at, id);
select start_keeping_count('school_teacher', 'status', 'owned');

-- Who is given no channel gets one, which stands in the dictionary at once as every channel does. It names the school and the class, not the person.
create function give_teacher_channel() returns trigger language plpgsql as $$
begin
  new.channel := 'TEACHER_' || new.id;
  insert into channel (code, name, channel_group, created_at)
  values (new.channel, left(new.school || coalesce(' ' || new.class_name, ''), 80) || ' ' || new.id, 'SCHOOL', new.created_at)
  on conflict do nothing;
  return new;
end $$;
create trigger give_channel before insert on school_teacher for each row when (new.channel is null) execute function give_teacher_channel();

create table school_teacher_reward (
  id          bigint generated always as identity primary key,
  teacher_id  bigint not null references school_teacher (id) on delete cascade,
  reward_kind text not null check (reward_kind in ('GIFT', 'COURSE', 'CASH')),
  value_fen   bigint not null check (value_fen > 0),
  what        text not null check (length(what) between 1 and 200),
  given_on    date not null,
  by_id       bigint not null references staff (id),
  -- As it was on that day.
  was_serving boolean not null,
  created_at  timestamptz not null,
  constraint school_teacher_reward_no_cash check (not was_serving or reward_kind <> 'CASH')
);
create index school_teacher_reward_teacher on school_teacher_reward (teacher_id, id);
create index school_teacher_reward_given on school_teacher_reward (teacher_id, given_on, id);
create index school_teacher_reward_kind on school_teacher_reward (teacher_id, reward_kind, id);
