import { sql } from 'kysely'
import type { Resource } from '#kit/model/resource.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Drafted } from './rule-author.model.ts'

/** For the guard of publishing: who saved each draft last. */
export const authorsOf =
  ({ editions }: Pick<Resource, 'editions'>) =>
  async (db: Reading, rows: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, Drafted>> => {
    const { table, by } = editions as NonNullable<Resource['editions']>
    const drafts = await sql<{ id: string; draftedBy: string }>`
      select ${sql.ref(by)} as id, drafted_by as "draftedBy" from ${sql.table(table)}
      where ${sql.ref(by)} = any(${rows.map(({ id }) => id)}::bigint[]) and state = 'DRAFT'`.execute(db as Tx)
    return new Map(drafts.rows.map(({ id, draftedBy }) => [id, { draftedBy }]))
  }
