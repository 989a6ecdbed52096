import { sql } from 'kysely'
import { resource as orderResource } from '#areas/orders/order/model.ts'
import { lockNumber } from '#engines/payment/number.server.ts'
import type { ReceivedPayment } from '#engines/payment/server.ts'
import { scopeOf } from '#kit/model/actor.ts'
import { fen, formatFen } from '#kit/model/money.ts'
import { onField, type Refusal, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { run, type Tx } from '#kit/server/database/database.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import type { Examination } from './model.ts'

export type Transfer = {
  readonly payChannel: string
  readonly transactionNo: string
  readonly amountFen: number
  /** The whole of it, where it pays other orders too. */
  readonly transferFen: number | null
}

/**
 * Claims the number of a transfer for an order. It stands for one order, unless one person enters several on one day and
 * names its whole amount with each: then for as many as it covers.
 */
export async function claimTransfer(op: Operation, transfer: Transfer): Promise<void> {
  const { amountFen, transferFen } = transfer
  const number = await lockNumber(op.tx, transfer.transactionNo)
  if (number === null) throw onField('transactionNo', refuse('orders/order:transaction-empty'))
  if (transferFen !== null && transferFen < amountFen)
    throw onField('transferFen', refuse('orders/order:transfer-too-small'))
  const others = await claimsOf(op.tx, number)
  const told = await op.tx
    .selectFrom('payment')
    .select('order_id')
    .where('bank_number', '=', number)
    .where('provider', '<>', 'OFFLINE')
    .limit(1)
    .executeTakeFirst()
  const [first] = others
  if (told || (first && !others.every(other => isTogether(op, transfer, other))))
    throw onField('transactionNo', await whichOrder(op, told ? told.order_id : (first?.order_id ?? null)))
  if (transferFen === null) return
  const left = transferFen - others.reduce((sum, other) => sum + fen(other.amount_fen), 0)
  if (amountFen > left) throw onField('transferFen', refuse('orders/order:transfer-used', { left: formatFen(left) }))
}

const claimsOf = (tx: Tx, number: string) =>
  tx
    .selectFrom('order_examination')
    .select(['order_id', 'amount_fen', 'transfer_fen', 'pay_channel', 'applicant_id', 'created_at'])
    .where('bank_number', '=', number)
    .where('status', '<>', 'REJECTED')
    .orderBy('id')
    .execute()
type Claim = Awaited<ReturnType<typeof claimsOf>>[number]

const isTogether = (op: Operation, { payChannel, transferFen }: Transfer, other: Claim): boolean =>
  transferFen !== null &&
  other.transfer_fen !== null &&
  fen(other.transfer_fen) === transferFen &&
  other.pay_channel === payChannel &&
  other.applicant_id === op.actor.id &&
  dayOf(new Date(other.created_at)) === dayOf(op.now)

/** The order a number stands for, by name only to whoever may see it. */
async function whichOrder(op: Operation, orderId: string | null): Promise<Refusal> {
  const { bind, values } = binder()
  const place = bind(orderId)
  const rule = scopeSql(orderResource, scopeOf(op.actor, orderResource.screen.key), bind)
  const [seen] = await run(
    op.tx,
    `select t.order_no from sales_order t where t.id = ${place}${rule && ` and ${rule}`}`,
    values,
  )
  return seen
    ? refuse('orders/order:transaction-taken', { orderNo: String(seen.order_no) })
    : refuse('orders/order:transaction-taken-elsewhere')
}

/** The other orders the same transfer pays, for whoever has to look whether it does. */
export async function sharingOf(
  { db }: Pick<App, 'db'>,
  { id }: Pick<Examination, 'id'>,
): Promise<Examination['sharing']> {
  const rows = await db.query
    .selectFrom('order_examination as mine')
    .innerJoin('order_examination as e', 'e.bank_number', 'mine.bank_number')
    .innerJoin('sales_order as o', 'o.id', 'e.order_id')
    .select(['o.order_no', 'e.amount_fen', 'e.status'])
    .where('mine.id', '=', id)
    .where('e.id', '<>', id)
    .where('e.status', '<>', 'REJECTED')
    .orderBy('e.id')
    .execute()
  return rows.map(row => ({ orderNo: row.order_no, amountFen: fen(row.amount_fen), status: row.status }))
}

/** What a provider tells of may be what somebody has entered by hand: that money has come once, not twice. */
export async function isEnteredByHand(
  tx: Tx,
  { provider, id }: Pick<ReceivedPayment, 'provider' | 'id'>,
): Promise<boolean> {
  if (provider === 'OFFLINE') return false
  const found = await tx
    .selectFrom('payment as p')
    .select('p.id')
    .where('p.id', '=', id)
    .where(enteredByHand)
    .executeTakeFirst()
  return found !== undefined
}

/** As SQL: the number of the payment `p` stands entered by hand. */
export const enteredByHand = sql<boolean>`
  exists (select from order_examination e where e.bank_number = p.bank_number and e.status <> 'REJECTED')`

export const transferInvariants: readonly Invariant[] = [
  {
    name: 'what a transfer by hand pays is never more than the transfer',
    query: `
      select bank_number, sum(amount_fen) as fen, min(coalesce(transfer_fen, amount_fen)) as transferred from order_examination
      where bank_number is not null and status <> 'REJECTED' group by 1
      having sum(amount_fen) > min(coalesce(transfer_fen, amount_fen))`,
  },
  {
    name: 'a number a provider told us of pays no order by hand',
    query: `
      select e.id, p.id as payment_id from order_examination e join payment p on p.bank_number = e.bank_number
      where e.status <> 'REJECTED' and p.provider <> 'OFFLINE' and p.status = 'RECEIVED'`,
  },
]
