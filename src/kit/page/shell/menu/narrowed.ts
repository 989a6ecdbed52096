import { useMemo } from 'react'
import type { MenuGroup } from '#kit/model/menu.ts'
import { menuOf, useNamesFor } from '../../menu.ts'
import { useUser } from '../../user.ts'
import { isCalled } from '../palette/search.ts'

/** The person's menu, or what of it is called as typed: by screen, and whole groups by theirs. */
export function useNarrowed(typed: string): readonly MenuGroup[] {
  const user = useUser()
  const namesFor = useNamesFor()
  const groups = useMemo(() => menuOf(user), [user])
  return useMemo(() => {
    if (typed.trim() === '') return groups
    const fits = (name: string) => isCalled(namesFor(name), typed)
    return groups
      .map(({ area, screens }) => ({
        area,
        screens: fits(area.name) ? screens : screens.filter(({ name }) => fits(name)),
      }))
      .filter(({ screens }) => screens.length > 0)
  }, [groups, namesFor, typed])
}
