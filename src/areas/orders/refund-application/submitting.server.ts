import { lockMember } from '#areas/members/member/holding.server.ts'
import { type FoundOrder, lockOrder, reserveRefund } from '#areas/orders/order/refunds.server.ts'
import { daysBetween } from '#engines/entitlement/model.ts'
import { freeze } from '#engines/entitlement/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import type { Row } from '#kit/server/database/database.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { choicesOf, requireRoute } from './asking.server.ts'
import type { UnsentLine } from './calculation.model.ts'
import { known, lineAmounts, lotParts, requirePaid } from './calculation.server.ts'
import { needsWhy, reasonsToAsk } from './judging.server.ts'
import type { RefundApplication } from './model.ts'
import { paymentOf } from './paying.server.ts'
import { waitsForChain } from './risk.server.ts'
import { settings } from './settings.model.ts'
import { divide } from './suggesting.model.ts'

type Input = RefundApplication & { readonly unsent: readonly UnsentLine[] }

/** Asking sets the money aside and holds what would be taken back. */
export async function submit(
  op: Operation,
  given: RefundApplication,
  _before: unknown,
  write: (fields: Row) => Promise<string>,
) {
  const { unsent, ...input } = given as Input
  const order = await lockPaidOrder(op, input.orderId)
  await requireRoute(op, order.id, input)
  const terms = await settingsOf(op.app, settings, op.tx)
  const facts = await known(op.app, op.tx, { order, now: op.now, terms })
  const divided = divide(facts, input.amountFen, choicesOf(facts, unsent))
  if (!divided) throw onField('amountFen', refuse('refund-over-paid'))
  const { calculation, lines } = divided
  const { suggestedFen } = calculation
  if (needsWhy(input.amountFen, input.deviation, calculation)) throw onField('deviation', refuse('refund-why'))
  const asking = { amountFen: input.amountFen, payee: input.payee, lines, calculation }
  const l2Reasons = await reasonsToAsk(op.tx, { order, known: facts, now: op.now }, asking)
  const taken = { calculation: [...lines] }
  await reserveRefund(op, order.id, lineAmounts(taken), 1)
  await freeze(op, order.memberId, lotParts(taken), 1)
  const id = await write({
    ...input,
    ...taken,
    terms,
    refundNo: await nextNumber(op, 'R'),
    memberId: order.memberId,
    applicantId: op.actor.id,
    suggestedFen,
    needsL2: l2Reasons.length > 0,
    l2Reasons,
    ...(await orderFacts(op, order.id)),
    provider: input.route === 'ORIGINAL' ? (await paymentOf(op.tx, order.id))?.provider : null,
    products: [...new Set(lines.map(({ name }) => name))],
    // Whoever may see the order may see what is asked on it.
    ownerId: order.ownerId,
    orgId: order.orgId,
  })
  await op.tx
    .insertInto('refund_line')
    .values(lines.map(line => ({ refund_id: id, order_line_id: line.lineId, amount_fen: line.amountFen })))
    .execute()
  await waitsForChain(op, id)
  return id
}

async function lockPaidOrder(op: Operation, id: string): Promise<FoundOrder> {
  const found = await op.tx.selectFrom('sales_order').select('member_id').where('id', '=', id).executeTakeFirst()
  if (found) await lockMember(op.tx, found.member_id)
  return requirePaid(await lockOrder(op, id))
}

/** What refunds are counted by and found by: frozen on the order, and so on what is asked of it. */
async function orderFacts({ tx, now }: Operation, orderId: string) {
  const order = await tx
    .selectFrom('sales_order')
    .select(['paid_at as orderPaidAt', 'sold_by as soldBy', 'sold_org_id as soldOrgId', 'channel'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const paidOn = dayOf(order.orderPaidAt === null ? now : new Date(order.orderPaidAt))
  return { ...order, daysSincePaid: Math.max(0, daysBetween(paidOn, dayOf(now))) }
}
