import { defineArea } from '#kit/model/area.ts'

/** The personal centre: every signed-in person's own, reached from the avatar menu (spec §2). */
export const area = defineArea({
  name: 'account',
  key: null,
  icon: 'user',
  order: 210,
  screens: {
    'settings-base': { route: '/account/settings/base', key: null, hidden: true, aliases: ['/account/settings'] },
    // What is typed or shown there must not wait in a tab for the next person at the desk.
    'settings-password': { route: '/account/settings/changePwd', key: null, hidden: true, keepAlive: false },
    'settings-sessions': { route: '/account/settings/sessions', key: null, hidden: true, keepAlive: false },
    'settings-factor': { route: '/account/settings/factor', key: null, hidden: true, keepAlive: false },
    'settings-exports': { route: '/account/settings/exports', key: null, hidden: true },
    'settings-notifications': { route: '/account/settings/notifications', key: null, hidden: true },
  },
})
