import { resource as distributionOrder } from '#areas/channel/distribution-order/model.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const COUNTED = { part: ['COUNTED'] }

/** What partners bring: orders, money, refunds and what is paid for it, of the orders paid in the period. */
export const statistic = defineStatistic({
  screen: area.screens['distribution-count'],
  of: distributionOrder,
  measures: {
    orders: { kind: 'count', good: 'more', rows: {} },
    amount: { kind: 'money', good: 'more', rows: {} },
    refunded: { kind: 'money', good: 'less', rows: { isRefunded: ['true'] } },
    counted: { kind: 'count', good: 'neither', rows: COUNTED },
    commission: { kind: 'money', good: 'neither', rows: COUNTED },
    notCounted: { kind: 'count', good: 'neither', rows: { part: ['NOT_COUNTED'] } },
    open: { kind: 'count', good: 'neither', rows: { part: ['OPEN'] } },
    net: { kind: 'money', good: 'more', madeOf: ['amount', 'refunded', 'commission'] },
    share: { kind: 'rate', good: 'less', madeOf: ['commission', 'amount', 'refunded'] },
  },
  dimensions: {
    time: 'time',
    partner: { field: 'partnerId' },
    entry: { field: 'entry' },
    channel: { field: 'channel' },
  },
  bases: { paid: 'paidAt' },
  filters: ['partnerId', 'entry', 'kind', 'channel'],
})
