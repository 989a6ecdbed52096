-- Calls to the outside stand in lanes by kind: the next of each is found by it, however many of another wait.
drop index outbox_due;
create index outbox_due on outbox (kind, due_at, id) where status = 'WAITING';
