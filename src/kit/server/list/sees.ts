import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { Database } from '../database/database.ts'
import { binder, boundsSql } from './scope.ts'

/** Whether the person may see this row of the resource, for what hangs on it (files, pushes). */
export async function sees({ db }: { db: Database }, resource: Resource, id: string, actor: Actor): Promise<boolean> {
  if (!can(actor, resource.screen.key, 'list')) return false
  const { bind, values } = binder()
  const place = bind(id)
  const rule = boundsSql(resource, scopeOf(actor, resource.screen.key), bind)
  return (
    (await db.read.rows(`select 1 from ${resource.table} t where t.id = ${place}${rule && ` and ${rule}`}`, values))
      .length > 0
  )
}
