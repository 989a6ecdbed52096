-- Who is whose contact on the chat platform, and how contacts go into other hands (docs/decisions/074).
create table chat_contact (
  id           bigint generated always as identity primary key,
  staff_id     bigint not null references staff (id),
  -- None while nobody knows who it is.
  member_id    bigint references member (id),
  -- What the platform calls the person.
  external_id  text not null check (length(external_id) between 1 and 64),
  name         text check (length(name) <= 100),
  remark       text check (length(remark) <= 200),
  -- The platform's number for how they met, and which of our codes or links it was.
  add_way      text not null check (add_way ~ '^\d{1,3}$'),
  channel      text check (channel ~ '^[ -~]{1,64}$'),
  since        timestamptz not null,
  -- With its colleague, gone, or as its last transfer stands.
  status       text not null default 'HELD' check (status in ('HELD', 'ASKED', 'UNKNOWN', 'WAITING', 'DONE', 'REFUSED', 'FULL',
                 'NO_RECORD', 'PROTECTED', 'REJECTED', 'LOST')),
  successor_id bigint references staff (id),
  asked_at     timestamptz,
  effective_at timestamptz,
  errcode      integer,
  lost_at      timestamptz,
  lost_by      text check (lost_by in ('CUSTOMER', 'STAFF', 'ERASURE')),
  created_at   timestamptz not null,
  version      integer not null default 1,
  constraint chat_contact_lost check ((status = 'LOST') = (lost_at is not null) and (lost_at is null) = (lost_by is null)),
  constraint chat_contact_asked check ((asked_at is null) = (successor_id is null) and (status = 'HELD' or status = 'LOST' or asked_at is not null))
);
create unique index chat_contact_once on chat_contact (staff_id, external_id) where status not in ('DONE', 'LOST');
create index chat_contact_staff on chat_contact (staff_id, id);
create index chat_contact_status on chat_contact (staff_id, status, id);
create index chat_contact_member on chat_contact (member_id, id);
create index chat_contact_external on chat_contact (external_id);

-- Each time a contact was to go from one colleague to another: 1 to 5 are the platform's states.
create table contact_transfer (
  id           bigint generated always as identity primary key,
  contact_id   bigint not null references chat_contact (id),
  from_id      bigint not null references staff (id),
  to_id        bigint not null references staff (id),
  -- Who handed over.
  by_id        bigint references staff (id),
  is_leave     boolean not null,
  status       text not null check (status in ('ASKED', 'UNKNOWN', 'WAITING', 'DONE', 'REFUSED', 'FULL', 'NO_RECORD', 'PROTECTED',
                 'REJECTED')),
  attempts     integer not null default 0,
  asked_at     timestamptz not null,
  -- When the platform was last spoken to: whoever finds this set and no answer does not know what came of it.
  called_at    timestamptz,
  -- From when it holds; of what is protected, until when.
  effective_at timestamptz,
  errcode      integer,
  -- The contact it has become.
  taken_id     bigint references chat_contact (id),
  ended_at     timestamptz,
  constraint contact_transfer_end check ((status in ('ASKED', 'UNKNOWN', 'WAITING')) = (ended_at is null)),
  constraint contact_transfer_taken check ((status = 'DONE') = (taken_id is not null)),
  constraint contact_transfer_other check (from_id <> to_id)
);
create unique index contact_transfer_open on contact_transfer (contact_id) where ended_at is null;
create index contact_transfer_contact on contact_transfer (contact_id, id);
create index contact_transfer_pair on contact_transfer (from_id, to_id, is_leave) where ended_at is null;
create index contact_transfer_protected on contact_transfer (effective_at) where status = 'PROTECTED';
