import * as z from 'zod'
import { findMember, type KnownMember, memberEvent } from '#areas/members/member/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { scopeOf } from '#kit/model/actor.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { fen } from '#kit/model/money.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { run, type Tx } from '#kit/server/database.ts'
import { binder, scopeSql } from '#kit/server/list.ts'
import { defineEvent, SOURCES } from '#kit/server/live/event.ts'
import { push } from '#kit/server/live/push.ts'
import type { Operation } from '#kit/server/operation.ts'
import { serve } from '#kit/server/serve.ts'
import { resource, workflow } from './model.ts'

export const routes = serve(resource, {
  workflow,
  effects: {
    close: async (op, order) => {
      await op.tx.updateTable('sales_order').set({ closed_at: op.now }).where('id', '=', order.id).execute()
    },
  },
})

/** Violated when open and paid refunds together would pass what was paid. */
export const REFUNDS_WITHIN_PAID = 'refunds_within_paid'

export type LockedOrder = {
  id: string
  memberId: string
  payState: string
  paidFen: number
  ownerId: string | null
  orgId: string | null
}

/** Locks an order this person may see. Orders are locked before anything that hangs on them. */
export async function lockOrder(op: Operation, id: string): Promise<LockedOrder> {
  const { bind, values } = binder()
  const place = bind(id)
  const rule = scopeSql(resource, scopeOf(op.actor, resource.screen.key), bind)
  const [row] = await run(
    op.tx,
    `select t.id, t.member_id as "memberId", t.pay_state as "payState", t.paid_fen as "paidFen", t.owner_id as "ownerId", t.org_id as "orgId"
     from sales_order t where t.id = ${place}${rule && ` and ${rule}`} for update of t`,
    values,
  )
  if (!row) throw new Refused(refuse('orders/order:order-missing'), 'not-found')
  return { ...(row as LockedOrder), paidFen: fen(row.paidFen as string) }
}

/** Sets money aside for an open refund, or gives it free again (negative). The database refuses more than was paid. */
export const reserveRefund = (op: Operation, orderId: string, amountFen: number) =>
  op.tx
    .updateTable('sales_order')
    .set(eb => ({ reserved_fen: eb('reserved_fen', '+', String(amountFen)), version: eb('version', '+', 1) }))
    .where('id', '=', orderId)
    .execute()

export type NewOrder = {
  member: KnownMember
  orderNo?: string | undefined
  product: string
  amountFen: number
  source: string
  now: Date
}

/** Stores an unpaid order, sold by whoever is in charge of the member. Gives nothing for a number already known. */
export async function placeOrder(tx: Tx, order: NewOrder): Promise<{ id: string; orderNo: string } | undefined> {
  const { member, product, amountFen, source, now } = order
  for (;;) {
    const orderNo = order.orderNo ?? (await nextNumber(tx, '', now))
    const placed = await tx
      .insertInto('sales_order')
      .values({
        order_no: orderNo,
        member_id: member.id,
        product_name: product,
        amount_fen: amountFen,
        source,
        sold_by: member.ownerId,
        owner_id: member.ownerId,
        org_id: member.orgId,
        created_at: now,
      })
      .onConflict(conflict => conflict.column('order_no').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (placed) return { id: placed.id, orderNo }
    // A sender may have taken a number of ours: the next one is free. Its own, sent again, is the same order.
    if (order.orderNo !== undefined) return undefined
  }
}

const product = z.string().trim().min(1).max(100)

const orderPlaced = defineEvent({
  type: 'order.placed',
  sources: SOURCES,
  data: z.strictObject({
    orderNo: z
      .string()
      .regex(/^\d{18}$/)
      .optional(),
    phone: z
      .string()
      .max(40)
      .refine(typed => parsePhone(typed) !== undefined),
    product,
    amountFen: z.int().min(0),
    source: z.string().regex(/^[A-Z][A-Z0-9_]{0,49}$/),
  }),
  async apply({ app, tx, now }, { phone, ...data }) {
    const member = await findMember(tx, { phone })
    // Kept and tried again: the member's registration may be still on its way.
    if (!member) throw new Refused(refuse('orders/order:member-missing'))
    const order = await placeOrder(tx, { ...data, member, now })
    if (!order) return
    await push(app, tx, {
      type: 2,
      key: order.orderNo,
      content: {
        orderId: order.id,
        orderNo: order.orderNo,
        memberId: member.id,
        name: member.name,
        product: data.product,
        amountFen: data.amountFen,
      },
      ownerId: member.ownerId,
      orgId: member.orgId,
    })
  },
})

export const events = [orderPlaced, memberEvent(1, ['app'], { key: z.string().min(1).max(100), product })]
