import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'sales',
  key: 'sale',
  icon: 'phone',
  order: 50,
  dependsOn: ['members', 'organisation'],
  screens: {
    'name-copy-plain': { route: '/sale/name_copy_noqrcode', key: 'sale-nameCopyNoQr' },
  },
})
