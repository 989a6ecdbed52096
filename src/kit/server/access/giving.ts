import { type Actor, can, mayCopy, mayOpen, NOTHING, type Scope, scopeOf } from '#kit/model/actor.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { type Database, run, type Tx } from '../database/database.ts'
import { type Place, readCharter, scopesOf } from './rights.ts'

type Queries = Database['query'] | Tx

/** What somebody may do on each page, and over which rows; and whether text may be taken along, which the codes of roles say. */
export type Powers = Pick<Actor, 'grants' | 'scopes' | 'superAdmin' | 'roleCodes'>
const NO_POWERS: Powers = { grants: new Map(), scopes: new Map(), superAdmin: false, roleCodes: [] }

/** What a giver lacks of what he would give: a right, all of them, rows it would open, or to take text along. */
export type Excess =
  | 'everything'
  | 'copying'
  | { readonly lacks: 'right' | 'reach'; readonly page: string; readonly action: string | null }

/** What these roles together allow to somebody who stands there. */
export async function powersOf(query: Queries, roleIds: readonly string[], place: Place): Promise<Powers> {
  const { roles, roleCodes, grants, everywhere } = await readCharter(query, roleIds)
  const scopes = await scopesOf(query, roles, everywhere, place)
  return { grants, scopes, superAdmin: roleCodes.includes('SUPER_ADMIN'), roleCodes }
}

/**
 * What somebody could do by `after`, and could not by `before`, that the giver cannot do himself. Rights multiply: an action of
 * one role reaches as far as the page does by another, so all that a person holds is judged together.
 */
export async function excessOf(
  query: Queries,
  giver: Actor,
  { after, before = NO_POWERS, to }: { after: Powers; before?: Powers; to: Place },
): Promise<Excess | undefined> {
  if (giver.superAdmin || before.superAdmin) return undefined
  if (after.superAdmin) return 'everything'
  const orgOf = await orgsOf(query, after, to)
  for (const [page, actions] of after.grants) {
    const scope = after.scopes.get(page) ?? NOTHING
    const isSeen = covers(before.scopes.get(page) ?? NOTHING, scope, orgOf)
    for (const action of [null, ...actions]) {
      if (isSeen && holds(before, page, action)) continue
      if (!isHeld(giver, page, action)) return { lacks: 'right', page, action }
      if (!covers(scopeOf(giver, page), scope, orgOf)) return { lacks: 'reach', page, action }
    }
  }
  return mayCopy(after) && !mayCopy(before) && !mayCopy(giver) ? 'copying' : undefined
}

/** Refuses what would let whoever does it see or do more than before. Asked after the rows are written. */
export async function requireNotLifted(tx: Tx, actor: Actor): Promise<void> {
  const [own] = await run(
    tx,
    `select p.org_id::text as "orgId", array(select sr.role_id::text from staff_role sr where sr.staff_id = p.id) as "roleIds"
     from staff p where p.id = $1`,
    [actor.id],
  )
  if (!own || actor.superAdmin) return
  const to = { id: actor.id, orgId: String(own.orgId) }
  const after = await powersOf(tx, own.roleIds as string[], to)
  if (await excessOf(tx, actor, { after, to })) throw new Refused(refuse('kit:lifts-oneself'))
}

const holds = ({ grants }: Powers, page: string, action: string | null): boolean =>
  action === null ? grants.has(page) : (grants.get(page)?.has(action) ?? false)

const isHeld = (actor: Actor, page: string, action: string | null): boolean =>
  action === null ? mayOpen(actor, page) : can(actor, page, action)

/** The departments of those whose records a scope names one by one. Somebody who is just being hired is in no table yet. */
async function orgsOf(query: Queries, { scopes }: Powers, to: Place): Promise<ReadonlyMap<string, string>> {
  const owners = new Set([...scopes.values()].flatMap(scope => (scope.all ? [] : scope.owners)))
  if (owners.size === 0) return new Map()
  const rows = await run(query, 'select id, org_id from staff where id = any($1::bigint[])', [[...owners]])
  return new Map([[to.id, to.orgId], ...rows.map(row => [String(row.id), String(row.org_id)] as const)])
}

/** Whether one sees by `own` all that `other` shows. */
function covers(own: Scope, other: Scope, orgOf: ReadonlyMap<string, string>): boolean {
  if (own.all) return true
  if (other.all) return false
  const sees = (owner: string) => own.owners.includes(owner) || own.orgs.includes(orgOf.get(owner) ?? '')
  return other.orgs.every(org => own.orgs.includes(org)) && other.owners.every(sees)
}
