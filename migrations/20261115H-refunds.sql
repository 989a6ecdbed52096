-- A refund goes all the way: two levels of approval, payment by its route, and what follows from it ticked off one by one.

alter table refund_application
  drop constraint refund_application_status_check,
  add constraint refund_application_status_check check (status in
    ('SUBMITTED', 'L1_APPROVED', 'L2_APPROVED', 'PAYING', 'PAID', 'FAILED', 'ABNORMAL', 'REJECTED', 'WITHDRAWN')),
  add column suggested_fen  bigint not null default 0 check (suggested_fen >= 0),
  -- How the suggestion came about, line by line, as it was when the refund was asked for.
  add column calculation    jsonb not null default '[]',
  -- Why another amount than suggested.
  add column deviation      text not null default '' check (length(deviation) <= 200),
  add column needs_l2       boolean not null default false,
  add column route          text not null default 'ORIGINAL' check (route in ('ORIGINAL', 'OFFLINE', 'PLATFORM')),
  add column l1_by          bigint references staff (id),
  add column l2_by          bigint references staff (id),
  add column paid_by        bigint references staff (id),
  add column paid_at        timestamptz,
  add column transaction_no text check (length(transaction_no) between 1 and 64),
  add column proof          uuid[] not null default '{}',
  add column failure        text not null default '' check (length(failure) <= 500),
  -- Steps of the checklist that are not done: none while it is not paid.
  add column effects_open   int not null default 0 check (effects_open >= 0),
  -- When it came to its end: paid, rejected or withdrawn.
  add column ended_at       timestamptz,
  -- The provider said no at least once, whatever came of it later.
  add column pay_failed     boolean not null default false,
  -- What its order was, so that refunds are counted and found by it without reading orders: all of it is frozen there.
  add column order_paid_at  timestamptz,
  add column days_since_paid int not null default 0 check (days_since_paid >= 0),
  add column sold_by        bigint references staff (id),
  add column channel        text not null default 'OTHER',
  -- Names of the lines it takes from.
  add column products       text[] not null default '{}',
  add constraint refund_four_people check (
    (l1_by is null or l1_by <> applicant_id)
    and (l2_by is null or (l2_by <> applicant_id and l2_by is distinct from l1_by))
    and (paid_by is null or (paid_by <> applicant_id and paid_by is distinct from l1_by and paid_by is distinct from l2_by)));
create index refund_application_route on refund_application (route, id);
create index refund_application_paid_at on refund_application (paid_at, id);
create index refund_application_ended_at on refund_application (ended_at, id);
create index refund_application_pay_failed on refund_application (pay_failed, id);
create index refund_application_order_paid_at on refund_application (order_paid_at, id);
create index refund_application_days_since_paid on refund_application (days_since_paid, id);
create index refund_application_sold_by on refund_application (sold_by, id);
create index refund_application_channel on refund_application (channel, id);
create index refund_application_products on refund_application using gin (products);
create unique index refund_application_transaction on refund_application (transaction_no) where transaction_no is not null;

create table refund_line (
  refund_id     bigint not null references refund_application (id),
  order_line_id bigint not null references order_line (id),
  amount_fen    bigint not null check (amount_fen > 0),
  primary key (refund_id, order_line_id)
);
create index refund_line_order_line on refund_line (order_line_id);
insert into refund_line (refund_id, order_line_id, amount_fen)
  select r.id, l.id, r.amount_fen from refund_application r join order_line l on l.order_id = r.order_id;
update refund_application r set order_paid_at = o.paid_at, sold_by = o.sold_by, channel = o.channel, products = array[o.product_name],
  days_since_paid = greatest(0, (r.created_at at time zone 'Asia/Shanghai')::date - (o.paid_at at time zone 'Asia/Shanghai')::date)
  from sales_order o where o.id = r.order_id;
update refund_application r set ended_at = coalesce(
    (select max(l.at) from operation_log l where l.page = 'order-refundApply' and l.record_id = r.id and l.action in ('reject', 'withdraw')),
    r.created_at)
  where r.status in ('REJECTED', 'WITHDRAWN');

create table refund_effect (
  id         bigint generated always as identity primary key,
  refund_id  bigint not null references refund_application (id),
  name       text not null check (name in ('ENTITLEMENT', 'COUPON', 'GOODS', 'COMMISSION', 'NOTICE')),
  status     text not null default 'WAITING' check (status in ('WAITING', 'DONE', 'FAILED')),
  -- What it did, in numbers the page puts into words.
  outcome    jsonb not null default '{}',
  error      text not null default '' check (length(error) <= 500),
  attempts   int not null default 0,
  done_at    timestamptz,
  unique (refund_id, name)
);
create index refund_effect_open on refund_effect (status, id) where status <> 'DONE';

-- Money that goes out through a provider, under one number however often it is tried.
create table provider_refund (
  id          bigint generated always as identity primary key,
  refund_no   text not null unique check (length(refund_no) between 1 and 64),
  payment_id  bigint not null references payment (id),
  refund_id   bigint references refund_application (id),
  amount_fen  bigint not null check (amount_fen > 0),
  status      text not null default 'PROCESSING' check (status in ('PROCESSING', 'SUCCESS', 'CLOSED', 'ABNORMAL')),
  provider_no text,
  -- How often it was begun anew after the provider had said no.
  tries       int not null default 1,
  error       text not null default '' check (length(error) <= 500),
  created_at  timestamptz not null,
  finished_at timestamptz
);
create index provider_refund_payment on provider_refund (payment_id);
create unique index provider_refund_refund on provider_refund (refund_id, payment_id) where refund_id is not null;
alter table entitlement_entry add foreign key (refund_id) references refund_application (id);

-- Calls to the outside that follow from what was stored: made after it, again until they succeed, under the same key.
create table outbox (
  id         bigint generated always as identity primary key,
  kind       text not null,
  key        text not null,
  payload    jsonb not null,
  status     text not null default 'WAITING' check (status in ('WAITING', 'DONE')),
  attempts   int not null default 0,
  due_at     timestamptz not null,
  error      text not null default '',
  created_at timestamptz not null,
  done_at    timestamptz,
  unique (kind, key)
);
create index outbox_due on outbox (due_at, id) where status = 'WAITING';
