-- A call to the outside ends: done, or given up after more than a day of failures or a week of "not yet". Then somebody looks.
alter table outbox drop constraint outbox_status_check;
alter table outbox add constraint outbox_status_check check (status in ('WAITING', 'DONE', 'GIVEN_UP'));
create index outbox_given_up on outbox (id) where status = 'GIVEN_UP';

alter table payment_exception drop constraint payment_exception_kind_check;
alter table payment_exception
  add column outbox_id bigint references outbox (id),
  add constraint payment_exception_kind_check
    check (kind in ('STRAY', 'REFUND_TWICE', 'REFUND_AMOUNT', 'REFUND_UNKNOWN', 'EVENT', 'CALL'));
create index payment_exception_call on payment_exception (outbox_id) where outbox_id is not null;
