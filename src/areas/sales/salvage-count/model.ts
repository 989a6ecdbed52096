import { resource as held } from '#areas/sales/sales-count/model.ts'
import { type Reached, reachedFrom } from '#engines/lead/model.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const CLAIMED = { got: ['CLAIMED'] }
const claimedTo = (reached: Reached) => ({ ...CLAIMED, reached: reachedFrom(reached) })

/** What comes of what is claimed out of the pools, by whoever claimed it. */
export const statistic = defineStatistic({
  screen: area.screens['salvage-count'],
  of: held,
  measures: {
    claimed: { kind: 'count', good: 'more', rows: CLAIMED },
    contacted: { kind: 'count', good: 'more', rows: claimedTo('CONTACTED') },
    added: { kind: 'count', good: 'more', rows: claimedTo('ADDED') },
    keen: { kind: 'count', good: 'more', rows: claimedTo('INTENT') },
    sameDay: { kind: 'count', good: 'more', rows: { ...CLAIMED, daysToDealBegin: ['0'], daysToDealEnd: ['0'] } },
    withinMonth: { kind: 'count', good: 'more', rows: { ...CLAIMED, daysToDealBegin: ['0'], daysToDealEnd: ['30'] } },
    dealRate: { kind: 'rate', good: 'more', rows: { ...CLAIMED, endKind: ['DEAL'] } },
    revenue: { kind: 'money', good: 'more', rows: { ...CLAIMED, endKind: ['DEAL'] } },
    returned: { kind: 'count', good: 'less', rows: { ...CLAIMED, endKind: ['RETURNED', 'EXPIRED'] } },
    deals: { kind: 'count', good: 'more', rows: { ...CLAIMED, endKind: ['DEAL'] }, only: 'funnel' },
  },
  dimensions: {
    seller: { field: 'soldBy' },
    department: { field: 'soldOrgId' },
    time: 'time',
    source: { field: 'source' },
    channel: { field: 'channel' },
  },
  funnel: ['claimed', 'contacted', 'added', 'keen', 'deals'],
  bases: { claimed: 'since' },
  filters: ['soldBy', 'soldOrgId', 'channel', 'source'],
})
