import { ordersByDay, ordersByProduct } from '#areas/orders/order/by-day.server.ts'
import { ratio } from '#kit/model/statistic.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { keptSource } from '#kit/server/statistic/sum-reader.ts'
import { statistic } from './model.ts'

const PAID = `t.status = 'PAID'`

/** A refund may take from several lines: of each product it counts with what that product gave back. */
const REFUNDS_BY_PRODUCT = `(
  select r.id, r.order_id, r.status, r.route, r.reason, r.pay_failed, r.sold_by, r.sold_org_id, r.channel, r.owner_id, r.org_id,
    r.created_at, r.paid_at, r.ended_at, r.order_paid_at, l.product_name, sum(x.amount_fen) as amount_fen
  from refund_application r join refund_line x on x.refund_id = r.id join order_line l on l.id = x.order_line_id
  group by r.id, l.product_name)`

const ORDERS_BY_PRODUCT = `(
  select o.id, o.sold_by, o.sold_org_id, o.channel, o.owner_id, o.org_id, o.paid_at, p.product_name, p.fen::bigint as paid_fen
  from sales_order o, jsonb_each_text(o.paid_by_product) as p (product_name, fen))`

export const counting = defineCounting({
  sources: {
    refunds: {
      table: 'refund_application',
      time: { finished: 'ended_at', cohort: 'order_paid_at' },
      sums: {
        // An order refunded in parts is one refunded order.
        orders: `count(distinct t.order_id) filter (where ${PAID})`,
        amountFen: `sum(t.amount_fen) filter (where ${PAID})`,
        medianSeconds: `percentile_cont(0.5) within group (order by extract(epoch from t.paid_at - t.created_at)) filter (where ${PAID})`,
        kept: `count(*) filter (where t.status in ('REJECTED', 'WITHDRAWN'))`,
        decided: `count(*) filter (where t.status in ('PAID', 'REJECTED', 'WITHDRAWN'))`,
        failed: 'count(*) filter (where t.pay_failed)',
        // Only what went through a provider can fail there.
        tried: `count(*) filter (where t.route = 'ORIGINAL' and (${PAID} or t.pay_failed))`,
      },
      by: {
        product: { table: REFUNDS_BY_PRODUCT, column: 'product_name' },
        owner: 'sold_by',
        department: 'sold_org_id',
        channel: 'channel',
        reason: 'reason',
        age: 'days_since_paid',
      },
      filters: ['soldBy', 'soldOrgId', 'channel', 'reason', 'route'],
    },
    // Both rates are of the orders paid in the period; what differs is which refunds they are compared with.
    orders: keptSource([...ordersByDay, ordersByProduct], {
      sums: { orders: 'bought', paidFen: 'paid_fen' },
      by: {
        product: { table: ORDERS_BY_PRODUCT, column: 'product_name' },
        owner: 'sold_by',
        department: 'sold_org_id',
        channel: 'channel',
      },
      filters: ['soldBy', 'soldOrgId', 'channel'],
    }),
  },
  values: ({ refunds, orders }) => ({
    orders: refunds.orders ?? 0,
    amount: refunds.amountFen ?? 0,
    orderRate: ratio(refunds.orders ?? 0, orders.orders ?? 0),
    amountRate: ratio(refunds.amountFen ?? 0, orders.paidFen ?? 0),
    medianHours: refunds.medianSeconds === null ? null : refunds.medianSeconds / 3_600,
    retentionRate: ratio(refunds.kept ?? 0, refunds.decided ?? 0),
    failureRate: ratio(refunds.failed ?? 0, refunds.tried ?? 0),
  }),
})

export const routes = serveStatistic(statistic, counting)
