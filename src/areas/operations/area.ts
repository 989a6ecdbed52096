import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'operations',
  key: 'operate',
  icon: 'operations',
  order: 110,
  screens: {
    config: { route: '/operate/config', key: 'operate-config' },
  },
})
