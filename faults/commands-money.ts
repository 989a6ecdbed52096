import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { type Bought, order, pay, RECEIVER } from '../tools/testing/commerce.ts'
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
  const body = { orderId, amountFen, deviation: 'test', reason: 'NO_TIME', route: 'ORIGINAL', note: '' }
  const isRight = target.state === 'PAID' && amountFen <= left
  const made = await said(real.people.asker.post<{ id: string }>(REFUND, body), isRight)
  if (!isRight) return
  real.refunds.push(made.id)
  target.reserved += amountFen
  const parts = await partsOf(real, made.id)
  for (const { lot, units } of parts) (model.lots[lot] as Lot).frozen += units
  model.refunds.push({ order: at, amount: amountFen, state: 'SUBMITTED', parts })
  for (const [lot, { quantity }] of model.lots.entries())
    expect(takenFrom(model, lot), 'no refund takes more of a lot than it gave').toBeLessThanOrEqual(quantity)
})

const takenFrom = (model: Model, lot: number) =>
  model.refunds
    .filter(({ state }) => state !== 'REJECTED' && state !== 'WITHDRAWN')
    .flatMap(({ parts }) => parts.filter(part => part.lot === lot))
    .reduce((sum, { units, debt }) => sum + units + debt, 0)

/** What a refund takes of which lot is decided when it is asked for; how, the table of the arithmetic proves. */
async function partsOf(real: Real, refundId: string): Promise<ModelRefund['parts']> {
  const { calculation } = await real.query
    .selectFrom('refund_application')
    .select('calculation')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()
  const lots = (await real.lots()).map(({ id }) => id)
  type Line = { parts: { lotId: string; units: number; debt: number }[] }
  return (calculation as Line[]).flatMap(({ parts }) =>
    parts.map(({ lotId, units, debt }) => ({ lot: lots.indexOf(lotId), units, debt })),
  )
}

const DECISIONS = {
  approve: { who: 'manager', from: ['SUBMITTED'], to: 'L1_APPROVED' },
  reject: { who: 'manager', from: ['SUBMITTED', 'L1_APPROVED', 'FAILED'], to: 'REJECTED' },
  withdraw: { who: 'asker', from: ['SUBMITTED', 'L1_APPROVED'], to: 'WITHDRAWN' },
  pay: { who: 'cashier', from: ['L1_APPROVED'], to: 'PAID' },
  retry: { who: 'cashier', from: ['FAILED', 'ABNORMAL'], to: 'PAID' },
} as const

const decide = (name: keyof typeof DECISIONS) => {
  const { who, from, to } = DECISIONS[name]
  const mayBe = ({ state }: ModelRefund) => (from as readonly string[]).includes(state)
  return stepOn<ModelRefund>(`${name} refund`, refunds, mayBe, async (model, real, refund, at) => {
    const isRight = mayBe(refund)
    const body = name === 'reject' ? { reason: 'test' } : {}
    await said(real.people[who].post(`${REFUND}/${real.refunds[at]}/${name}`, body), isRight)
    await real.instance.outbox.run()
    if (!isRight) return
    refund.state = (name === 'pay' && FAILS[refund.amount % 100]) || to
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
  decide('pay'),
  decide('pay'),
  decide('pay'),
  decide('pay'),
  decide('retry'),
  decide('reject'),
  decide('withdraw'),
]
