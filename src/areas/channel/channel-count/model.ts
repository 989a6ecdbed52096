import { resource as distributionOrder } from '#areas/channel/distribution-order/model.ts'
import { resource as member } from '#areas/members/member/model.ts'
import { resource as order } from '#areas/orders/order/model.ts'
import { resource as refundApplication } from '#areas/orders/refund-application/model.ts'
import { defineStatistic } from '#kit/model/statistic.ts'
import { area } from '../area.ts'

const PAID = { payState: ['PAID'] }

/** What comes by each channel and what is paid for it, each on the day it happened. The channel of an order is that of the sale. */
export const statistic = defineStatistic({
  screen: area.screens['channel-count'],
  of: order,
  measures: {
    amount: { kind: 'money', good: 'more', rows: PAID },
    registered: { kind: 'count', good: 'more', of: member, at: 'createdAt', rows: {} },
    orders: { kind: 'count', good: 'more', rows: PAID },
    average: { kind: 'money', good: 'more', rows: PAID },
    refunded: {
      kind: 'money',
      good: 'less',
      rows: { status: ['PAID'] },
      of: refundApplication,
      at: 'endedAt',
    },
    commission: {
      kind: 'money',
      good: 'neither',
      rows: { part: ['COUNTED'] },
      of: distributionOrder,
      at: 'paidAt',
    },
    net: { kind: 'money', good: 'more', madeOf: ['amount', 'refunded', 'commission'] },
  },
  dimensions: { channel: { field: 'channel' }, time: 'time' },
  bases: { happened: 'paidAt' },
  filters: ['channel'],
  across: ['channel'],
})
