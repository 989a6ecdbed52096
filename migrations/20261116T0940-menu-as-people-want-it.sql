-- The menu is made from the code's screens; what people here call them, in which order and with which icon they stand, and
-- whether they stand there at all, is theirs. `sort` is the order people see, `code_sort` the one of the code at the last start.
alter table permission
  add path       text not null default '',
  add code_sort  int not null default 0,
  add name_zh_cn text check (length(name_zh_cn) between 1 and 40),
  add name_zh_tw text check (length(name_zh_tw) between 1 and 40),
  add name_en_us text check (length(name_en_us) between 1 and 40),
  add name_pt_br text check (length(name_pt_br) between 1 and 40),
  add icon       text check (icon in (
    'analysis', 'dashboard', 'finance', 'logistics', 'member', 'order', 'organisation', 'product', 'setting',
    'user', 'operations', 'book', 'brush', 'calendar', 'crown', 'fund', 'gift', 'globe', 'heart', 'message',
    'notice', 'phone', 'picture', 'review', 'rocket', 'safety', 'service', 'shop', 'tag', 'tool', 'video')),
  add hidden     boolean not null default false,
  add keep_alive boolean not null default true,
  add version    int not null default 1,
  add check (length(display_name) between 1 and 100),
  add check (length(resource_code) between 1 and 100);

update permission set code_sort = sort;
with recursive below as (
  select id, '/' || id || '/' as path from permission where parent_id is null
  union all
  select p.id, below.path || p.id || '/' from permission p join below on p.parent_id = below.id
)
update permission p set path = below.path from below where below.id = p.id;
-- Group, page, action.
alter table permission add constraint permission_depth check (length(path) - length(replace(path, '/', '')) <= 4);

create trigger keep_path before insert or update of parent_id on permission for each row execute function keep_path();
create trigger move_below after update of parent_id on permission for each row
  when (old.path is distinct from new.path) execute function move_below();
create index permission_children on permission (parent_id, sort, id);
create index permission_name on permission (display_name text_pattern_ops);
create index permission_name_pairs on permission using gin (name_pairs(display_name));
create index permission_code on permission (resource_code text_pattern_ops);
create index role_permission_permission on role_permission (permission_id);
