-- What the console repeats stands in sight: one row for each job the code declares, and what became of each due time.
create table schedule_job (
  id            bigint generated always as identity primary key,
  -- What the code calls it, and what it is called in Chinese, which people search by.
  handler       text not null check (length(handler) <= 100),
  name          text not null check (length(name) <= 100),
  cron          text not null check (length(cron) <= 100),
  -- As the code has it: a schedule nobody changed follows it.
  declared_cron text not null check (length(declared_cron) <= 100),
  misfire       text not null check (misfire in ('SKIP', 'RUN_ONCE')),
  parameters    jsonb not null default '{}',
  status        text not null default 'ENABLED' check (status in ('ENABLED', 'DISABLED', 'RETIRED')),
  -- Of a retired one, whether somebody had turned it off: it comes back as it went.
  was_off       boolean not null default false,
  -- Nothing while it is off, and until an instance has reckoned it.
  next_due_at   timestamptz,
  -- The run under way, and the last that ended.
  running_since timestamptz,
  run_done      int check (run_done >= 0),
  run_total     int check (run_total >= 0),
  last_status   text check (last_status in ('SUCCEEDED', 'FAILED', 'STOPPED', 'LOST')),
  last_ended_at timestamptz,
  version       int not null default 1
);
create unique index schedule_job_handler on schedule_job (handler text_pattern_ops);
create index schedule_job_name on schedule_job using gin (name_pairs(name));
create index schedule_job_status on schedule_job (status, id);
create index schedule_job_misfire on schedule_job (misfire, id);
create index schedule_job_last_status on schedule_job (last_status, id);
create index schedule_job_next_due on schedule_job (next_due_at, id);
create index schedule_job_last_ended on schedule_job (last_ended_at, id);

create table schedule_run (
  id            bigint generated always as identity primary key,
  job_id        bigint not null references schedule_job (id),
  cause         text not null check (cause in ('SCHEDULE', 'MAKE_UP', 'BY_HAND', 'CLOCK')),
  status        text not null check (status in ('WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'STOPPED', 'LOST', 'SKIPPED')),
  -- Nothing where somebody asked for it, or where it tells of due times that had their run.
  due_at        timestamptz,
  asked_at      timestamptz not null,
  asked_by      bigint references staff (id),
  started_at    timestamptz,
  ended_at      timestamptz,
  duration_ms   int check (duration_ms >= 0),
  parameters    jsonb not null,
  done          int check (done >= 0),
  total         int check (total >= 0),
  -- Due times that had no run of their own, and the first of them.
  missed        int not null default 0 check (missed >= 0),
  missed_from   timestamptz,
  reason        text check (reason in ('BUSY', 'AWAY', 'CLOCK_BACK', 'INSTANCE_DIED', 'INSTANCE_STOPPED', 'STOP_ASKED')),
  error         text check (length(error) <= 4000),
  instance      text check (length(instance) <= 100),
  heartbeat_at  timestamptz,
  stop_asked_at timestamptz,
  stop_by       bigint references staff (id),
  constraint schedule_run_ended check ((ended_at is null) = (status = 'WAITING' or status = 'RUNNING'))
);
-- What makes a due time run once, whichever clock says that it is due.
create unique index schedule_run_due on schedule_run (job_id, due_at);
-- A job is never under way twice.
create unique index schedule_run_under_way on schedule_run (job_id) where status = 'RUNNING';
create index schedule_run_open on schedule_run (status) where status in ('WAITING', 'RUNNING');
create index schedule_run_job on schedule_run (job_id, id);
create index schedule_run_status on schedule_run (job_id, status);
create index schedule_run_cause on schedule_run (job_id, cause);
create index schedule_run_asked on schedule_run (job_id, asked_at);
create index schedule_run_duration on schedule_run (job_id, duration_ms);
create index schedule_run_ended on schedule_run (ended_at);
