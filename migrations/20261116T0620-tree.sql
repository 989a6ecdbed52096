-- Records that stand below one another. parent_id is the truth; path is derived here, so that nobody stores a wrong one.
create function keep_path() returns trigger language plpgsql as $$
declare
  above text;
begin
  -- One change of a tree at a time: two moves at once could close a circle that neither of them sees.
  perform pg_advisory_xact_lock(hashtext('tree of ' || tg_table_name));
  execute format('select path from %I where id = $1', tg_table_name) into above using new.parent_id;
  if tg_op = 'UPDATE' and starts_with(above, old.path) then
    raise check_violation using message = 'a record cannot stand below itself', constraint = 'tree_circle', table = tg_table_name;
  end if;
  new.path := coalesce(above, '/') || new.id || '/';
  -- What is added comes last.
  if tg_op = 'INSERT' and new.sort = 0 then
    execute format('select coalesce(max(sort) + 1, 0) from %I where %s', tg_table_name,
      case when new.parent_id is null then 'parent_id is null' else 'parent_id = $1' end)
      into new.sort using new.parent_id;
  end if;
  return new;
end $$;

create function move_below() returns trigger language plpgsql as $$
begin
  execute format('update %I set path = $1 || substr(path, length($2) + 1) where path like $2 || ''_%%''', tg_table_name)
    using new.path, old.path;
  return null;
end $$;

alter table org
  add short_name text check (length(short_name) between 1 and 50),
  add type       text not null default 'DEPT',
  -- Asked when all is stored: people stand in departments, and departments name one of them.
  add manager_id bigint references staff (id) deferrable initially deferred,
  add note       text not null default '' check (length(note) <= 200),
  add created_at timestamptz not null default now(),
  -- Twelve levels, the company counted: deeper ones nobody finds again.
  add constraint org_depth check (length(path) - length(replace(path, '/', '')) <= 13);
update org set type = 'COMP' where parent_id is null;

create trigger keep_path before insert or update of parent_id on org for each row execute function keep_path();
create trigger move_below after update of parent_id on org for each row
  when (old.path is distinct from new.path) execute function move_below();
create index org_children on org (parent_id, sort, id);
create index org_manager on org (manager_id);
create index org_name on org (name text_pattern_ops);
create index org_name_pairs on org using gin (name_pairs(name));
create index org_code on org (code text_pattern_ops);
