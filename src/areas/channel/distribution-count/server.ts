import { knownCommission } from '#areas/channel/distribution-order/model.ts'
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
    const [amount, refunded] = [orders.paidFen ?? 0, orders.refundedFen ?? 0]
    const [counted, notCounted, open] = [orders.counted ?? 0, orders.notCounted ?? 0, orders.open ?? 0]
    const commission = knownCommission(orders.commissionFen ?? 0, { open, settled: counted + notCounted })
    return {
      orders: orders.orders ?? 0,
      amount,
      refunded,
      counted,
      commission,
      notCounted,
      open,
      net: amount - refunded - (commission ?? 0),
      share: commission === null ? null : ratio(commission, amount - refunded),
    }
  },
})

export const routes = serveStatistic(statistic, counting)
