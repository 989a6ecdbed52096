import { type Actor, type Scope, scopeOf } from '#kit/model/actor.ts'
import { type Database, run, type Tx } from '../database/database.ts'
import { type HeldRight, type Place, readCharter, rightsOfRoles, scopeOfRole } from './rights.ts'

type Queries = Database['query'] | Tx

/** What a role holds and its giver does not: a right, all of them, or how far it reaches. */
export type Excess = Pick<HeldRight, 'page' | 'action'> | 'everything' | 'reach'

/**
 * For each role that somebody may not give to a person in that place, what of it the giver does not hold. Nobody gives more than
 * he has: neither a right, nor records that are out of his own sight.
 */
export async function excessOf(
  query: Queries,
  giver: Actor,
  roleIds: readonly string[],
  to: Place,
): Promise<ReadonlyMap<string, Excess>> {
  const found = new Map<string, Excess>()
  if (giver.superAdmin) return found
  const { roles } = await readCharter(query, roleIds)
  const rights = await rightsOfRoles(query, roleIds)
  for (const role of roles) {
    const missing = rights.find(right => right.roleId === role.id && !holds(giver, right))
    if (role.code === 'SUPER_ADMIN') found.set(role.id, 'everything')
    else if (missing) found.set(role.id, { page: missing.page, action: missing.action })
    else {
      const scope = await scopeOfRole(query, role, to)
      const orgs = await orgsOf(query, scope, to)
      if ([...role.pages].some(page => !covers(scopeOf(giver, page), scope, orgs))) found.set(role.id, 'reach')
    }
  }
  return found
}

/** Whoever holds the role already and would see by it, on one of these pages, what is out of the giver's own sight. */
export async function holderBeyond(
  query: Queries,
  giver: Actor,
  roleId: string,
  pages: readonly string[],
): Promise<string | undefined> {
  const own = pages.map(page => scopeOf(giver, page))
  if (own.every(({ all }) => all)) return undefined
  const { roles } = await readCharter(query, [roleId])
  const holders = await run(
    query,
    'select p.id, p.name, p.org_id as "orgId" from staff_role sr join staff p on p.id = sr.staff_id where sr.role_id = $1',
    [roleId],
  )
  for (const role of roles)
    for (const { name, ...place } of holders as (Place & { name: string })[]) {
      const scope = await scopeOfRole(query, role, place)
      const orgs = await orgsOf(query, scope, place)
      if (own.some(seen => !covers(seen, scope, orgs))) return name
    }
  return undefined
}

const holds = ({ grants }: Actor, { page, action }: HeldRight): boolean =>
  action === null ? grants.has(page) : (grants.get(page)?.has(action) ?? false)

/** The departments of those whose records a scope names one by one. Somebody who is just being hired is in no table yet. */
async function orgsOf(query: Queries, scope: Scope, to: Place): Promise<ReadonlyMap<string, string>> {
  if (scope.all || scope.owners.length === 0) return new Map()
  const rows = await run(query, 'select id, org_id from staff where id = any($1::bigint[])', [scope.owners])
  return new Map([[to.id, to.orgId], ...rows.map(row => [String(row.id), String(row.org_id)] as const)])
}

/** Whether one sees by `own` all that `other` shows. */
function covers(own: Scope, other: Scope, orgOf: ReadonlyMap<string, string>): boolean {
  if (own.all) return true
  if (other.all) return false
  const sees = (owner: string) => own.owners.includes(owner) || own.orgs.includes(orgOf.get(owner) ?? '')
  return other.orgs.every(org => own.orgs.includes(org)) && other.owners.every(sees)
}
