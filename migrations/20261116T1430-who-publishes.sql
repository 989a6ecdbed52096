-- What was changed at once is drafted and published since (docs/decisions/047): whoever did it goes on doing it.
-- A house that has given one of these rights to somebody since has decided on it, and stays as it is.
insert into permission (parent_id, display_type, resource_code, display_name, sort)
select menu.id, 'PERMISSION', action, action, menu.sort
from permission menu, unnest(array['publish', 'drafts', 'discard', 'restore']) action
where menu.display_type = 'MENU' and menu.resource_code in ('logistics-product', 'product-package')
on conflict do nothing;

create function pg_temp.goes_on(page text, has text, gets text[]) returns void language sql as $$
  insert into role_permission (role_id, permission_id)
  select held.role_id, right_to.id
  from permission menu
  join permission had on had.parent_id = menu.id and had.display_type = 'PERMISSION' and had.resource_code = has
  join role_permission held on held.permission_id = had.id
  join permission right_to on right_to.parent_id = menu.id and right_to.display_type = 'PERMISSION' and right_to.resource_code = any(gets)
  where menu.display_type = 'MENU' and menu.resource_code = page
    and not exists (select from role_permission given where given.permission_id = right_to.id)
  on conflict do nothing $$;

select pg_temp.goes_on('logistics-product', 'update', array['publish', 'drafts', 'discard']);
select pg_temp.goes_on('product-package', 'update', array['drafts', 'discard']);
-- Who may put an edition into force may put an older one into force again.
select pg_temp.goes_on(page, 'publish', array['restore']) from unnest(array['logistics-product', 'product-package']) page;
