-- What is sold, apart from what it gives: a product carries grants, and everything that gives uses the same grants.

create table course_package (
  id         bigint generated always as identity primary key,
  name       text not null check (length(name) between 1 and 100),
  stage      text not null,
  days       int not null check (days between 1 and 3650),
  -- The working copy: [{title, day, material, homework}]. Pupils learn by a published edition.
  lessons    jsonb not null default '[]',
  lesson_count int not null generated always as (jsonb_array_length(lessons)) stored,
  edition    int not null default 0 check (edition >= 0),
  status     text not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'CHANGED')),
  created_at timestamptz not null default now(),
  version    int not null default 1
);
create index course_package_name on course_package (name text_pattern_ops);
create index course_package_stage on course_package (stage, id);
create index course_package_status on course_package (status, id);

create table course_edition (
  id           bigint generated always as identity primary key,
  package_id   bigint not null references course_package (id) on delete cascade,
  edition      int not null check (edition > 0),
  lessons      jsonb not null,
  published_by bigint not null references staff (id),
  published_at timestamptz not null,
  unique (package_id, edition)
);

create table product (
  id                  bigint generated always as identity primary key,
  code                text not null check (code ~ '^[A-Z0-9][A-Z0-9-]{1,29}$'),
  name                text not null check (length(name) between 1 and 100),
  price_fen           bigint not null check (price_fen >= 0),
  list_fen            bigint not null check (list_fen >= 0),
  -- [{kind, quantity, validDays, sharePermille, packageId?, kitId?, name}]; shares add up to 1000.
  grants              jsonb not null,
  commission_permille int not null default 0 check (commission_permille between 0 and 500),
  -- A sale that finds no goods waits for them instead of being refused.
  may_wait            boolean not null default false,
  status              text not null default 'OFF_SALE' check (status in ('ON_SALE', 'OFF_SALE')),
  sold                int not null default 0 check (sold >= 0),
  sort                int not null default 0,
  note                text not null default '' check (length(note) <= 500),
  created_at          timestamptz not null default now(),
  version             int not null default 1
);
create unique index product_code on product (code text_pattern_ops);
create index product_name on product (name text_pattern_ops);
create index product_status on product (status, id);
create index product_sort on product (sort, id);
create index product_price on product (price_fen, id);
create index product_sold on product (sold, id);
create index product_grants on product using gin (grants jsonb_path_ops);

create table coupon (
  id            bigint generated always as identity primary key,
  name          text not null check (length(name) between 1 and 100),
  kind          text not null check (kind in ('CASH', 'DISCOUNT')),
  -- CASH: taken off. DISCOUNT: the most that is taken off.
  amount_fen    bigint not null check (amount_fen > 0),
  -- DISCOUNT: what is left to pay, 880 for 88 %.
  permille      int check (permille between 1 and 999),
  threshold_fen bigint not null default 0 check (threshold_fen >= 0),
  scope         text not null default 'ALL' check (scope in ('ALL', 'PRODUCTS')),
  product_ids   jsonb not null default '[]',
  validity      text not null check (validity in ('FIXED', 'AFTER_TAKING')),
  valid_from    date,
  valid_to      date,
  valid_days    int check (valid_days between 1 and 3650),
  total         int not null check (total between 1 and 10000000),
  taken         int not null default 0 check (taken >= 0),
  used          int not null default 0 check (used >= 0),
  per_person    int not null check (per_person between 1 and 1000),
  status        text not null default 'ACTIVE' check (status in ('ACTIVE', 'STOPPED')),
  created_at    timestamptz not null default now(),
  version       int not null default 1,
  check ((kind = 'DISCOUNT') = (permille is not null)),
  check ((scope = 'PRODUCTS') = (product_ids <> '[]')),
  check ((validity = 'FIXED') = (valid_from is not null and valid_to is not null)),
  check ((validity = 'AFTER_TAKING') = (valid_days is not null)),
  check (valid_from <= valid_to),
  constraint coupon_within_total check (taken <= total),
  check (used <= taken)
);
create index coupon_name on coupon (name text_pattern_ops);
create index coupon_kind on coupon (kind, id);
create index coupon_validity on coupon (validity, id);
create index coupon_status on coupon (status, id);
create index coupon_scope on coupon (scope, id);
create index coupon_valid_to on coupon (valid_to, id);
create index coupon_threshold on coupon (threshold_fen, id);
create index coupon_total on coupon (total, id);
create index coupon_taken on coupon (taken, id);
create index coupon_used on coupon (used, id);

create table coin_goods (
  id              bigint generated always as identity primary key,
  base_product_id bigint not null references base_product (id),
  name            text not null check (length(name) between 1 and 100),
  coins           int not null check (coins between 1 and 10000000),
  cash_fen        bigint not null default 0 check (cash_fen >= 0),
  -- The mall's part of the one stock: how many may go for coins at all.
  quota           int not null check (quota >= 0),
  sold            int not null default 0 check (sold >= 0),
  per_person      int not null check (per_person between 1 and 1000),
  status          text not null default 'OFF' check (status in ('ON', 'OFF')),
  sort            int not null default 0,
  created_at      timestamptz not null default now(),
  version         int not null default 1,
  constraint coin_goods_within_quota check (sold <= quota)
);
create index coin_goods_base on coin_goods (base_product_id);
create index coin_goods_name on coin_goods (name text_pattern_ops);
create index coin_goods_status on coin_goods (status, id);
create index coin_goods_coins on coin_goods (coins, id);
create index coin_goods_sort on coin_goods (sort, id);
create index coin_goods_sold on coin_goods (sold, id);

create table code_batch (
  id                bigint generated always as identity primary key,
  batch_no          text not null check (batch_no ~ '^B[0-9]{11}$'),
  name              text not null check (length(name) between 1 and 100),
  buyer             text not null check (length(buyer) between 1 and 100),
  -- As of a product, frozen when the batch is made.
  grants            jsonb not null,
  unit_price_fen    bigint not null default 0 check (unit_price_fen >= 0),
  quantity          int not null check (quantity between 1 and 100000),
  -- Codes that exist: approved, a batch gets them a part at a time.
  made              int not null default 0 check (made >= 0),
  used              int not null default 0 check (used >= 0),
  voided            int not null default 0 check (voided >= 0),
  per_person        int not null default 1 check (per_person between 1 and 100),
  valid_from        date not null,
  valid_to          date not null,
  status            text not null default 'DRAFT' check (status in ('DRAFT', 'APPROVED', 'ACTIVE', 'PAUSED', 'CLOSED')),
  applicant_id      bigint not null references staff (id),
  approved_by       bigint references staff (id),
  -- The plain codes leave once; whoever took the file confirms its checksum, and only hashes remain.
  exported_by       bigint references staff (id),
  exported_at       timestamptz,
  checksum          text check (checksum ~ '^[0-9a-f]{64}$'),
  confirmed_at      timestamptz,
  created_at        timestamptz not null default now(),
  version           int not null default 1,
  check (valid_from <= valid_to),
  check (made <= quantity),
  check (used + voided <= made),
  check (approved_by is null or approved_by <> applicant_id)
);
create unique index code_batch_no on code_batch (batch_no text_pattern_ops);
create index code_batch_name on code_batch (name text_pattern_ops);
create index code_batch_buyer on code_batch (buyer text_pattern_ops);
create index code_batch_status on code_batch (status, id);
create index code_batch_valid_to on code_batch (valid_to, id);
create index code_batch_created on code_batch (created_at, id);
create index code_batch_applicant on code_batch (applicant_id, id);
