-- The board of sales at a wall asks again when its figures are others: one word for each transaction that makes them so, by the
-- database, so that no way of writing has to remember it.
create function sales_figures_changed() returns trigger language plpgsql as $$
begin
  -- Of this transaction alone: taken back with it, or with its savepoint.
  if coalesce(current_setting('inkstone.figures_told', true), '') = '' then
    perform set_config('inkstone.figures_told', 'yes', true);
    insert into signal (topic, payload) values ('figures', '{"page": "sale-chart"}');
  end if;
  return null;
end $$;

create trigger sales_figures_paid after insert or update of pay_state, paid_fen, refunded_fen on sales_order
  for each statement execute function sales_figures_changed();
create trigger sales_figures_refunded after update of status on refund_application
  for each statement execute function sales_figures_changed();
create trigger sales_figures_led after insert or update or delete on lead_owner
  for each statement execute function sales_figures_changed();
create trigger sales_figures_done after insert on lead_act
  for each statement execute function sales_figures_changed();
create trigger sales_figures_aimed after insert or update or delete on consultant_target
  for each statement execute function sales_figures_changed();
