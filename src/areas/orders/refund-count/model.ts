import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const PAID = { status: ['PAID'] }

/**
 * How much goes back, to whom it was sold, why, and how long that takes. Seller, department, channel and products are those of
 * the order when it was placed.
 */
export const statistic = defineStatistic({
  screen: area.screens['refund-count'],
  of: refundApplication,
  measures: {
    orders: { kind: 'count', good: 'less', rows: PAID },
    amount: { kind: 'money', good: 'less', rows: PAID },
    orderRate: { kind: 'rate', good: 'less', rows: PAID },
    amountRate: { kind: 'rate', good: 'less', rows: PAID },
    medianHours: { kind: 'hours', good: 'less', rows: PAID },
    retentionRate: { kind: 'rate', good: 'more', rows: { status: ['REJECTED', 'WITHDRAWN'] } },
    failureRate: { kind: 'rate', good: 'less', rows: { payFailed: ['true'] } },
  },
  dimensions: {
    time: 'time',
    product: { field: 'products' },
    owner: { field: 'soldBy' },
    department: { field: 'soldOrgId' },
    channel: { field: 'channel' },
    reason: { field: 'reason' },
    age: {
      field: 'daysSincePaid',
      bands: { 'within-7': [0, 7], 'within-30': [8, 30], 'within-90': [31, 90], later: [91, null] },
    },
  },
  // Refunds that ended in the period, or all refunds of the orders paid in it.
  bases: { finished: 'endedAt', cohort: 'orderPaidAt' },
  filters: ['soldBy', 'soldOrgId', 'channel', 'reason', 'route'],
})
