-- Who has a list open sees what became of its rows, however it came: one word for each transaction and page, by the database, so that
-- no way of writing has to remember it. Nothing of what changed is told, and of a statement that met no row nothing at all.
create function rows_of_list_changed() returns trigger language plpgsql as $$
declare
  -- Of this transaction alone: taken back with it, or with its savepoint.
  told text := coalesce(current_setting('inkstone.lists_told', true), '');
  page text;
begin
  if not exists (select from changed) then return null; end if;
  foreach page in array tg_argv loop
    continue when position(format(',%s,', page) in told) > 0;
    told := format('%s,%s,', told, page);
    insert into signal (topic, payload) values ('rows', jsonb_build_object('page', page));
  end loop;
  perform set_config('inkstone.lists_told', told, true);
  return null;
end $$;
-- For a table whose rows stand in the lists of these pages.
create function start_telling_of_lists(of regclass, variadic pages text[]) returns void language plpgsql as $$
declare
  named text := (select string_agg(quote_literal(page), ', ') from unnest(pages) page);
begin
  execute format('create trigger lists_told_insert after insert on %s referencing new table as changed
    for each statement execute function rows_of_list_changed(%s)', of, named);
  execute format('create trigger lists_told_update after update on %s referencing new table as changed
    for each statement execute function rows_of_list_changed(%s)', of, named);
end $$;
select start_telling_of_lists('sales_order', 'order-list');
select start_telling_of_lists('order_examination', 'order-examine');
select start_telling_of_lists('refund_application', 'order-refundApply');
select start_telling_of_lists('redemption', 'order-exchange');
select start_telling_of_lists('coin_order', 'coin-order-list');
select start_telling_of_lists('payment_exception', 'orderPay');
select start_telling_of_lists('platform_order', 'dy-code', 'channel-order', 'xhs-order');
select start_telling_of_lists('shipment', 'order-logistics', 'order-sendGoods', 'order-examineSend');
