-- What guardians agreed to, word by word (docs/decisions/067): nothing is ever changed or removed, the last word on each purpose stands.
create table consent (
  id           bigint generated always as identity primary key,
  member_id    bigint not null references member (id),
  purpose      text not null check (purpose in ('PICTURE', 'VOICE', 'VIDEO', 'DISPLAY', 'MARKETING')),
  act          text not null check (act in ('GIVEN', 'WITHDRAWN')),
  stands       boolean not null default false,
  way          text not null check (length(way) <= 100),
  said_by      text not null check (length(said_by) <= 50),
  -- Which wording was agreed to.
  text_version text check (length(text_version) <= 40),
  evidence     text check (length(evidence) <= 200),
  happened_at  timestamptz not null,
  -- None where the app told it.
  staff_id     bigint references staff (id),
  created_at   timestamptz not null,
  constraint consent_wording check (act = 'WITHDRAWN' or text_version is not null),
  constraint consent_by_hand check (staff_id is null or evidence is not null)
);
create unique index consent_standing on consent (member_id, purpose) where stands;
create index consent_member on consent (member_id, id);
create index consent_purpose on consent (member_id, purpose, id);
create index consent_act on consent (member_id, act, id);
create index consent_stands on consent (member_id, stands, id);
create index consent_last on consent (member_id, purpose, happened_at);

-- Numbers whose people answered that they want no advertising, whoever has the number.
create table refused_number (
  phone text primary key check (length(phone) <= 20),
  since timestamptz not null
);

-- Nobody was asked before: nothing is shown until somebody agrees.
update work set is_excellent = false, version = version + 1 where is_excellent;
