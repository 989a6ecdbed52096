-- What somebody saw or was sent while they spoke: files of the lead.
alter table follow_up add column picture uuid[] not null default '{}';
