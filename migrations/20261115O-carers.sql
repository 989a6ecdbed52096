-- Besides its owner a record may have somebody who cares for it: a member's teacher sees the member as the seller does.
-- Kept counts are told apart by both, so that each scope finds its sum.
alter table kept_count add column carer_id bigint;
drop index kept_count_table;
create index kept_count_table on kept_count (table_name, org_id, owner_id, carer_id, state) include (n);

create or replace function keep_count() returns trigger language plpgsql as $$
declare
  -- Arguments: state column, 'owned' or 'shared', and the carer's column where there is one.
  cell text := case when tg_argv[1] = 'owned' then 'org_id, owner_id, ' else 'null::bigint, null::bigint, ' end
               || coalesce(quote_ident(tg_argv[2]), 'null::bigint') || ', ' || format('%I::text', tg_argv[0]);
  rows text := case tg_op
    when 'INSERT' then format('select %s, 1 as d from new_rows', cell)
    when 'DELETE' then format('select %s, -1 as d from old_rows', cell)
    else format('select %s, 1 as d from new_rows union all select %s, -1 from old_rows', cell, cell) end;
begin
  execute format('insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
    select %L, r.a, r.b, r.c, r.d, sum(r.e) from (%s) as r (a, b, c, d, e) group by r.a, r.b, r.c, r.d having sum(r.e) <> 0',
    tg_table_name, rows);
  return null;
end $$;

drop function start_keeping_count(regclass, text, text);
create function start_keeping_count(of regclass, state_column text, scope text, carer_column text default null)
returns void language plpgsql as $$
declare
  told text := concat_ws(', ', quote_literal(state_column), quote_literal(scope), quote_literal(carer_column));
begin
  execute format('create trigger keep_count_insert after insert on %s referencing new table as new_rows
    for each statement execute function keep_count(%s)', of, told);
  execute format('create trigger keep_count_update after update on %s referencing new table as new_rows old table as old_rows
    for each statement execute function keep_count(%s)', of, told);
  execute format('create trigger keep_count_delete after delete on %s referencing old table as old_rows
    for each statement execute function keep_count(%s)', of, told);
end $$;

drop trigger keep_count_insert on member;
drop trigger keep_count_update on member;
drop trigger keep_count_delete on member;
select start_keeping_count('member', 'level', 'owned', 'teacher_id');
delete from kept_count where table_name = 'member';
insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
  select 'member', org_id, owner_id, teacher_id, level, count(*) from member group by 2, 3, 4, 5;
