import { resource as member } from '#areas/members/member/model.ts'
import { resource as lead } from '#areas/sales/salvage/model.ts'
import { resource as adLine } from '#areas/traffic/ad-line/model.ts'
import { type Furthest, furthestFrom } from '#engines/lead/model.ts'
import { defineStatistic, type Measure } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

/** Leads that came at least so far. */
const asFarAs = (reached: Furthest) => ({ furthest: furthestFrom(reached) })

/** Members by their first payment and the channel that is credited with it (decision 085). */
const payers = {
  of: member,
  at: 'firstPaidAt',
  rows: {},
  called: { source: 'creditedSource', channel: 'creditedChannel' },
} as const satisfies Partial<Measure>

/** Where what is spent on ads leads people. */
export const ADS = { source: 'XIAOHONGSHU', channel: 'XIAOHONGSHU_FORM' } as const

/**
 * What each source brings and what it costs: leads by the day they came, followed up to now; members by the day they first paid, with all
 * they have paid since.
 */
export const statistic = defineStatistic({
  screen: area.screens['source-count'],
  of: lead,
  measures: {
    leads: { kind: 'count', good: 'more', rows: {} },
    added: { kind: 'count', good: 'more', rows: asFarAs('ADDED') },
    registered: { kind: 'count', good: 'more', rows: asFarAs('REGISTERED'), only: 'funnel' },
    tried: { kind: 'count', good: 'more', rows: asFarAs('TRIED'), only: 'funnel' },
    dealt: { kind: 'count', good: 'more', rows: asFarAs('PAID'), only: 'funnel' },
    payers: { kind: 'count', good: 'more', ...payers },
    cost: {
      kind: 'money',
      good: 'less',
      of: adLine,
      at: 'day',
      rows: {},
      called: { source: { is: ADS.source }, channel: { is: ADS.channel } },
    },
    costPerLead: { kind: 'money', good: 'less', madeOf: ['cost', 'leads'] },
    costPerPayer: { kind: 'money', good: 'less', madeOf: ['cost', 'payers'] },
    amount: { kind: 'money', good: 'more', ...payers },
    refunded: { kind: 'money', good: 'less', ...payers },
    roi: { kind: 'rate', good: 'more', madeOf: ['amount', 'cost'] },
    netRoi: { kind: 'rate', good: 'more', madeOf: ['amount', 'refunded', 'cost'] },
  },
  dimensions: { time: 'time', source: { field: 'source' }, channel: { field: 'channel' } },
  across: ['source', 'channel'],
  funnel: ['leads', 'added', 'registered', 'tried', 'dealt'],
  bases: { came: 'createdAt' },
  filters: ['source', 'channel'],
})
