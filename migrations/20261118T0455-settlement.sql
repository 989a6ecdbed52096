-- Whom we pay for bringing people: by the channel their people come with.
create table partner (
  id            bigint generated always as identity primary key,
  name          text not null check (length(name) between 1 and 100),
  company       text not null check (length(company) between 1 and 100),
  channel       text not null check (length(channel) between 1 and 100),
  platform      text not null check (platform in ('ANDROID', 'IOS', 'HARMONY', 'MINI_APP', 'WEB')),
  package_name  text check (length(package_name) between 1 and 150),
  note          text not null default '' check (length(note) <= 500),
  -- What has come of it, counted from what stands.
  registered    int not null default 0,
  activated     int not null default 0,
  paid_orders   int not null default 0,
  paid_fen      bigint not null default 0,
  settled_fen   bigint not null default 0,
  counted_at    timestamptz,
  created_at    timestamptz not null default now(),
  version       int not null default 1
);
create unique index partner_channel on partner (channel);
create index partner_name on partner (name text_pattern_ops, id);
create index partner_name_pairs on partner using gin (name_pairs(name));
create index partner_company on partner (company text_pattern_ops, id);
create index partner_package on partner (package_name text_pattern_ops, id);
create index partner_platform on partner (platform, id);
create index partner_registered on partner (registered, id);
create index partner_paid on partner (paid_fen, id);
create index partner_settled on partner (settled_fen, id);
create index partner_created on partner (created_at, id);

-- What a partner is paid for what happens from a day on. Once agreed to, it is not changed: another one follows it.
create table settlement_price (
  id                 bigint generated always as identity primary key,
  partner_id         bigint not null references partner (id),
  kind               text not null check (kind in ('REGISTERED', 'ACTIVATED', 'FIRST_ORDER', 'SHARE')),
  price_fen          bigint check (price_fen > 0),
  share_permille     int check (share_permille between 1 and 1000),
  window_days        int check (window_days between 1 and 730),
  freeze_days        int not null check (freeze_days between 0 and 180),
  monthly_cap        int check (monthly_cap > 0),
  deduction_permille int not null default 0 check (deduction_permille between 0 and 500),
  valid_from         date not null,
  valid_to           date check (valid_to >= valid_from),
  reason             text not null check (length(reason) between 1 and 200),
  status             text not null default 'SUBMITTED' check (status in ('SUBMITTED', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  applicant_id       bigint not null references staff (id),
  l1_by              bigint references staff (id),
  expires_at         timestamptz,
  ended_at           timestamptz,
  created_at         timestamptz not null default now(),
  version            int not null default 1,
  constraint settlement_price_one check ((kind = 'SHARE') = (share_permille is not null) and (kind = 'SHARE') = (price_fen is null)),
  constraint settlement_price_agreed check (status <> 'APPROVED' or l1_by is not null),
  constraint settlement_price_two check (l1_by <> applicant_id),
  constraint settlement_price_ended check ((ended_at is null) = (status = 'SUBMITTED'))
);
create index settlement_price_partner on settlement_price (partner_id, id);
create index settlement_price_kind on settlement_price (kind, id);
create index settlement_price_status on settlement_price (status, id);
create index settlement_price_from on settlement_price (valid_from, id);
create index settlement_price_applicant on settlement_price (applicant_id, id);
create index settlement_price_created on settlement_price (created_at, id);
create index settlement_price_expiring on settlement_price (expires_at) where status = 'SUBMITTED';

create table settlement_statement (
  id             bigint generated always as identity primary key,
  statement_no   text not null check (statement_no ~ '^C[0-9]{6}-[0-9]{4,18}$'),
  partner_id     bigint not null references partner (id),
  period_from    date not null,
  period_to      date not null,
  status         text not null default 'DRAFT' check (status in ('DRAFT', 'CHANNEL_CONFIRMED', 'APPROVED', 'PAID')),
  counted        int not null default 0,
  not_counted    int not null default 0,
  adjusted_fen   bigint not null default 0,
  total_fen      bigint not null default 0 check (total_fen >= 0),
  -- Up to when what happened, and what was given back, is known to it.
  reckoned_at    timestamptz not null,
  -- What the partner agreed to, as a digest of its lines.
  digest         text check (digest ~ '^[0-9a-f]{64}$'),
  confirmed_name text check (length(confirmed_name) between 1 and 50),
  confirmed_by   bigint references staff (id),
  confirmed_at   timestamptz,
  approved_by    bigint references staff (id),
  approved_at    timestamptz,
  paid_by        bigint references staff (id),
  paid_at        timestamptz,
  transfer_no    text check (length(transfer_no) between 1 and 64),
  created_at     timestamptz not null,
  state_since    timestamptz,
  version        int not null default 1,
  constraint settlement_statement_period check (period_from < period_to),
  constraint settlement_statement_people check (confirmed_by <> approved_by and approved_by <> paid_by and confirmed_by <> paid_by),
  constraint settlement_statement_confirmed check ((status = 'DRAFT') = (digest is null) and (digest is null) = (confirmed_by is null)),
  constraint settlement_statement_approved check ((status = 'APPROVED' or status = 'PAID') = (approved_by is not null)),
  constraint settlement_statement_paid check ((status = 'PAID') = (paid_by is not null) and (status <> 'PAID' or total_fen = 0 or transfer_no is not null))
);
create unique index settlement_statement_no on settlement_statement (statement_no text_pattern_ops);
create unique index settlement_statement_once on settlement_statement (partner_id, period_from);
-- What comes later is put right on the next one, so that one is drafted at a time.
create unique index settlement_statement_draft on settlement_statement (partner_id) where status = 'DRAFT';
create index settlement_statement_partner on settlement_statement (partner_id, id);
create index settlement_statement_status on settlement_statement (status, id);
create index settlement_statement_from on settlement_statement (period_from, id);
create index settlement_statement_total on settlement_statement (total_fen, id);
create index settlement_statement_paid_at on settlement_statement (paid_at, id);
create index settlement_statement_transfer on settlement_statement (transfer_no text_pattern_ops, id);

-- Everything that happened for a partner and was judged, once, with what it is worth now.
create table settlement_event (
  id           bigint generated always as identity primary key,
  partner_id   bigint not null references partner (id),
  kind         text not null check (kind in ('REGISTERED', 'ACTIVATED', 'FIRST_ORDER', 'SHARE')),
  subject_id   bigint not null,
  member_id    bigint not null references member (id),
  order_id     bigint references sales_order (id),
  happened_at  timestamptz not null,
  base_fen     bigint not null check (base_fen >= 0),
  refunded_fen bigint not null default 0 check (refunded_fen >= 0),
  price_id     bigint references settlement_price (id),
  verdict      text not null check (verdict in
    ('COUNTED', 'FROZEN', 'REFUNDED', 'OVER_CAP', 'TOO_LATE', 'NO_PRICE', 'DUPLICATE', 'OLD_MEMBER', 'OWN_STAFF')),
  worth_fen    bigint not null default 0 check (worth_fen >= 0),
  judged_at    timestamptz not null,
  constraint settlement_event_worth check (worth_fen = 0 or verdict = 'COUNTED')
);
create unique index settlement_event_once on settlement_event (partner_id, kind, subject_id);
-- Of one person, or one order, one partner is paid.
create unique index settlement_event_held on settlement_event (kind, subject_id) where verdict in ('COUNTED', 'FROZEN', 'REFUNDED');
create index settlement_event_open on settlement_event (partner_id, id) where verdict in ('COUNTED', 'FROZEN');
create index settlement_event_member on settlement_event (member_id);
create index settlement_event_order on settlement_event (order_id);

-- What a statement consists of. What has no statement yet goes on the partner's next one.
create table settlement_line (
  id           bigint generated always as identity primary key,
  partner_id   bigint not null references partner (id),
  statement_id bigint references settlement_statement (id),
  event_id     bigint references settlement_event (id),
  entry        text not null check (entry in
    ('COUNTED', 'FROZEN', 'REFUNDED', 'OVER_CAP', 'TOO_LATE', 'NO_PRICE', 'DUPLICATE', 'OLD_MEMBER', 'OWN_STAFF', 'TAKEN_BACK', 'DEDUCTION', 'CORRECTION', 'CARRIED')),
  part         text not null generated always as (
    case when entry in ('COUNTED', 'TAKEN_BACK') then 'COUNTED' when entry in ('DEDUCTION', 'CORRECTION', 'CARRIED') then 'ADJUSTED' else 'NOT_COUNTED' end) stored check (part in ('COUNTED', 'NOT_COUNTED', 'ADJUSTED')),
  kind         text check (kind in ('REGISTERED', 'ACTIVATED', 'FIRST_ORDER', 'SHARE')),
  member_id    bigint references member (id),
  order_id     bigint references sales_order (id),
  happened_at  timestamptz not null,
  base_fen     bigint,
  price_id     bigint references settlement_price (id),
  amount_fen   bigint not null,
  -- The statement a correction, or what was carried on, comes from.
  about_id     bigint references settlement_statement (id),
  note         text not null default '' check (length(note) <= 200),
  by_id        bigint references staff (id),
  created_at   timestamptz not null,
  constraint settlement_line_event check ((event_id is null) = (part = 'ADJUSTED'))
);
create index settlement_line_below on settlement_line (statement_id, id);
create index settlement_line_part on settlement_line (statement_id, part, id);
create index settlement_line_entry on settlement_line (statement_id, entry, id);
create index settlement_line_kind on settlement_line (statement_id, kind, id);
create index settlement_line_member_below on settlement_line (statement_id, member_id, id);
create index settlement_line_happened on settlement_line (statement_id, happened_at, id);
create index settlement_line_amount on settlement_line (statement_id, amount_fen, id);
create index settlement_line_waiting on settlement_line (partner_id, id) where statement_id is null;
create index settlement_line_event on settlement_line (event_id);
create index settlement_line_member on settlement_line (member_id);

-- What a partner agrees to: every line with what it says and adds, in one word.
create function statement_digest(of bigint) returns text language sql stable as $$
  select encode(sha256(convert_to(s.statement_no || '|' || s.total_fen || '|' || coalesce(string_agg(
    concat_ws(',', l.id, l.entry, l.kind, l.member_id, l.order_id, l.amount_fen, l.note), ';' order by l.id), ''), 'UTF8')), 'hex')
  from settlement_statement s left join settlement_line l on l.statement_id = s.id
  where s.id = of group by s.id
$$;
