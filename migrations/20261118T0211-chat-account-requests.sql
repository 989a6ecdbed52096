-- What consultants ask for of chat accounts and a manager has to agree to. The columns of every request come first.
create table chat_account_request (
  id              bigint generated always as identity primary key,
  kind            text not null check (kind in ('OPEN', 'TRANSFER', 'RECOVER')),
  status          text not null default 'SUBMITTED'
                  check (status in ('SUBMITTED', 'L1_APPROVED', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  reason          text not null check (length(reason) <= 200),
  needs_l2        boolean not null,
  applicant_id    bigint not null references staff (id),
  l1_by           bigint references staff (id),
  l2_by           bigint references staff (id),
  created_at      timestamptz not null,
  state_since     timestamptz,
  expires_at      timestamptz,
  ended_at        timestamptz,
  version         int not null default 1,
  request_no      text not null check (request_no ~ '^X[0-9]{8}[0-9A-Z]{5}$'),
  owner_id        bigint not null references staff (id),
  org_id          bigint not null references org (id),
  account_kind    text check (account_kind in ('WECOM', 'WECHAT')),
  chat_account_id bigint references chat_account (id),
  -- Who had it when it was asked for, and who is to have it.
  holder_id       bigint references staff (id),
  to_id           bigint references staff (id),
  -- When it was done: with the yes, or later where no account was free then; and when it came back.
  done_at         timestamptz,
  returned_at     timestamptz,
  constraint chat_account_request_four_eyes check (l1_by <> applicant_id and l2_by <> applicant_id and l2_by <> l1_by),
  constraint chat_account_request_agreed check (status <> 'APPROVED' or (l1_by is not null and (not needs_l2 or l2_by is not null))),
  constraint chat_account_request_ended check ((ended_at is null) = (status = 'SUBMITTED' or status = 'L1_APPROVED')),
  constraint chat_account_request_asks check (
    (kind = 'OPEN') = (account_kind is not null) and (kind = 'TRANSFER') = (to_id is not null)
    and (kind = 'OPEN' or (chat_account_id is not null and holder_id is not null))),
  constraint chat_account_request_done check (
    (done_at is null or (status = 'APPROVED' and chat_account_id is not null)) and (returned_at is null or done_at is not null)
    and (kind <> 'OPEN' or (chat_account_id is null) = (done_at is null)))
);
create unique index chat_account_request_no on chat_account_request (request_no text_pattern_ops);
create unique index chat_account_request_open on chat_account_request (chat_account_id) where status = 'SUBMITTED';
create unique index chat_account_request_own on chat_account_request (applicant_id, account_kind) where status = 'SUBMITTED' and kind = 'OPEN';
create index chat_account_request_account on chat_account_request (chat_account_id, id);
create index chat_account_request_applicant on chat_account_request (applicant_id, id);
create index chat_account_request_owner on chat_account_request (owner_id, id);
create index chat_account_request_org on chat_account_request (org_id, id);
create index chat_account_request_status on chat_account_request (status, id);
create index chat_account_request_kind on chat_account_request (kind, id);
create index chat_account_request_created on chat_account_request (created_at, id);
create index chat_account_request_since on chat_account_request (status, state_since, id) where status in ('SUBMITTED', 'L1_APPROVED');
create index chat_account_request_expiring on chat_account_request (expires_at) where status in ('SUBMITTED', 'L1_APPROVED');
create trigger keep_state_since before insert or update of status on chat_account_request
  for each row execute function keep_state_since();
select start_keeping_count('chat_account_request', 'status', 'owned', 'applicant_id');
