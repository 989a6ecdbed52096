-- Money that came for what cannot be given any more.
alter table payment drop constraint payment_stray_reason_check;
alter table payment add constraint payment_stray_reason_check
  check (stray_reason in ('CLOSED', 'TWICE', 'AMOUNT', 'EXAMINING', 'UNAVAILABLE', 'UNKNOWN'));
