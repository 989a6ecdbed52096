-- A member's check-ins, newest day first.
create index check_in_member_day on check_in (member_id, day, id);
