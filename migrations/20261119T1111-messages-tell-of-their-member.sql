-- Whoever has a member open sees what the member is told as it goes. A campaign writes thousands: of those the page asks by
-- itself while they are under way (decision 068).
create function message_of_member_changed() returns trigger language plpgsql as $$
begin
  perform tell_members_changed(
    array(select distinct member_id from changed where member_id is not null and kind <> 'MARKETING' limit 21));
  return null;
end $$;
create trigger member_told_insert after insert on message referencing new table as changed
  for each statement execute function message_of_member_changed();
create trigger member_told_update after update on message referencing new table as changed
  for each statement execute function message_of_member_changed();
