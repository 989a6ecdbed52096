import { sql } from 'kysely'
import type { Queries } from '#kit/server/change/rules.ts'
import type { Touch } from './model.ts'

type Row = Omit<Touch, 'at'> & { readonly memberId: string; readonly at: string }

/**
 * All that members came by, each thing once: what the leads they were came by, and what was told of them since. One that was told of both
 * is one, as of the earlier time.
 */
export async function touchesOf(db: Queries, memberIds: readonly string[]): Promise<ReadonlyMap<string, Touch[]>> {
  const { rows } = await sql<Row>`
    select distinct on (member_id, key) member_id as "memberId", key, came_by as "cameBy", first_at as at, source, channel
    from lead_touch where member_id = any(${memberIds}::bigint[])
    order by member_id, key, first_at, source, channel`.execute(db)
  const touches = rows.map(({ memberId, at, ...touch }) => ({ memberId, touch: { ...touch, at: new Date(at) } }))
  return new Map(
    [...Map.groupBy(touches, ({ memberId }) => memberId)].map(([memberId, own]) => [
      memberId,
      own.map(({ touch }) => touch),
    ]),
  )
}
