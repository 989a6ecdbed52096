-- Parcels: what is promised to a member, whether it may leave, where it is.

create table shipment (
  id                bigint generated always as identity primary key,
  shipment_no       text not null check (shipment_no ~ '^S[0-9]{13}$'),
  source            text not null check (source in ('ORDER', 'GIFT', 'RESEND', 'COIN_ORDER', 'REDEMPTION')),
  order_id          bigint references sales_order (id),
  coin_order_id     bigint references coin_order (id),
  resend_of         bigint references shipment (id),
  member_id         bigint not null references member (id),
  -- A platform may tell of an order before it tells where the goods go.
  receiver_name     text check (length(receiver_name) between 1 and 50),
  receiver_phone    text check (length(receiver_phone) between 5 and 20),
  province          text,
  receiver_address  text check (length(receiver_address) between 1 and 200),
  goods_name        text not null check (length(goods_name) between 1 and 100),
  -- [{baseProductId, sku, name, quantity}]
  parts             jsonb not null,
  -- The goods it needs are not there yet: nothing is locked, and it waits for them.
  waits_for_stock   boolean not null default false,
  status            text not null default 'TO_APPROVE' check (status in
    ('TO_APPROVE', 'REJECTED', 'WAITING', 'HELD', 'SENT', 'SIGNED', 'RETURNED', 'LOST', 'MERGED', 'CANCELLED')),
  -- The same goods went to the same member within 30 days.
  is_repeat         boolean not null default false,
  applicant_id      bigint references staff (id),
  decided_by        bigint references staff (id),
  note              text not null default '' check (length(note) <= 500),
  printed_at        timestamptz,
  -- The address changed after the label was printed.
  reprint           boolean not null default false,
  merged_into       bigint references shipment (id),
  carrier           text,
  tracking_no       text check (tracking_no ~ '^[0-9A-Z-]{6,40}$'),
  tracking_status   text not null default 'PENDING' check (tracking_status in
    ('PENDING', 'SHIPPED', 'PICKED', 'TRANSIT', 'DELIVERING', 'STATION', 'SIGNED', 'PROBLEM', 'RETURNING', 'RETURNED', 'REJECTED', 'CANCELLED')),
  last_event        text not null default '' check (length(last_event) <= 500),
  last_event_at     timestamptz,
  -- When the carrier was asked last: not oftener than it allows.
  asked_at          timestamptz,
  sent_at           timestamptz,
  signed_at         timestamptz,
  owner_id          bigint references staff (id),
  org_id            bigint references org (id),
  created_at        timestamptz not null default now(),
  version           int not null default 1,
  check (status not in ('SENT', 'SIGNED', 'RETURNED', 'LOST') or (sent_at is not null and tracking_no is not null and carrier is not null)),
  check (status not in ('WAITING', 'HELD', 'SENT', 'SIGNED', 'RETURNED', 'LOST', 'MERGED')
    or num_nulls(receiver_name, receiver_phone, province, receiver_address) = 0),
  check (decided_by is null or applicant_id is null or decided_by <> applicant_id)
);
create unique index shipment_no on shipment (shipment_no text_pattern_ops);
create unique index shipment_tracking on shipment (tracking_no text_pattern_ops, carrier);
create index shipment_order on shipment (order_id, id);
create index shipment_coin_order on shipment (coin_order_id) where coin_order_id is not null;
create index shipment_member on shipment (member_id, id);
create index shipment_source on shipment (source, id);
create index shipment_status on shipment (status, id);
create index shipment_province on shipment (province, id);
create index shipment_goods on shipment (goods_name text_pattern_ops, id);
create index shipment_carrier on shipment (carrier, id);
create index shipment_tracking_status on shipment (tracking_status, id);
create index shipment_applicant on shipment (applicant_id, id);
create index shipment_owner on shipment (owner_id, id);
create index shipment_org on shipment (org_id, id);
create index shipment_created on shipment (created_at, id);
create index shipment_sent on shipment (sent_at, id);
create index shipment_event on shipment (last_event_at, id);
create index shipment_asking on shipment (asked_at nulls first, id) where status = 'SENT';
create index shipment_resend on shipment (resend_of) where resend_of is not null;
create index shipment_merged on shipment (merged_into) where merged_into is not null;
create index shipment_repeat on shipment (is_repeat, id);
create index shipment_waits on shipment (waits_for_stock, id);
select start_keeping_count('shipment', 'status', 'owned');

create table shipment_line (
  id              bigint generated always as identity primary key,
  shipment_id     bigint not null references shipment (id),
  base_product_id bigint not null references base_product (id),
  -- Whose goods these are; parcels may be merged. The line of the order pays for them, and is missing when they go free.
  order_id        bigint references sales_order (id),
  order_line_id   bigint references order_line (id),
  coin_order_id   bigint references coin_order (id),
  quantity        int not null check (quantity > 0),
  -- Held on the shelf for this shipment; all of it, or none while it waits for stock.
  locked          int not null default 0 check (locked between 0 and quantity),
  returned        int not null default 0 check (returned between 0 and quantity),
  check (order_line_id is null or order_id is not null)
);
create index shipment_line_shipment on shipment_line (shipment_id, id);
create index shipment_line_product on shipment_line (base_product_id) where locked > 0;
create index shipment_line_order on shipment_line (order_id) where order_id is not null;
create index shipment_line_coin_order on shipment_line (coin_order_id) where coin_order_id is not null;
create index shipment_line_order_line on shipment_line (order_line_id) where order_line_id is not null;
alter table stock_movement add foreign key (shipment_id) references shipment (id);

create table tracking_event (
  id          bigint generated always as identity primary key,
  shipment_id bigint not null references shipment (id),
  at          timestamptz not null,
  status      text not null,
  content     text not null check (length(content) between 1 and 500),
  unique (shipment_id, at, content)
);
