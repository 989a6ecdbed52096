-- Forms stand by when they were submitted: those of one person or department in one state are read in that order.
drop index lead_form_owner_status;
create index lead_form_owner_status on lead_form (owner_id, follow_status, submitted_at, id);
drop index lead_form_org_status;
create index lead_form_org_status on lead_form (org_id, follow_status, submitted_at, id);
