import type { Area, Screen } from '#kit/model/area.ts'
import { areas } from './screens.ts'
import { mayOpenPage, type UserState } from './user.ts'

/** Spec §6: a group's key opens the group, a page's key the page; who lacks the group's sees nothing below it. */
export const maySeeScreen = (user: UserState, screen: Screen): boolean => {
  const area = areas.find(({ screens }) => Object.values(screens).includes(screen))
  return mayOpenPage(user, area?.key ?? null) && mayOpenPage(user, screen.key)
}

export type MenuGroup = { readonly area: Area; readonly screens: readonly Screen[] }

/** The menu of a person, in its order: groups without a page of this person are absent. */
export const menuOf = (user: UserState): MenuGroup[] =>
  areas
    .map(area => ({
      area,
      screens: Object.values(area.screens).filter(screen => !screen.hidden && maySeeScreen(user, screen)),
    }))
    .filter(({ screens }) => screens.length > 0)
