import { scopeOf } from '#kit/model/actor.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { run } from '#kit/server/database/database.ts'
import { binder, peopleSql } from '#kit/server/list/scope.ts'

/** Whether all of these who work here are within the reach that whoever acts has on this page: who has left is beyond nobody's. */
export async function reachesAll(
  { tx, actor }: Operation,
  page: string,
  staffIds: readonly string[],
): Promise<boolean> {
  const { bind, values } = binder()
  const reached = peopleSql(scopeOf(actor, page), bind)
  if (reached === '') return true
  const beyond = await run(
    tx,
    `select t.id from staff t where t.id = any(${bind(staffIds)}::bigint[]) and t.status = 'ENABLED' and not ${reached} limit 1`,
    values,
  )
  return beyond.length === 0
}
