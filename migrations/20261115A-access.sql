-- Who works here, what they may do, and the sessions they do it in.

create table org (
  id         bigint generated always as identity primary key,
  parent_id  bigint references org (id),
  name       text not null check (length(name) between 1 and 100),
  code       text not null unique check (length(code) between 1 and 50),
  -- Ids from the root down to this one, "/1/4/": a subtree is one prefix.
  path       text not null unique,
  sort       int  not null default 0,
  version    int  not null default 1
);
create index org_path on org (path text_pattern_ops);

create table staff (
  id              bigint generated always as identity primary key,
  account         text not null check (account = lower(account) and length(account) between 2 and 50),
  name            text not null check (length(name) between 1 and 50),
  name_pinyin     text not null default '',
  org_id          bigint not null references org (id),
  manager_id      bigint references staff (id),
  gender          text not null default 'UK' check (gender in ('F', 'M', 'UK')),
  phone           text,
  email           text,
  avatar          text,
  language        text check (language in ('zh-CN', 'zh-TW', 'en-US', 'pt-BR')),
  -- Display choices a person carries from machine to machine (theme, density, columns).
  preference      jsonb not null default '{}',
  password_hash   text not null,
  password_set_at timestamptz not null default now(),
  -- A generated or reset password opens nothing but the change of it.
  must_change     boolean not null default false,
  status          text not null default 'ENABLED' check (status in ('ENABLED', 'DISABLED')),
  created_at      timestamptz not null default now(),
  version         int not null default 1
);
create unique index staff_account on staff (account);
create index staff_name on staff (name text_pattern_ops);
create index staff_name_pinyin on staff (name_pinyin text_pattern_ops);
create index staff_org on staff (org_id);
create index staff_manager on staff (manager_id);

-- Hashes a person may not come back to; kept only where the security profile asks for it.
create table password_history (
  id       bigint generated always as identity primary key,
  staff_id bigint not null references staff (id),
  hash     text not null,
  set_at   timestamptz not null
);
create index password_history_staff on password_history (staff_id, id);

create table role (
  id          bigint generated always as identity primary key,
  code        text not null unique check (length(code) between 1 and 50),
  name        text not null check (length(name) between 1 and 50),
  scope       text not null check (scope in ('SELF', 'SELF_AND_SUBORDINATES', 'DEPARTMENT', 'DEPARTMENT_AND_BELOW', 'ALL', 'CHOSEN')),
  version     int  not null default 1
);
create table role_org (
  role_id bigint not null references role (id) on delete cascade,
  org_id  bigint not null references org (id),
  primary key (role_id, org_id)
);
create table staff_role (
  staff_id bigint not null references staff (id),
  role_id  bigint not null references role (id),
  primary key (staff_id, role_id)
);
create index staff_role_role on staff_role (role_id);

-- Menus and their actions, kept in step with the code's own screens at every start.
create table permission (
  id            bigint generated always as identity primary key,
  parent_id     bigint references permission (id),
  display_type  text not null check (display_type in ('MENU', 'PERMISSION')),
  resource_code text not null,
  display_name  text not null,
  sort          int not null default 0,
  -- The code no longer knows it: kept because roles may name it, opens nothing.
  vanished      boolean not null default false
);
create unique index permission_menu on permission (resource_code) where display_type = 'MENU';
create unique index permission_action on permission (parent_id, resource_code) where display_type = 'PERMISSION';

create table role_permission (
  role_id       bigint not null references role (id) on delete cascade,
  permission_id bigint not null references permission (id),
  primary key (role_id, permission_id)
);

create table session (
  id              bigint generated always as identity primary key,
  staff_id        bigint not null references staff (id),
  token_hash      bytea not null,
  token_at        timestamptz not null,
  -- The token before the last rotation: good until old_until, for calls under way and other tabs.
  old_hash        bytea,
  old_until       timestamptz,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  active_at       timestamptz not null,
  address         text not null,
  device          text not null,
  ended_at        timestamptz,
  end_reason      text check (end_reason in ('LOGOUT', 'FORCED', 'DISABLED', 'PASSWORD', 'EXPIRED'))
);
create unique index session_token on session (token_hash);
create index session_old on session (old_hash) where old_hash is not null;
create index session_staff on session (staff_id) where ended_at is null;

-- One-time tickets for the websocket's address, so that no session token stands in a URL.
create table socket_ticket (
  hash       bytea primary key,
  session_id bigint not null references session (id),
  expires_at timestamptz not null
);

create table captcha (
  key        text primary key,
  answer     text not null,
  expires_at timestamptz not null
);
create index captcha_expires on captcha (expires_at);

-- Attempts counted before they are judged, so that parallel guesses cannot outrun the limit.
create table attempt_gate (
  kind         text not null,
  subject      text not null,
  attempts     int  not null,
  window_until timestamptz not null,
  locked_until timestamptz,
  primary key (kind, subject)
);

create table login_trace (
  id         bigint generated always as identity primary key,
  at         timestamptz not null,
  staff_id   bigint references staff (id),
  account    text not null,
  address    text not null,
  device     text not null,
  result     text not null check (result in ('SUCCESS', 'CAPTCHA', 'CREDENTIALS', 'LOCKED', 'DISABLED')),
  session_id bigint references session (id)
);
create index login_trace_staff on login_trace (staff_id, id);
-- From where a person is known to sign in: a stranger's wrong guesses do not shut that door.
create index login_trace_known on login_trace (staff_id, address, at) where result = 'SUCCESS';

-- Every write, reveal, export and refusal of a right. A record's timeline is its rows here.
create table operation_log (
  id          bigint generated always as identity primary key,
  at          timestamptz not null,
  actor_id    bigint references staff (id),
  actor_name  text not null,
  address     text not null,
  request_id  text not null,
  page        text not null,
  action      text not null,
  record_id   bigint,
  -- Field → [before, after]; personal values masked, secrets never.
  diff        jsonb not null default '{}',
  reason      text,
  code        int not null,
  duration_ms int not null default 0
);
create index operation_log_record on operation_log (page, record_id, id);
create index operation_log_actor on operation_log (actor_id, id);
create index operation_log_at on operation_log (at);
