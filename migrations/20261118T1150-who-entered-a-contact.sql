-- Whoever enters the phone a code goes to could enter their own: who it was is kept with the partner, and with each statement a code was sent for.
alter table partner add contact_by bigint references staff (id);
alter table settlement_statement
  add contact_by bigint references staff (id),
  add constraint settlement_statement_contact check (
    coalesce(confirmed_via, '') <> 'LINK' or contact_by is null
    or (contact_by is distinct from approved_by and contact_by is distinct from paid_by));
