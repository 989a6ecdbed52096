-- Messages to members and colleagues (docs/decisions/056): the words, in editions, and each message with what became of it.
create table message_template (
  id            bigint generated always as identity primary key,
  code          text not null constraint message_template_code unique check (code ~ '^[A-Z][A-Z0-9-]{2,39}$'),
  channel       text not null check (channel in ('WEB', 'SMS', 'EMAIL')),
  kind          text not null check (kind in ('CODE', 'NOTICE', 'MARKETING')),
  title         text not null check (length(title) <= 100),
  body          text not null check (length(body) <= 500),
  variables     jsonb not null default '[]',
  provider_code text check (length(provider_code) <= 64),
  -- Sent by the console itself: its variables are the code's.
  is_shipped    boolean not null default false,
  edition       int not null default 0 check (edition >= 0),
  status        text not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'CHANGED')),
  created_at    timestamptz not null default now(),
  version       int not null default 1
);
create index message_template_code_prefix on message_template (code text_pattern_ops);
create index message_template_title on message_template (title text_pattern_ops);
create index message_template_status on message_template (status, id);
create index message_template_channel on message_template (channel, id);
create index message_template_kind on message_template (kind, id);

create table message_template_edition (
  id           bigint generated always as identity primary key,
  template_id  bigint not null references message_template (id) on delete cascade,
  edition      int check (edition > 0),
  state        text not null check (state in ('DRAFT', 'PUBLISHED', 'SUPERSEDED', 'DISCARDED')),
  base         int not null check (base >= 0),
  restores     int check (restores > 0),
  body         jsonb not null,
  drafted_by   bigint not null references staff (id),
  drafted_at   timestamptz not null,
  published_by bigint references staff (id),
  published_at timestamptz,
  unique (template_id, edition),
  check ((edition is null) = (state in ('DRAFT', 'DISCARDED'))),
  check (num_nulls(edition, published_by, published_at) in (0, 3))
);
create unique index message_template_edition_draft on message_template_edition (template_id) where state = 'DRAFT';
create unique index message_template_edition_published on message_template_edition (template_id) where state = 'PUBLISHED';

create table message (
  id           bigint generated always as identity primary key,
  template_id  bigint references message_template (id),
  -- None where the words it was shipped with, or a draft, went out.
  edition_id   bigint references message_template_edition (id),
  channel      text not null check (channel in ('WEB', 'SMS', 'EMAIL')),
  kind         text not null check (kind in ('CODE', 'NOTICE', 'MARKETING')),
  status       text not null check (status in
    ('SCHEDULED', 'SENDING', 'UNKNOWN', 'FAILED', 'WITHHELD', 'DELIVERED', 'UNREAD', 'READ')),
  cause        text check (cause in
    ('QUIET_HOURS', 'NO_CONSENT', 'OPTED_OUT', 'LATELY', 'NO_ADDRESS', 'NO_ANSWER', 'NOT_REACHED', 'TOO_LATE',
     'BAD_ADDRESS', 'BLOCKED', 'LIMITED', 'SWITCHED_OFF', 'TEMPLATE', 'ACCOUNT', 'REJECTED')),
  member_id    bigint references member (id),
  staff_id     bigint references staff (id),
  phone        text check (length(phone) <= 20),
  email        text check (length(email) <= 100),
  title        text not null check (length(title) <= 100),
  -- Of a code nothing is kept but what it is recognised by.
  body         text not null default '' check (length(body) <= 2000),
  digest       text not null check (length(digest) <= 64),
  filled       jsonb,
  -- A code between the moment it is asked for and the moment it leaves, under a key of this house.
  sealed       bytea,
  provider_code text,
  about        text not null constraint message_about unique check (length(about) <= 100),
  is_test      boolean not null default false,
  attempt      int not null default 1 check (attempt >= 1),
  tries        int not null default 0,
  -- Set before the provider is spoken to: who finds it set does not speak to it again.
  claimed_at   timestamptz,
  result       text not null default '' check (length(result) <= 200),
  scheduled_at timestamptz,
  sent_at      timestamptz,
  ended_at     timestamptz,
  state_since  timestamptz not null,
  created_at   timestamptz not null,
  version      int not null default 1,
  check (num_nonnulls(member_id, staff_id) = 1),
  check (kind <> 'CODE' or (body = '' and filled is null)),
  check (sealed is null or kind = 'CODE')
);
create index message_title on message (title text_pattern_ops);
create index message_status on message (status, id);
create index message_channel on message (channel, id);
create index message_kind on message (kind, id);
create index message_cause on message (cause, id);
create index message_of_template on message (template_id, id);
create index message_edition on message (edition_id, id) where edition_id is not null;
create index message_member on message (member_id, id);
create index message_staff on message (staff_id, id);
create index message_created on message (created_at);
-- Advertising comes once in so many days.
create index message_marketing on message (member_id, created_at) where kind = 'MARKETING';

alter table setting_change drop constraint setting_change_unit_check;
alter table setting_change add constraint setting_change_unit_check
  check (unit in ('days', 'percent', 'fen', 'coins', 'coupons', 'hour'));
