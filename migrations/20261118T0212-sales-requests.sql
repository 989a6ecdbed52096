-- What consultants ask for and others have to agree to: somebody's lead, more claims on a day, a lower price, a gift.
create table sales_request (
  id           bigint generated always as identity primary key,
  kind         text not null check (kind in ('TAKE_OVER', 'EXTRA_QUOTA', 'DISCOUNT', 'GIFT')),
  status       text not null default 'SUBMITTED'
               check (status in ('SUBMITTED', 'L1_APPROVED', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  reason       text not null check (length(reason) <= 200),
  needs_l2     boolean not null,
  applicant_id bigint not null references staff (id),
  l1_by        bigint references staff (id),
  l2_by        bigint references staff (id),
  created_at   timestamptz not null,
  state_since  timestamptz,
  expires_at   timestamptz,
  ended_at     timestamptz,
  version      int not null default 1,
  request_no   text not null check (request_no ~ '^Q[0-9]{8}[0-9A-Z]{5}$'),
  owner_id     bigint not null references staff (id),
  org_id       bigint not null references org (id),
  -- The number whoever asks knows; whether it is anybody's lead only those who decide learn.
  lead_phone   text check (length(lead_phone) <= 20),
  lead_id      bigint references lead (id) on delete set null,
  from_id      bigint references staff (id),
  pool_id      bigint references lead_pool (id),
  quota_day    date,
  extra_claims int check (extra_claims between 1 and 200),
  product_id   bigint references product (id),
  list_fen     bigint check (list_fen > 0),
  price_fen    bigint check (price_fen > 0),
  -- The last day a link may be made by it.
  usable_until date,
  gift_to_id   bigint references member (id),
  gift_kind    text check (gift_kind in ('DAYS', 'COINS', 'COUPON')),
  quantity     int check (quantity between 1 and 10000),
  coupon_id    bigint references coupon (id),
  constraint sales_request_four_eyes check (l1_by <> applicant_id and l2_by <> applicant_id and l2_by <> l1_by),
  constraint sales_request_agreed check (status <> 'APPROVED' or (l1_by is not null and (not needs_l2 or l2_by is not null))),
  constraint sales_request_ended check ((ended_at is null) = (status = 'SUBMITTED' or status = 'L1_APPROVED')),
  constraint sales_request_lead check (kind = 'TAKE_OVER' or (lead_phone is null and lead_id is null and from_id is null)),
  constraint sales_request_quota check (
    (kind = 'EXTRA_QUOTA') = (pool_id is not null) and (pool_id is null) = (quota_day is null) and (pool_id is null) = (extra_claims is null)),
  constraint sales_request_discount check (
    (kind = 'DISCOUNT') = (product_id is not null) and (product_id is null) = (price_fen is null) and (product_id is null) = (list_fen is null)
    and price_fen < list_fen and (usable_until is not null) = (kind = 'DISCOUNT' and status = 'APPROVED')),
  constraint sales_request_gift check (
    (kind = 'GIFT') = (gift_to_id is not null) and (kind = 'GIFT') = (gift_kind is not null)
    and case gift_kind when 'COUPON' then coupon_id is not null and quantity is null when 'DAYS' then quantity is not null and coupon_id is null
      when 'COINS' then quantity is not null and coupon_id is null else quantity is null and coupon_id is null end)
);
create unique index sales_request_no on sales_request (request_no text_pattern_ops);
create unique index sales_request_open on sales_request (applicant_id, lead_phone, pool_id, quota_day, product_id, gift_to_id, gift_kind)
  nulls not distinct where status in ('SUBMITTED', 'L1_APPROVED');
create index sales_request_applicant on sales_request (applicant_id, id);
create index sales_request_owner on sales_request (owner_id, id);
create index sales_request_org on sales_request (org_id, id);
create index sales_request_status on sales_request (status, id);
create index sales_request_kind on sales_request (kind, id);
create index sales_request_created on sales_request (created_at, id);
create index sales_request_lead_id on sales_request (lead_id);
create index sales_request_phone on sales_request (lead_phone);
create index sales_request_gift_to on sales_request (gift_to_id);
create index sales_request_since on sales_request (status, state_since, id) where status in ('SUBMITTED', 'L1_APPROVED');
create index sales_request_expiring on sales_request (expires_at) where status in ('SUBMITTED', 'L1_APPROVED');
create trigger keep_state_since before insert or update of status on sales_request for each row execute function keep_state_since();
select start_keeping_count('sales_request', 'status', 'owned', 'applicant_id');

-- What a form may choose of pools: those that are open.
alter table lead_pool add state text generated always as (case when is_open then 'OPEN' else 'CLOSED' end) stored;

-- Claims somebody may make on a day above what the pool gives everybody.
create table lead_pool_extra (
  request_id bigint primary key,
  pool_id    bigint not null references lead_pool (id) on delete cascade,
  staff_id   bigint not null references staff (id),
  day        date not null,
  extra      int not null check (extra between 1 and 200)
);
create index lead_pool_extra_day on lead_pool_extra (staff_id, day);
