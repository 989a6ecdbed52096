import { resource as distributionOrder, knownCommission } from '#areas/channel/distribution-order/model.ts'
import { resource as member } from '#areas/members/member/model.ts'
import { ordersByDay } from '#areas/orders/order/by-day.server.ts'
import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import { ratio } from '#kit/model/statistic.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { keptSource } from '#kit/server/statistic/sum-reader.ts'
import { statistic } from './model.ts'

const known = { by: { channel: 'channel' }, filters: ['channel'] } as const

/** Members store no day beside the instant they came at; few come in a period, and they are found by the instant. */
const MEMBERS = `(
  select id, owner_id, org_id, teacher_id, channel, created_at, (created_at at time zone 'Asia/Shanghai')::date as created_day from member)`

const counting = defineCounting({
  sources: {
    orders: keptSource(ordersByDay, { ...known, sums: { orders: 'paid', fen: 'paid_fen' } }),
    members: {
      ...known,
      table: MEMBERS,
      of: member,
      time: 'created_at',
      sums: { members: 'count(*)' },
    },
    refunds: {
      ...known,
      table: 'refund_application',
      of: refundApplication,
      time: 'ended_at',
      where: `t.status = 'PAID'`,
      sums: { fen: 'sum(t.amount_fen)' },
    },
    shares: {
      ...known,
      table: 'distribution_order',
      of: distributionOrder,
      time: 'paid_at',
      sums: {
        fen: 'sum(t.commission_fen)',
        open: `count(*) filter (where t.part = 'OPEN')`,
        settled: `count(*) filter (where t.part <> 'OPEN')`,
      },
    },
  },
  values({ orders, members, refunds, shares }) {
    const [amount, refunded] = [orders.fen ?? 0, refunds.fen ?? 0]
    const commission = knownCommission(shares.fen ?? 0, { open: shares.open ?? 0, settled: shares.settled ?? 0 })
    const average = ratio(amount, orders.orders ?? 0)
    return {
      amount,
      registered: members.members ?? 0,
      orders: orders.orders ?? 0,
      average: average === null ? null : Math.round(average),
      refunded,
      commission,
      net: amount - refunded - (commission ?? 0),
    }
  },
})

export const routes = serveStatistic(statistic, counting)
