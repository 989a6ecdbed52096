-- Whom a partner's statements are sent to.
alter table partner
  add contact_name  text check (length(contact_name) between 1 and 50),
  add contact_phone text check (contact_phone ~ '^1[3-9][0-9]{9}$'),
  add contact_email text check (length(contact_email) between 3 and 100);

-- Partners are told things too.
alter table message add partner_id bigint references partner (id);
alter table message drop constraint message_receiver;
alter table message add constraint message_receiver check (num_nonnulls(member_id, staff_id, lead_id, partner_id) = 1);
create index message_partner on message (partner_id, id) where partner_id is not null;

-- How the partner's word came to us, and what became of the link it may be given by.
alter table settlement_statement
  add confirmed_via text check (confirmed_via in ('RECORDED', 'LINK')),
  add link_state    text not null default 'NONE' check (link_state in ('NONE', 'SENDING', 'SENT', 'FAILED', 'ASKED', 'USED')),
  add link_by       bigint references staff (id),
  add link_sent_at  timestamptz,
  add link_until    timestamptz;
update settlement_statement set confirmed_via = 'RECORDED' where confirmed_by is not null;
alter table settlement_statement drop constraint settlement_statement_confirmed;
alter table settlement_statement
  add constraint settlement_statement_confirmed check (
    (status = 'DRAFT') = (digest is null) and (digest is null) = (confirmed_at is null) and (digest is null) = (confirmed_via is null)
    and (confirmed_by is not null) = (coalesce(confirmed_via, '') = 'RECORDED')),
  -- Who sends the link could have it sent to themselves.
  add constraint settlement_statement_sender check (
    coalesce(confirmed_via, '') <> 'LINK' or (link_by is distinct from approved_by and link_by is distinct from paid_by)),
  add constraint settlement_statement_link check (
    (link_state = 'NONE') = (link_by is null) and (link_by is null) = (link_sent_at is null) and (link_by is null) = (link_until is null));
create index settlement_statement_link_state on settlement_statement (link_state, id);

-- A way for a partner to look at its statement and to agree to it. Of the code it agrees with, its digest is kept.
create table statement_link (
  id           bigint generated always as identity primary key,
  statement_id bigint not null references settlement_statement (id),
  sent_at      timestamptz not null,
  expires_at   timestamptz not null check (expires_at > sent_at),
  -- Another one was sent, or what it led to was taken back.
  ended_at     timestamptz,
  codes        int not null default 0 check (codes between 0 and 10),
  tries        int not null default 0 check (tries between 0 and 5),
  code_digest  bytea,
  -- What the code agrees to.
  code_for     text check (code_for ~ '^[0-9a-f]{64}$'),
  code_at      timestamptz,
  used_at      timestamptz,
  constraint statement_link_code check ((code_digest is null) = (code_for is null) and (code_digest is null) = (code_at is null)),
  constraint statement_link_used check (used_at is null or code_digest is null)
);
create unique index statement_link_one on statement_link (statement_id) where ended_at is null;
