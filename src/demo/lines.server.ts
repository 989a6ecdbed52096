/** Each order sold one product: its line, for orders that have none yet. */
export const ADD_LINES = `
  insert into order_line (order_id, product_name, quantity, list_fen, amount_fen, paid_fen, reserved_fen, refunded_fen)
  select o.id, o.product_name, 1, o.list_fen, o.amount_fen, o.paid_fen, o.reserved_fen, o.refunded_fen
  from sales_order o where not exists (select from order_line l where l.order_id = o.id) order by o.id`

/** What a refund takes comes from the one line of its order. */
export const ADD_REFUND_LINES = `
  insert into refund_line (refund_id, order_line_id, amount_fen)
  select r.id, l.id, r.amount_fen from refund_application r join order_line l on l.order_id = r.order_id
  where not exists (select from refund_line x where x.refund_id = r.id)`

/** Money taken by hand waits for a second person. */
export const ADD_EXAMINATIONS = `
  insert into order_examination (order_id, member_id, kind, amount_fen, before_fen, list_fen, pay_channel, transaction_no, applicant_id,
    owner_id, org_id, created_at)
  select o.id, o.member_id, 'OFFLINE', o.amount_fen, o.list_fen, o.list_fen, 'BANK', 'T' || o.order_no,
    coalesce(o.sold_by, (select min(id) from staff)), o.owner_id, o.org_id, o.created_at
  from sales_order o where o.pay_state = 'EXAMINING'
    and not exists (select from order_examination e where e.order_id = o.id and e.status = 'WAITING')`
