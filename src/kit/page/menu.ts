import { useMemo } from 'react'
import type { Screen } from '#kit/model/area.ts'
import { arranged, type MenuGroup, ownOf } from '#kit/model/menu.ts'
import { useLanguage, useTexts } from './language.ts'
import { areas, screens } from './screens.ts'
import { mayOpenPage, type UserState, useUser } from './user.ts'

/** Spec §6: a group's key opens the group, a page's key the page; who lacks the group's sees nothing below it. */
export const maySeeScreen = (user: UserState, screen: Screen): boolean => {
  const area = areas.find(({ screens }) => Object.values(screens).includes(screen))
  return mayOpenPage(user, area?.key ?? null) && mayOpenPage(user, screen.key)
}

/** The menu of a person, in its order: groups without a page of this person are absent. */
export const menuOf = (user: UserState): MenuGroup[] =>
  arranged(areas, user.permissions, screen => maySeeScreen(user, screen))

const KEYS = new Map([...areas, ...screens].map(({ name, key }) => [name, key]))

/** What the screens and groups of the menu are called: as people here say, else as the code does. */
export function useTitles(): (name: string) => string {
  const say = useTexts('menu')
  const language = useLanguage()
  const entries = useUser(user => user.permissions)
  return useMemo(
    () => name => ownOf(entries, KEYS.get(name) ?? null)?.names[language] ?? say(name),
    [say, language, entries],
  )
}

/** All a screen or a group is found by: its names in all languages, pinyin and initials. */
export function useNamesFor(): (name: string) => string[] {
  const names = useTexts('menuNames')
  const entries = useUser(user => user.permissions)
  return useMemo(
    () => name => {
      const own = ownOf(entries, KEYS.get(name) ?? null)
      return [...Object.values(own?.names ?? {}), ...(own?.words ?? []), ...names(name).split('|')]
    },
    [names, entries],
  )
}
