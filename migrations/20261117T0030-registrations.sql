-- Somebody began to register and has not come to the end: how far, and who sees to it. One row for each lead that began.
create table registration (
  id           bigint generated always as identity primary key,
  lead_id      bigint not null references lead (id),
  -- Nothing once the lead was forgotten.
  phone        text check (length(phone) <= 20),
  source       text not null,
  channel      text not null,
  step         text not null check (step in ('PHONE', 'CODE_SENT', 'CODE_ENTERED', 'PROFILE')),
  code_sent_at timestamptz,
  status       text not null default 'WAITING' check (status in ('WAITING', 'REMINDED', 'REGISTERED', 'INVALID')),
  reminders    int not null default 0 check (reminders >= 0),
  reminded_at  timestamptz,
  last_at      timestamptz not null,
  owner_id     bigint references staff (id),
  org_id       bigint references org (id),
  created_at   timestamptz not null,
  version      int not null default 1,
  constraint registration_lead unique (lead_id),
  constraint registration_reminded check ((reminded_at is null) = (reminders = 0))
);
create index registration_phone on registration (phone);
create index registration_source on registration (source, last_at, id);
create index registration_channel on registration (channel, last_at, id);
create index registration_step on registration (step, last_at, id);
create index registration_status on registration (status, last_at, id);
create index registration_last on registration (last_at, id);
create index registration_code_sent on registration (code_sent_at, id);
create index registration_owner on registration (owner_id, last_at, id);
create index registration_org on registration (org_id, last_at, id);
select start_keeping_count('registration', 'status', 'owned');

-- Whoever may become a member can be written to as well.
alter table message add lead_id bigint references lead (id);
alter table message drop constraint message_check;
alter table message add constraint message_receiver check (num_nonnulls(member_id, staff_id, lead_id) = 1);
create index message_lead on message (lead_id) where lead_id is not null;
