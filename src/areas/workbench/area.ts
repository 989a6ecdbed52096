import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'workbench',
  key: null,
  icon: 'dashboard',
  order: 10,
  dependsOn: ['members', 'orders', 'logistics', 'products'],
  screens: {
    workbench: { route: '/dashboard', key: null, aliases: ['/dashboard/index'] },
  },
})
