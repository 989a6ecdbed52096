import { type Actor, can, scopeOf } from '#kit/model/actor.ts'
import type { Resource, Shape } from '#kit/model/resource.ts'
import type { Database } from '../database/database.ts'
import { binder, boundsSql } from './scope.ts'

/** Whether the person may see this row of the resource, for what hangs on it (files, pushes). */
export const sees = async <S extends Shape>(
  from: { db: Database },
  resource: Resource<S>,
  id: string,
  actor: Actor,
): Promise<boolean> => can(actor, resource.screen.key, 'list') && (await isInScope(from, resource, id, actor))

/** Whether the row is one of those the person's scope leaves; what may be done with it is asked elsewhere. */
export async function isInScope<S extends Shape>(
  { db }: { db: Database },
  resource: Resource<S>,
  id: string,
  actor: Actor,
): Promise<boolean> {
  const { bind, values } = binder()
  const place = bind(id)
  const rule = boundsSql(resource, scopeOf(actor, resource.screen.key), bind)
  return (
    (await db.read.rows(`select 1 from ${resource.table} t where t.id = ${place}${rule && ` and ${rule}`}`, values))
      .length > 0
  )
}
