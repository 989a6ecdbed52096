import { ordersByDay } from '#areas/orders/order/by-day.server.ts'
import { resource as order } from '#areas/orders/order/model.ts'
import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import { detail } from '#areas/sales/lead-rows/seen.server.ts'
import { type Reached, reachedFrom } from '#engines/lead/model.ts'
import { ratio } from '#kit/model/statistic.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { keptSource } from '#kit/server/statistic/sum-reader.ts'
import { resource, statistic } from './model.ts'

const known = {
  by: { seller: 'sold_by', department: 'sold_org_id', channel: 'channel' },
  filters: ['soldBy', 'soldOrgId', 'channel'],
} as const
const atLeast = (reached: Reached) =>
  `count(*) filter (where t.reached in (${reachedFrom(reached)
    .map(step => `'${step}'`)
    .join(', ')}))`

export const counting = defineCounting({
  sources: {
    held: {
      ...known,
      table: 'lead_owner',
      time: 'since',
      sums: {
        leads: 'count(*)',
        prompt: 'count(*) filter (where t.prompt)',
        contacted: atLeast('CONTACTED'),
        added: atLeast('ADDED'),
        trials: atLeast('TRIAL'),
        keen: atLeast('INTENT'),
        deals: atLeast('DEAL'),
        heads: 'count(distinct t.sold_by)',
      },
    },
    sold: keptSource(ordersByDay, { ...known, of: order, sums: { fen: 'paid_fen' } }),
    refunds: {
      ...known,
      table: 'refund_application',
      of: refundApplication,
      time: 'ended_at',
      where: `t.status = 'PAID'`,
      sums: { fen: 'sum(t.amount_fen)' },
    },
  },
  values({ held, sold, refunds }) {
    const leads = held.leads ?? 0
    const [amount, refunded] = [sold.fen ?? 0, refunds.fen ?? 0]
    const perHead = ratio(amount, held.heads ?? 0)
    return {
      leads,
      promptRate: ratio(held.prompt ?? 0, leads),
      addedRate: ratio(held.added ?? 0, leads),
      trials: held.trials ?? 0,
      deals: held.deals ?? 0,
      dealRate: ratio(held.deals ?? 0, leads),
      amount,
      refunded,
      net: amount - refunded,
      perHead: perHead === null ? null : Math.round(perHead),
      contacted: held.contacted ?? 0,
      added: held.added ?? 0,
      keen: held.keen ?? 0,
    }
  },
})

export const routes: Routes = app => [...serve(resource, { detail })(app), ...serveStatistic(statistic, counting)(app)]
