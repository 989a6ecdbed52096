import { requireActive } from '#areas/members/member/known.server.ts'
import { lockKnownMember } from '#areas/orders/coin-order/placing.server.ts'
import { askExamination } from '#areas/orders/examination/asking.server.ts'
import { claimTransfer } from '#areas/orders/examination/transfer.server.ts'
import { findProduct } from '#areas/products/product/server.ts'
import { whyNotTimes } from '#engines/entitlement/model.ts'
import { onField, Refused, refuse } from '#kit/model/refusal.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type Discounted, discount } from './coupons.server.ts'
import { type Order, type OrderedProduct, shareOut } from './model.ts'
import { hasGoods, type NewLine, offeredLine, placeOrder, type Receiver, tellPlaced } from './placing.server.ts'
import { receiverAsIn, receiverOf } from './receiver.server.ts'

export type Offline = Order & {
  products: readonly OrderedProduct[]
  couponId: string | null
  payChannel: string
  transactionNo: string
  transferFen: number | null
  proof: string[]
  receiverOrderId: string | null
}

const sumOf = (lines: readonly NewLine[], of: (line: NewLine) => number): number =>
  lines.reduce((sum, line) => sum + of(line), 0)

/** Money taken in the shop or by bank: the order stands at once, and counts as paid when a colleague has examined it. */
export async function placeOffline(op: Operation, input: Offline): Promise<string> {
  await claimTransfer(op, input)
  const member = await lockKnownMember(op.tx, { memberId: input.memberId, phone: undefined })
  if (!member) throw new Refused(refuse('member-missing'))
  requireActive(member)
  const offered = await offeredLines(op, input.products)
  const receiver = await receiverFor(op, input)
  if (!receiver && hasGoods(offered)) throw onField('receiverName', refuse('receiver-needed'))
  const { lines: due, markUsed } = await withCoupon(op, offered, member.id, input.couponId)
  // What was agreed is shared out as what was due would have been, so that a refund finds each line's own part.
  const shares = shareOut(
    input.amountFen,
    due.map(line => line.amountFen),
  )
  const lines = due.map((line, at) => ({ ...line, amountFen: shares[at] ?? 0 }))
  const placed = await placeOrder(op, {
    member,
    lines,
    source: 'OFFLINE',
    receiver,
    payState: 'EXAMINING',
    note: input.note,
  })
  if (!placed) throw new Error('our own numbers are free')
  await markUsed(placed.id)
  const listFen = sumOf(lines, line => line.listFen)
  await askExamination(op, {
    order: { id: placed.id, memberId: member.id, listFen, ownerId: member.ownerId, orgId: member.orgId },
    kind: 'OFFLINE',
    amountFen: input.amountFen,
    beforeFen: sumOf(due, line => line.amountFen),
    note: input.note,
    proof: input.proof,
    payChannel: input.payChannel,
    transactionNo: input.transactionNo,
    transferFen: input.transferFen,
  })
  await tellPlaced(op, { ...placed, productName: lines.map(({ name }) => name).join(' + ') }, member)
  return placed.id
}

/** Entered anew, or as in an earlier order of the member: the browser never had that one whole. */
async function receiverFor(op: Operation, input: Offline): Promise<Receiver | undefined> {
  const entered = receiverOf(input)
  if (input.receiverOrderId === null) return entered
  if (entered) throw onField('receiverOrderId', refuse('receiver-twice'))
  return receiverAsIn(op, input.receiverOrderId, input.memberId)
}

async function offeredLines({ tx }: Operation, products: readonly OrderedProduct[]): Promise<NewLine[]> {
  if (products.length === 0) throw onField('products', refuse('kit:field-missing'))
  const lines: NewLine[] = []
  for (const { productId, quantity } of products) {
    const product = await findProduct(tx, { id: productId })
    if (!product?.onSale) throw onField('products', refuse('product-off-sale'))
    const tooMuch = whyNotTimes(product.grants, quantity)
    if (tooMuch) throw onField('products', tooMuch)
    lines.push(offeredLine(product, quantity))
  }
  return lines
}

/** The coupon is used with the order, as in the app; an order that is rejected sets it free again. */
async function withCoupon(
  op: Operation,
  lines: readonly NewLine[],
  memberId: string,
  couponId: string | null,
): Promise<Discounted> {
  if (couponId === null) return { lines, markUsed: async () => {} }
  try {
    return await discount(op, { lines, memberId }, couponId)
  } catch (error) {
    throw error instanceof Refused ? onField('couponId', error.refusal) : error
  }
}
