import { sql } from 'kysely'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { balance, SUMS, type Totals } from './balancing.server.ts'
import { addJudged, addMoved, type Kept, known, type Statement, type Within } from './events.server.ts'
import { type Edition, type Happening, judgeAll, moveOf } from './model.ts'
import { type Period, statementNo } from './period.model.ts'

/** What only those above know: what a partner is paid by, what happened, and what was given back. All of it up to an instant. */
export type Source = {
  editions(within: Within, partnerId: string): Promise<readonly Edition[]>
  /** What has happened by the end of a day and was not judged yet. */
  happenings(within: Within, partnerId: string, to: string): Promise<readonly Happening[]>
  /** What was given back of these orders. */
  refunded(within: Within, orderIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

/** Begins the statement of a month, empty. */
export async function openStatement({ tx, now }: Within, partnerId: string, period: Period): Promise<Statement> {
  const { id } = await tx
    .insertInto('settlement_statement')
    .values({
      statement_no: statementNo(period, partnerId),
      partner_id: partnerId,
      period_from: period.from,
      period_to: period.to,
      reckoned_at: now,
      created_at: now,
      state_since: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, partnerId, periodTo: period.to }
}

/**
 * Brings a draft up to now: judges what happened in its month and was not judged, what waited for the end of its freeze, and
 * what was given back of what earlier statements paid; takes what was carried. Asked again, it adds what is news since.
 */
export async function reckon(within: Within, source: Source, statement: Statement): Promise<Totals> {
  const { tx } = within
  // Of one person one partner is paid: two statements at once would not see each other.
  await sql`select pg_advisory_xact_lock(hashtextextended('settlement', 0))`.execute(tx)
  const editions = await source.editions(within, statement.partnerId)
  await judgeNew(within, source, statement, editions)
  await moveKnown(within, source, statement, editions)
  await tx
    .updateTable('settlement_line')
    .set({ statement_id: statement.id })
    .where('partner_id', '=', statement.partnerId)
    .where('statement_id', 'is', null)
    .execute()
  await tx.updateTable('settlement_statement').set({ reckoned_at: within.now }).where('id', '=', statement.id).execute()
  return balance(within, statement, editions)
}

async function judgeNew(
  within: Within,
  source: Source,
  statement: Statement,
  editions: readonly Edition[],
): Promise<void> {
  const happenings = await source.happenings(within, statement.partnerId, statement.periodTo)
  if (happenings.length === 0) return
  const { held, taken } = await known(within.tx, statement.partnerId, happenings)
  await addJudged(within, statement, judgeAll(happenings, { editions, held, taken, now: within.now }))
}

async function moveKnown(
  within: Within,
  source: Source,
  statement: Statement,
  editions: readonly Edition[],
): Promise<void> {
  const byId = new Map(editions.map(edition => [edition.id, edition]))
  const open = await openEvents(within, statement)
  const refunded = await source.refunded(
    within,
    open.flatMap(({ orderId }) => orderId ?? []),
  )
  const moved = open.flatMap(event => {
    const edition = byId.get(event.priceId ?? '')
    const move = edition && moveOf(event, edition, refunded.get(event.orderId ?? '') ?? 0, within.now)
    return move ? [{ event, move }] : []
  })
  await addMoved(within, statement, moved)
}

/** What may still move: it waits for the end of its freeze, or there is an order to be refunded. */
async function openEvents({ tx }: Within, { partnerId }: Statement): Promise<Kept[]> {
  const rows = await tx
    .selectFrom('settlement_event')
    .selectAll()
    .where('partner_id', '=', partnerId)
    .where(one =>
      one.or([
        one('verdict', '=', 'FROZEN'),
        one.and([one('verdict', '=', 'COUNTED'), one('order_id', 'is not', null)]),
      ]),
    )
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    id: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    memberId: row.member_id,
    orderId: row.order_id,
    at: new Date(row.happened_at),
    baseFen: Number(row.base_fen),
    refundedFen: Number(row.refunded_fen),
    verdict: row.verdict,
    priceId: row.price_id,
    worthFen: Number(row.worth_fen),
  }))
}

type ByHand = { readonly amountFen: number; readonly note: string; readonly byId: string }

/** Somebody takes something off a draft, and says why. */
export async function deduct(
  within: Within,
  source: Source,
  statement: Statement,
  { amountFen, note, byId }: ByHand,
): Promise<Totals> {
  const { tx, now } = within
  await tx
    .insertInto('settlement_line')
    .values({
      partner_id: statement.partnerId,
      statement_id: statement.id,
      entry: 'DEDUCTION',
      amount_fen: -amountFen,
      note,
      by_id: byId,
      happened_at: now,
      created_at: now,
    })
    .execute()
  return balance(within, statement, await source.editions(within, statement.partnerId))
}

/** What was wrong on a statement others have agreed to is put right on the next one. */
export async function correct(
  { tx, now }: Within,
  statement: Statement,
  { amountFen, note, byId }: ByHand,
): Promise<void> {
  await tx
    .insertInto('settlement_line')
    .values({
      partner_id: statement.partnerId,
      about_id: statement.id,
      entry: 'CORRECTION',
      amount_fen: amountFen,
      note,
      by_id: byId,
      happened_at: now,
      created_at: now,
    })
    .execute()
}

/** What a partner agrees to, in one word. */
export async function digestOf({ tx }: Pick<Within, 'tx'>, statementId: string): Promise<string> {
  const { rows } = await sql<{ digest: string }>`select statement_digest(${statementId}) as digest`.execute(tx)
  return (rows[0] as { digest: string }).digest
}

/** What is written on a line of a member's is nothing they left behind; should somebody have named them, it goes. */
export const listeners = [forgets({ table: 'settlement_line', becomes: { note: "''" } })]

export const invariants: readonly Invariant[] = [
  {
    name: 'a statement says what its lines come to',
    query: `
      select s.id from settlement_statement s left join lateral (select ${SUMS} from settlement_line where statement_id = s.id) l on true
      where (s.counted, s.not_counted, s.adjusted_fen, s.total_fen) is distinct from (l.counted, l.not_counted, l.adjusted_fen, l.total_fen)`,
  },
  {
    name: 'what is settled is worth what its lines on statements come to',
    query: `
      select e.id from settlement_event e left join settlement_line l on l.event_id = e.id
      group by e.id having e.worth_fen <> coalesce(sum(l.amount_fen), 0) or count(l.id) = 0`,
  },
  {
    name: 'statements and what is carried come to what the events are worth and what was added and taken off besides',
    query: `
      select p.partner_id from (
        select partner_id, total_fen as fen from settlement_statement
        union all select partner_id, amount_fen from settlement_line where statement_id is null
        union all select partner_id, -worth_fen from settlement_event
        union all select partner_id, -amount_fen from settlement_line where event_id is null
      ) p group by p.partner_id having sum(p.fen) <> 0`,
  },
  {
    name: 'a statement is still what its partner agreed to',
    query: 'select id from settlement_statement where digest <> statement_digest(id)',
  },
]
