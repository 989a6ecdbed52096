import { run } from '#kit/server/database/database.ts'
import type { Statement, Within } from './events.server.ts'
import { carriedOf, type Deducted, deductionsOf, type Edition, sumOf } from './model.ts'

/** Lines the rules add by themselves. */
const BY_RULE = `by_id is null and entry in ('DEDUCTION', 'CARRIED')`

type RuleLine = Pick<Wanted, 'statement_id' | 'entry' | 'price_id' | 'amount_fen'> & { readonly id: string }
type Wanted = {
  readonly statement_id: string | null
  readonly entry: 'DEDUCTION' | 'CARRIED'
  readonly price_id: string | null
  readonly amount_fen: number
}

/** What is agreed to be taken off, what would fall below nothing, and what it all comes to. */
export async function balance(within: Within, statement: Statement, editions: readonly Edition[]): Promise<Totals> {
  const { tx, now } = within
  const before = await linesByRule(within, statement)
  const rows = await run(
    tx,
    `select price_id, amount_fen from settlement_line where statement_id = $1 and not (${BY_RULE} and about_id = $1)`,
    [statement.id],
  )
  const lines = rows.map(row => ({ priceId: row.price_id as string | null, amountFen: Number(row.amount_fen) }))
  const deductions = deductionsOf(lines, editions, await deductedBefore(within, statement, editions))
  const carried = carriedOf(sumOf([...lines, ...deductions]))
  const wanted: Wanted[] = [
    ...deductions.map(({ priceId, amountFen }) => ({
      statement_id: statement.id,
      entry: 'DEDUCTION' as const,
      price_id: priceId,
      amount_fen: amountFen,
    })),
    // Here it is let go, there it is taken off.
    ...(carried > 0
      ? [statement.id, null].map(on => ({
          statement_id: on,
          entry: 'CARRIED' as const,
          price_id: null,
          amount_fen: on ? carried : -carried,
        }))
      : []),
  ]
  // What is as it was stays the same line: what a partner was shown, and was sent a code for, names its lines.
  const stale = before.filter(line => !wanted.some(one => isSameLine(one, line)))
  const added = wanted.filter(one => !before.some(line => isSameLine(one, line)))
  await run(tx, 'delete from settlement_line where id = any($1::bigint[])', [stale.map(({ id }) => id)])
  const own = { partner_id: statement.partnerId, about_id: statement.id, happened_at: now, created_at: now }
  if (added.length > 0)
    await tx
      .insertInto('settlement_line')
      .values(added.map(line => ({ ...own, ...line })))
      .execute()
  return total(within, statement.id)
}

const isSameLine = (one: Wanted, other: Wanted): boolean =>
  one.statement_id === other.statement_id &&
  one.entry === other.entry &&
  one.price_id === other.price_id &&
  one.amount_fen === other.amount_fen

/** The lines the rules have added for this statement, here and on the next one. */
async function linesByRule({ tx }: Within, { id, partnerId }: Statement): Promise<RuleLine[]> {
  const rows = await run(
    tx,
    `select id, statement_id, entry, price_id, amount_fen from settlement_line where statement_id = $1 and about_id = $1 and ${BY_RULE}
     union all select id, statement_id, entry, price_id, amount_fen from settlement_line
       where partner_id = $2 and statement_id is null and about_id = $1 and ${BY_RULE}`,
    [id, partnerId],
  )
  return rows.map(row => ({ ...(row as RuleLine), amount_fen: Number(row.amount_fen) }))
}

/** What prices with an agreed deduction have brought on the partner's other statements, and what was taken off there. */
async function deductedBefore(
  { tx }: Within,
  { id, partnerId }: Statement,
  editions: readonly Edition[],
): Promise<ReadonlyMap<string, Deducted>> {
  const agreed = editions.filter(({ deductionPermille }) => deductionPermille > 0)
  if (agreed.length === 0) return new Map()
  const rows = await run(
    tx,
    `select l.price_id, coalesce(sum(l.amount_fen) filter (where l.event_id is not null), 0) as brought,
       coalesce(-sum(l.amount_fen) filter (where l.event_id is null), 0) as taken
     from settlement_statement s join settlement_line l on l.statement_id = s.id
     where s.partner_id = $1 and s.id <> $2 and l.price_id = any($3::bigint[]) group by 1`,
    [partnerId, id, agreed.map(edition => edition.id)],
  )
  return new Map(
    rows.map(row => [String(row.price_id), { broughtFen: Number(row.brought), takenFen: Number(row.taken) }]),
  )
}

/** What a statement says of its lines. */
export type Totals = {
  readonly counted: number
  readonly notCounted: number
  readonly adjustedFen: number
  readonly totalFen: number
}

async function total({ tx }: Within, statementId: string): Promise<Totals> {
  const [sums] = await run(
    tx,
    `update settlement_statement s set counted = l.counted, not_counted = l.not_counted, adjusted_fen = l.adjusted_fen, total_fen = l.total_fen
     from (select ${SUMS} from settlement_line where statement_id = $1) l where s.id = $1
     returning s.counted, s.not_counted, s.adjusted_fen, s.total_fen`,
    [statementId],
  )
  const { counted, not_counted, adjusted_fen, total_fen } = sums as Record<string, number | string>
  return {
    counted: Number(counted),
    notCounted: Number(not_counted),
    adjustedFen: Number(adjusted_fen),
    totalFen: Number(total_fen),
  }
}

/** What lines come to, in SQL over them. */
export const SUMS = `count(*) filter (where entry = 'COUNTED')::int as counted, count(*) filter (where part = 'NOT_COUNTED')::int as not_counted,
  coalesce(sum(amount_fen) filter (where part = 'ADJUSTED'), 0)::bigint as adjusted_fen, coalesce(sum(amount_fen), 0)::bigint as total_fen`
