import { ratio } from '#kit/model/statistic.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { statistic } from './model.ts'

export const counting = defineCounting({
  sources: {
    claims: {
      table: 'lead_owner',
      time: 'since',
      where: `t.got = 'CLAIMED'`,
      sums: {
        claimed: 'count(*)',
        contacted: `count(*) filter (where t.reached <> 'ASSIGNED')`,
        added: `count(*) filter (where t.reached not in ('ASSIGNED', 'CONTACTED'))`,
        keen: `count(*) filter (where t.reached in ('INTENT', 'DEAL'))`,
        deals: `count(*) filter (where t.end_kind = 'DEAL')`,
        sameDay: 'count(*) filter (where t.days_to_deal = 0)',
        withinMonth: 'count(*) filter (where t.days_to_deal <= 30)',
        revenueFen: 'sum(t.deal_fen)',
        returned: `count(*) filter (where t.end_kind in ('RETURNED', 'EXPIRED'))`,
      },
      by: { seller: 'sold_by', department: 'sold_org_id', channel: 'channel', source: 'source' },
      filters: ['soldBy', 'soldOrgId', 'channel', 'source'],
    },
  },
  values: ({ claims }) => ({
    claimed: claims.claimed ?? 0,
    contacted: claims.contacted ?? 0,
    added: claims.added ?? 0,
    keen: claims.keen ?? 0,
    sameDay: claims.sameDay ?? 0,
    withinMonth: claims.withinMonth ?? 0,
    dealRate: ratio(claims.deals ?? 0, claims.claimed ?? 0),
    revenue: claims.revenueFen ?? 0,
    returned: claims.returned ?? 0,
    deals: claims.deals ?? 0,
  }),
})

export const routes = serveStatistic(statistic, counting)
