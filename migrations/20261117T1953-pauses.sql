-- Days on which a membership stands still: none of its days passes. What is paused is asked for first.
create table entitlement_pause (
  id             bigint generated always as identity primary key,
  member_id      bigint not null references member (id),
  application_id bigint not null references member_application (id),
  starts_on      date not null,
  ends_on        date not null,
  created_at     timestamptz not null,
  constraint entitlement_pause_days check (ends_on >= starts_on)
);
create index entitlement_pause_member on entitlement_pause (member_id, starts_on);
create unique index entitlement_pause_application on entitlement_pause (application_id);

alter table member_application drop constraint member_application_kind_check;
alter table member_application
  add constraint member_application_kind_check check (kind in ('GIFT', 'PHONE', 'PAUSE', 'CLOSE')),
  add column pause_from date,
  add column pause_days int check (pause_days between 1 and 180),
  -- The last day it is paused, or was.
  add column paused_until date,
  -- Over by the calendar, or ended before.
  add column pause_over_at timestamptz,
  add constraint member_application_pause check ((kind = 'PAUSE') = (pause_from is not null) and (kind = 'PAUSE') = (pause_days is not null)),
  add constraint member_application_paused check (kind = 'PAUSE' or (paused_until is null and pause_over_at is null));
create index member_application_pausing on member_application (paused_until) where paused_until is not null and pause_over_at is null;
