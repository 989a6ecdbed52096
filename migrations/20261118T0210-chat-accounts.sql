-- Chat accounts consultants work with: whose each is, how many people it may add a day, and whether the platform holds it up.
create table chat_account (
  id            bigint generated always as identity primary key,
  account_no    text not null check (length(account_no) between 1 and 64),
  nickname      text not null check (length(nickname) between 1 and 50),
  kind          text not null check (kind in ('WECOM', 'WECHAT')),
  status        text not null default 'IDLE' check (status in ('IDLE', 'IN_USE', 'LIMITED', 'BLOCKED', 'RETIRED')),
  -- Whoever works with it, and the department it is kept by, also while it is nobody's.
  owner_id      bigint references staff (id),
  org_id        bigint not null references org (id),
  owner_since   timestamptz,
  day_quota     int not null check (day_quota between 0 and 1000),
  -- People added on the day beside it.
  used_today    int not null default 0 check (used_today >= 0),
  used_on       date,
  limited_until timestamptz,
  risk          text not null default 'NONE' check (risk in ('NONE', 'WATCH', 'HIGH')),
  risk_note     text not null default '' check (length(risk_note) <= 200),
  risk_since    timestamptz,
  link          text check (length(link) <= 200),
  qr            uuid[] not null default '{}',
  created_at    timestamptz not null,
  version       int not null default 1,
  constraint chat_account_limited check (limited_until is null or status = 'LIMITED'),
  constraint chat_account_judged check ((risk = 'NONE') = (risk_since is null))
);
create unique index chat_account_no on chat_account (account_no text_pattern_ops);
create index chat_account_nickname on chat_account (nickname text_pattern_ops, id);
create index chat_account_nickname_pairs on chat_account using gin (name_pairs(nickname));
create index chat_account_status on chat_account (status, id);
create index chat_account_owner on chat_account (owner_id, id);
create index chat_account_org on chat_account (org_id, id);
create index chat_account_kind on chat_account (kind, id);
create index chat_account_risk on chat_account (risk, id);
create index chat_account_used on chat_account (used_today, id);
create index chat_account_since on chat_account (owner_since, id);
select start_keeping_count('chat_account', 'status', 'owned');

-- Who had it from when to when.
create table chat_account_holder (
  id          bigint generated always as identity primary key,
  account_id  bigint not null references chat_account (id) on delete cascade,
  staff_id    bigint not null references staff (id),
  org_id      bigint not null references org (id),
  since       timestamptz not null,
  until       timestamptz,
  got         text not null check (got in ('HANDED_OUT', 'MOVED', 'REQUESTED', 'HANDED_OVER')),
  by_id       bigint references staff (id),
  end_kind    text check (end_kind in ('MOVED', 'RECLAIMED', 'RETURNED', 'HANDED_OVER', 'LEFT')),
  ended_by_id bigint references staff (id),
  constraint chat_account_holder_ended check ((until is null) = (end_kind is null)),
  constraint chat_account_holder_span check (until >= since)
);
create unique index chat_account_holder_one on chat_account_holder (account_id) where until is null;
create index chat_account_holder_account on chat_account_holder (account_id, id);
create index chat_account_holder_staff on chat_account_holder (account_id, staff_id);
create index chat_account_holder_held on chat_account_holder (staff_id, since);
-- Nobody has an account while another has it, whoever writes.
create function keep_account_spans_apart() returns trigger language plpgsql as $$
begin
  if exists (
    select from chat_account_holder o where o.account_id = new.account_id and o.id <> new.id
      and tstzrange(o.since, o.until) && tstzrange(new.since, new.until)
  ) then
    raise exception 'two people have chat account % at once', new.account_id using errcode = 'exclusion_violation';
  end if;
  return new;
end $$;
create trigger keep_apart before insert or update on chat_account_holder for each row execute function keep_account_spans_apart();

-- Each person added: a lead somebody marked, or a contact the platform told of.
create table chat_account_add (
  id         bigint generated always as identity primary key,
  account_id bigint not null references chat_account (id) on delete cascade,
  staff_id   bigint not null references staff (id),
  how        text not null check (how in ('LEAD', 'CONTACT')),
  lead_id    bigint references lead (id) on delete cascade,
  contact_id bigint references chat_contact (id) on delete cascade,
  at         timestamptz not null,
  constraint chat_account_add_of check ((how = 'LEAD') = (lead_id is not null) and (how = 'CONTACT') = (contact_id is not null))
);
create index chat_account_add_account on chat_account_add (account_id, id);
create index chat_account_add_at on chat_account_add (account_id, at);
create index chat_account_add_how on chat_account_add (account_id, how);
create index chat_account_add_staff on chat_account_add (account_id, staff_id);
create index chat_account_add_lead on chat_account_add (lead_id);
create unique index chat_account_add_contact on chat_account_add (contact_id);
