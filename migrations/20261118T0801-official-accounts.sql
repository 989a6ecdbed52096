-- Accounts people follow on WeChat: the codes they follow by, who follows, what is answered and the menu.
create table official_account (
  id                bigint generated always as identity primary key,
  name              text not null check (length(name) between 1 and 50),
  app_id            text not null check (app_id ~ '^[0-9A-Za-z_-]{6,64}$'),
  kind              text not null check (kind in ('SERVICE', 'SUBSCRIPTION')),
  status            text not null default 'ACTIVE' check (status in ('ACTIVE', 'STOPPED')),
  keeper_id         bigint references staff (id),
  -- Of whoever came by no code of ours.
  channel           text not null,
  welcome           text not null default '' check (length(welcome) <= 600),
  replies           jsonb not null default '[]' check (jsonb_typeof(replies) = 'array'),
  draft             jsonb not null default '[]' check (jsonb_typeof(draft) = 'array'),
  -- In force with the platform.
  menu              jsonb not null default '[]' check (jsonb_typeof(menu) = 'array'),
  -- On its way there, and since when somebody has been telling the platform.
  menu_sent         jsonb not null default '[]' check (jsonb_typeof(menu_sent) = 'array'),
  sending_at        timestamptz,
  menu_state        text not null default 'NONE' check (menu_state in ('NONE', 'WAITING', 'PUBLISHED', 'FAILED', 'UNKNOWN')),
  menu_published_at timestamptz,
  menu_error        text check (length(menu_error) <= 200),
  -- Counted from what stands.
  followers         int not null default 0,
  gone              int not null default 0,
  leads             int not null default 0,
  counted_at        timestamptz,
  created_at        timestamptz not null,
  version           int not null default 1
);
create unique index official_account_app on official_account (app_id text_pattern_ops);
create index official_account_name on official_account (name text_pattern_ops, id);
create index official_account_name_pairs on official_account using gin (name_pairs(name));
create index official_account_kind on official_account (kind, id);
create index official_account_status on official_account (status, id);
create index official_account_menu on official_account (menu_state, id);
create index official_account_keeper on official_account (keeper_id, id);
create index official_account_followers on official_account (followers, id);
create index official_account_leads on official_account (leads, id);
create index official_account_created on official_account (created_at, id);

create table account_scene (
  id          bigint generated always as identity primary key,
  account_id  bigint not null references official_account (id) on delete cascade,
  -- What the platform tells back when somebody scans the code.
  state_code  text not null generated always as ('s'::text || id::text) stored check (length(state_code) <= 30),
  name        text not null check (length(name) between 1 and 50),
  channel     text not null,
  keeper_id   bigint references staff (id),
  status      text not null default 'WAITING' check (status in ('WAITING', 'OPEN', 'FAILED', 'CLOSED', 'EXPIRED')),
  valid_until timestamptz,
  link        text check (length(link) between 1 and 200),
  error       text check (length(error) <= 200),
  followed    int not null default 0,
  followers   int not null default 0,
  scans       int not null default 0,
  leads       int not null default 0,
  created_at  timestamptz not null,
  constraint account_scene_open check (status <> 'OPEN' or link is not null)
);
create index account_scene_account on account_scene (account_id, id);
create index account_scene_status on account_scene (account_id, status, id);
create index account_scene_channel on account_scene (account_id, channel, id);
create index account_scene_keeper on account_scene (account_id, keeper_id, id);
create index account_scene_followed on account_scene (account_id, followed, id);
create index account_scene_name on account_scene (name text_pattern_ops, id);
create index account_scene_name_pairs on account_scene using gin (name_pairs(name));
create index account_scene_expiring on account_scene (valid_until) where status = 'OPEN';

create table account_follower (
  id         bigint generated always as identity primary key,
  account_id bigint not null references official_account (id) on delete cascade,
  openid     text not null check (length(openid) between 1 and 64),
  status     text not null check (status in ('FOLLOWING', 'LEFT', 'NEVER')),
  scene_id   bigint references account_scene (id),
  came_by    text check (length(came_by) between 1 and 50),
  first_at   timestamptz not null,
  left_at    timestamptz,
  times      int not null default 0,
  lead_id    bigint references lead (id) on delete set null,
  is_lead    boolean not null generated always as (lead_id is not null) stored,
  constraint account_follower_once unique (account_id, openid),
  constraint account_follower_left check ((status = 'LEFT') = (left_at is not null))
);
create index account_follower_account on account_follower (account_id, id);
create index account_follower_status on account_follower (account_id, status, id);
create index account_follower_scene on account_follower (account_id, scene_id, id);
create index account_follower_came on account_follower (account_id, came_by, id);
create index account_follower_first on account_follower (account_id, first_at, id);
create index account_follower_is_lead on account_follower (account_id, is_lead, id);
create index account_follower_of_scene on account_follower (scene_id) where scene_id is not null;
create index account_follower_lead on account_follower (lead_id) where lead_id is not null;

-- What was told of somebody: how it stands follows from all of it, in whatever order it came.
create table account_event (
  follower_id bigint not null references account_follower (id) on delete cascade,
  kind        text not null check (kind in ('SUBSCRIBE', 'UNSUBSCRIBE', 'SCAN', 'MESSAGE', 'NUMBER')),
  at          timestamptz not null,
  scene_id    bigint references account_scene (id),
  came_by     text,
  primary key (follower_id, kind, at)
);
create index account_event_scene on account_event (scene_id, kind) where scene_id is not null;

create table account_answer (
  id          bigint generated always as identity primary key,
  account_id  bigint not null references official_account (id) on delete cascade,
  follower_id bigint not null references account_follower (id) on delete cascade,
  kind        text not null check (kind in ('WELCOME', 'KEYWORD')),
  keyword     text check (length(keyword) between 1 and 50),
  reply       text not null check (length(reply) between 1 and 600),
  state       text not null default 'WAITING' check (state in ('WAITING', 'SENT', 'REFUSED', 'UNKNOWN')),
  error       text check (length(error) <= 200),
  sending_at  timestamptz,
  created_at  timestamptz not null
);
create index account_answer_account on account_answer (account_id, id);
create index account_answer_state on account_answer (account_id, state, id);
create index account_answer_kind on account_answer (account_id, kind, id);
create index account_answer_created on account_answer (account_id, created_at, id);
create index account_answer_follower on account_answer (follower_id);
