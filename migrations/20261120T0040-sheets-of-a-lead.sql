-- Sheets are found by the number of the lead they were made for.
create index name_copybook_of_lead on name_copybook (lead_id, id);
drop index name_copybook_lead_of;
