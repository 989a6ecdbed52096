import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Bought, order, pay, RECEIVER } from '../tools/testing/commerce.ts'
import { refundBody } from '../tools/testing/refunds.ts'
import { type Lot, type Model, type ModelOrder, type ModelRefund, PIECES, PRICE_FEN, type Real } from './model.ts'
import { orders, refunds, type Step, said, step, stepOn } from './steps.ts'

const place = fc.constant(
  step(
    'order',
    () => true,
    async (model, real) => {
      real.orders.push(await order(real.instance, real.own.memberId, real.own.productId, { receiver: RECEIVER }))
      model.orders.push({ state: 'UNPAID', amount: PRICE_FEN, reserved: 0, refunded: 0 })
    },
  ),
)

const isUnpaid = ({ state }: ModelOrder) => state === 'UNPAID'

const payOrder = stepOn<ModelOrder>('pay', orders, isUnpaid, async (model, real, target, at, roll) => {
  // Every third payment is of the wrong amount, and so fits nothing; so does one for what costs nothing.
  const amountFen = target.amount + (roll % 3 === 0 || target.amount === 0 ? 1 : 0)
  const notice = { paid: { ...(real.orders[at] as Bought), amountFen }, providerNo: randomUUID() }
  await pay(real.instance, notice.paid, notice.providerNo)
  model.notices = real.notices.push(notice)
  // Money for what cannot be given is kept aside as well.
  const fits = isUnpaid(target) && amountFen === target.amount && model.onShelf >= PIECES
  if (!fits) model.strayFen += amountFen
  else {
    target.state = 'PAID'
    model.give(at)
  }
})

/** The same notice of the provider once more. */
const payTwice = fc.nat(100_000).map(roll =>
  step(
    `pay twice ${roll}`,
    model => model.notices > 0,
    async (model, real) => {
      const { paid, providerNo } = real.notices[roll % model.notices] as Real['notices'][number]
      await pay(real.instance, paid, providerNo)
    },
  ),
)

const close = stepOn<ModelOrder>('cancel', orders, isUnpaid, async (_model, real, target, at) => {
  const path = `/orders/order/${(real.orders[at] as Bought).orderId}/close`
  const isRight = isUnpaid(target)
  await said(real.people.asker.post(path, { reason: 'test' }), isRight)
  if (isRight) target.state = 'CLOSED'
})

const changePrice = stepOn<ModelOrder>('change price', orders, isUnpaid, async (_model, real, target, at, roll) => {
  const { orderId } = real.orders[at] as Bought
  const amountFen = 1 + (roll % PRICE_FEN)
  const isRight = isUnpaid(target)
  await said(real.people.asker.post(`/orders/order/${orderId}/changePrice`, { amountFen, reason: 'test' }), isRight)
  if (!isRight) return
  const { id } = await real.query
    .selectFrom('order_examination')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', '=', 'WAITING')
    .executeTakeFirstOrThrow()
  const isApproved = roll % 2 === 0
  const path = `/orders/examination/${id}/${isApproved ? 'approve' : 'reject'}`
  await said(real.people.examiner.post(path, isApproved ? {} : { reason: 'test' }), true)
  if (isApproved) target.amount = amountFen
})

const REFUND = '/orders/refund-application'
/** How the simulated provider fails the first time, by the last two digits of the amount. */
const FAILS: Readonly<Record<number, 'FAILED' | 'ABNORMAL'>> = { 13: 'FAILED', 14: 'ABNORMAL' }

const leftOf = ({ amount, reserved, refunded }: ModelOrder) => amount - reserved - refunded
const isPaid = (order: ModelOrder) => order.state === 'PAID' && leftOf(order) > 0

/** Often all that is left, for a whole refund has more to undo; sometimes what the provider fails to pay; else anything. */
function amountAsked(left: number, amount: number, roll: number): number {
  if (roll % 3 === 0) return Math.max(1, left)
  return roll % 5 === 0 ? Number(Object.keys(FAILS)[roll % 2]) : 1 + (roll % (amount + 100))
}

const ask = stepOn<ModelOrder>('ask refund', orders, isPaid, async (model, real, target, at, roll) => {
  const left = leftOf(target)
  const amountFen = amountAsked(left, target.amount, roll)
  const { orderId } = real.orders[at] as Bought
  const { id: lineId } = await real.query
    .selectFrom('order_line')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  // Every other time somebody says what becomes of goods that have not left; else the amount does.
  const choice = ([undefined, 'CANCEL', undefined, 'SEND'] as const)[roll % 4]
  const body = refundBody(orderId, amountFen, { unsent: choice ? [{ lineId, choice }] : [] })
  const isRight = target.state === 'PAID' && amountFen <= left
  const made = await said(real.people.asker.post<{ id: string }>(REFUND, body), isRight)
  if (!isRight) return
  real.refunds.push(made.id)
  target.reserved += amountFen
  const { parts, unsent, isOdd } = await storedOf(real, made.id)
  const isUnsent = model.openParcels(at).length > 0 || model.rejectedParcels(at).some(({ isRemade }) => !isRemade)
  expect(unsent).toBe(isUnsent ? (choice ?? unsent ?? 'said') : null)
  for (const { lot, units } of parts) (model.lots[lot] as Lot).frozen += units
  const refund = { order: at, amount: amountFen, state: 'SUBMITTED' as const, parts, unsent, isSeconded: false }
  model.refunds.push({ ...refund, needsL2: isOdd })
  ;(model.refunds.at(-1) as ModelRefund).needsL2 ||= model.isMuch()
  for (const [lot, { quantity }] of model.lots.entries())
    expect(takenFrom(model, lot), 'no refund takes more of a lot than it gave').toBeLessThanOrEqual(quantity)
})

const takenFrom = (model: Model, lot: number) =>
  model.refunds
    .filter(({ state }) => state !== 'REJECTED' && state !== 'WITHDRAWN')
    .flatMap(({ parts }) => parts.filter(part => part.lot === lot))
    .reduce((sum, { units, debt }) => sum + units + debt, 0)

/** What a refund takes of which lot is decided when it is asked for; how, the table of the arithmetic proves. */
async function storedOf(real: Real, refundId: string) {
  const { calculation, reasons } = await real.query
    .selectFrom('refund_application')
    .select(['calculation', 'l2_reasons as reasons'])
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()
  const lots = (await real.lots()).map(({ id }) => id)
  type Line = Pick<ModelRefund, 'unsent'> & { parts: { lotId: string; units: number; debt: number }[] }
  const [line] = calculation as Line[]
  return {
    parts: line?.parts.map(({ lotId, units, debt }) => ({ lot: lots.indexOf(lotId), units, debt })) ?? [],
    unsent: line?.unsent ?? null,
    isOdd: (reasons as { why: string }[]).some(({ why }) => why === 'BEYOND' || why === 'NOTHING'),
  }
}

const DECISIONS = {
  approve: { who: 'manager', from: ['SUBMITTED'], to: 'L1_APPROVED' },
  approveL2: { who: 'finance', from: ['L1_APPROVED', 'FAILED', 'ABNORMAL'], to: 'L2_APPROVED' },
  reject: { who: 'manager', from: ['SUBMITTED', 'L1_APPROVED', 'L2_APPROVED', 'FAILED'], to: 'REJECTED' },
  withdraw: { who: 'asker', from: ['SUBMITTED', 'L1_APPROVED', 'L2_APPROVED'], to: 'WITHDRAWN' },
  pay: { who: 'cashier', from: ['L1_APPROVED', 'L2_APPROVED'], to: 'PAID' },
  retry: { who: 'cashier', from: ['FAILED', 'ABNORMAL'], to: 'PAID' },
} as const

/** Finance agrees once, to what it has to; nothing else is paid without it. What was sent and then agreed to is seen through. */
function isFor(name: keyof typeof DECISIONS, refund: ModelRefund, model: Readonly<Model>): boolean {
  const needs = !refund.isSeconded && (refund.needsL2 || model.isMuch())
  if (name === 'approveL2') return needs
  if (name === 'reject' || name === 'withdraw') return !(refund.state === 'L2_APPROVED' && refund.hasFailed)
  return name === 'pay' || name === 'retry' ? !needs : true
}

const decide = (name: keyof typeof DECISIONS) => {
  const { who, from, to } = DECISIONS[name]
  const mayBe = (refund: ModelRefund, model: Readonly<Model>) =>
    (from as readonly string[]).includes(refund.state) && isFor(name, refund, model)
  return stepOn<ModelRefund>(`${name} refund`, refunds, mayBe, async (model, real, refund, at) => {
    const isRight = mayBe(refund, model)
    const body = name === 'reject' ? { reason: 'test' } : {}
    await said(real.people[who].post(`${REFUND}/${real.refunds[at]}/${name}`, body), isRight)
    await real.instance.outbox.run()
    if (!isRight) return
    if (name === 'approve' || name === 'approveL2') refund.needsL2 ||= model.isMuch()
    if (name === 'approveL2') refund.isSeconded = true
    // The provider fails the first time it is asked.
    refund.state = (name === 'pay' && !refund.hasFailed && FAILS[refund.amount % 100]) || to
    refund.hasFailed ||= refund.state === 'FAILED' || refund.state === 'ABNORMAL'
    if (['PAID', 'REJECTED', 'WITHDRAWN'].includes(refund.state)) model.end(refund)
  })
}

/** What happens more often is listed more often. */
export const moneyCommands: fc.Arbitrary<Step>[] = [
  place,
  place,
  payOrder,
  payOrder,
  payOrder,
  payTwice,
  close,
  changePrice,
  ask,
  ask,
  decide('approve'),
  decide('approve'),
  decide('approve'),
  decide('approveL2'),
  decide('approveL2'),
  decide('pay'),
  decide('pay'),
  decide('pay'),
  decide('pay'),
  decide('retry'),
  decide('reject'),
  decide('withdraw'),
]
