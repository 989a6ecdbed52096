-- Attempts reserved and not judged yet: they count against the limit, but only those judged wrong shut anybody out.
alter table attempt_gate add column under_way int not null default 0;
-- Pictures carry their answer sealed in their key; a row only says that one was used. The column goes with a later release,
-- when no instance writes it any more.
alter table captcha alter column answer drop not null;
