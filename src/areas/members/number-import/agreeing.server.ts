import { sql } from 'kysely'
import type { Queries } from '#kit/server/change/rules.ts'

/** Of these members those whose number came by a list that shows no consent to advertising. */
export async function listedWithoutConsent(db: Queries, memberIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct l.member_id as id from lead l join number_row r on r.lead_id = l.id join number_batch b on b.id = r.batch_id
    where l.member_id = any(${memberIds}::bigint[]) and b.marketing = 'NOT_AGREED'`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
