-- Beside the password, a code of the person's own device. Secrets are sealed before they come here, of recovery codes
-- there are keyed digests alone.
create table second_factor (
  staff_id  bigint primary key references staff (id) on delete cascade,
  secret    bytea not null check (length(secret) = 48),
  since     timestamptz not null,
  -- The newest half minute a code was taken of: no code is taken twice.
  last_step bigint not null
);
create table recovery_code (
  staff_id bigint not null references second_factor (staff_id) on delete cascade,
  digest   bytea not null check (length(digest) = 32),
  used_at  timestamptz,
  primary key (staff_id, digest)
);
-- Shown and not yet confirmed: worth nothing until a code of it has come back.
create table second_factor_begun (
  staff_id   bigint primary key references staff (id) on delete cascade,
  secret     bytea not null check (length(secret) = 48),
  expires_at timestamptz not null
);

-- Listed with the account: written where the factor is.
alter table staff add column has_factor boolean not null default false;
create index staff_has_factor on staff (has_factor, id);

-- Signed in by password alone, where a role asks for more: opens nothing but the setting up.
alter table session add column must_enrol boolean not null default false;

alter table role add column second_factor text not null default 'OPTIONAL'
  check (second_factor in ('OPTIONAL', 'REQUIRED'));
create index role_second_factor on role (second_factor, id);

-- The months of the trace have the rule as their own, too: it goes from the whole, then from each, and comes back by the whole.
alter table login_trace drop constraint login_trace_result_check;
do $$
declare month regclass;
begin
  for month in select inhrelid::regclass from pg_inherits where inhparent = 'login_trace'::regclass loop
    execute format('alter table %s drop constraint if exists login_trace_result_check', month);
  end loop;
end $$;
alter table login_trace add constraint login_trace_result_check
  check (result in ('SUCCESS', 'CAPTCHA', 'CREDENTIALS', 'SECOND_STEP', 'CODE', 'LOCKED', 'DISABLED'));
