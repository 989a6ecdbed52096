import { sql } from 'kysely'
import type { Resource } from '#kit/model/resource.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import type { Tx } from '#kit/server/database/database.ts'
import type { Drafted } from './rule-author.model.ts'

/** For the guard of publishing: who has saved each draft. */
export const authorsOf =
  ({ editions }: Pick<Resource, 'editions'>) =>
  async (db: Reading, rows: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, Drafted>> => {
    const { table, by } = editions as NonNullable<Resource['editions']>
    const drafts = await sql<{ id: string; authors: string[] }>`
      select ${sql.ref(by)} as id, (authors || drafted_by)::text[] as authors from ${sql.table(table)}
      where ${sql.ref(by)} = any(${rows.map(({ id }) => id)}::bigint[]) and state = 'DRAFT'`.execute(db as Tx)
    return new Map(drafts.rows.map(({ id, authors }) => [id, { authors }]))
  }
