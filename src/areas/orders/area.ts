import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'orders',
  key: 'order',
  icon: 'order',
  order: 60,
  dependsOn: ['members', 'organisation'],
  screens: {
    order: { route: '/order/list', key: 'order-list' },
    'refund-application': { route: '/order/refundApply', key: 'order-refundApply' },
  },
})
