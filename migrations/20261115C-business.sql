-- The first records of the business: dictionary, members, orders, refunds and refund notices.

create table dictionary_type (
  id         bigint generated always as identity primary key,
  code       text not null check (code ~ '^[A-Z][A-Z0-9_]{0,49}$'),
  name       text not null check (length(name) between 1 and 100),
  note       text not null default '' check (length(note) <= 200),
  -- The code relies on it: items may be renamed and coloured, the type not deleted.
  built_in   boolean not null default false,
  created_at timestamptz not null default now(),
  version    int not null default 1
);
create unique index dictionary_type_code on dictionary_type (code text_pattern_ops);
create index dictionary_type_name on dictionary_type (name text_pattern_ops);
create index dictionary_type_built_in on dictionary_type (built_in, id);
create index dictionary_type_created on dictionary_type (created_at, id);

create function keep_built_in_dictionary() returns trigger language plpgsql as $$
begin
  raise exception 'a built-in dictionary type stays' using errcode = 'check_violation', constraint = 'dictionary_type_built_in';
end $$;
create trigger dictionary_type_built_in before delete on dictionary_type
  for each row when (old.built_in) execute function keep_built_in_dictionary();

create table dictionary_item (
  id      bigint generated always as identity primary key,
  type_id bigint not null references dictionary_type (id) on delete cascade,
  label   text not null check (length(label) between 1 and 100),
  value   text not null check (length(value) between 1 and 100),
  colour  text check (colour ~ '^#[0-9a-f]{6}$'),
  sort    int not null,
  enabled boolean not null default true,
  unique (type_id, value)
);

-- Numbers people read: one counter a day and kind.
create table number_sequence (
  kind   text not null,
  day    date not null,
  last   bigint not null,
  primary key (kind, day)
);

create table member (
  id            bigint generated always as identity primary key,
  name          text not null check (length(name) between 1 and 50),
  name_pinyin   text not null default '',
  phone         text not null check (phone ~ '^1[3-9][0-9]{9}$'),
  guardian_name text,
  level         text not null default 'TRIAL' check (level in ('TRIAL', 'MEMBER', 'EXPIRED')),
  source        text not null,
  owner_id      bigint references staff (id),
  org_id        bigint references org (id),
  created_at    timestamptz not null default now(),
  version       int not null default 1
);
create unique index member_phone on member (phone);
create index member_name on member (name text_pattern_ops);
create index member_name_pinyin on member (name_pinyin text_pattern_ops);
create index member_owner on member (owner_id, id);
create index member_org on member (org_id, id);

create table sales_order (
  id            bigint generated always as identity primary key,
  order_no      text not null check (order_no ~ '^[0-9]{18}$'),
  member_id     bigint not null references member (id),
  product_name  text not null check (length(product_name) between 1 and 100),
  amount_fen    bigint not null check (amount_fen >= 0),
  paid_fen      bigint not null default 0 check (paid_fen >= 0),
  -- Open refunds. With those already paid they never pass what was paid.
  reserved_fen  bigint not null default 0 check (reserved_fen >= 0),
  refunded_fen  bigint not null default 0 check (refunded_fen >= 0),
  pay_state     text not null default 'UNPAID' check (pay_state in ('UNPAID', 'EXAMINING', 'PAID', 'CLOSED')),
  fulfil_state  text not null default 'NOT_NEEDED' check (fulfil_state in ('NOT_NEEDED', 'WAITING', 'PARTIAL', 'SENT', 'DONE')),
  refund_state  text not null default 'NONE' check (refund_state in ('NONE', 'PARTIAL', 'FULL')),
  source        text not null,
  note          text not null default '' check (length(note) <= 500),
  -- Frozen at ordering, for statistics; owner_id and org_id decide who sees the row and move on hand-over.
  sold_by       bigint references staff (id),
  owner_id      bigint references staff (id),
  org_id        bigint references org (id),
  created_at    timestamptz not null default now(),
  paid_at       timestamptz,
  closed_at     timestamptz,
  version       int not null default 1,
  constraint refunds_within_paid check (reserved_fen + refunded_fen <= paid_fen)
);
create unique index sales_order_no on sales_order (order_no text_pattern_ops);
create index sales_order_member on sales_order (member_id, id);
create index sales_order_owner on sales_order (owner_id, id);
create index sales_order_org on sales_order (org_id, id);
create index sales_order_product on sales_order (product_name text_pattern_ops, id);
create index sales_order_pay_state on sales_order (pay_state, id);
create index sales_order_fulfil_state on sales_order (fulfil_state, id);
create index sales_order_refund_state on sales_order (refund_state, id);
create index sales_order_source on sales_order (source, id);
create index sales_order_amount on sales_order (amount_fen, id);
create index sales_order_created on sales_order (created_at, id);
create index sales_order_paid_at on sales_order (paid_at, id);
select start_keeping_count('sales_order', 'pay_state', 'owned');

create table refund_application (
  id           bigint generated always as identity primary key,
  refund_no    text not null check (refund_no ~ '^R[0-9]{13}$'),
  order_id     bigint not null references sales_order (id),
  member_id    bigint not null references member (id),
  amount_fen   bigint not null check (amount_fen > 0),
  reason       text not null,
  note         text not null default '' check (length(note) <= 500),
  status       text not null default 'SUBMITTED' check (status in ('SUBMITTED', 'L1_APPROVED', 'REJECTED', 'WITHDRAWN')),
  applicant_id bigint not null references staff (id),
  owner_id     bigint references staff (id),
  org_id       bigint references org (id),
  created_at   timestamptz not null default now(),
  version      int not null default 1
);
create unique index refund_application_no on refund_application (refund_no text_pattern_ops);
create index refund_application_order on refund_application (order_id, id);
create index refund_application_member on refund_application (member_id, id);
create index refund_application_applicant on refund_application (applicant_id, id);
create index refund_application_owner on refund_application (owner_id, id);
create index refund_application_org on refund_application (org_id, id);
create index refund_application_status on refund_application (status, id);
create index refund_application_reason on refund_application (reason, id);
create index refund_application_amount on refund_application (amount_fen, id);
create index refund_application_created on refund_application (created_at, id);
select start_keeping_count('refund_application', 'status', 'owned');

-- A refund told by a platform is work for everybody who may see it, until one person has processed it.
create table refund_notice (
  id           bigint generated always as identity primary key,
  source       text not null,
  order_no     text not null,
  lead_phone   text,
  phone        text,
  member_id    bigint references member (id),
  owner_id     bigint references staff (id),
  org_id       bigint references org (id),
  status       text not null default 'UNREAD' check (status in ('UNREAD', 'READ')),
  created_at   timestamptz not null,
  processed_at timestamptz,
  processed_by bigint references staff (id),
  check ((status = 'READ') = (processed_at is not null)),
  unique (source, order_no)
);
create index refund_notice_status on refund_notice (status, id);
create index refund_notice_owner on refund_notice (owner_id, status, id);
create index refund_notice_org on refund_notice (org_id, status, id);
