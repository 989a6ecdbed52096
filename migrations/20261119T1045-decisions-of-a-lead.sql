-- What the rules decided about a lead is read beside it: with the lead, and with whoever was given it.
alter table allocation_decision
  add lead_id  bigint references lead (id) on delete set null,
  add staff_id bigint references staff (id);
update allocation_decision d set lead_id = c.lead_id from allocation_case c where c.id = d.case_id and c.lead_id is not null;
update allocation_decision d set staff_id = c.staff_id from consultant c where c.id = d.consultant_id;
alter table allocation_decision add constraint allocation_decision_given check ((consultant_id is null) = (staff_id is null));
create index allocation_decision_lead on allocation_decision (lead_id, id) where lead_id is not null;
create index allocation_decision_staff on allocation_decision (staff_id) where staff_id is not null;
