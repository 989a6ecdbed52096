import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'traffic',
  key: 'flow',
  icon: 'traffic',
  order: 100,
  dependsOn: ['members', 'orders', 'organisation', 'sales', 'system'],
  screens: {
    'source-count': { route: '/source/count', key: 'source-count', records: false },
    note: { route: '/operate/redBook', key: 'redBook' },
    'lead-form': { route: '/operate/redBookForm', key: 'redBookForm' },
    'ad-line': { route: '/operate/redBookLine', key: 'redBookLine' },
    'publish-line': { route: '/operate/redBookPublishLine', key: 'redBookPublishLine' },
    'official-account': { route: '/operate/gz', key: 'gz' },
    channel: { route: '/operate/channel', key: 'flow-channel' },
  },
})
