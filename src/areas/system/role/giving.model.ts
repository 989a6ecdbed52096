import { type Actor, can, letsCopy, mayCopy, mayOpen, scopeOf } from '#kit/model/actor.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { ScopeKind } from './model.ts'
import { actionOf, between, pageOf } from './permission-tree.model.ts'

/** What a role allows: which rows, and what may be done. */
export type Charter = {
  readonly scope: ScopeKind
  readonly orgIds: readonly string[]
  readonly permissions: readonly string[]
}

/** Whoever gives, with the kinds of scope his own roles have on each page. */
export type Giver = {
  readonly actor: Actor
  readonly reach: ReadonlyMap<string, readonly ScopeKind[]>
  readonly isHolder: boolean
}

export const holds = (actor: Actor, key: string): boolean => {
  const action = actionOf(key)
  return action === undefined ? mayOpen(actor, key) : can(actor, pageOf(key), action)
}

/** Whoever sees the one sees the other, wherever he stands. Those below somebody may sit in any department. */
const WITHIN: Readonly<Record<Exclude<ScopeKind, 'CHOSEN' | 'ALL'>, readonly ScopeKind[]>> = {
  SELF: ['SELF', 'SELF_AND_SUBORDINATES', 'DEPARTMENT', 'DEPARTMENT_AND_BELOW'],
  SELF_AND_SUBORDINATES: ['SELF_AND_SUBORDINATES'],
  DEPARTMENT: ['DEPARTMENT', 'DEPARTMENT_AND_BELOW'],
  DEPARTMENT_AND_BELOW: ['DEPARTMENT_AND_BELOW'],
}

/** Whether somebody's own scope on a page holds all that a role would show there. */
export function reaches({ actor, reach }: Giver, page: string, { scope, orgIds }: Pick<Charter, 'scope' | 'orgIds'>) {
  const own = scopeOf(actor, page)
  if (own.all) return true
  if (scope === 'ALL') return false
  if (scope === 'CHOSEN') return orgIds.every(id => own.orgs.includes(id))
  return (reach.get(page) ?? []).some(kind => WITHIN[scope].includes(kind))
}

type NotGiven = { readonly field: 'permissions' | 'scope' | 'orgIds'; readonly refusal: Refusal }

/**
 * Why somebody may not make one role of another. Nobody gives or takes what he does not hold, shows others more than he
 * sees himself, or widens a role he holds: a super administrator, who holds all, may.
 */
export function whyNotGiven(
  giver: Giver,
  before: Charter | undefined,
  after: Charter,
  named: (keys: readonly string[]) => string,
): NotGiven | undefined {
  if (after.scope === 'CHOSEN' && after.orgIds.length === 0)
    return { field: 'orgIds', refusal: refuse('no-departments') }
  const { actor, isHolder } = giver
  if (actor.superAdmin) return undefined
  const { given, taken } = between(before?.permissions ?? [], after.permissions)
  const isMoved = before !== undefined && !isSameScope(before, after)
  // A wider scope spreads whatever the role holds.
  const touched = [...given, ...taken, ...(isMoved ? after.permissions : [])]
  const foreign = [...new Set(touched)].filter(key => !holds(actor, key))
  if (foreign.length > 0) return { field: 'permissions', refusal: refuse('not-held', { names: named(foreign) }) }
  if (isHolder && given.length > 0) return { field: 'permissions', refusal: refuse('own-role') }
  if (isHolder && isMoved) return { field: 'scope', refusal: refuse('own-role') }
  const beyond = pagesShown(before, after).filter(page => !reaches(giver, page, after))
  const lost = isMoved ? pagesOf(before.permissions).filter(page => !reaches(giver, page, before)) : []
  const pages = [...new Set([...beyond, ...lost])]
  return pages.length > 0 ? { field: 'scope', refusal: refuse('scope-beyond', { names: named(pages) }) } : undefined
}

/** Where a role shows rows it did not show before. Who renames it need not see all that it shows. */
function pagesShown(before: Charter | undefined, after: Charter): string[] {
  const isMoved = before === undefined || !isSameScope(before, after)
  return pagesOf(isMoved ? after.permissions : between(before.permissions, after.permissions).given)
}

const pagesOf = (keys: readonly string[]): string[] => [...new Set(keys.map(pageOf))]

export const isSameScope = (one: Charter, other: Charter): boolean =>
  one.scope === other.scope && [...one.orgIds].sort().join() === [...other.orgIds].sort().join()

/** Contract: whoever's role is called so may select text; a code that says "super administrator" is nobody else's. */
export function whyNotCalled(actor: Actor, code: string): Refusal | undefined {
  const called = code.toUpperCase()
  if (called.includes('SUPER_ADMIN')) return refuse('code-reserved')
  return letsCopy(called) && !mayCopy(actor) ? refuse('code-copies') : undefined
}
