-- An answer that could not leave in time is not sent at all: when the person spoke decides, not when it was written down.
alter table account_answer add said_at timestamptz;
update account_answer set said_at = created_at;
alter table account_answer alter said_at set not null, drop constraint account_answer_state_check,
  add constraint account_answer_state_check check (state in ('WAITING', 'SENT', 'REFUSED', 'UNKNOWN', 'DROPPED'));

-- Of whom the name on the platform was forgotten nobody knows whether the person still follows; who does something again is counted anew.
update account_follower set status = 'NEVER' where openid like '-%' and status = 'FOLLOWING';
