-- Consultants, and on which terms leads are given to them.
create table consultant (
  id           bigint generated always as identity primary key,
  staff_id     bigint not null references staff (id),
  -- Who answers for what stands here: the consultant, and whoever took over from one who left.
  owner_id     bigint not null references staff (id),
  org_id       bigint not null references org (id),
  status       text not null default 'ON' check (status in ('ON', 'PAUSED')),
  paused_until timestamptz,
  weight       int not null default 10 check (weight between 1 and 100),
  daily_cap    int check (daily_cap between 1 and 10000),
  open_cap     int check (open_cap between 1 and 10000),
  work_days    text[] not null default '{MON,TUE,WED,THU,FRI}',
  work_from    int not null default 9 check (work_from between 0 and 23),
  work_to      int not null default 21 check (work_to between 8 and 24),
  -- Counted from leads and their spans, at least every minute.
  received     int not null default 0,
  contacted    int not null default 0,
  claimed      int not null default 0,
  unspoken     int not null default 0,
  open_leads   int not null default 0,
  target_fen   bigint,
  -- When one was given last, as a running number; what the last round of a day has told of this person.
  last_no      bigint not null default 0,
  told         jsonb,
  told_on      date,
  created_at   timestamptz not null default now(),
  version      int not null default 1,
  constraint consultant_hours check (work_from < work_to),
  constraint consultant_pause check (paused_until is null or status = 'PAUSED')
);
create unique index consultant_staff on consultant (staff_id);
create index consultant_by_staff on consultant (staff_id, id);
create index consultant_owner on consultant (owner_id, id);
create index consultant_org on consultant (org_id, id);
create index consultant_status on consultant (status, id);
create index consultant_weight on consultant (weight, id);
create index consultant_received on consultant (received, id);
create index consultant_unspoken on consultant (unspoken, id);
create index consultant_open_leads on consultant (open_leads, id);
select start_keeping_count('consultant', 'status', 'owned');

create table consultant_target (
  id            bigint generated always as identity primary key,
  consultant_id bigint not null references consultant (id) on delete cascade,
  month         date not null check (month = date_trunc('month', month)::date),
  target_fen    bigint not null check (target_fen >= 0),
  staff_id      bigint references staff (id),
  created_at    timestamptz not null default now(),
  unique (consultant_id, month)
);
create index consultant_target_below on consultant_target (consultant_id, id);

-- The rules as they were put in force, one edition after the other: a past day is replayed by those of that day.
create table allocation_edition (
  id         bigint generated always as identity primary key,
  rules      jsonb not null,
  note       text not null default '' check (length(note) <= 200),
  by_id      bigint references staff (id),
  created_at timestamptz not null default now()
);
create table allocation_round (
  id         bigint generated always as identity primary key,
  edition_id bigint not null references allocation_edition (id),
  at         timestamptz not null,
  -- Of whom something else was known than in the round before; in the first of a day everybody.
  people     jsonb not null
);
create index allocation_round_at on allocation_round (at, id);

-- A lead that came without an owner, and what became of it.
create table allocation_case (
  id          bigint generated always as identity primary key,
  lead_id     bigint references lead (id) on delete set null,
  source      text not null,
  channel     text not null,
  status      text not null default 'WAITING' check (status in ('WAITING', 'GIVEN', 'GONE')),
  is_full     boolean not null default false,
  came_at     timestamptz not null,
  first_round bigint references allocation_round (id),
  last_round  bigint references allocation_round (id),
  warned_at   timestamptz,
  constraint allocation_case_settled check ((status = 'WAITING') = (last_round is null))
);
create unique index allocation_case_lead on allocation_case (lead_id) where status = 'WAITING';
create index allocation_case_of on allocation_case (lead_id) where lead_id is not null;
create index allocation_case_waiting on allocation_case (id) where status = 'WAITING';
create index allocation_case_first on allocation_case (first_round);
create index allocation_case_last on allocation_case (last_round);

create table allocation_decision (
  id            bigint generated always as identity primary key,
  round_id      bigint not null references allocation_round (id) on delete cascade,
  case_id       bigint not null references allocation_case (id) on delete cascade,
  -- Nobody: the lead waits.
  consultant_id bigint references consultant (id),
  rule_key      text,
  rule_name     text check (length(rule_name) between 1 and 50),
  is_fallback   boolean not null default false,
  passed        jsonb not null,
  turn          jsonb,
  source        text not null,
  channel       text not null,
  waited        int not null default 0,
  created_at    timestamptz not null
);
create index allocation_decision_round on allocation_decision (round_id);
create index allocation_decision_case on allocation_decision (case_id);
create index allocation_decision_consultant on allocation_decision (consultant_id, id);
create index allocation_decision_created on allocation_decision (consultant_id, created_at, id);

create table allocation_turn (
  key     text primary key,
  n       int not null,
  counts  jsonb not null,
  used_at timestamptz not null
);

create index lead_first_contact on lead (owner_id, first_contact_at) where first_contact_at is not null;
