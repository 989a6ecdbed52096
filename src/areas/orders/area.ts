import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'orders',
  key: 'order',
  icon: 'order',
  order: 60,
  dependsOn: ['members', 'organisation', 'products'],
  screens: {
    order: { route: '/order/list', key: 'order-list' },
    'coin-order': { route: '/coinOrder/list', key: 'coin-order-list' },
    examination: { route: '/order/examine', key: 'order-examine' },
    'refund-application': { route: '/order/refundApply', key: 'order-refundApply' },
    'refund-count': { route: '/order/refundCount', key: 'order-refundCount', records: false },
    'browse-record': { route: '/order/browse', key: 'order-browse' },
    redemption: { route: '/order/exchange', key: 'order-exchange' },
  },
})
