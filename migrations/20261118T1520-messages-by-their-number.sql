-- The platform tells the time in seconds: what somebody wrote twice within one is told apart by the number of the message, kept as a digest.
alter table account_event
  add message_key text not null default '' check (length(message_key) <= 24),
  drop constraint account_event_pkey,
  add constraint account_event_pkey primary key (follower_id, kind, at, message_key);
