-- Whoever has a member open sees what changes about it: a row of signal for each member a transaction touches, once, with
-- whose the member is. Told by the database, so that no way of writing has to remember it.
create function tell_members_changed(touched bigint[]) returns void language plpgsql as $$
declare
  -- Of this transaction alone: taken back with it, or with its savepoint.
  told  text := coalesce(current_setting('inkstone.members_told', true), '');
  fresh bigint[];
begin
  -- A change of many is nobody's page: who has one of them open is shown it with the next touch of a key.
  if cardinality(touched) not between 1 and 20 or length(told) > 2000 then return; end if;
  select array_agg(id) into fresh from unnest(touched) id where position(format(',%s,', id) in told) = 0;
  if fresh is null then return; end if;
  perform set_config('inkstone.members_told', format('%s,%s,', told, array_to_string(fresh, ',')), true);
  insert into signal (topic, payload)
    select 'changed', jsonb_build_object('record', 'members/member', 'id', m.id::text, 'page', 'member-list',
      'ownerId', m.owner_id::text, 'orgId', m.org_id::text, 'carerId', s.id::text, 'carerOrgId', s.org_id::text)
    from member m left join staff s on s.id = m.teacher_id where m.id = any(fresh);
end $$;

create function member_changed() returns trigger language plpgsql as $$
begin
  perform tell_members_changed(array(select id from changed limit 21));
  return null;
end $$;
create trigger member_changed after update on member referencing new table as changed
  for each statement execute function member_changed();

create function record_of_member_changed() returns trigger language plpgsql as $$
begin
  perform tell_members_changed(array(select distinct member_id from changed where member_id is not null limit 21));
  return null;
end $$;
-- For a table whose rows have a member_id.
create function start_telling_of_member(of regclass) returns void language plpgsql as $$
begin
  execute format('create trigger member_told_insert after insert on %s referencing new table as changed
    for each statement execute function record_of_member_changed()', of);
  execute format('create trigger member_told_update after update on %s referencing new table as changed
    for each statement execute function record_of_member_changed()', of);
end $$;
select start_telling_of_member(of::regclass) from unnest(array['sales_order', 'refund_application', 'coin_order', 'redemption',
  'shipment', 'member_coupon', 'work', 'check_in', 'poster_share', 'follow_up']) of;
