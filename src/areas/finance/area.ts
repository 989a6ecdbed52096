import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'finance',
  key: 'finance',
  icon: 'finance',
  order: 150,
  dependsOn: ['orders'],
  screens: {
    'payment-exception': { route: '/orderPay/list', key: 'orderPay' },
  },
})
