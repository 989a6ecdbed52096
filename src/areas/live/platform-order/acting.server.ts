import { sql } from 'kysely'
import { memberOfLead } from '#areas/members/member/enrolling.server.ts'
import { lockMember } from '#areas/members/member/holding.server.ts'
import { findMember } from '#areas/members/member/known.server.ts'
import { findProduct } from '#areas/products/product/server.ts'
import type { Grant } from '#engines/entitlement/model.ts'
import { giveGrants } from '#engines/entitlement/server.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { deliver } from '#kit/server/change/outbox.ts'
import type { Reading } from '#kit/server/change/rules.ts'
import { exceptionFor, writeException } from './exceptions.server.ts'
import { type Exception, type Facts, told } from './facts.model.ts'
import type { PlatformFacts } from './fields.model.ts'
import { settle } from './hearing.server.ts'
import { holdWhatItGave, linesOf, sell } from './opening.server.ts'
import { lockedRow, lockOrderTold, SYNC } from './row.server.ts'

/** What steps on any platform's order are about. */
export type Order = {
  readonly id: string
  readonly memberId: string | null
  readonly orderId: string | null
  readonly exception: Exception
  readonly frozen: boolean
}

/** What is told of the order meanwhile waits; then the member before the order, as everywhere. */
async function lockForStep(op: Operation, id: string): Promise<void> {
  const found = await op.tx
    .selectFrom('platform_order')
    .select(['platform', 'order_no', 'member_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) return
  await lockOrderTold(op.tx, found.platform, found.order_no)
  if (found.member_id !== null) await lockMember(op.tx, found.member_id)
}

async function factsOf(
  { clock }: Pick<App, 'clock'>,
  db: Reading,
  rows: readonly Pick<Order, 'id' | 'orderId'>[],
): Promise<ReadonlyMap<string, PlatformFacts>> {
  const orderIds = rows.flatMap(({ orderId }) => orderId ?? [])
  const holding = await db
    .selectFrom('entitlement_lot as l')
    .innerJoin('order_line as o', 'o.id', 'l.order_line_id')
    .select('o.order_id')
    .distinct()
    .where('o.order_id', 'in', ['0', ...orderIds])
    .where('l.remaining', '>', 0)
    .where('l.held', '=', false)
    .execute()
  const certified = await db
    .selectFrom('platform_order')
    .select('id')
    .where('id', 'in', ['0', ...rows.map(({ id }) => id)])
    .where(sql<boolean>`facts ? 'certificate'`)
    .execute()
  const free = new Set(holding.map(({ order_id }) => order_id))
  const vouchers = new Set(certified.map(({ id }) => id))
  const now = clock.now().getTime()
  return new Map(
    rows.map(({ id, orderId }) => [
      id,
      { now, holdsFree: orderId !== null && free.has(orderId), isCertified: vouchers.has(id) },
    ]),
  )
}

type Buyer = { readonly memberId: string | null; readonly leadId: string | null }

/** Somebody knows whose order it is: everything follows as if the platform had said so. */
async function bindMember(op: Operation, { id }: Order, { memberId, leadId }: Buyer) {
  if (memberId !== null && leadId !== null) throw onField('leadId', refuse('live/platform-order:member-or-lead'))
  if (memberId === null && leadId === null) throw onField('memberId', refuse('live/platform-order:buyer-missing'))
  const member =
    leadId === null ? await findMember(op.tx, { memberId: memberId ?? '' }) : await memberOfLead(op, leadId)
  if (!member) throw onField('memberId', refuse('kit:record-missing'))
  await op.tx.updateTable('platform_order').set({ bound_by: op.actor.id }).where('id', '=', id).execute()
  const row = await lockedRow(op.tx, id)
  const facts = told(row.facts as Facts, op.now.toISOString(), { registered: true })
  await settle(op, row, facts, member, 'bound')
  return { boundBy: op.actor.id }
}

/** The course is opened where it never was, or what it gave is given once more; only once for an order. */
async function regrant(
  op: Operation,
  { id, memberId, orderId, frozen }: Order,
  { productId, reason }: { productId: string | null; reason?: string | undefined },
) {
  const product = productId === null ? undefined : await findProduct(op.tx, { id: productId })
  if (orderId === null) {
    if (!product) throw onField('productId', refuse('live/platform-order:product-missing'))
    const member = await findMember(op.tx, { memberId: memberId ?? '' })
    if (!member) throw new Refused(refuse('live/platform-order:bind-first'))
    const row = await lockedRow(op.tx, id)
    const sold = await sell(op, row, row.facts as Facts, member, product)
    if (sold === null) throw new Refused(refuse('orders/order:number-taken', { orderNo: row.order_no }))
    await op.tx.updateTable('platform_order').set({ order_id: sold }).where('id', '=', id).execute()
    await writeException(op, await lockedRow(op.tx, id))
    return { orderId: sold, regrantedAt: op.now.toISOString() }
  }
  const lines = await linesOf(op.tx, orderId)
  const given = product
    ? lines.slice(0, 1).map(({ id: lineId }) => ({ id: lineId, grants: product.grants, quantity: 1 }))
    : lines
  // Of the order's lines: what happens to the order happens to it too.
  for (const { id: orderLineId, grants, quantity } of given)
    await giveGrants(op, {
      memberId: memberId ?? '',
      source: 'GIFT',
      grants: grants as Grant[],
      times: quantity,
      orderLineId,
      note: (reason ?? '').slice(0, 200),
    })
  if (frozen) await holdWhatItGave(op, orderId, memberId ?? undefined, true)
  return { regrantedAt: op.now.toISOString() }
}

async function setFrozen(op: Operation, { id, memberId, orderId }: Order, isFrozen: boolean) {
  await holdWhatItGave(op, orderId, memberId ?? undefined, isFrozen)
  await op.tx.updateTable('platform_order').set({ frozen: isFrozen }).where('id', '=', id).execute()
  await writeException(op, await lockedRow(op.tx, id))
  return { frozen: isFrozen }
}

/** Looked after: the same is not raised again; the next worst is, where there is one. */
async function handle(op: Operation, { id, exception }: Order) {
  await sql`update platform_order set handled = array_append(handled, ${exception}) where id = ${id}`.execute(op.tx)
  return { exception: await exceptionFor(op, await lockedRow(op.tx, id)) }
}

async function unhandle(op: Operation, { id }: Order, { exception }: Partial<Order>) {
  await sql`update platform_order set handled = array_remove(handled, ${exception ?? null}) where id = ${id}`.execute(
    op.tx,
  )
}

/** The platform is asked how the order stands; what it says is heard like everything it tells. */
async function sync(op: Operation, { id }: Order) {
  await deliver(op, { kind: SYNC, key: `${id}:${op.now.getTime()}`, payload: { id } })
}

/** What every platform's screen does the same. */
export const commonEffects = {
  bindMember,
  regrant,
  freeze: (op: Operation, order: Order) => setFrozen(op, order, true),
  handle,
  sync,
}
const commonUndo = {
  // What a refund had frozen before stays so.
  freeze: (op: Operation, order: Order, before: Partial<Order>) => setFrozen(op, order, before.frozen ?? order.frozen),
  handle: unhandle,
}

export const commonRules = (app: Pick<App, 'clock'>) => ({
  facts: (db: Reading, rows: readonly Pick<Order, 'id' | 'orderId'>[]) => factsOf(app, db, rows),
  lock: lockForStep,
  effects: commonEffects,
  undo: commonUndo,
})
