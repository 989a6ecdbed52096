import { resource as held } from '#areas/sales/sales-count/model.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const CLAIMED = { got: ['CLAIMED'] }
const FAR = { added: ['ADDED', 'TRIAL', 'INTENT', 'DEAL'], keen: ['INTENT', 'DEAL'] }

/** What comes of what is claimed out of the pools, by whoever claimed it. */
export const statistic = defineStatistic({
  screen: area.screens['salvage-count'],
  of: held,
  measures: {
    claimed: { kind: 'count', good: 'more', rows: CLAIMED },
    contacted: { kind: 'count', good: 'more', rows: { ...CLAIMED, reached: ['CONTACTED', ...FAR.added] } },
    added: { kind: 'count', good: 'more', rows: { ...CLAIMED, reached: FAR.added } },
    keen: { kind: 'count', good: 'more', rows: { ...CLAIMED, reached: FAR.keen } },
    sameDay: { kind: 'count', good: 'more', rows: { ...CLAIMED, daysToDealBegin: ['0'], daysToDealEnd: ['0'] } },
    withinMonth: { kind: 'count', good: 'more', rows: { ...CLAIMED, daysToDealBegin: ['0'], daysToDealEnd: ['30'] } },
    dealRate: { kind: 'rate', good: 'more', rows: { ...CLAIMED, endKind: ['DEAL'] } },
    revenue: { kind: 'money', good: 'more', rows: { ...CLAIMED, endKind: ['DEAL'] } },
    returned: { kind: 'count', good: 'less', rows: { ...CLAIMED, endKind: ['RETURNED', 'EXPIRED'] } },
    deals: { kind: 'count', good: 'more', rows: { ...CLAIMED, endKind: ['DEAL'] }, only: 'funnel' },
  },
  dimensions: {
    seller: { field: 'soldBy' },
    time: 'time',
    source: { field: 'source' },
    channel: { field: 'channel' },
  },
  funnel: ['claimed', 'contacted', 'added', 'keen', 'deals'],
  bases: { claimed: 'since' },
  filters: ['soldBy', 'channel', 'source'],
})
