-- Owning members and teaching pupils are rights of their own now: whoever does so today goes on, by the roles they hold.
insert into permission (parent_id, display_type, resource_code, display_name, sort)
select menu.id, 'PERMISSION', action, action, menu.sort
from permission menu, unnest(array['own', 'teach']) action
where menu.display_type = 'MENU' and menu.resource_code = 'member-list'
on conflict do nothing;

insert into role_permission (role_id, permission_id)
select distinct held.role_id, right_to.id
from (
  select distinct 'own' as action, owner_id as staff_id from member where owner_id is not null
  union all
  select distinct 'teach', teacher_id from member where teacher_id is not null
) at_work
join staff_role held on held.staff_id = at_work.staff_id
join role on role.id = held.role_id and role.code <> 'SUPER_ADMIN'
join permission menu on menu.display_type = 'MENU' and menu.resource_code = 'member-list'
join permission right_to
  on right_to.parent_id = menu.id and right_to.display_type = 'PERMISSION' and right_to.resource_code = at_work.action
on conflict do nothing;
