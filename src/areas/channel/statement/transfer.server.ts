import { sql } from 'kysely'
import { onField, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'

/** A number as it is compared, in SQL: banks and people write the same one with spaces, dashes, small and wide letters. */
const compared = (written: string) =>
  `upper(regexp_replace(normalize(${written}, NFKC), '[[:space:][:punct:]]', '', 'g'))`

/** One transfer pays one statement. Asked in turn, so that of two at once the second is told; what was written before is left as it is. */
export async function requireOwnTransfer({ tx }: Operation, transferNo: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('statement-transfer', 0))`.execute(tx)
  const { rows } = await sql<{ empty: boolean; no: string | null }>`
    select n.number = '' as empty, (
      select s.statement_no from settlement_statement s
      where s.transfer_no is not null and ${sql.raw(compared('s.transfer_no'))} = n.number order by s.id limit 1) as no
    from (select ${sql.raw(compared('g.given'))} as number from (select ${transferNo}::text as given) g) n`.execute(tx)
  const [found] = rows
  if (found?.empty) throw onField('transferNo', refuse('transfer-missing'))
  if (found?.no) throw onField('transferNo', refuse('transfer-used', { no: found.no }))
}
