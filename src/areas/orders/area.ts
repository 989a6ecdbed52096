import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'orders',
  key: 'order',
  icon: 'order',
  order: 60,
  dependsOn: ['members', 'organisation', 'products'],
  screens: {
    order: { route: '/order/list', key: 'order-list' },
    examination: { route: '/order/examine', key: 'order-examine' },
    'refund-application': { route: '/order/refundApply', key: 'order-refundApply' },
    'browse-record': { route: '/order/browse', key: 'order-browse' },
  },
})
