import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'organisation',
  key: 'orgStructure',
  icon: 'organisation',
  order: 190,
  screens: {
    department: { route: '/orgStructure/org', key: 'org' },
    position: { route: '/orgStructure/position', key: 'position' },
    staff: { route: '/orgStructure/orgUser', key: 'org-user' },
  },
})
