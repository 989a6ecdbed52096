-- Orders grow lines, a receiver and an examination; money that arrives is a payment, and one that fits no order is a stray.

create table member_coupon (
  id         bigint generated always as identity primary key,
  coupon_id  bigint not null references coupon (id),
  member_id  bigint not null references member (id),
  -- The coupon's rule as it was when the member got it.
  rule       jsonb not null,
  status     text not null default 'UNUSED' check (status in ('UNUSED', 'USED', 'EXPIRED', 'RECALLED')),
  order_id   bigint references sales_order (id),
  issued_by  bigint references staff (id),
  taken_at   timestamptz not null,
  valid_from date not null,
  valid_to   date not null,
  used_at    timestamptz,
  check ((status = 'USED') = (order_id is not null and used_at is not null))
);
create index member_coupon_coupon on member_coupon (coupon_id, status, id);
create index member_coupon_member on member_coupon (member_id, id);
create index member_coupon_giver on member_coupon (issued_by, taken_at) where issued_by is not null;
create index member_coupon_order on member_coupon (order_id) where order_id is not null;
create index member_coupon_ending on member_coupon (valid_to) where status = 'UNUSED';

alter table sales_order
  add column list_fen         bigint not null default 0 check (list_fen >= 0),
  add column discount_fen     bigint not null default 0 check (discount_fen >= 0),
  add column channel          text not null default 'OTHER',
  add column receiver_name    text check (length(receiver_name) <= 50),
  add column receiver_phone   text check (length(receiver_phone) <= 20),
  add column receiver_province text,
  add column receiver_address text check (length(receiver_address) <= 200),
  -- The member changed hands in the 24 hours before: somebody should look whose sale it is.
  add column owner_changed    boolean not null default false,
  add column closes_at        timestamptz;
create index sales_order_channel on sales_order (channel, id);
create index sales_order_sold_by on sales_order (sold_by, id);
create index sales_order_closing on sales_order (closes_at) where pay_state = 'UNPAID';
create index sales_order_owner_changed on sales_order (owner_changed, id);

create table order_line (
  id                  bigint generated always as identity primary key,
  order_id            bigint not null references sales_order (id),
  product_id          bigint references product (id),
  product_name        text not null check (length(product_name) between 1 and 100),
  quantity            int not null check (quantity between 1 and 1000),
  list_fen            bigint not null check (list_fen >= 0),
  -- The line's part of what is to pay, and once it is paid of what was paid, down to the last fen.
  amount_fen          bigint not null check (amount_fen >= 0),
  paid_fen            bigint not null default 0 check (paid_fen >= 0),
  reserved_fen        bigint not null default 0 check (reserved_fen >= 0),
  refunded_fen        bigint not null default 0 check (refunded_fen >= 0),
  grants              jsonb not null default '[]',
  commission_permille int not null default 0,
  may_wait            boolean not null default false,
  constraint line_refunds_within_paid check (reserved_fen + refunded_fen <= paid_fen)
);
create index order_line_order on order_line (order_id, id);
create index order_line_product on order_line (product_id, id);
insert into order_line (order_id, product_name, quantity, list_fen, amount_fen, paid_fen, reserved_fen, refunded_fen)
  select id, product_name, 1, amount_fen, amount_fen, paid_fen, reserved_fen, refunded_fen from sales_order order by id;
update sales_order set list_fen = amount_fen;
alter table entitlement_lot add foreign key (order_line_id) references order_line (id);

create table order_examination (
  id             bigint generated always as identity primary key,
  order_id       bigint not null references sales_order (id),
  member_id      bigint not null references member (id),
  kind           text not null check (kind in ('OFFLINE', 'PRICE')),
  amount_fen     bigint not null check (amount_fen >= 0),
  before_fen     bigint not null check (before_fen >= 0),
  list_fen       bigint not null check (list_fen >= 0),
  pay_channel    text,
  transaction_no text check (length(transaction_no) <= 64),
  proof          uuid[] not null default '{}',
  -- The same picture proved another payment before.
  proof_seen     boolean not null default false,
  note           text not null default '' check (length(note) <= 500),
  status         text not null default 'WAITING' check (status in ('WAITING', 'APPROVED', 'REJECTED')),
  applicant_id   bigint not null references staff (id),
  decided_by     bigint references staff (id),
  decided_at     timestamptz,
  owner_id       bigint references staff (id),
  org_id         bigint references org (id),
  created_at     timestamptz not null default now(),
  version        int not null default 1,
  check (kind <> 'OFFLINE' or transaction_no is not null),
  check (decided_by is null or decided_by <> applicant_id)
);
create unique index order_examination_transaction on order_examination (pay_channel, transaction_no)
  where transaction_no is not null and status <> 'REJECTED';
create unique index order_examination_open on order_examination (order_id) where status = 'WAITING';
create index order_examination_member on order_examination (member_id, id);
create index order_examination_kind on order_examination (kind, id);
create index order_examination_status on order_examination (status, id);
create index order_examination_applicant on order_examination (applicant_id, id);
create index order_examination_owner on order_examination (owner_id, id);
create index order_examination_org on order_examination (org_id, id);
create index order_examination_created on order_examination (created_at, id);
create index order_examination_amount on order_examination (amount_fen, id);
create index order_examination_order on order_examination (order_id, id);
select start_keeping_count('order_examination', 'status', 'owned');

create table coin_order (
  id                bigint generated always as identity primary key,
  order_no          text not null check (order_no ~ '^C[0-9]{13}$'),
  member_id         bigint not null references member (id),
  coin_goods_id     bigint not null references coin_goods (id),
  goods_name        text not null check (length(goods_name) <= 100),
  coins             int not null check (coins > 0),
  cash_fen          bigint not null default 0 check (cash_fen >= 0),
  paid_fen          bigint not null default 0 check (paid_fen in (0, cash_fen)),
  status            text not null default 'WAITING' check (status in ('WAITING', 'APPROVED', 'SENT', 'DONE', 'CANCELLED')),
  receiver_name     text not null check (length(receiver_name) <= 50),
  receiver_phone    text not null check (length(receiver_phone) <= 20),
  receiver_province text not null,
  receiver_address  text not null check (length(receiver_address) <= 200),
  owner_id          bigint references staff (id),
  org_id            bigint references org (id),
  created_at        timestamptz not null default now(),
  version           int not null default 1
);
create unique index coin_order_no on coin_order (order_no text_pattern_ops);
create index coin_order_member on coin_order (member_id, id);
create index coin_order_goods on coin_order (coin_goods_id, id);
create index coin_order_goods_name on coin_order (goods_name text_pattern_ops, id);
create index coin_order_status on coin_order (status, id);
create index coin_order_owner on coin_order (owner_id, id);
create index coin_order_org on coin_order (org_id, id);
create index coin_order_unpaid on coin_order (created_at) where status = 'WAITING' and paid_fen < cash_fen;
create index coin_order_created on coin_order (created_at, id);
create index coin_order_coins on coin_order (coins, id);
select start_keeping_count('coin_order', 'status', 'owned');
alter table entitlement_entry add foreign key (coin_order_id) references coin_order (id);

-- Money that came in, once for each number of the provider.
create table payment (
  id            bigint generated always as identity primary key,
  payment_no    text not null unique,
  provider      text not null check (provider in ('WECHAT', 'ALIPAY', 'OFFLINE', 'PLATFORM')),
  provider_no   text not null check (length(provider_no) between 1 and 64),
  order_id      bigint references sales_order (id),
  coin_order_id bigint references coin_order (id),
  amount_fen    bigint not null check (amount_fen > 0),
  refunded_fen  bigint not null default 0 check (refunded_fen >= 0),
  status        text not null check (status in ('RECEIVED', 'STRAY', 'GIVING_BACK', 'GIVEN_BACK')),
  stray_reason  text check (stray_reason in ('CLOSED', 'TWICE', 'AMOUNT', 'EXAMINING', 'UNKNOWN')),
  said_order_no text not null,
  received_at   timestamptz not null,
  unique (provider, provider_no),
  check (refunded_fen <= amount_fen),
  check (status <> 'RECEIVED' or order_id is not null or coin_order_id is not null)
);
create index payment_order on payment (order_id) where order_id is not null;
create index payment_coin_order on payment (coin_order_id) where coin_order_id is not null;
create index payment_stray on payment (received_at) where status = 'STRAY';

-- Somebody looked at a product's order page and left.
create table browse_record (
  id           bigint generated always as identity primary key,
  key          text not null check (length(key) between 1 and 100),
  member_id    bigint not null references member (id),
  product_name text not null check (length(product_name) between 1 and 100),
  times        int not null default 1 check (times > 0),
  last_seen_at timestamptz not null,
  status       text not null default 'OPEN' check (status in ('OPEN', 'CONTACTED', 'DISMISSED', 'ORDERED')),
  owner_id     bigint references staff (id),
  org_id       bigint references org (id),
  created_at   timestamptz not null default now(),
  version      int not null default 1
);
create unique index browse_record_open on browse_record (member_id, product_name) where status in ('OPEN', 'CONTACTED');
create index browse_record_key on browse_record (key);
create index browse_record_member on browse_record (member_id, id);
create index browse_record_product on browse_record (product_name text_pattern_ops, id);
create index browse_record_status on browse_record (status, id);
create index browse_record_owner on browse_record (owner_id, id);
create index browse_record_org on browse_record (org_id, id);
create index browse_record_seen on browse_record (last_seen_at, id);
create index browse_record_times on browse_record (times, id);
select start_keeping_count('browse_record', 'status', 'owned');

create table redemption_code (
  id        bigint generated always as identity primary key,
  batch_id  bigint not null references code_batch (id),
  -- Found by a keyed hash; the code itself stands nowhere.
  hash      bytea not null unique,
  last4     text not null check (length(last4) = 4),
  status    text not null default 'UNUSED' check (status in ('UNUSED', 'REDEEMED', 'VOID'))
);
create index redemption_code_batch on redemption_code (batch_id, id);
create index redemption_code_batch_status on redemption_code (batch_id, status);

-- The plain codes of a batch, encrypted, many in one: kept only until their file has arrived, and then gone at once.
create table sealed_codes (
  batch_id bigint not null references code_batch (id),
  part     int not null check (part > 0),
  sealed   bytea not null,
  primary key (batch_id, part)
);

create table redemption (
  id            bigint generated always as identity primary key,
  redemption_no text not null check (redemption_no ~ '^E[0-9]{13}$'),
  code_id       bigint not null references redemption_code (id),
  batch_id      bigint not null references code_batch (id),
  last4         text not null check (last4 ~ '^[2-9A-HJ-NP-Z]{4}$'),
  member_id     bigint not null references member (id),
  order_id      bigint not null references sales_order (id),
  status        text not null default 'DONE' check (status in ('DONE', 'UNDONE')),
  staff_id      bigint references staff (id),
  undone_at     timestamptz,
  owner_id      bigint references staff (id),
  org_id        bigint references org (id),
  created_at    timestamptz not null default now(),
  version       int not null default 1,
  check ((status = 'UNDONE') = (undone_at is not null))
);
create unique index redemption_no on redemption (redemption_no text_pattern_ops);
-- A code is redeemed once, whatever the callers do.
create unique index redemption_once on redemption (code_id) where status = 'DONE';
create index redemption_batch on redemption (batch_id, id);
create index redemption_member on redemption (member_id, id);
create index redemption_order on redemption (order_id);
create index redemption_status on redemption (status, id);
create index redemption_staff on redemption (staff_id, id);
create index redemption_owner on redemption (owner_id, id);
create index redemption_org on redemption (org_id, id);
create index redemption_created on redemption (created_at, id);
select start_keeping_count('redemption', 'status', 'owned');
alter table entitlement_lot add foreign key (redemption_id) references redemption (id);

-- What a seller earned with an order, and what went back with a refund.
create table commission_entry (
  id            bigint generated always as identity primary key,
  order_line_id bigint not null references order_line (id),
  staff_id      bigint not null references staff (id),
  cause         text not null check (cause in ('EARNED', 'REVERSED')),
  amount_fen    bigint not null,
  refund_id     bigint references refund_application (id),
  created_at    timestamptz not null,
  check ((cause = 'EARNED') = (amount_fen >= 0 and refund_id is null))
);
create unique index commission_entry_earned on commission_entry (order_line_id) where cause = 'EARNED';
create unique index commission_entry_reversed on commission_entry (order_line_id, refund_id) where cause = 'REVERSED';
create index commission_entry_staff on commission_entry (staff_id, id);
