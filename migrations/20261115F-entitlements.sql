-- Members as sales and teachers know them, and what they hold: one ledger for orders, codes, gifts and refunds.

alter table member
  add column status             text not null default 'ACTIVE' check (status in ('ACTIVE', 'FROZEN')),
  add column channel            text not null default 'OTHER',
  add column teacher_id         bigint references staff (id),
  add column owner_since        timestamptz,
  add column tags               text[] not null default '{}',
  -- Kept with the ledger: the last day of membership, and the coins that may be spent (below zero: a debt).
  add column membership_ends_on date,
  add column coins              int not null default 0,
  add column last_check_in_at   timestamptz,
  add column last_work_at       timestamptz,
  add constraint member_guardian_name_length check (length(guardian_name) between 1 and 50);
create index member_level on member (level, id);
create index member_status on member (status, id);
create index member_source on member (source, id);
create index member_channel on member (channel, id);
create index member_teacher on member (teacher_id, id);
create index member_tags on member using gin (tags);
create index member_ends_on on member (membership_ends_on, id);
create index member_coins on member (coins, id);
create index member_last_work on member (last_work_at, id);
create index member_last_check_in on member (last_check_in_at, id);
create index member_created on member (created_at, id);
select start_keeping_count('member', 'level', 'owned');
insert into kept_count (table_name, org_id, owner_id, state, n)
  select 'member', org_id, owner_id, level, count(*) from member group by 2, 3, 4;

create table member_owner_history (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member (id),
  from_id    bigint references staff (id),
  to_id      bigint references staff (id),
  reason     text not null default '' check (length(reason) <= 200),
  staff_id   bigint references staff (id),
  created_at timestamptz not null
);
create index member_owner_history_member on member_owner_history (member_id, id);

create table follow_up (
  id         bigint generated always as identity primary key,
  member_id  bigint not null references member (id),
  kind       text not null,
  content    text not null check (length(content) between 1 and 1000),
  next_at    timestamptz,
  staff_id   bigint not null references staff (id),
  created_at timestamptz not null
);
create index follow_up_member on follow_up (member_id, id);

-- One parcel of rights, from one source. What is left of all of a member's lots of a kind is what the member holds.
create table entitlement_lot (
  id            bigint generated always as identity primary key,
  member_id     bigint not null references member (id),
  kind          text not null check (kind in ('MEMBER_DAYS', 'COURSE', 'LESSONS', 'COINS', 'APPOINTMENTS')),
  source        text not null check (source in ('ORDER', 'CODE', 'GIFT', 'REWARD')),
  order_line_id bigint,
  redemption_id bigint,
  name          text not null check (length(name) between 1 and 100),
  quantity      int not null check (quantity > 0),
  -- Coins that were spent before they were taken back leave a lot below zero: a debt, shown as such.
  remaining     int not null,
  -- Asked back by an open refund: held, and not to be spent.
  frozen        int not null default 0 check (frozen >= 0),
  edition_id    bigint references course_edition (id),
  granted_on    date not null,
  expires_on    date,
  created_at    timestamptz not null,
  check (remaining <= quantity),
  check (remaining >= 0 or kind = 'COINS'),
  check (frozen <= greatest(remaining, 0))
);
create index entitlement_lot_member on entitlement_lot (member_id, kind, id);
create index entitlement_lot_line on entitlement_lot (order_line_id) where order_line_id is not null;
create index entitlement_lot_redemption on entitlement_lot (redemption_id) where redemption_id is not null;
create index entitlement_lot_edition on entitlement_lot (edition_id) where edition_id is not null;
create index entitlement_lot_expiring on entitlement_lot (expires_on) where remaining > 0 and expires_on is not null;

create table entitlement_entry (
  id            bigint generated always as identity primary key,
  lot_id        bigint not null references entitlement_lot (id),
  member_id     bigint not null references member (id),
  kind          text not null,
  cause         text not null check (cause in ('GRANTED', 'SPENT', 'GIVEN_BACK', 'TAKEN_BACK', 'EXPIRED')),
  delta         int not null check (delta <> 0),
  -- Of all the member's lots of this kind.
  balance_after int not null,
  note          text not null default '' check (length(note) <= 200),
  refund_id     bigint,
  coin_order_id bigint,
  staff_id      bigint references staff (id),
  created_at    timestamptz not null
);
create index entitlement_entry_member on entitlement_entry (member_id, kind, id);
create index entitlement_entry_lot on entitlement_entry (lot_id, id);
-- What somebody has given away this month.
create index entitlement_entry_giver on entitlement_entry (staff_id, created_at) where cause = 'GRANTED' and staff_id is not null;
create index entitlement_entry_coin_order on entitlement_entry (coin_order_id) where coin_order_id is not null;
