import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'members',
  key: 'member',
  icon: 'member',
  order: 20,
  dependsOn: ['organisation', 'products'],
  screens: {
    member: { route: '/members/list', key: 'member-list' },
    application: { route: '/members/apply', key: 'apply-list' },
    share: { route: '/members/share', key: 'member-share' },
    registration: { route: '/members/mobile', key: 'member-mobile' },
    'check-in': { route: '/members/activity', key: 'member-activity' },
    work: { route: '/members/opus', key: 'opus-list', partial: true },
    'video-work': { route: '/members/videoOpus', key: 'video-opus', partial: true },
    task: { route: '/members/task', key: 'member-task' },
    'upload-failure': { route: '/members/opusFail', key: 'opus-opusFail' },
    'number-import': { route: '/members/salePhone', key: 'member-salePhone' },
    campaign: { route: '/members/message', key: 'member-message' },
  },
})
