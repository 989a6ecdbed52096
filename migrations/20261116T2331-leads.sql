-- Somebody who may become a member: a number, where it came from, whose it is and what it rests on.
create table lead (
  id            bigint generated always as identity primary key,
  -- Nothing once it was forgotten, which only happens to leads that have ended.
  phone         text check (phone ~ '^1[3-9][0-9]{9}$'),
  name          text check (length(name) between 1 and 50),
  source        text not null,
  channel       text not null,
  came_by       text not null check (came_by in ('REGISTRATION', 'IMPORT')),
  -- What we may call or write to this number by.
  consent       text not null,
  status        text not null check (status in ('UNASSIGNED', 'ASSIGNED', 'REGISTERED', 'INVALID')),
  owner_id      bigint references staff (id),
  org_id        bigint references org (id),
  owner_since   timestamptz,
  -- Whom it became.
  member_id     bigint references member (id),
  next_at       timestamptz,
  last_touch_at timestamptz not null,
  created_at    timestamptz not null,
  state_since   timestamptz,
  ended_at      timestamptz,
  version       int not null default 1,
  constraint lead_owned check ((owner_id is null) = (owner_since is null) and (owner_id is null) = (org_id is null)),
  constraint lead_pool check (ended_at is not null or (status = 'UNASSIGNED') = (owner_id is null)),
  constraint lead_ended check ((ended_at is null) = (status in ('UNASSIGNED', 'ASSIGNED'))),
  constraint lead_became check ((status = 'REGISTERED') = (member_id is not null)),
  constraint lead_reached check (ended_at is not null or phone is not null)
);
-- By the database, not by a form: a number has one open lead.
create unique index lead_open_phone on lead (phone) where ended_at is null;
create index lead_phone on lead (phone);
create index lead_owner_status on lead (owner_id, status, id);
create index lead_org_status on lead (org_id, status, id);
create index lead_status on lead (status, id);
-- The open pool, the longest waiting first.
create index lead_pool_since on lead (state_since, id) where status = 'UNASSIGNED';
create index lead_next on lead (owner_id, next_at) where ended_at is null and next_at is not null;
create index lead_member on lead (member_id) where member_id is not null;
create index lead_forgotten on lead (ended_at) where status = 'INVALID' and phone is not null;
create trigger keep_state_since before insert or update of status on lead
  for each row execute function keep_state_since();

-- In whose hands it was, and from when to when.
create table lead_owner (
  id       bigint generated always as identity primary key,
  lead_id  bigint not null references lead (id) on delete cascade,
  owner_id bigint not null references staff (id),
  org_id   bigint not null references org (id),
  since    timestamptz not null,
  until    timestamptz,
  got      text not null check (got in ('ALLOCATED', 'ASSIGNED', 'HANDED_OVER')),
  -- Whoever gave it; nobody where the console did.
  by_id    bigint references staff (id),
  constraint lead_owner_lasts check (until >= since)
);
create unique index lead_owner_now on lead_owner (lead_id) where until is null;
create index lead_owner_lead on lead_owner (lead_id, id);
create index lead_owner_staff on lead_owner (owner_id, since);

-- The path: each thing this number came by, however often it was told.
create table lead_touch (
  id       bigint generated always as identity primary key,
  lead_id  bigint not null references lead (id) on delete cascade,
  key      text not null check (length(key) between 1 and 100),
  came_by  text not null check (came_by in ('REGISTRATION', 'IMPORT')),
  source   text not null,
  channel  text not null,
  consent  text not null,
  times    int not null default 1,
  first_at timestamptz not null,
  last_at  timestamptz not null,
  unique (lead_id, key)
);
