-- Numbers of the business that people change; what nobody has changed is not here.
create table business_setting (
  key text primary key,
  value integer not null,
  since timestamptz not null
);

-- Every change with its reason, and those that wait for a second person.
create table setting_change (
  id bigint generated always as identity primary key,
  key text not null check (char_length(key) <= 100),
  name text not null check (char_length(name) <= 100),
  before integer not null,
  value integer not null,
  unit text not null check (unit in ('days', 'percent', 'fen', 'coins', 'coupons')),
  status text not null check (status in ('PROPOSED', 'IN_FORCE', 'REPLACED', 'REFUSED', 'WITHDRAWN')),
  reason text not null check (char_length(reason) <= 200),
  -- Nobody: it was taken over from the environment.
  applicant_id bigint references staff,
  decided_by bigint references staff,
  -- The change this one replaces; where there is none, nobody had changed the default before.
  based_on bigint references setting_change,
  created_at timestamptz not null,
  in_force_at timestamptz,
  version integer not null default 1,
  constraint setting_change_four_eyes check (decided_by <> applicant_id),
  constraint setting_change_since check ((in_force_at is not null) = (status = 'IN_FORCE' or status = 'REPLACED'))
);
create unique index setting_change_in_force on setting_change (key) where status = 'IN_FORCE';
create unique index setting_change_proposed on setting_change (key) where status = 'PROPOSED';
create index setting_change_status on setting_change (status, id);
create index setting_change_key on setting_change (key text_pattern_ops, id);
create index setting_change_name on setting_change (name text_pattern_ops);
create index setting_change_name_pairs on setting_change using gin (name_pairs(name));
create index setting_change_applicant on setting_change (applicant_id);
create index setting_change_created on setting_change (created_at, id);

-- Work the first start after an upgrade has to do once; a new installation has none.
create table upgrade_due (name text primary key);
insert into upgrade_due select 'settings-from-environment' where exists (select from staff);

-- What was asked for under the numbers of its day is decided by them. What is open was asked for under the defaults, or
-- under what the environment said, which the first start writes down; of what has ended nobody knows any more.
alter table refund_application add terms jsonb;
update refund_application set terms = '{"windowDays": 7, "windowUsedPercent": 10, "l2Fen": 100000, "l2Days": 30}'
  where status not in ('PAID', 'REJECTED', 'WITHDRAWN');
alter table refund_application add constraint refund_application_terms
  check (terms is not null or status = 'PAID' or status = 'REJECTED' or status = 'WITHDRAWN');
alter table payment_exception add returns_at timestamptz;
update payment_exception set returns_at = created_at + interval '7 days' where kind = 'STRAY';
create index payment_exception_returns on payment_exception (returns_at) where status = 'OPEN' and kind = 'STRAY';
