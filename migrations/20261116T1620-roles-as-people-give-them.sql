-- Roles are made and changed by people now: what a role is for, since when it stands, and how many hold it.
alter table role
  add column note       text not null default '' check (length(note) <= 200),
  add column people     int  not null default 0 check (people between 0 and 1000000),
  add column created_at timestamptz not null default now();
update role set people = held.n from (select role_id, count(*)::int as n from staff_role group by role_id) held where held.role_id = role.id;

create index role_name on role (name text_pattern_ops);
create index role_name_pairs on role using gin (name_pairs(name));
create index role_code on role (code text_pattern_ops);
create index role_scope on role (scope, id);
create index role_people on role (people, id);
create index role_created on role (created_at, id);

-- The number stands with the role so that a list can order by it; whoever gives a role takes its row last, in one order.
create function count_holders() returns trigger language plpgsql as $$
begin
  perform 1 from role where id in (select role_id from changed) order by id for no key update;
  update role set people = people + moved.n from (select role_id, (case tg_op when 'INSERT' then 1 else -1 end * count(*))::int as n from changed group by role_id) moved
    where moved.role_id = role.id;
  return null;
end $$;
create trigger holders_more after insert on staff_role referencing new table as changed for each statement execute function count_holders();
create trigger holders_less after delete on staff_role referencing old table as changed for each statement execute function count_holders();
