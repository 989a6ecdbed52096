-- What we publish on the lifestyle platform, and how each of it stood on each day, as the platform reports it.
create table note (
  id           bigint generated always as identity primary key,
  note_no      text not null check (note_no ~ '^[0-9A-Za-z_-]{1,64}$'),
  title        text not null check (length(title) between 1 and 200),
  account      text not null,
  note_type    text not null check (note_type in ('PICTURES', 'VIDEO')),
  link         text check (length(link) between 1 and 500),
  operator_id  bigint references staff (id),
  published_at timestamptz not null,
  status       text not null default 'NORMAL' check (status in ('NORMAL', 'LIMITED', 'VIOLATION', 'DELETED')),
  -- As of the newest day the platform has reported.
  reported_on  date,
  reads        int not null default 0,
  likes        int not null default 0,
  saves        int not null default 0,
  comments     int not null default 0,
  messages     int not null default 0,
  -- What has come of it, counted from what stands.
  leads        int not null default 0,
  added        int not null default 0,
  orders       int not null default 0,
  gmv_fen      bigint not null default 0,
  created_at   timestamptz not null default now(),
  version      int not null default 1
);
create unique index note_no on note (note_no text_pattern_ops);
create index note_title on note (title text_pattern_ops, id);
create index note_title_pairs on note using gin (name_pairs(title));
create index note_account on note (account, id);
create index note_type on note (note_type, id);
create index note_operator on note (operator_id, id);
create index note_published on note (published_at, id);
create index note_status on note (status, id);
create index note_reads on note (reads, id);
create index note_likes on note (likes, id);
create index note_leads on note (leads, id);
create index note_gmv on note (gmv_fen, id);
select start_keeping_count('note', 'status', 'shared');

create table note_snapshot (
  id          bigint generated always as identity primary key,
  note_id     bigint not null references note (id) on delete cascade,
  day         date not null,
  reads       int not null check (reads >= 0),
  likes       int not null check (likes >= 0),
  saves       int not null check (saves >= 0),
  comments    int not null check (comments >= 0),
  messages    int not null check (messages >= 0),
  reported_at timestamptz not null,
  -- Told again of the same day, it is another word for the same.
  constraint note_snapshot_once unique (note_id, day)
);
create index note_snapshot_note on note_snapshot (note_id, id);
