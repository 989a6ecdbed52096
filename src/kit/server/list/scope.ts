import { type Actor, mayOpen, type Scope, scopeOf, union } from '#kit/model/actor.ts'
import { columnOf } from '#kit/model/field.ts'
import type { Care, Reference, Resource } from '#kit/model/resource.ts'
import type { Database } from '../database/database.ts'

/** Gives each value its place in the statement. */
export function binder(): { bind: (value: unknown) => string; values: unknown[] } {
  const values: unknown[] = []
  return { values, bind: value => `$${values.push(value)}` }
}

/** Also the groups its people belong to, once they are looked up: the planner then knows how much is in their care. */
export type KnownScope = Scope & { readonly groups?: readonly string[] }

const groupsSql = ({ table, group }: Care, owners: string, orgs: string): string =>
  `select distinct g.${group} as id from ${table} g join staff s on s.id = g.staff_id where s.id = any(${owners}::bigint[]) or s.org_id = any(${orgs}::bigint[])`

export async function withGroups(db: Database, resource: Resource, scope: Scope): Promise<KnownScope> {
  if (!resource.care || scope.all) return scope
  const rows = await db.read.rows(groupsSql(resource.care, '$1', '$2'), [scope.owners, scope.orgs])
  return { ...scope, groups: rows.map(({ id }) => String(id)) }
}

/** The rows of this scope, in SQL; empty text for "all". A shared table has no owner to ask. */
export function scopeSql(
  resource: Pick<Reference, 'scope' | 'carer' | 'care'>,
  scope: KnownScope,
  bind: (value: unknown) => string,
  alias = 't',
): string {
  if (resource.scope === 'shared' || scope.all) return ''
  const parts: string[] = []
  // A single owner as an equality, so that an index on (owner_id, id) gives the order too.
  if (scope.owners.length === 1) parts.push(`${alias}.owner_id = ${bind(scope.owners[0])}::bigint`)
  else if (scope.owners.length > 1) parts.push(`${alias}.owner_id = any(${bind(scope.owners)}::bigint[])`)
  if (scope.orgs.length > 0) parts.push(`${alias}.org_id = any(${bind(scope.orgs)}::bigint[])`)
  if (resource.carer !== undefined && resource.care) {
    const groups = scope.groups
      ? `${bind(scope.groups)}::bigint[]`
      : `array(${groupsSql(resource.care, bind(scope.owners), bind(scope.orgs))})`
    parts.push(`${alias}.${columnOf(resource.carer)} = any(${groups})`)
  } else if (resource.carer !== undefined) {
    const carer = `${alias}.${columnOf(resource.carer)}`
    if (scope.owners.length > 0) parts.push(`${carer} = any(${bind(scope.owners)}::bigint[])`)
    if (scope.orgs.length > 0) {
      // As an array, looked up first: a subquery would be asked row by row.
      parts.push(`${carer} = any(array(select s.id from staff s where s.org_id = any(${bind(scope.orgs)}::bigint[])))`)
    }
  }
  const rule = parts.length === 0 ? 'false' : `(${parts.join(' or ')})`
  const bound = scope.within ? scopeSql(resource, scope.within, bind, alias) : ''
  return bound === '' ? rule : `(${rule} and ${bound})`
}

type Cared = Pick<Reference, 'carer' | 'care'>

/** The columns masked for this person of what is in a group's care; whoever sees everything sees it by no group. */
export const maskedInCare = ({ care }: Cared, { all }: Scope): ReadonlySet<string> =>
  new Set(all ? [] : Object.keys(care?.masks ?? {}).map(columnOf))

/** Somebody has it, so that it is in no group's care, in SQL. */
export const outOfCare = ({ carer }: Cared, alias = 't'): string => `${alias}.${columnOf(carer ?? '')} is null`

/** The colleagues of this scope, in SQL; empty text for "all". */
export function peopleSql(scope: Scope, bind: (value: unknown) => string): string {
  if (scope.all) return ''
  const rule = `(t.id = any(${bind(scope.owners)}::bigint[]) or t.org_id = any(${bind(scope.orgs)}::bigint[]))`
  const bound = scope.within ? peopleSql(scope.within, bind) : ''
  return bound === '' ? rule : `(${rule} and ${bound})`
}

/** The rows of this screen that are in this scope, in SQL; empty text for "all". */
export function boundsSql(resource: Resource, scope: KnownScope, bind: (value: unknown) => string): string {
  return [scopeSql(resource, scope, bind), onlySql(resource.list.only, bind)].filter(part => part !== '').join(' and ')
}

/** The part of its table a screen stands on, in SQL; empty text for the whole of it. */
export const onlySql = (only: Resource['list']['only'], bind: (value: unknown) => string): string =>
  Object.entries(only ?? {})
    .map(([field, values]) => {
      const [value, ...more] = values ?? []
      // By what is equal to one value an index may also sort.
      return more.length === 0
        ? `t.${columnOf(field)} = ${bind(value)}`
        : `t.${columnOf(field)} = any(${bind(values)}::text[])`
    })
    .join(' and ')

/** The widest scope of these pages; nothing for whoever may open none of them. */
export const scopeAmong = (pages: readonly string[], actor: Actor): Scope =>
  union(pages.filter(page => mayOpen(actor, page)).map(page => scopeOf(actor, page)))

/** Those a form may take on a day; all, where the slice says nothing of it. */
export function offeredSql({ offered }: Reference, today: string, bind: (value: unknown) => string): string {
  if (!offered) return ''
  const { column, values, until } = offered
  const still = until === undefined ? '' : ` and (t.${until} is null or t.${until} >= ${bind(today)}::date)`
  return `t.${column} = any(${bind(values)}::text[])${still}`
}
