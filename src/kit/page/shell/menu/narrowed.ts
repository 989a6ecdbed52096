import { useMemo } from 'react'
import { useTexts } from '../../language.ts'
import { type MenuGroup, menuOf } from '../../menu.ts'
import { useUser } from '../../user.ts'
import { isCalled } from '../palette/search.ts'

/** The person's menu, or what of it is called as typed: by screen, and whole groups by theirs. */
export function useNarrowed(typed: string): readonly MenuGroup[] {
  const user = useUser()
  const menu = useTexts('menu')
  const names = useTexts('menuNames')
  const groups = useMemo(() => menuOf(user), [user])
  return useMemo(() => {
    if (typed.trim() === '') return groups
    const fits = (name: string) => isCalled([menu(name as never), ...names(name as never).split('|')], typed)
    return groups
      .map(({ area, screens }) => ({
        area,
        screens: fits(area.name) ? screens : screens.filter(({ name }) => fits(name)),
      }))
      .filter(({ screens }) => screens.length > 0)
  }, [groups, menu, names, typed])
}
