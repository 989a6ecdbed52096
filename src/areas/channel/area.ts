import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'channel',
  key: 'channel',
  icon: 'shop',
  order: 160,
  dependsOn: ['live', 'members', 'orders', 'organisation', 'sales', 'traffic'],
  screens: {
    'distribution-order': { route: '/operate/disOrder', key: 'disOrder' },
    'distribution-count': { route: '/operate/disOrder/count', key: 'disOrder-count', records: false },
    'app-channel': { route: '/operate/appChannel/list', key: 'appChannel' },
    price: { route: '/operate/channelPer', key: 'channelPer' },
    'channel-count': { route: '/operate/channelCount', key: 'channelCount', records: false },
    statement: { route: '/operate/channelCpa', key: 'channelCpa' },
    author: { route: '/operate/author', key: 'author' },
    'sale-line': { route: '/channel/sale-line', key: 'sale-line', records: false },
  },
})
