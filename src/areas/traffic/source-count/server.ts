import { resource as member } from '#areas/members/member/model.ts'
import { resource as adLine } from '#areas/traffic/ad-line/model.ts'
import { type Furthest, furthestFrom } from '#engines/lead/model.ts'
import { ratio } from '#kit/model/statistic.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { ADS, statistic } from './model.ts'

const known = { by: { source: 'source', channel: 'channel' }, filters: ['source', 'channel'] } as const
const payers = { ...known, of: member, time: 'first_paid_at' } as const
const PAYER =
  'm.owner_id, m.org_id, m.teacher_id, m.first_paid_at, m.first_paid_day, m.credited_source as source, m.credited_channel as channel'

/** Counts of leads that came at least so far. */
const asFarAs = (reached: Furthest) =>
  `count(*) filter (where t.furthest in (${furthestFrom(reached)
    .map(value => `'${value}'`)
    .join(', ')}))`

export const counting = defineCounting({
  sources: {
    leads: {
      ...known,
      table: 'lead',
      time: 'created_at',
      sums: {
        came: 'count(*)',
        added: asFarAs('ADDED'),
        registered: asFarAs('REGISTERED'),
        tried: asFarAs('TRIED'),
        dealt: asFarAs('PAID'),
      },
    },
    members: { ...payers, table: `(select ${PAYER} from member m)`, sums: { paid: 'count(*)' } },
    orders: {
      ...payers,
      table: `(select ${PAYER}, o.paid_fen from member m join sales_order o on o.member_id = m.id and o.paid_fen > 0)`,
      sums: { fen: 'sum(t.paid_fen)' },
    },
    refunds: {
      ...payers,
      table: `(select ${PAYER}, r.amount_fen from member m join refund_application r on r.member_id = m.id and r.status = 'PAID')`,
      sums: { fen: 'sum(t.amount_fen)' },
    },
    // Nobody's and no department's: who counts a part of the leads is told no cost, which would be that of all.
    ads: {
      ...known,
      of: adLine,
      table: `(select l.spend_fen, l.day as spent_day, l.day::timestamp at time zone 'Asia/Shanghai' as spent_at,
        '${ADS.source}' as source, '${ADS.channel}' as channel, null::bigint as owner_id, null::bigint as org_id from ad_line l)`,
      time: 'spent_at',
      sums: { fen: 'sum(t.spend_fen)' },
    },
  },
  values({ leads, members, orders, refunds, ads }) {
    const [amount, refunded, cost] = [orders.fen ?? 0, refunds.fen ?? 0, ads.fen]
    const each = (count: number | null) => {
      const share = cost === null ? null : ratio(cost, count ?? 0)
      return share === null ? null : Math.round(share)
    }
    return {
      leads: leads.came ?? 0,
      added: leads.added ?? 0,
      registered: leads.registered ?? 0,
      tried: leads.tried ?? 0,
      dealt: leads.dealt ?? 0,
      payers: members.paid ?? 0,
      cost,
      costPerLead: each(leads.came),
      costPerPayer: each(members.paid),
      amount,
      refunded,
      roi: cost === null ? null : ratio(amount, cost),
      netRoi: cost === null ? null : ratio(amount - refunded, cost),
    }
  },
})

export const routes = serveStatistic(statistic, counting)
