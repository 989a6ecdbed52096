-- What tells a picture, by which another like it is found: parts of the hash lead to it (decision 066).
create table picture_hash (
  file_id   uuid primary key references file (id) on delete cascade,
  page      text not null,
  record_id bigint not null,
  sha256    text not null,
  -- None where a picture is too plain to be told from another.
  hash      bit(256),
  keys      int[] not null
);
-- Written at once: what waits in a list of its own is compared key by key with everything that is looked for.
create index picture_hash_keys on picture_hash using gin (keys) with (fastupdate = off);
-- Each key by itself: of many at once the planner believes that they are everywhere, and would read the whole table.
create function pictures_near(near int[]) returns setof picture_hash language sql stable set enable_seqscan = off as $$
  select distinct on (h.file_id) h.* from unnest(near) as one (key) join picture_hash h on h.keys @> array[one.key]
$$;
create index picture_hash_same on picture_hash (sha256, page, record_id);
create index picture_hash_record on picture_hash (page, record_id);

-- Posters members have shown to others, each with a screenshot as proof.
create table poster_share (
  id           bigint generated always as identity primary key,
  -- What the app calls it.
  key          text not null check (length(key) <= 64),
  member_id    bigint not null references member (id),
  poster       text not null check (length(poster) <= 100),
  platform     text not null,
  picture      uuid[] not null default '{}',
  likeness     text not null default 'NONE' check (likeness in ('NONE', 'PENDING', 'NEW', 'ALIKE', 'SAME')),
  like_id      bigint references poster_share (id),
  -- The Monday of the week it counts for.
  period       date not null,
  status       text not null default 'SUBMITTED' check (status in ('SUBMITTED', 'APPROVED', 'REJECTED')),
  reward_coins int not null default 0 check (reward_coins between 0 and 10000),
  rejected_for text check (length(rejected_for) <= 200),
  decided_by   bigint references staff (id),
  decided_at   timestamptz,
  submitted_at timestamptz not null,
  owner_id     bigint references staff (id),
  org_id       bigint references org (id),
  teacher_id   bigint references staff (id),
  version      int not null default 1,
  constraint poster_share_like check ((likeness = 'ALIKE' or likeness = 'SAME') = (like_id is not null)),
  constraint poster_share_decided check ((status = 'SUBMITTED') = (decided_at is null)),
  constraint poster_share_rejected check ((status = 'REJECTED') = (rejected_for is not null)),
  constraint poster_share_rewarded check (reward_coins = 0 or status = 'APPROVED')
);
create unique index poster_share_key on poster_share (member_id, key);
-- Coins once for each member and week.
create unique index poster_share_once on poster_share (member_id, period) where reward_coins > 0;
create index poster_share_member on poster_share (member_id, submitted_at, id);
create index poster_share_poster on poster_share (poster text_pattern_ops, id);
create index poster_share_platform on poster_share (platform, submitted_at, id);
create index poster_share_likeness on poster_share (likeness, submitted_at, id);
create index poster_share_period on poster_share (period, id);
create index poster_share_status on poster_share (status, submitted_at, id);
create index poster_share_submitted on poster_share (submitted_at, id);
create index poster_share_owner on poster_share (owner_id, submitted_at, id);
create index poster_share_org on poster_share (org_id, submitted_at, id);
create index poster_share_teacher on poster_share (teacher_id, submitted_at, id);
create index poster_share_teacher_status on poster_share (teacher_id, status, submitted_at, id);
create index poster_share_like_of on poster_share (like_id);
select start_keeping_count('poster_share', 'status', 'owned', 'teacher_id');
