-- The workbench asks each person's day for whom they meant to speak with again.
create index follow_up_due on follow_up (staff_id, next_at) where next_at is not null;
