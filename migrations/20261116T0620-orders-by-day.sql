-- The day an event counts on, in the zone of the business, stored beside its instant: reckoning it for each row was most of
-- what a statistic cost. And the department of the sale, as the seller and the channel: it stays when people change places.
alter table sales_order
  add column created_day date not null generated always as ((created_at at time zone 'Asia/Shanghai')::date) stored,
  add column paid_day    date generated always as ((paid_at at time zone 'Asia/Shanghai')::date) stored,
  add column sold_org_id bigint references org (id);
alter table refund_application
  add column ended_day      date generated always as ((ended_at at time zone 'Asia/Shanghai')::date) stored,
  add column order_paid_day date generated always as ((order_paid_at at time zone 'Asia/Shanghai')::date) stored,
  add column sold_org_id    bigint references org (id);

-- Where the seller is now is the best that is known of the past.
update sales_order o set sold_org_id = s.org_id from staff s where s.id = o.sold_by;
update refund_application r set sold_org_id = o.sold_org_id from sales_order o where o.id = r.order_id;

-- Numbers kept by day as orders are written (decision 040): what follows is `rollUpSql` of src/areas/orders/order/by-day.server.ts.
create table order_by_seller_move (
  day date not null,
  org_id bigint,
  owner_id bigint,
  sold_by bigint,
  sold_org_id bigint,
  placed bigint not null,
  placed_paid bigint not null,
  placed_kept bigint not null,
  paid bigint not null,
  bought bigint not null,
  paid_fen bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
create table order_by_seller_cell (
  day date not null,
  org_id bigint,
  owner_id bigint,
  sold_by bigint,
  sold_org_id bigint,
  placed bigint not null,
  placed_paid bigint not null,
  placed_kept bigint not null,
  paid bigint not null,
  bought bigint not null,
  paid_fen bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
create unique index order_by_seller_cell_key on order_by_seller_cell (day, org_id, owner_id, sold_by, sold_org_id) include (placed, placed_paid, placed_kept, paid, bought, paid_fen) nulls not distinct;
create index order_by_seller_cell_empty on order_by_seller_cell (day) where placed = 0 and placed_paid = 0 and placed_kept = 0 and paid = 0 and bought = 0 and paid_fen = 0;

create function order_by_seller() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into order_by_seller_move (day, org_id, owner_id, sold_by, sold_org_id, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, sold_by, sold_org_id, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from new_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from new_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, sold_by, sold_org_id having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  elsif tg_op = 'DELETE' then
    insert into order_by_seller_move (day, org_id, owner_id, sold_by, sold_org_id, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, sold_by, sold_org_id, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, -(1)::bigint as placed, -((t.pay_state = 'PAID')::int)::bigint as placed_paid, -((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from old_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, -((t.pay_state = 'PAID')::int)::bigint as paid, -((t.paid_fen > 0)::int)::bigint as bought, -(t.paid_fen)::bigint as paid_fen from old_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, sold_by, sold_org_id having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  else
    insert into order_by_seller_move (day, org_id, owner_id, sold_by, sold_org_id, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, sold_by, sold_org_id, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from new_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from new_rows t where t.paid_day is not null
      union all select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, -(1)::bigint as placed, -((t.pay_state = 'PAID')::int)::bigint as placed_paid, -((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from old_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, -((t.pay_state = 'PAID')::int)::bigint as paid, -((t.paid_fen > 0)::int)::bigint as bought, -(t.paid_fen)::bigint as paid_fen from old_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, sold_by, sold_org_id having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  end if;
  return null;
end $$;
create trigger order_by_seller_insert after insert on sales_order referencing new table as new_rows for each statement execute function order_by_seller();
create trigger order_by_seller_update after update on sales_order referencing new table as new_rows old table as old_rows for each statement execute function order_by_seller();
create trigger order_by_seller_delete after delete on sales_order referencing old table as old_rows for each statement execute function order_by_seller();

insert into order_by_seller_cell (day, org_id, owner_id, sold_by, sold_org_id, placed, placed_paid, placed_kept, paid, bought, paid_fen)
select day, org_id, owner_id, sold_by, sold_org_id, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from sales_order t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.sold_by, t.sold_org_id, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from sales_order t where t.paid_day is not null) m
    group by day, org_id, owner_id, sold_by, sold_org_id having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;

create table order_by_channel_move (
  day date not null,
  org_id bigint,
  owner_id bigint,
  channel text,
  placed bigint not null,
  placed_paid bigint not null,
  placed_kept bigint not null,
  paid bigint not null,
  bought bigint not null,
  paid_fen bigint not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
create table order_by_channel_cell (
  day date not null,
  org_id bigint,
  owner_id bigint,
  channel text,
  placed bigint not null,
  placed_paid bigint not null,
  placed_kept bigint not null,
  paid bigint not null,
  bought bigint not null,
  paid_fen bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
create unique index order_by_channel_cell_key on order_by_channel_cell (day, org_id, owner_id, channel) include (placed, placed_paid, placed_kept, paid, bought, paid_fen) nulls not distinct;
create index order_by_channel_cell_empty on order_by_channel_cell (day) where placed = 0 and placed_paid = 0 and placed_kept = 0 and paid = 0 and bought = 0 and paid_fen = 0;

create function order_by_channel() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into order_by_channel_move (day, org_id, owner_id, channel, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, channel, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.channel, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from new_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from new_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, channel having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  elsif tg_op = 'DELETE' then
    insert into order_by_channel_move (day, org_id, owner_id, channel, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, channel, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.channel, -(1)::bigint as placed, -((t.pay_state = 'PAID')::int)::bigint as placed_paid, -((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from old_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, -((t.pay_state = 'PAID')::int)::bigint as paid, -((t.paid_fen > 0)::int)::bigint as bought, -(t.paid_fen)::bigint as paid_fen from old_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, channel having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  else
    insert into order_by_channel_move (day, org_id, owner_id, channel, placed, placed_paid, placed_kept, paid, bought, paid_fen)
    select day, org_id, owner_id, channel, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.channel, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from new_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from new_rows t where t.paid_day is not null
      union all select t.created_day as day, t.org_id, t.owner_id, t.channel, -(1)::bigint as placed, -((t.pay_state = 'PAID')::int)::bigint as placed_paid, -((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from old_rows t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, -((t.pay_state = 'PAID')::int)::bigint as paid, -((t.paid_fen > 0)::int)::bigint as bought, -(t.paid_fen)::bigint as paid_fen from old_rows t where t.paid_day is not null) m
    group by day, org_id, owner_id, channel having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
  end if;
  return null;
end $$;
create trigger order_by_channel_insert after insert on sales_order referencing new table as new_rows for each statement execute function order_by_channel();
create trigger order_by_channel_update after update on sales_order referencing new table as new_rows old table as old_rows for each statement execute function order_by_channel();
create trigger order_by_channel_delete after delete on sales_order referencing old table as old_rows for each statement execute function order_by_channel();

insert into order_by_channel_cell (day, org_id, owner_id, channel, placed, placed_paid, placed_kept, paid, bought, paid_fen)
select day, org_id, owner_id, channel, sum(placed) as placed, sum(placed_paid) as placed_paid, sum(placed_kept) as placed_kept, sum(paid) as paid, sum(bought) as bought, sum(paid_fen) as paid_fen
    from (select t.created_day as day, t.org_id, t.owner_id, t.channel, (1)::bigint as placed, ((t.pay_state = 'PAID')::int)::bigint as placed_paid, ((t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int)::bigint as placed_kept, 0::bigint as paid, 0::bigint as bought, 0::bigint as paid_fen from sales_order t where t.created_day is not null
      union all select t.paid_day as day, t.org_id, t.owner_id, t.channel, 0::bigint as placed, 0::bigint as placed_paid, 0::bigint as placed_kept, ((t.pay_state = 'PAID')::int)::bigint as paid, ((t.paid_fen > 0)::int)::bigint as bought, (t.paid_fen)::bigint as paid_fen from sales_order t where t.paid_day is not null) m
    group by day, org_id, owner_id, channel having sum(placed) <> 0 or sum(placed_paid) <> 0 or sum(placed_kept) <> 0 or sum(paid) <> 0 or sum(bought) <> 0 or sum(paid_fen) <> 0;
