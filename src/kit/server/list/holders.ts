import { type Actor, can, type Scope, scopeOf } from '#kit/model/actor.ts'
import { MOST_USES, type Use } from '#kit/model/edition.ts'
import { columnOf } from '#kit/model/field.ts'
import type { Resource, Shape } from '#kit/model/resource.ts'
import type { Database } from '../database/database.ts'
import { binder, boundsSql } from './scope.ts'

const LINKED = 5

type Held = {
  /** The key of the name in the texts of whoever shows it. */
  readonly name: string
  /** The rows that name both, with an index on the first: the edition, and the record that holds it. */
  readonly rows: { readonly table: string; readonly edition: string; readonly holder: string }
}

/** Which editions are asked about, what the person may see on their page, as with all that hangs on a record, and who that is. */
export type Asked = { readonly editionIds: readonly string[]; readonly scope: Scope; readonly actor: Actor }

/** Which records of a resource hold these editions, by edition: as many as are in this scope, and the newest by name for whoever may list them. */
export async function holdersOf<S extends Shape>(
  db: Database,
  resource: Resource<S>,
  { name, rows: { table, edition, holder } }: Held,
  { editionIds, scope, actor }: Asked,
): Promise<Map<string, readonly Use[]>> {
  const { route } = resource.screen
  const { bind, values } = binder()
  const ids = bind(editionIds)
  const rule = boundsSql(resource, scope, bind)
  const { key } = resource.screen
  const isNamed = can(actor, key, 'list') ? boundsSql(resource, scopeOf(actor, key), bind) || 'true' : 'false'
  const found = await db.read.planned(
    `select e.id, h.* from unnest(${ids}::bigint[]) e (id) cross join lateral (
       select count(*)::int as n, (array_agg(jsonb_build_array(s.id::text, s.name) order by s.newest desc) filter (where s.named))[1:${LINKED}] as some from (
         select t.id, t.${columnOf(resource.title)} as name, ${isNamed} as named, max(l.id) as newest
         from ${table} l join ${resource.table} t on t.id = l.${holder}
         where l.${edition} = e.id${rule && ` and ${rule}`} group by t.id order by newest desc limit ${MOST_USES + 1}) s) h`,
    values,
  )
  const paths = (some: unknown) =>
    ((some ?? []) as [string, string][]).map(([id, called]) => ({ name: called, path: `${route}/${id}` }))
  return new Map(found.map(({ id, n, some }) => [String(id), [{ name, count: Number(n), links: paths(some) }]]))
}
