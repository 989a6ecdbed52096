-- A batch of codes is agreed to as every request is (decision 045): by another person, in time, or it ends without codes.
alter table code_batch rename column approved_by to l1_by;
alter table code_batch
  -- Batches that wait today wait without an end, as they were asked for.
  add expires_at timestamptz,
  add ended_at timestamptz,
  drop constraint code_batch_status_check,
  add constraint code_batch_status_check
    check (status in ('DRAFT', 'APPROVED', 'ACTIVE', 'PAUSED', 'CLOSED', 'REJECTED', 'WITHDRAWN', 'EXPIRED'));
update code_batch b set ended_at = coalesce(
  (select min(l.at) from operation_log l
   where l.page = 'product-exchange' and l.record_id = b.id and l.code = 0 and l.action in ('approve', 'close')),
  b.created_at)
where status <> 'DRAFT';
alter table code_batch
  add constraint code_batch_agreed check (status not in ('APPROVED', 'ACTIVE', 'PAUSED') or l1_by is not null),
  add constraint code_batch_ended check ((ended_at is null) = (status = 'DRAFT'));
create index code_batch_expiring on code_batch (expires_at) where status = 'DRAFT';

-- Whoever could end a batch that waits goes on: one's own by withdrawing it, a colleague's by rejecting it.
insert into permission (parent_id, display_type, resource_code, display_name, sort)
select menu.id, 'PERMISSION', action, action, menu.sort
from permission menu, unnest(array['reject', 'withdraw']) action
where menu.display_type = 'MENU' and menu.resource_code = 'product-exchange'
on conflict do nothing;

insert into role_permission (role_id, permission_id)
select distinct held.role_id, right_to.id
from permission menu
join permission had on had.parent_id = menu.id and had.display_type = 'PERMISSION'
join role_permission held on held.permission_id = had.id
join (values ('approve', 'reject'), ('close', 'reject'), ('create', 'withdraw'), ('close', 'withdraw')) goes_on (had, gets)
  on goes_on.had = had.resource_code
join permission right_to
  on right_to.parent_id = menu.id and right_to.display_type = 'PERMISSION' and right_to.resource_code = goes_on.gets
where menu.display_type = 'MENU' and menu.resource_code = 'product-exchange'
on conflict do nothing;
