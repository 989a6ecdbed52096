-- What chains had done is forgotten long after the runs are, by its age.
create index rule_deed_created on rule_deed (created_at);
