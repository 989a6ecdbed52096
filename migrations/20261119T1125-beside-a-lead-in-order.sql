-- What stands beside a lead is found by it and read in its order.
drop index allocation_decision_lead;
create index allocation_decision_lead on allocation_decision (lead_id, id);
create index lead_owner_lead_id on lead_owner (lead_id, id);
alter table lead_owner add constraint lead_owner_end_reason check (length(end_reason) <= 100);
