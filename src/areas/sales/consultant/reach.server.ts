import { type Actor, scopeOf } from '#kit/model/actor.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { run } from '#kit/server/database/database.ts'
import { binder, peopleSql } from '#kit/server/list/scope.ts'

/** Who of these works here and is beyond the reach this person has on this page: who has left is beyond nobody's. */
export async function beyondReach(
  db: Queries,
  { actor, page }: { readonly actor: Actor; readonly page: string },
  staffIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { bind, values } = binder()
  const reached = peopleSql(scopeOf(actor, page), bind)
  if (reached === '') return new Set()
  const rows = await run(
    db,
    `select t.id from staff t where t.id = any(${bind(staffIds)}::bigint[]) and t.status = 'ENABLED' and not ${reached}`,
    values,
  )
  return new Set(rows.map(({ id }) => String(id)))
}

export const reachesAll = async (
  { tx, actor }: Operation,
  page: string,
  staffIds: readonly string[],
): Promise<boolean> => (await beyondReach(tx, { actor, page }, staffIds)).size === 0
