import { ordersByDay } from '#areas/orders/order/by-day.server.ts'
import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import { ratio } from '#kit/model/statistic.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { keptSource } from '#kit/server/statistic/sum-reader.ts'
import { statistic } from './model.ts'

const known = {
  by: { seller: 'sold_by', department: 'sold_org_id', channel: 'channel' },
  filters: ['soldBy', 'soldOrgId', 'channel'],
} as const

export const counting = defineCounting({
  sources: {
    placed: keptSource(ordersByDay, {
      ...known,
      sums: { orders: 'placed', paid: 'placed_paid', kept: 'placed_kept' },
    }),
    paid: keptSource(ordersByDay, { ...known, sums: { orders: 'paid', fen: 'paid_fen' } }),
    refunds: {
      ...known,
      table: 'refund_application',
      of: refundApplication,
      time: 'ended_at',
      where: `t.status = 'PAID'`,
      sums: { fen: 'sum(t.amount_fen)' },
    },
  },
  values({ placed, paid, refunds }) {
    const [amount, refunded] = [paid.fen ?? 0, refunds.fen ?? 0]
    const average = ratio(amount, paid.orders ?? 0)
    return {
      amount,
      paid: paid.orders ?? 0,
      average: average === null ? null : Math.round(average),
      placed: placed.orders ?? 0,
      payRate: ratio(placed.paid ?? 0, placed.orders ?? 0),
      refunded,
      net: amount - refunded,
      placedPaid: placed.paid ?? 0,
      placedKept: placed.kept ?? 0,
    }
  },
})

export const routes = serveStatistic(statistic, counting)
