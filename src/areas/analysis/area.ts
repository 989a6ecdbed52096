import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'analysis',
  key: 'analyse',
  icon: 'analysis',
  order: 120,
  dependsOn: ['orders'],
  screens: {
    'order-count': { route: '/analyse/order-count', key: 'analyse-order-count', records: false },
  },
})
