-- What a pupil's app could not send: the same failure again adds to the one row.
create table upload_failure (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member (id),
  opus_id        text not null check (length(opus_id) <= 64),
  task           text not null check (length(task) <= 100),
  error          text not null,
  said           text not null check (length(said) <= 200),
  client_version text not null default '-' check (length(client_version) <= 40),
  network        text not null default 'UNKNOWN' check (network in ('WIFI', 'CELLULAR', 'OFFLINE', 'UNKNOWN')),
  bytes          int check (bytes >= 0),
  times          int not null default 1 check (times > 0),
  retries        int not null default 0 check (retries >= 0),
  last_at        timestamptz not null,
  status         text not null default 'NEW' check (status in ('NEW', 'RETRYING', 'CONTACTED', 'SOLVED', 'IGNORED')),
  owner_id       bigint references staff (id),
  org_id         bigint references org (id),
  teacher_id     bigint references staff (id),
  created_at     timestamptz not null,
  version        int not null default 1
);
create unique index upload_failure_same on upload_failure (member_id, opus_id, error);
create index upload_failure_member on upload_failure (member_id, id);
create index upload_failure_task on upload_failure (task text_pattern_ops, id);
create index upload_failure_error on upload_failure (error, last_at, id);
create index upload_failure_client on upload_failure (client_version text_pattern_ops, id);
create index upload_failure_network on upload_failure (network, last_at, id);
create index upload_failure_status on upload_failure (status, last_at, id);
create index upload_failure_times on upload_failure (times, id);
create index upload_failure_last on upload_failure (last_at, id);
create index upload_failure_owner on upload_failure (owner_id, last_at, id);
create index upload_failure_org on upload_failure (org_id, last_at, id);
create index upload_failure_teacher on upload_failure (teacher_id, last_at, id);
select start_keeping_count('upload_failure', 'status', 'owned', 'teacher_id');
