-- Text messages to many (docs/decisions/067): what is sent, to whom as it stood when it was written, and what became of each.
create table campaign (
  id             bigint generated always as identity primary key,
  name           text not null check (length(name) <= 100),
  template_id    bigint not null constraint campaign_template references message_template (id),
  edition_id     bigint not null references message_template_edition (id),
  -- The words as they were agreed to: a later edition is another campaign.
  code           text not null,
  title          text not null,
  body           text not null check (length(body) <= 2000),
  provider_code  text,
  filled         jsonb not null default '[]',
  audience_by    text not null check (audience_by in ('FILTER', 'NUMBERS')),
  levels         text[] not null default '{}',
  channels       text[] not null default '{}',
  tags           text[] not null default '{}',
  of_owner_id    bigint references staff (id),
  members        int not null default 0 check (members >= 0),
  repeated       int not null default 0 check (repeated >= 0),
  invalid        int not null default 0 check (invalid >= 0),
  strangers      int not null default 0 check (strangers >= 0),
  to_send        int not null default 0 check (to_send >= 0),
  under_way      int not null default 0 check (under_way >= 0),
  sent           int not null default 0 check (sent >= 0),
  delivered      int not null default 0 check (delivered >= 0),
  failed         int not null default 0 check (failed >= 0),
  unknown        int not null default 0 check (unknown >= 0),
  withheld       int not null default 0 check (withheld >= 0),
  cancelled      int not null default 0 check (cancelled >= 0),
  -- What a hundred parts cost on the day it was written.
  hundred_fen    int not null check (hundred_fen >= 0),
  cost_fen       bigint not null default 0 check (cost_fen >= 0),
  spent_fen      bigint not null default 0 check (spent_fen >= 0),
  billed_parts   int not null default 0 check (billed_parts >= 0),
  needs_approval boolean not null default false,
  approver_id    bigint references staff (id),
  status         text not null default 'DRAFT' check (status in ('DRAFT', 'SCHEDULED', 'SENDING', 'PAUSED', 'DONE', 'CANCELLED')),
  start_at       timestamptz,
  started_at     timestamptz,
  ended_at       timestamptz,
  author_id      bigint not null references staff (id),
  owner_id       bigint not null references staff (id),
  org_id         bigint not null references org (id),
  created_at     timestamptz not null,
  version        int not null default 1,
  constraint campaign_agreed check (started_at is null or not needs_approval or approver_id is not null)
);
create index campaign_name on campaign using gin (name_pairs(name));
create index campaign_name_prefix on campaign (name text_pattern_ops);
create index campaign_status on campaign (status, id);
create index campaign_of_template on campaign (template_id, id);
create index campaign_owner on campaign (owner_id, id);
create index campaign_org on campaign (org_id, id);
create index campaign_created on campaign (created_at, id);
create index campaign_start on campaign (start_at, id);
select start_keeping_count('campaign', 'status', 'owned');

create table campaign_number (
  id           bigint generated always as identity primary key,
  campaign_id  bigint not null references campaign (id),
  member_id    bigint not null references member (id),
  phone        text not null check (length(phone) <= 20),
  name         text not null,
  parts        int not null check (parts >= 1),
  billed_parts int not null default 0 check (billed_parts >= 0),
  status       text not null check (status in ('WAITING', 'SENDING', 'SENT', 'DELIVERED', 'FAILED', 'UNKNOWN', 'WITHHELD', 'CANCELLED')),
  cause        text check (cause in
    ('QUIET_HOURS', 'NO_CONSENT', 'OPTED_OUT', 'LATELY', 'NO_ADDRESS', 'NO_ANSWER', 'NOT_REACHED', 'TOO_LATE',
     'BAD_ADDRESS', 'BLOCKED', 'LIMITED', 'SWITCHED_OFF', 'TEMPLATE', 'ACCOUNT', 'REJECTED')),
  state_since  timestamptz not null,
  constraint campaign_number_once unique (campaign_id, member_id)
);
create unique index campaign_number_phone on campaign_number (campaign_id, phone);
create index campaign_number_campaign on campaign_number (campaign_id, id);
create index campaign_number_status on campaign_number (campaign_id, status, id);
create index campaign_number_cause on campaign_number (campaign_id, cause, id);
create index campaign_number_member on campaign_number (member_id, id);
