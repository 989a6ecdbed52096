import * as z from 'zod'

/** One thing a role may hold, and whether whoever asks holds it too: nobody gives or takes what he does not hold. */
const entry = z.strictObject({ key: z.string(), name: z.string(), isHeld: z.boolean() })
export type Entry = z.infer<typeof entry>

/** A field that is shown masked; `right` opens it in full, and nothing does where there is none. */
const maskedField = z.strictObject({ name: z.string(), right: z.string().nullable() })

const page = entry.extend({ actions: z.array(entry), fields: z.array(maskedField) })
export type PagePermissions = z.infer<typeof page>

const group = z.strictObject({ key: z.string(), name: z.string(), pages: z.array(page) })
export type GroupPermissions = z.infer<typeof group>

/** All there is to hold, as it stands in the menu. */
export const permissionTree = z.array(group)
export type PermissionTree = z.infer<typeof permissionTree>

export const pageOf = (key: string): string => key.split(':')[0] as string
export const actionOf = (key: string): string | undefined => key.split(':')[1]

export const entriesOf = ({ actions, ...own }: PagePermissions): Entry[] => [own, ...actions]
export const entriesIn = ({ pages }: GroupPermissions): Entry[] => pages.flatMap(entriesOf)

/** An action brings its page along. */
export const withPages = (keys: Iterable<string>): Set<string> => {
  const whole = new Set(keys)
  for (const key of [...whole]) whole.add(pageOf(key))
  return whole
}

/** Gives or takes these, as far as whoever does it may; a page that goes takes its actions along, and stays while one has to. */
export function toggled(held: ReadonlySet<string>, tree: PermissionTree, keys: readonly string[], isGiven: boolean) {
  const all = tree.flatMap(entriesIn)
  const open = new Set(all.filter(({ isHeld }) => isHeld).map(({ key }) => key))
  if (isGiven) return withPages([...held, ...keys.filter(key => open.has(key))])
  const going = all.filter(({ key }) => keys.includes(key) || (actionOf(key) && keys.includes(pageOf(key))))
  const gone = new Set(going.filter(({ isHeld }) => isHeld).map(({ key }) => key))
  return withPages([...held].filter(key => !gone.has(key)))
}

/** The part of the tree somebody looks for: a group or page that is found stands whole, else what is found in it. */
export function found(tree: PermissionTree, typed: string): PermissionTree {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return tree
  const isNamed = ({ key, name }: { key: string; name: string }) =>
    name.toLowerCase().includes(wanted) || key.toLowerCase().includes(wanted)
  return tree.flatMap(each => {
    if (isNamed(each)) return [each]
    const pages = each.pages.flatMap(one => {
      if (isNamed(one)) return [one]
      const actions = one.actions.filter(isNamed)
      return actions.length > 0 ? [{ ...one, actions }] : []
    })
    return pages.length > 0 ? [{ ...each, pages }] : []
  })
}

/** What one of the two holds and the other does not. */
export function between(before: readonly string[], after: readonly string[]) {
  const [old, fresh] = [new Set(before), new Set(after)]
  return { given: after.filter(key => !old.has(key)), taken: before.filter(key => !fresh.has(key)) }
}
