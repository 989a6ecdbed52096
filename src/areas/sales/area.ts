import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'sales',
  key: 'sale',
  icon: 'phone',
  order: 50,
  dependsOn: ['members', 'organisation'],
  screens: {
    salvage: { route: '/sale/salvage', key: 'sale-salvage' },
    'name-copy-plain': { route: '/sale/name_copy_noqrcode', key: 'sale-nameCopyNoQr' },
  },
})
