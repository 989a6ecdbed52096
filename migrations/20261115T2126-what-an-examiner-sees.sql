-- What an examiner should know before deciding, as it was when somebody asked.
alter table order_examination add column flags text[] not null default '{}';
update order_examination e set flags = array_remove(array[
    case when e.amount_fen > e.list_fen then 'ABOVE_LIST' end, case when e.amount_fen < least(e.before_fen, e.list_fen) then 'BELOW_PRICE' end,
    case when e.amount_fen = 0 then 'PRICE_ZERO' end, case when o.off_sale then 'OFF_SALE' end, case when e.proof_seen then 'PROOF_SEEN' end,
    case when o.owner_changed then 'OWNER_CHANGED' end], null)
  from sales_order o where o.id = e.order_id;
