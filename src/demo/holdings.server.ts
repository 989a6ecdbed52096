import type { Declared } from '#kit/server/declared.ts'
import { PLACES, type Place, type Role, type RoleCode } from './roles.server.ts'
import type { Story, ToldStory } from './story.server.ts'

/** Pages that pushes ask for although their screens do not stand yet. */
const AWAITED: Readonly<Record<string, Partial<Record<RoleCode, readonly string[]>>>> = {
  'member-share': { OPERATIONS_MANAGER: ['list'] },
}

/** The roles with what the slices say they hold. */
export function rolesOf(stories: readonly ToldStory[], catalogue: Pick<Declared, 'screens'>): Role[] {
  const holdings = [...Object.entries(AWAITED), ...holdingsOf(stories, catalogue)]
  return PLACES.map((place: Omit<Place, 'code'> & { readonly code: RoleCode }) => {
    const { code, name, note, scope, leads } = place
    const holds = holdings.flatMap(([page, by]) => {
      const said = [...(leads ? [by[leads as RoleCode]] : []), by[code]].filter(actions => actions !== undefined)
      return said.length > 0 ? [[page, [...new Set(said.flat())]] as const] : []
    })
    return { code, name, note, scope, holds: Object.fromEntries(holds) }
  })
}

/** Page key → what each role holds there, as the stories say. */
function holdingsOf(
  stories: readonly ToldStory[],
  { screens }: Pick<Declared, 'screens'>,
): ReadonlyMap<string, NonNullable<Story['holds']>> {
  const holdings = new Map<string, NonNullable<Story['holds']>>()
  for (const { name, holds } of stories) {
    if (!holds) continue
    const key = screens.find(screen => screen.name === name)?.key
    if (!key) throw new Error(`the demo of ${name} says who holds its page, which no screen declares`)
    // The second would take away what the first has given.
    if (holdings.has(key)) throw new Error(`the demo of ${name} says anew who holds ${key}`)
    holdings.set(key, holds)
  }
  return holdings
}
