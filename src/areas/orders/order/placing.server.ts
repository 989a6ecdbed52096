import type { KnownMember } from '#areas/members/member/known.server.ts'
import type { OfferedProduct } from '#areas/products/product/server.ts'
import type { Grant } from '#engines/entitlement/model.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import type { Change } from '#kit/server/app.ts'
import { announce, defineAnnouncement } from '#kit/server/change/announce.ts'
import { push } from '#kit/server/live/push.ts'

/** How long an order waits for its money. One under examination waits for the examiner instead. */
export const UNPAID_MS = 2 * 3_600_000
/** A member taken over from somebody else this shortly before raises the question whose sale it is. */
const OWNER_CHANGE_MS = 24 * 3_600_000

export type Receiver = { name: string; phone: string; province: string; address: string }
export type NewLine = {
  /** None for what another system sold under a name of its own: it gives nothing here. */
  readonly product: OfferedProduct | null
  readonly name: string
  readonly quantity: number
  readonly listFen: number
  readonly amountFen: number
  /** What a line without a product gives, and whether its goods may be waited for: a code's batch says so itself. */
  readonly grants?: readonly Grant[]
  readonly mayWait?: boolean
}
export type NewOrder = {
  readonly member: KnownMember
  /** A sender's own number; without one the next of ours. */
  readonly orderNo?: string | undefined
  readonly lines: readonly NewLine[]
  readonly source: string
  readonly receiver?: Receiver | undefined
  readonly payState?: 'UNPAID' | 'EXAMINING'
  readonly note?: string
  /** The sales link it came by. */
  readonly linkId?: string | undefined
}
export type PlacedOrder = { readonly id: string; readonly orderNo: string; readonly amountFen: number }

/** An order stands. Whoever waited for it (a reminder that somebody looked and left) need wait no more. */
export const orderPlaced = defineAnnouncement<{ orderId: string; memberId: string; productNames: string[] }>(
  'order-placed',
)

/** What a product costs today, as a line of an order. */
export const offeredLine = (product: OfferedProduct, quantity: number): NewLine => ({
  product,
  name: product.name,
  quantity,
  listFen: product.listFen * quantity,
  amountFen: product.priceFen * quantity,
})

/** Whether something of it has to be sent. */
export const hasGoods = (lines: readonly NewLine[]): boolean =>
  lines.some(({ product, grants }) => (product?.grants ?? grants ?? []).some(({ kind }) => kind === 'GOODS'))

/** Stores an order, sold by whoever is in charge of the member. Gives nothing for a number already known. */
export async function placeOrder(change: Change, order: NewOrder): Promise<PlacedOrder | undefined> {
  const placed = await insertOrder(change, order)
  if (!placed) return undefined
  await change.tx
    .insertInto('order_line')
    .values(
      order.lines.map(line => ({
        order_id: placed.id,
        product_id: line.product?.id ?? null,
        product_name: line.name,
        quantity: line.quantity,
        list_fen: line.listFen,
        amount_fen: line.amountFen,
        grants: JSON.stringify(line.product?.grants ?? line.grants ?? []),
        commission_permille: line.product?.commissionPermille ?? 0,
        may_wait: line.product?.mayWait ?? line.mayWait ?? false,
      })),
    )
    .execute()
  await announce(change, orderPlaced, {
    orderId: placed.id,
    memberId: order.member.id,
    productNames: order.lines.map(({ name }) => name),
  })
  return placed
}

/** What an order is called after what is bought with it. */
export const productNameOf = (lines: readonly NewLine[]): string =>
  lines
    .map(({ name }) => name)
    .join(' + ')
    .slice(0, 100)

async function insertOrder(change: Change, order: NewOrder): Promise<PlacedOrder | undefined> {
  const { tx, now } = change
  const { member, lines, source, receiver, payState = 'UNPAID' } = order
  const sum = (of: (line: NewLine) => number) => lines.reduce((all, line) => all + of(line), 0)
  const [listFen, amountFen] = [sum(line => line.listFen), sum(line => line.amountFen)]
  const takenOver = member.takenOverAt?.getTime()
  for (;;) {
    const orderNo = order.orderNo ?? (await nextNumber(change, ''))
    const placed = await tx
      .insertInto('sales_order')
      .values({
        order_no: orderNo,
        member_id: member.id,
        product_name: productNameOf(lines),
        list_fen: listFen,
        discount_fen: Math.max(0, listFen - amountFen),
        amount_fen: amountFen,
        pay_state: payState,
        source,
        channel: member.channel,
        note: order.note ?? '',
        link_id: order.linkId ?? null,
        sold_by: member.ownerId,
        sold_org_id: member.orgId,
        owner_id: member.ownerId,
        org_id: member.orgId,
        off_sale: lines.some(({ product }) => product !== null && !product.onSale),
        owner_changed: takenOver !== undefined && now.getTime() - takenOver < OWNER_CHANGE_MS,
        receiver_name: receiver?.name ?? null,
        receiver_phone: receiver?.phone ?? null,
        receiver_province: receiver?.province ?? null,
        receiver_address: receiver?.address ?? null,
        closes_at: payState === 'UNPAID' ? new Date(now.getTime() + UNPAID_MS) : null,
        created_at: now,
      })
      .onConflict(conflict => conflict.column('order_no').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (placed) return { id: placed.id, orderNo, amountFen }
    // A sender may have taken a number of ours: the next one is free. Its own, sent again, is the same order.
    if (order.orderNo !== undefined) return undefined
  }
}

type Told = { id: string; orderNo: string; amountFen: number; productName: string }

/** Push 2: the people in charge hear of an order as it is placed. */
export const tellPlaced = (
  change: Change,
  order: Told,
  member: { id: string; name: string; ownerId: string | null; orgId: string | null },
) =>
  push(change.app, change.tx, {
    type: 2,
    key: order.orderNo,
    content: {
      orderId: order.id,
      orderNo: order.orderNo,
      memberId: member.id,
      name: member.name,
      product: order.productName,
      amountFen: order.amountFen,
      ...(change.call.actor && { by: change.call.actor.id }),
    },
    ownerId: member.ownerId,
    orgId: member.orgId,
  })
