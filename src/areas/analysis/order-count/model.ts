import { resource as order } from '#areas/orders/order/model.ts'
import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const PAID = { payState: ['PAID'] }

/**
 * What is ordered, what comes in and what goes back, each on the day it happened. Seller, department and channel are those of the sale.
 * What becomes of an order is told by the day it was placed.
 */
export const statistic = defineStatistic({
  screen: area.screens['order-count'],
  of: order,
  measures: {
    amount: { kind: 'money', good: 'more', at: 'paidAt', rows: PAID },
    paid: { kind: 'count', good: 'more', at: 'paidAt', rows: PAID },
    average: { kind: 'money', good: 'more', at: 'paidAt', rows: PAID },
    placed: { kind: 'count', good: 'more', rows: {} },
    payRate: { kind: 'rate', good: 'more', rows: PAID },
    refunded: {
      kind: 'money',
      good: 'less',
      of: refundApplication,
      at: 'endedAt',
      rows: { status: ['PAID'] },
    },
    net: { kind: 'money', good: 'more', madeOf: ['amount', 'refunded'] },
    placedPaid: { kind: 'count', good: 'more', rows: PAID, only: 'funnel' },
    placedKept: {
      kind: 'count',
      good: 'more',
      rows: { ...PAID, refundState: ['NONE', 'PARTIAL'] },
      only: 'funnel',
    },
  },
  dimensions: {
    time: 'time',
    seller: { field: 'soldBy' },
    department: { field: 'soldOrgId' },
    channel: { field: 'channel' },
  },
  across: ['channel', 'seller'],
  funnel: ['placed', 'placedPaid', 'placedKept'],
  bases: { happened: 'createdAt' },
  filters: ['soldBy', 'soldOrgId', 'channel'],
})
