import type { RollUp } from '#kit/server/statistic/roll-up.ts'

/** Each number of an order, and the instant that decides on which day it counts: orders placed, and money that came in. */
const sums = {
  placed: { at: 'created_at', of: '1' },
  /** Of the orders placed that day, those paid by now, and of these the ones not given back whole. */
  placed_paid: { at: 'created_at', of: `(t.pay_state = 'PAID')::int` },
  placed_kept: { at: 'created_at', of: `(t.pay_state = 'PAID' and t.refund_state <> 'FULL')::int` },
  paid: { at: 'paid_at', of: `(t.pay_state = 'PAID')::int` },
  /** Without those that cost nothing, a code redeemed say: what can be refunded. */
  bought: { at: 'paid_at', of: '(t.paid_fen > 0)::int' },
  paid_fen: { at: 'paid_at', of: 't.paid_fen' },
} as const satisfies RollUp['sums']

/** Seller, department and channel are those of the sale; who sees a cell goes by who looks after the order today. */
export const ordersByDay = [
  { name: 'order_by_seller', table: 'sales_order', by: { sold_by: 'bigint', sold_org_id: 'bigint' }, sums },
  { name: 'order_by_channel', table: 'sales_order', by: { channel: 'text' }, sums },
] as const satisfies readonly RollUp[]

/**
 * What was paid for each product of an order, which the database keeps beside the order as its lines are written. An order counts
 * once for a product, however many lines it has of it.
 */
export const ordersByProduct = {
  name: 'order_by_product',
  table: 'sales_order',
  by: { product_name: 'text' },
  sums: { bought: { at: 'paid_at', of: '1' }, paid_fen: { at: 'paid_at', of: 'p.fen' } },
  parts: { from: 'jsonb_each_text(t.paid_by_product) as p (product_name, fen)', by: ['product_name'] },
} as const satisfies RollUp
