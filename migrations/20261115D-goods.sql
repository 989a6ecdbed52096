-- Goods on the shelf: what lies there, what is promised, and every movement that made it so.

create table base_product (
  id         bigint generated always as identity primary key,
  sku        text not null check (sku ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'),
  name       text not null check (length(name) between 1 and 100),
  unit       text not null check (length(unit) between 1 and 10),
  on_hand    int not null default 0 check (on_hand >= 0),
  -- Promised to shipments that have not left. A stock check may find less than that on the shelf: then there is a shortage.
  locked     int not null default 0 check (locked >= 0),
  available  int not null generated always as (on_hand - locked) stored,
  warn_at    int not null default 0 check (warn_at >= 0),
  is_low     boolean not null generated always as (on_hand - locked <= warn_at) stored,
  cost_fen   bigint not null check (cost_fen >= 0),
  -- What a part that does not come back is worth when money is given back.
  value_fen  bigint not null check (value_fen >= 0),
  created_at timestamptz not null default now(),
  version    int not null default 1
);
create unique index base_product_sku on base_product (sku text_pattern_ops);
create index base_product_name on base_product (name text_pattern_ops);
create index base_product_low on base_product (is_low, id);
create index base_product_on_hand on base_product (on_hand, id);
create index base_product_available on base_product (available, id);

-- The book: on hand is the sum of its movements, and each tells what lay there after it.
create table stock_movement (
  id              bigint generated always as identity primary key,
  base_product_id bigint not null references base_product (id),
  cause           text not null check (cause in ('IN', 'OUT', 'SENT', 'RETURNED', 'CHECK')),
  quantity        int not null check (quantity <> 0),
  balance_after   int not null check (balance_after >= 0),
  note            text not null default '' check (length(note) <= 200),
  shipment_id     bigint,
  staff_id        bigint references staff (id),
  created_at      timestamptz not null
);
create index stock_movement_product on stock_movement (base_product_id, id);
create index stock_movement_shipment on stock_movement (shipment_id) where shipment_id is not null;

-- Somebody counted; somebody else confirms, and the book follows what was counted.
create table stock_check (
  id              bigint generated always as identity primary key,
  base_product_id bigint not null references base_product (id),
  counted         int not null check (counted >= 0),
  note            text not null default '' check (length(note) <= 200),
  status          text not null default 'WAITING' check (status in ('WAITING', 'APPROVED', 'REJECTED')),
  -- The book at the moment of approval, not of counting: goods moved meanwhile.
  book            int,
  applicant_id    bigint not null references staff (id),
  decided_by      bigint references staff (id),
  created_at      timestamptz not null,
  decided_at      timestamptz,
  check ((status = 'WAITING') = (decided_at is null)),
  check (decided_by is null or decided_by <> applicant_id)
);
create unique index stock_check_open on stock_check (base_product_id) where status = 'WAITING';
create index stock_check_product on stock_check (base_product_id, id);

create table goods_kit (
  id         bigint generated always as identity primary key,
  code       text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'),
  name       text not null check (length(name) between 1 and 100),
  weight_g   int not null check (weight_g between 0 and 100000),
  -- [{baseProductId, sku, name, quantity}]
  parts      jsonb not null,
  created_at timestamptz not null default now(),
  version    int not null default 1
);
create unique index goods_kit_code on goods_kit (code text_pattern_ops);
create index goods_kit_name on goods_kit (name text_pattern_ops);
create index goods_kit_parts on goods_kit using gin (parts jsonb_path_ops);
