import { sql } from 'kysely'
import { type Actor, scopeOf } from '#kit/model/actor.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { Change } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type Database, run, type Tx } from '#kit/server/database/database.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { resource } from './model.ts'

export type FoundOrder = {
  id: string
  memberId: string
  payState: string
  paidFen: number
  paidAt: Date | null
  ownerId: string | null
  orgId: string | null
}

/** An order this person may see. */
export const findOrder = (db: Database['query'], actor: Actor, id: string): Promise<FoundOrder> =>
  readOrder(db, actor, id, '')

/** Locks an order this person may see. Orders are locked before anything that hangs on them. */
export const lockOrder = ({ tx, actor }: Operation, id: string): Promise<FoundOrder> =>
  readOrder(tx, actor, id, ' for update of t')

/** The order of a record whose scope has been asked already. */
export const lockOrderOfRecord = ({ tx }: Operation, id: string): Promise<FoundOrder> =>
  readOrder(tx, undefined, id, ' for update of t')

async function readOrder(
  db: Tx | Database['query'],
  actor: Actor | undefined,
  id: string,
  lock: string,
): Promise<FoundOrder> {
  const { bind, values } = binder()
  const place = bind(id)
  const rule = actor ? scopeSql(resource, scopeOf(actor, resource.screen.key), bind) : ''
  const [row] = await run(
    db,
    `select t.id, t.member_id as "memberId", t.pay_state as "payState", t.paid_fen as "paidFen", t.paid_at as "paidAt",
       t.owner_id as "ownerId", t.org_id as "orgId"
     from sales_order t where t.id = ${place}${rule && ` and ${rule}`}${lock}`,
    values,
  )
  if (!row) throw new Refused(refuse('orders/order:order-missing'), 'not-found')
  return {
    ...(row as FoundOrder),
    paidFen: fen(row.paidFen as string),
    paidAt: row.paidAt === null ? null : new Date(row.paidAt as string),
  }
}

/** Violated when open and paid refunds together would pass what was paid. */
export const REFUNDS_WITHIN_PAID = 'refunds_within_paid'

type LineAmount = { readonly lineId: string; readonly amountFen: number }

/** Sets money aside for an open refund, or gives it free again (-1). The database refuses more than was paid. */
export async function reserveRefund({ tx }: Change, orderId: string, lines: readonly LineAmount[], sign: 1 | -1) {
  const sum = lines.reduce((all, { amountFen }) => all + amountFen, 0)
  for (const { lineId, amountFen } of lines)
    await sql`update order_line set reserved_fen = reserved_fen + ${sign * amountFen} where id = ${lineId}`.execute(tx)
  await sql`
    update sales_order set reserved_fen = reserved_fen + ${sign * sum}, version = version + 1 where id = ${orderId}`.execute(
    tx,
  )
}

/** What was set aside has been paid back. */
export async function bookRefund({ tx }: Change, orderId: string, lines: readonly LineAmount[]): Promise<void> {
  const sum = lines.reduce((all, { amountFen }) => all + amountFen, 0)
  for (const { lineId, amountFen } of lines)
    await sql`
      update order_line set reserved_fen = reserved_fen - ${amountFen}, refunded_fen = refunded_fen + ${amountFen}
      where id = ${lineId}`.execute(tx)
  await sql`
    update sales_order set reserved_fen = reserved_fen - ${sum}, refunded_fen = refunded_fen + ${sum}, version = version + 1,
      refund_state = case when refunded_fen + ${sum} >= paid_fen then 'FULL' else 'PARTIAL' end
    where id = ${orderId}`.execute(tx)
}
