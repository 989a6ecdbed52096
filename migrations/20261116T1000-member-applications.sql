-- What somebody asks for on behalf of a member and others have to agree to. The columns of every request come first.
create table member_application (
  id             bigint generated always as identity primary key,
  kind           text not null check (kind in ('GIFT', 'PHONE')),
  status         text not null default 'SUBMITTED'
                 check (status in ('SUBMITTED', 'L1_APPROVED', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  reason         text not null check (length(reason) <= 200),
  needs_l2       boolean not null,
  applicant_id   bigint not null references staff (id),
  l1_by          bigint references staff (id),
  l2_by          bigint references staff (id),
  created_at     timestamptz not null,
  state_since    timestamptz,
  expires_at     timestamptz,
  ended_at       timestamptz,
  version        int not null default 1,
  application_no text not null check (application_no ~ '^A[0-9]{8}[0-9A-Z]{5}$'),
  member_id      bigint not null references member (id),
  owner_id       bigint references staff (id),
  org_id         bigint references org (id),
  gift_kind      text check (gift_kind in ('DAYS', 'COINS', 'COUPON')),
  quantity       int check (quantity between 1 and 10000),
  coupon_id      bigint references coupon (id),
  -- What whoever asked could still have given alone when asking.
  allowance_left int check (allowance_left >= 0),
  -- What was asked for and not refused for this member in the thirty days before.
  given_lately   int check (given_lately between 0 and 1000000),
  new_phone      text check (length(new_phone) <= 40),
  proof          uuid[] not null default '{}',
  constraint member_application_four_eyes check (l1_by <> applicant_id and l2_by <> applicant_id and l2_by <> l1_by),
  constraint member_application_agreed check (status <> 'APPROVED' or (l1_by is not null and (not needs_l2 or l2_by is not null))),
  constraint member_application_ended check ((ended_at is null) = (status = 'SUBMITTED' or status = 'L1_APPROVED')),
  constraint member_application_phone check ((kind = 'PHONE') = (new_phone is not null)),
  constraint member_application_gift check (kind <> 'GIFT' or (gift_kind is not null and allowance_left is not null
    and case gift_kind when 'COUPON' then coupon_id is not null and quantity is null else quantity is not null and coupon_id is null end))
);
create unique index member_application_no on member_application (application_no text_pattern_ops);
create unique index member_application_open on member_application (member_id, kind, gift_kind)
  nulls not distinct where status in ('SUBMITTED', 'L1_APPROVED');
create index member_application_member on member_application (member_id, id);
create index member_application_applicant on member_application (applicant_id, id);
create index member_application_owner on member_application (owner_id, id);
create index member_application_org on member_application (org_id, id);
create index member_application_status on member_application (status, id);
create index member_application_kind on member_application (kind, id);
create index member_application_created on member_application (created_at, id);
create index member_application_since on member_application (status, state_since, id) where status in ('SUBMITTED', 'L1_APPROVED');
create index member_application_expiring on member_application (expires_at) where status in ('SUBMITTED', 'L1_APPROVED');
create trigger keep_state_since before insert or update of status on member_application
  for each row execute function keep_state_since();
select start_keeping_count('member_application', 'status', 'owned', 'applicant_id');

-- Given because it was asked for and agreed to: nobody's monthly allowance.
alter table entitlement_lot add application_id bigint references member_application (id);
create unique index entitlement_lot_application on entitlement_lot (application_id) where application_id is not null;
alter table member_coupon add application_id bigint references member_application (id);
create unique index member_coupon_application on member_coupon (application_id) where application_id is not null;
