-- Each platform's orders are a screen of their own on this table: their counts are kept apart, platform before state.
alter table platform_order add part_state text not null generated always as (platform || ' ' || status) stored;
select start_keeping_count('platform_order', 'part_state', 'owned');
insert into kept_count (table_name, org_id, owner_id, carer_id, state, n)
  select 'platform_order', org_id, owner_id, null::bigint, part_state, count(*) from platform_order group by 2, 3, 5;
