import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'live',
  key: 'living-admin',
  icon: 'video',
  order: 40,
  dependsOn: ['orders', 'members', 'organisation', 'products'],
  screens: {
    'dy-code': { route: '/members/dy-code', key: 'dy-code', partial: true },
    'channel-order': { route: '/members/channel-order', key: 'channel-order', partial: true },
    'xhs-order': { route: '/members/xhs-order', key: 'xhs-order', partial: true },
  },
})
