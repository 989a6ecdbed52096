import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'channel',
  key: 'channel',
  icon: 'shop',
  order: 150,
  dependsOn: ['members', 'orders', 'organisation', 'traffic'],
  screens: {
    'app-channel': { route: '/operate/appChannel/list', key: 'appChannel' },
    price: { route: '/operate/channelPer', key: 'channelPer' },
    statement: { route: '/operate/channelCpa', key: 'channelCpa' },
  },
})
