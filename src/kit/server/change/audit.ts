import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#kit/model/actor.ts'
import { columnOf, fieldMeta } from '#kit/model/field.ts'
import { mask } from '#kit/model/mask.ts'
import type { Resource } from '#kit/model/resource.ts'
import type { Doer } from '../call.ts'
import type { Database, Row, Tx } from '../database/database.ts'
import { type Keeping, keepingOf, type LoggedPage, loggedPage } from './logged-pages.ts'

export type Diff = Readonly<Record<string, readonly [unknown, unknown]>>
/** A clock that was set back, or stands still, makes no duration of years. */
const MAX_DURATION_MS = 86_400_000

/** How a step taken back stands in the log, beside the line it takes back. */
export const TAKE_BACK = 'takeBack'

export type Entry = {
  page: string
  action: string
  recordId?: string
  diff?: Diff
  reason?: string
  code?: number
  /** The line this one takes back. */
  undoes?: string
}

/** Writes one line of the operation log, in the transaction of what it tells, and gives its number. */
export async function record(where: Tx | Database['query'], call: Doer, entry: Entry): Promise<string> {
  const actor = call.actor as Actor | null
  const page = loggedPage(entry.page)
  const keep: Keeping = keepingOf(page, entry.action)
  const { id } = await where
    .insertInto('operation_log')
    .values({
      at: call.now,
      actor_id: actor?.id ?? null,
      actor_name: actor?.name ?? call.called ?? '',
      address: call.address,
      request_id: call.requestId,
      page: entry.page,
      action: entry.action,
      record_id: entry.recordId ?? null,
      diff: JSON.stringify(entry.diff ?? {}),
      reason: entry.reason ?? null,
      code: entry.code ?? 0,
      undoes: entry.undoes ?? null,
      keep,
      record_no: recordNo(page, entry),
      duration_ms: Math.min(Math.max(0, Date.now() - call.now.getTime()), MAX_DURATION_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (entry.undoes) await where.insertInto('line_taken_back').values({ line_id: entry.undoes, by_id: id }).execute()
  return id
}

/** Read where the record stands; what was just deleted is known by what it was. */
function recordNo({ number }: LoggedPage, { recordId, diff }: Entry): RawBuilder<string | null> | null {
  if (!number || recordId === undefined) return null
  const was = diff?.[number.field]?.[0] ?? null
  return sql`coalesce((select ${sql.ref(`t.${columnOf(number.field)}`)} from ${sql.table(number.table)} t where t.id = ${recordId}), ${was}::text)`
}

/** What changed between two states of a record: personal values masked, equal ones left out. */
export function diffOf(resource: Pick<Resource, 'record'>, before: Row, after: Row): Diff {
  const changed: Record<string, [unknown, unknown]> = {}
  for (const [field, schema] of Object.entries(resource.record.shape)) {
    const meta = fieldMeta(schema)
    if (meta.kind === 'version' || !(field in after)) continue
    const shown = (value: unknown) =>
      meta.kind === 'personal' && value != null ? mask(meta.personal, String(value)) : (value ?? null)
    const pair: [unknown, unknown] = [shown(before[field]), shown(after[field])]
    if (JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null)) changed[field] = pair
  }
  return changed
}
