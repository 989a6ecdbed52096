-- Reminders stand in the order of the last look: whose they are, and in which state, is found in that order.
drop index browse_record_owner;
drop index browse_record_status;
create index browse_record_owner on browse_record (owner_id, last_seen_at, id);
create index browse_record_status on browse_record (status, last_seen_at, id);
