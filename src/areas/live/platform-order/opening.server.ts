import type { KnownMember } from '#areas/members/member/known.server.ts'
import { payNothing } from '#areas/orders/order/coupons.server.ts'
import { takeWaitingMoney } from '#areas/orders/order/paying.server.ts'
import { type PlacedOrder, placeOrder } from '#areas/orders/order/placing.server.ts'
import { findProduct, type OfferedProduct } from '#areas/products/product/server.ts'
import { holdLots } from '#engines/entitlement/server.ts'
import { receivePayment } from '#engines/payment/server.ts'
import { fen } from '#kit/model/money.ts'
import type { Change } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { type Facts, timeOf, valueIn } from './facts.model.ts'
import { shopOf } from './platforms.server.ts'

type Sold = { readonly platform: string; readonly order_no: string }

/** The course is opened by an order of ours, paid with the platform's money; nothing where nobody knows what was sold. */
export async function openCourse(
  change: Change,
  sold: Sold,
  facts: Facts,
  member: KnownMember,
): Promise<string | null> {
  // Told of as an order of ours already, under the platform's own number.
  const own = await change.tx
    .selectFrom('sales_order')
    .select('id')
    .where('order_no', '=', sold.order_no)
    .where('source', '=', sold.platform)
    .where('member_id', '=', member.id)
    .executeTakeFirst()
  if (own) return own.id
  // What was paid for it may still be told: a course is not opened for nothing by mistake.
  if (valueIn<number>(facts, 'amountFen') === null) return null
  const code = valueIn<string>(facts, 'productCode')
  const product = code === null ? undefined : await findProduct(change.tx, { code })
  return product && member.status === 'ACTIVE' ? sell(change, sold, facts, member, product) : null
}

/** What a sender's number has to be for an order of ours to stand under it. */
const OUR_NUMBER = /^\d{18}$/

/**
 * As bought there, at what was paid there. Under the platform's own number where that can be one of ours, so that the same
 * purchase, told of as an order, is known; nothing where another's order has it.
 */
export async function sell(
  change: Change,
  { platform, order_no: platformNo }: Sold,
  facts: Facts,
  member: KnownMember,
  product: OfferedProduct,
): Promise<string | null> {
  const amountFen = fen(valueIn<number>(facts, 'amountFen') ?? 0)
  const listFen = fen(Math.max(product.listFen, amountFen))
  const line = { product, name: product.name, quantity: 1, listFen, amountFen }
  const orderNo = OUR_NUMBER.test(platformNo) ? platformNo : undefined
  const placed = await placeOrder(change, { member, lines: [line], source: platform, orderNo })
  if (!placed) return null
  if (amountFen === 0) await payNothing(change, placed.id)
  else if (!(await isPaidByWaiting(change, placed)))
    await receivePayment(change, {
      provider: 'PLATFORM',
      providerNo: platformNo,
      orderNo: placed.orderNo,
      amountFen,
      paidAt: new Date(timeOf(facts, 'paid') ?? change.now),
      sender: shopOf(platform),
    })
  return placed.id
}

/** The shop may have told of the money before. */
async function isPaidByWaiting(change: Change, placed: PlacedOrder): Promise<boolean> {
  await takeWaitingMoney(change, placed)
  const order = change.tx.selectFrom('sales_order').select('pay_state').where('id', '=', placed.id)
  return (await order.executeTakeFirstOrThrow()).pay_state === 'PAID'
}

/** Nothing of what the order gave is spent while its money is on the way back, or is back. */
export async function holdWhatItGave(
  change: Change,
  orderId: string | null,
  memberId: string | undefined,
  isHeld: boolean,
): Promise<void> {
  if (orderId === null || memberId === undefined) return
  const lines = await linesOf(change.tx, orderId)
  await holdLots(
    change,
    memberId,
    lines.map(({ id }) => id),
    isHeld,
  )
}

export const linesOf = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('order_line')
    .select(['id', 'grants', 'quantity'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
