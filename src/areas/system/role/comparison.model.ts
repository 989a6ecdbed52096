import { SUPER_ADMIN } from './factor.model.ts'
import type { Role } from './model.ts'
import { entriesOf, type PermissionTree } from './permission-tree.model.ts'

/** What may be done on a page, or a field that is read there in full, and which of two roles allows it. */
export type Compared = {
  readonly id: string
  readonly kind: 'PAGE' | 'ACTION' | 'FIELD'
  readonly page: string
  readonly name: string
  readonly sides: readonly [boolean, boolean]
}

type Holder = Pick<Role, 'code' | 'permissions'>

/** All that one of the two allows at least, as it stands in the menu. */
export function compared(tree: PermissionTree, one: Holder, other: Holder): Compared[] {
  const [first, second] = [holdsOf(one), holdsOf(other)]
  const sidesOf = (key: string) => [first(key), second(key)] as const
  return tree
    .flatMap(({ pages }) => pages)
    .flatMap(page => [
      ...entriesOf(page).map(({ key, name }) => {
        const kind = key === page.key ? ('PAGE' as const) : ('ACTION' as const)
        return { id: key, kind, page: page.name, name, sides: sidesOf(key) }
      }),
      // What nobody may open sets no two apart.
      ...page.fields.flatMap(({ name, right }) =>
        right === null
          ? []
          : [{ id: `${page.key}#${name}`, kind: 'FIELD' as const, page: page.name, name, sides: sidesOf(right) }],
      ),
    ])
    .filter(({ sides: [a, b] }) => a || b)
}

function holdsOf({ code, permissions }: Holder): (key: string) => boolean {
  const held = new Set(permissions)
  return key => code === SUPER_ADMIN || held.has(key)
}

/** Which lines are looked at: all, those that set the two apart, or what one allows and the other does not. */
export const SIDES = ['DIFFERENT', 'FIRST', 'SECOND'] as const
export type Side = (typeof SIDES)[number]

export function isOn(side: Side, [a, b]: readonly [unknown, unknown]): boolean {
  if (side === 'DIFFERENT') return a !== b
  return side === 'FIRST' ? a === true && b === false : a === false && b === true
}
