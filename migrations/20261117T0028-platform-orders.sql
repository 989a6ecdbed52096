-- Orders other platforms sold: what each has told of them, in whatever order it came, and what follows from all of it together.
create table platform_order (
  id              bigint generated always as identity primary key,
  platform        text not null check (platform in ('DOUYIN', 'WECHAT_SHOP', 'XIAOHONGSHU')),
  order_no        text not null check (length(order_no) <= 64),
  -- What was told, each with its time: everything below that the platform decides follows from it, whatever came first.
  facts           jsonb not null default '{}',
  status          text not null check (status in ('UNPAID', 'BOUGHT', 'CLAIMED', 'REGISTERED', 'VERIFIED', 'REFUNDED', 'CLOSED')),
  product_name    text check (length(product_name) <= 100),
  sku_id          text check (length(sku_id) <= 64),
  amount_fen      bigint check (amount_fen >= 0),
  platform_status text,
  after_sale      text,
  -- What the platform calls the buyer, and the link the course is claimed by.
  unionid         text check (length(unionid) <= 128),
  claim_state     text check (length(claim_state) <= 128),
  author          text check (length(author) <= 100),
  room            text check (length(room) <= 100),
  lead_phone      text check (length(lead_phone) <= 40),
  -- Given by its person; or the platform's, for this order alone: the true one, or one that only forwards.
  phone_kind      text check (phone_kind in ('OWN', 'DECRYPTED', 'VIRTUAL')),
  last4           text check (length(last4) <= 4),
  verify_state    text not null default 'NONE' check (verify_state in ('NONE', 'ASKED', 'VERIFIED', 'CANCELLING', 'FAILED')),
  verified_at     timestamptz,
  -- What the platform calls the verification, to take it back by.
  verify_id       text check (length(verify_id) <= 64),
  verify_error    text check (length(verify_error) <= 200),
  refund_state    text not null default 'NONE' check (refund_state in ('NONE', 'ASKED', 'REFUNDED')),
  refunded_fen    bigint check (refunded_fen >= 0),
  exception       text not null default 'NONE'
    check (exception in ('NONE', 'UNCLAIMED', 'PHONE_MISMATCH', 'REFUNDED_ACTIVE', 'SAME_PHONE', 'PRODUCT_UNKNOWN')),
  -- The exception somebody has looked after: it is not raised again.
  handled         text,
  frozen          boolean not null default false,
  chat_added      boolean not null default false,
  regranted_at    timestamptz,
  bound_by        bigint references staff (id),
  member_id       bigint references member (id),
  registered      boolean not null generated always as (member_id is not null) stored,
  order_id        bigint references sales_order (id),
  owner_id        bigint references staff (id),
  org_id          bigint references org (id),
  paid_at         timestamptz,
  claimed_at      timestamptz,
  registered_at   timestamptz,
  refunded_at     timestamptz,
  synced_at       timestamptz,
  created_at      timestamptz not null,
  version         int not null default 1,
  -- However often a platform tells of an order, it is one.
  constraint platform_order_no unique (platform, order_no)
);
create index platform_order_find on platform_order (order_no text_pattern_ops, id);
create index platform_order_tab on platform_order (platform, status, id);
create index platform_order_page on platform_order (platform, id);
create index platform_order_status on platform_order (status, id);
create index platform_order_product on platform_order (product_name text_pattern_ops, id);
create index platform_order_said on platform_order (platform_status, id);
create index platform_order_after_sale on platform_order (after_sale, id);
create index platform_order_author on platform_order (author text_pattern_ops, id);
create index platform_order_room on platform_order (room text_pattern_ops, id);
create index platform_order_last4 on platform_order (last4 text_pattern_ops, id);
create index platform_order_verify on platform_order (verify_state, id);
create index platform_order_refund on platform_order (refund_state, id);
create index platform_order_exception on platform_order (exception, id);
create index platform_order_chat on platform_order (chat_added, id);
create index platform_order_registered on platform_order (registered, id);
create index platform_order_amount on platform_order (amount_fen, id);
create index platform_order_paid on platform_order (paid_at, id);
create index platform_order_claimed on platform_order (claimed_at, id);
create index platform_order_verified on platform_order (verified_at, id);
create index platform_order_refunded on platform_order (refunded_at, id);
create index platform_order_member on platform_order (member_id, id);
create index platform_order_sold on platform_order (order_id) where order_id is not null;
create index platform_order_owner on platform_order (owner_id, id);
create index platform_order_org on platform_order (org_id, id);
create index platform_order_lead on platform_order (lead_phone) where lead_phone is not null;
create index platform_order_unionid on platform_order (unionid) where unionid is not null;
create index platform_order_claim_state on platform_order (claim_state) where claim_state is not null;
-- Waiting to be claimed, the longest first.
create index platform_order_unclaimed on platform_order (paid_at) where status = 'BOUGHT';

-- By what else than a number a member is known outside: what a platform calls the person, and the link a course was claimed by.
create table member_identity (
  kind      text not null check (kind in ('UNIONID', 'STATE')),
  value     text not null check (length(value) between 1 and 128),
  member_id bigint not null references member (id),
  told_at   timestamptz not null,
  primary key (kind, value)
);
create index member_identity_member on member_identity (member_id);

-- The money has gone back where it came from, and nobody has entered it yet: nothing of the lot is spent meanwhile.
alter table entitlement_lot add held boolean not null default false;
