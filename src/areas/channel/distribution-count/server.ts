import { ratio } from '#kit/model/statistic.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { statistic } from './model.ts'

/** More than any order costs. */
const ABOVE_ALL = '1e15'

/** What orders come to, each once: one that concerns two partners has a row for each of them, which say the same of it. */
const once = (column: string) =>
  `sum(distinct t.order_id * ${ABOVE_ALL} + t.${column}) - sum(distinct t.order_id) * ${ABOVE_ALL}`

const counting = defineCounting({
  sources: {
    orders: {
      table: 'distribution_order',
      time: 'paid_at',
      sums: {
        orders: 'count(distinct t.order_id)',
        paidFen: once('paid_fen'),
        refundedFen: once('refunded_fen'),
        counted: `count(*) filter (where t.part = 'COUNTED')`,
        commissionFen: 'sum(t.commission_fen)',
        notCounted: `count(*) filter (where t.part = 'NOT_COUNTED')`,
        open: `count(*) filter (where t.part = 'OPEN')`,
      },
      by: { partner: 'partner_id', entry: 'entry', channel: 'channel' },
      filters: ['partnerId', 'entry', 'kind', 'channel'],
    },
  },
  values({ orders }) {
    const [amount, refunded, commission] = [orders.paidFen ?? 0, orders.refundedFen ?? 0, orders.commissionFen ?? 0]
    return {
      orders: orders.orders ?? 0,
      amount,
      refunded,
      counted: orders.counted ?? 0,
      commission,
      notCounted: orders.notCounted ?? 0,
      open: orders.open ?? 0,
      net: amount - refunded - commission,
      share: ratio(commission, amount - refunded),
    }
  },
})

export const routes = serveStatistic(statistic, counting)
