-- A stock count is agreed to as every request is (decision 045): whoever counted may withdraw it, and after a week it is over.
alter table stock_check
  -- Counts that wait today wait without an end, as they were asked for.
  add expires_at timestamptz,
  drop constraint stock_check_status_check,
  add constraint stock_check_status_check check (status in ('WAITING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED')),
  -- A yes and a no are somebody's; what was withdrawn or is over nobody decided on.
  add constraint stock_check_decided check ((decided_by is not null) = (status in ('APPROVED', 'REJECTED')));
create index stock_check_expiring on stock_check (expires_at) where status = 'WAITING';

-- Whoever counts may think better of it.
insert into permission (parent_id, display_type, resource_code, display_name, sort)
select menu.id, 'PERMISSION', 'withdrawCheck', 'withdrawCheck', menu.sort
from permission menu where menu.display_type = 'MENU' and menu.resource_code = 'base-product'
on conflict do nothing;

insert into role_permission (role_id, permission_id)
select held.role_id, right_to.id
from permission menu
join permission had on had.parent_id = menu.id and had.display_type = 'PERMISSION' and had.resource_code = 'check'
join role_permission held on held.permission_id = had.id
join permission right_to
  on right_to.parent_id = menu.id and right_to.display_type = 'PERMISSION' and right_to.resource_code = 'withdrawCheck'
where menu.display_type = 'MENU' and menu.resource_code = 'base-product'
on conflict do nothing;
