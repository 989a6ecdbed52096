-- A link by which a consultant sells one product at a price that stands for some days.
create table sales_link (
  id            bigint generated always as identity primary key,
  code          text not null check (code ~ '^[2-9a-hjkmnp-z]{8}$'),
  status        text not null default 'ACTIVE' check (status in ('ACTIVE', 'USED', 'EXPIRED', 'CLOSED')),
  owner_id      bigint not null references staff (id),
  org_id        bigint not null references org (id),
  product_id    bigint not null references product (id),
  -- What the product cost when the link was made, and what it costs by it: less only where that was agreed to.
  list_fen      bigint not null check (list_fen > 0),
  price_fen     bigint not null check (price_fen > 0),
  discount_id   bigint references sales_request (id),
  -- The one order that was sold at the price agreed to.
  used_order_id bigint references sales_order (id) deferrable initially deferred,
  expires_on    date not null,
  visits        int not null default 0 check (visits >= 0),
  leads         int not null default 0 check (leads >= 0),
  -- Those that were paid, and what for.
  orders        int not null default 0 check (orders >= 0),
  amount_fen    bigint not null default 0 check (amount_fen >= 0),
  -- Orders the shop told of at a lower price than ours.
  short_orders  int not null default 0 check (short_orders >= 0),
  created_at    timestamptz not null,
  version       int not null default 1,
  constraint sales_link_price check (case when discount_id is null then price_fen = list_fen else price_fen < list_fen end),
  constraint sales_link_used check ((status = 'USED') = (used_order_id is not null) and (used_order_id is null or discount_id is not null))
);
create unique index sales_link_code on sales_link (code text_pattern_ops);
-- A discount makes one price: no second link stands on it while the first is in force or has sold.
create unique index sales_link_discount on sales_link (discount_id) where status in ('ACTIVE', 'USED');
create index sales_link_used_order on sales_link (used_order_id) where used_order_id is not null;
create index sales_link_status on sales_link (status, id);
create index sales_link_owner on sales_link (owner_id, id);
create index sales_link_org on sales_link (org_id, id);
create index sales_link_product on sales_link (product_id, id);
create index sales_link_expires on sales_link (expires_on, id);
create index sales_link_visits on sales_link (visits, id);
create index sales_link_leads on sales_link (leads, id);
create index sales_link_orders on sales_link (orders, id);
create index sales_link_amount on sales_link (amount_fen, id);
create index sales_link_short on sales_link (short_orders, id);
create index sales_link_created on sales_link (created_at, id);
select start_keeping_count('sales_link', 'status', 'owned');

-- How many came on a day, each visitor once.
create table sales_link_day (
  id      bigint generated always as identity primary key,
  link_id bigint not null references sales_link (id) on delete cascade,
  day     date not null,
  visits  int not null check (visits > 0)
);
create unique index sales_link_day_day on sales_link_day (link_id, day);
create index sales_link_day_link on sales_link_day (link_id, id);
-- By what a visitor is known again on the same day: a keyed digest, kept no longer than it is asked for.
create table sales_link_visitor (
  link_id bigint not null references sales_link (id) on delete cascade,
  day     date not null,
  digest  bytea not null,
  primary key (link_id, day, digest)
);
create index sales_link_visitor_day on sales_link_visitor (day);

-- What was ordered by a link, and whether at its price.
create table sales_link_order (
  id         bigint generated always as identity primary key,
  link_id    bigint not null references sales_link (id) on delete cascade,
  order_id   bigint not null references sales_order (id),
  outcome    text not null check (outcome in ('LOCKED', 'DISCOUNTED', 'NOT_IN_FORCE', 'ALREADY_USED', 'OTHER_PRODUCT', 'WITH_COUPON')),
  amount_fen bigint not null check (amount_fen >= 0),
  -- What the shop said it sold for, where it said so.
  told_fen   bigint check (told_fen >= 0),
  paid_fen   bigint not null default 0 check (paid_fen >= 0),
  at         timestamptz not null
);
create unique index sales_link_order_order on sales_link_order (order_id);
create index sales_link_order_link on sales_link_order (link_id, id);
create index sales_link_order_at on sales_link_order (link_id, at);
create index sales_link_order_outcome on sales_link_order (link_id, outcome);

-- What came by a link says so: the first one a lead came by, and the one an order was placed by. Links stand on requests and those on
-- leads, so that of a lead it is asked at the end.
alter table lead add link_id bigint references sales_link (id) deferrable initially deferred;
create index lead_link on lead (link_id, id);
alter table sales_order add link_id bigint references sales_link (id);
create index sales_order_link on sales_order (link_id, id);
