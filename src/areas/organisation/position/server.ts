import { sql } from 'kysely'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { type Position, resource, workflow } from './model.ts'

export const routes = serve(resource, {
  workflow,
  detail: async (app, { id }) => ({ holders: await holdersOf(app.db.query, id) }),
  kept: whatKeeps,
  constraints: { job_position_code_key: { code: 'kit:taken', field: 'code' } },
})

/** Those who hold it now; whoever has it as the primary one first. */
const holdersOf = (db: Queries, id: string): Promise<Position['holders']> =>
  db
    .selectFrom('staff_position as p')
    .innerJoin('staff as s', 's.id', 'p.staff_id')
    .innerJoin('org as o', 'o.id', 's.org_id')
    .select(['s.id', 's.name', 'o.name as department', 'p.is_primary as isPrimary'])
    .where('p.position_id', '=', id)
    .where('p.until', 'is', null)
    .orderBy('p.is_primary', 'desc')
    .orderBy('s.name_pinyin')
    .limit(MOST_NAMED)
    .execute()
const MOST_NAMED = 200

/** What somebody holds, or held once, is named by what is known of that time: it is disabled, not deleted. */
async function whatKeeps(db: Queries, rows: readonly Pick<Position, 'id'>[]): Promise<ReadonlyMap<string, Refusal>> {
  const held = await sql<{ id: string; people: number }>`
    select position_id as id, count(distinct staff_id) filter (where until is null)::int as people
    from staff_position where position_id = any(${rows.map(({ id }) => id)}::bigint[]) group by 1`.execute(db)
  return new Map(
    held.rows.map(({ id, people }) => [id, people > 0 ? refuse('is-held', { people }) : refuse('was-held')]),
  )
}
