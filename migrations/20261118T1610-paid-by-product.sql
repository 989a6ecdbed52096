-- What was paid for each product of an order, beside the order: the lines say it, and sums by product are kept from it as all
-- others are, from one table that whoever writes holds. Products nothing was paid for are not in it.
alter table sales_order add column paid_by_product jsonb not null default '{}'
  constraint sales_order_paid_by_product check (
    jsonb_typeof(paid_by_product) = 'object' and not jsonb_path_exists(paid_by_product, '$.* ? (@.type() != "number")'));

create function paid_by_product_of(orders bigint[]) returns table (order_id bigint, sums jsonb) stable language sql as $$
  select p.order_id, jsonb_object_agg(p.product_name, p.fen)
  from (
    select l.order_id, l.product_name, sum(l.paid_fen) as fen
    from unnest(orders) as n (id) join order_line l on l.order_id = n.id
    where l.paid_fen > 0 group by 1, 2) p
  group by 1
$$;

-- The order is held before its lines are read: of two who change lines of one order, the second reads what the first wrote.
-- Orders that say so already (a load writes both) are left alone.
create function keep_paid_by_product() returns trigger language plpgsql as $$
declare
  touched bigint[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct order_id from new_rows where paid_fen > 0);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct order_id from old_rows where paid_fen > 0);
  else
    touched := array(
      select order_id from (
        (select id, order_id, product_name, paid_fen from new_rows except select id, order_id, product_name, paid_fen from old_rows)
        union all
        (select id, order_id, product_name, paid_fen from old_rows except select id, order_id, product_name, paid_fen from new_rows)) c
      group by 1);
  end if;
  if cardinality(touched) > 0 then
    touched := array(
      select o.id from sales_order o left join paid_by_product_of(touched) s on s.order_id = o.id
      where o.id = any(touched) and o.paid_by_product <> coalesce(s.sums, '{}'));
  end if;
  if cardinality(touched) > 0 then
    perform from sales_order where id = any(touched) order by id for no key update;
    update sales_order o set paid_by_product = coalesce(s.sums, '{}')
    from unnest(touched) as n (id) left join paid_by_product_of(touched) s on s.order_id = n.id
    where o.id = n.id;
  end if;
  return null;
end $$;
create trigger paid_by_product_insert after insert on order_line referencing new table as new_rows for each statement execute function keep_paid_by_product();
create trigger paid_by_product_update after update on order_line referencing new table as new_rows old table as old_rows for each statement execute function keep_paid_by_product();
create trigger paid_by_product_delete after delete on order_line referencing old table as old_rows for each statement execute function keep_paid_by_product();

update sales_order o set paid_by_product = s.sums
from paid_by_product_of(array(select distinct order_id from order_line where paid_fen > 0)) s where s.order_id = o.id;

-- Numbers kept by day and product (decisions 040 and 091): what follows is `rollUpSql` of src/areas/orders/order/by-day.server.ts.
create table order_by_product_move (
  day date not null,
  org_id bigint,
  owner_id bigint,
  product_name text,
  bought bigint not null,
  paid_fen bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
create table order_by_product_cell (
  day date not null,
  org_id bigint,
  owner_id bigint,
  product_name text,
  bought bigint not null,
  paid_fen bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
create unique index order_by_product_cell_key on order_by_product_cell (day, org_id, owner_id, product_name) include (bought, paid_fen) nulls not distinct;
create index order_by_product_cell_empty on order_by_product_cell (day) where bought = 0 and paid_fen = 0;

create function order_by_product() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into order_by_product_move (day, org_id, owner_id, product_name, bought, paid_fen)
    select day, org_id, owner_id, product_name, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.paid_day as day, t.org_id, t.owner_id, p.product_name, (1)::bigint as bought, (p.fen)::bigint as paid_fen from new_rows t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null) m
    group by day, org_id, owner_id, product_name having sum(bought) <> 0 or sum(paid_fen) <> 0;
  elsif tg_op = 'DELETE' then
    insert into order_by_product_move (day, org_id, owner_id, product_name, bought, paid_fen)
    select day, org_id, owner_id, product_name, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.paid_day as day, t.org_id, t.owner_id, p.product_name, -(1)::bigint as bought, -(p.fen)::bigint as paid_fen from old_rows t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null) m
    group by day, org_id, owner_id, product_name having sum(bought) <> 0 or sum(paid_fen) <> 0;
  else
    insert into order_by_product_move (day, org_id, owner_id, product_name, bought, paid_fen)
    select day, org_id, owner_id, product_name, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.paid_day as day, t.org_id, t.owner_id, p.product_name, (1)::bigint as bought, (p.fen)::bigint as paid_fen from new_rows t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, p.product_name, -(1)::bigint as bought, -(p.fen)::bigint as paid_fen from old_rows t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null) m
    group by day, org_id, owner_id, product_name having sum(bought) <> 0 or sum(paid_fen) <> 0;
  end if;
  return null;
end $$;
create trigger order_by_product_insert after insert on sales_order referencing new table as new_rows for each statement execute function order_by_product();
create trigger order_by_product_update after update on sales_order referencing new table as new_rows old table as old_rows for each statement execute function order_by_product();
create trigger order_by_product_delete after delete on sales_order referencing old table as old_rows for each statement execute function order_by_product();

insert into order_by_product_cell (day, org_id, owner_id, product_name, bought, paid_fen)
select day, org_id, owner_id, product_name, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.paid_day as day, t.org_id, t.owner_id, p.product_name, (1)::bigint as bought, (p.fen)::bigint as paid_fen from sales_order t, jsonb_each_text(t.paid_by_product) as p (product_name, fen) where t.paid_day is not null) m
    group by day, org_id, owner_id, product_name having sum(bought) <> 0 or sum(paid_fen) <> 0;
