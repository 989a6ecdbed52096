import { sql } from 'kysely'
import type { Change } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { capKey, type EventKind, type Happening, HOLDING, type Judged, type Moved, subjectKey } from './model.ts'

/** A change, without who asked for it. */
export type Within = Pick<Change, 'tx' | 'now'>

export type Statement = { readonly id: string; readonly partnerId: string; readonly periodTo: string }

/** What was judged, by its row. */
export type Kept = Judged & { readonly id: string }

/** Of these subjects, which somebody is paid for already, and how many of each month hold a place with this partner. */
export async function known(tx: Tx, partnerId: string, happenings: readonly Happening[]) {
  const { rows: held } = await sql<{ kind: EventKind; subjectId: string }>`
    select e.kind, e.subject_id as "subjectId" from settlement_event e
    join unnest(${happenings.map(({ kind }) => kind)}::text[], ${happenings.map(({ subjectId }) => subjectId)}::bigint[]) h (kind, subject_id)
      on h.kind = e.kind and h.subject_id = e.subject_id
    where e.verdict = any(${HOLDING}::text[])`.execute(tx)
  const { rows: places } = await sql<{ kind: EventKind; at: string; n: number }>`
    select kind, min(happened_at) as at, count(*)::int as n from settlement_event
    where partner_id = ${partnerId} and verdict = any(${HOLDING}::text[])
    group by kind, date_trunc('month', happened_at at time zone 'Asia/Shanghai')`.execute(tx)
  return {
    held: new Set(held.map(subjectKey)),
    taken: new Map(places.map(({ kind, at, n }) => [capKey(kind, new Date(at)), n])),
  }
}

/** Rows that go in one statement. */
const AT_ONCE = 500

function* chunks<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE)
}

/** Keeps what was judged, each with its line on the statement: also of what does not count, with why. */
export async function addJudged({ tx, now }: Within, statement: Statement, judged: readonly Judged[]): Promise<void> {
  for (const some of chunks(judged)) {
    const ids = await tx
      .insertInto('settlement_event')
      .values(
        some.map(event => ({
          ...{
            partner_id: statement.partnerId,
            kind: event.kind,
            subject_id: event.subjectId,
            member_id: event.memberId,
          },
          ...{
            order_id: event.orderId,
            happened_at: event.at,
            base_fen: event.baseFen,
            refunded_fen: event.refundedFen,
          },
          ...{ price_id: event.priceId, verdict: event.verdict, worth_fen: event.worthFen, judged_at: now },
        })),
      )
      .returning('id')
      .execute()
    const lines = some.map((event, at) => ({
      event: { ...event, id: (ids[at] as { id: string }).id },
      move: { ...event, entry: event.verdict, amountFen: event.worthFen },
    }))
    await addLines({ tx, now }, statement, lines)
  }
}

type MovedEvent = { readonly event: Kept; readonly move: Moved }

/** Keeps what has become of events judged before, each with its line. */
export async function addMoved({ tx, now }: Within, statement: Statement, moved: readonly MovedEvent[]): Promise<void> {
  for (const some of chunks(moved)) {
    await sql`
      update settlement_event e set verdict = m.verdict, worth_fen = m.worth_fen, refunded_fen = m.refunded_fen
      from unnest(${some.map(({ event }) => event.id)}::bigint[], ${some.map(({ move }) => move.verdict)}::text[],
        ${some.map(({ move }) => move.worthFen)}::bigint[], ${some.map(({ move }) => move.refundedFen)}::bigint[]) m (id, verdict, worth_fen, refunded_fen)
      where e.id = m.id`.execute(tx)
    // What waited on this very statement stands on it once: by what has become of it.
    await tx
      .deleteFrom('settlement_line')
      .where('statement_id', '=', statement.id)
      .where('entry', '=', 'FROZEN')
      .where(
        'event_id',
        'in',
        some.map(({ event }) => event.id),
      )
      .execute()
    await addLines({ tx, now }, statement, some)
  }
}

const addLines = ({ tx, now }: Within, { id, partnerId }: Statement, moved: readonly MovedEvent[]) =>
  tx
    .insertInto('settlement_line')
    .values(
      moved.map(({ event, move }) => ({
        ...{ partner_id: partnerId, statement_id: id, event_id: event.id, entry: move.entry, kind: event.kind },
        ...{ member_id: event.memberId, order_id: event.orderId, happened_at: event.at, base_fen: event.baseFen },
        ...{ price_id: event.priceId, amount_fen: move.amountFen, created_at: now },
      })),
    )
    .execute()
