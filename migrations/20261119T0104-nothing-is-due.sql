-- A statement that comes to nothing asks nobody: it is settled by itself, and by no person.
alter table settlement_statement
  drop constraint settlement_statement_confirmed_via_check,
  drop constraint settlement_statement_approved,
  drop constraint settlement_statement_paid;
alter table settlement_statement
  add constraint settlement_statement_confirmed_via_check check (confirmed_via in ('RECORDED', 'LINK', 'NOTHING_DUE')),
  add constraint settlement_statement_approved check (
    ((status = 'APPROVED' or status = 'PAID') and confirmed_via is distinct from 'NOTHING_DUE') = (approved_by is not null)),
  add constraint settlement_statement_paid check (
    (status = 'PAID' and confirmed_via is distinct from 'NOTHING_DUE') = (paid_by is not null)
    and (status <> 'PAID' or total_fen = 0 or transfer_no is not null)),
  add constraint settlement_statement_nothing check (
    confirmed_via is distinct from 'NOTHING_DUE' or (status = 'PAID' and total_fen = 0 and paid_at is not null));
-- What is to be settled by itself.
create index settlement_statement_nothing_due on settlement_statement (id) where status = 'DRAFT' and total_fen = 0;
