import { type Actor, scopeOf } from '#kit/model/actor.ts'
import type { Child } from '#kit/model/child.ts'
import { columnOf } from '#kit/model/field.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { metaOf } from '#kit/model/resource.ts'
import type { Call } from '../call.ts'
import type { Database } from '../database/database.ts'
import { type Declared, requireReference } from '../declared.ts'
import { type Condition, type ListQuery, readListQuery } from './list-query.ts'
import { scopeSql } from './scope.ts'
import { isInScope } from './sees.ts'

type From = { readonly db: Database; readonly catalogue: Declared }
type Asked = { readonly id: string; readonly search: Call['search']; readonly actor: Actor; readonly now: Date }

/** What is asked of the records below one. Whoever may not read that one is told that there is none. */
export async function readBelow(from: From, child: Child, { id, search, actor, now }: Asked): Promise<ListQuery> {
  const query = readListQuery(child.resource, search, now)
  if (!(await isInScope(from, child.of, id, actor))) throw new Refused(refuse('kit:record-missing'), 'not-found')
  const own: Condition = {
    field: child.by,
    key: `${child.by}=${id}`,
    sql: bind => `t.${columnOf(child.by)} = ${bind(id)}::bigint`,
  }
  // Kept counts are of a whole table.
  return {
    ...query,
    conditions: [own, ...inSight(from.catalogue, child, actor), ...query.conditions],
    tabOnly: undefined,
  }
}

function inSight(catalogue: Declared, { within, resource }: Child, actor: Actor): Condition[] {
  if (within === undefined) return []
  const meta = metaOf(resource, within)
  if (meta.kind !== 'reference') throw new Error(`${resource.screen.name}: ${within} names no record`)
  const reference = requireReference(catalogue, meta.to)
  const scope = scopeOf(actor, resource.screen.key)
  return [
    {
      field: within,
      key: 'in sight',
      sql(bind) {
        const rule = scopeSql(reference, scope, bind, 'r')
        return rule && `exists (select from ${reference.table} r where r.id = t.${columnOf(within)} and ${rule})`
      },
    },
  ]
}
