import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { spend } from '../src/engines/entitlement/server.ts'
import { Refused } from '../src/kit/model/refusal.ts'
import { findBroken } from '../src/kit/server/invariants.ts'
import { ownChange } from '../src/kit/server/operation.ts'
import { type Bought, enrol, grantOf, offer, order, pay } from '../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../tools/testing/instance.ts'
import { rounds } from './rounds.ts'

const REFUND = '/orders/refund-application'
const PRICE_FEN = 10_000
const COINS = 100
const STEPS_A_RUN = 50
const STEPS = rounds(10_000)

type ModelOrder = {
  state: 'UNPAID' | 'EXAMINING' | 'PAID' | 'CLOSED'
  amount: number
  reserved: number
  refunded: number
}
type ModelRefund = {
  order: number
  amount: number
  state: 'SUBMITTED' | 'L1_APPROVED' | 'PAID' | 'REJECTED' | 'WITHDRAWN'
}

/** What must be true of the money and the coins, as small as it can be said. */
class Model {
  readonly orders: ModelOrder[] = []
  readonly refunds: ModelRefund[] = []
  strayFen = 0
  coins = 0
}

class Real {
  readonly orders: Bought[] = []
  readonly refunds: string[] = []
  readonly instance: TestInstance
  readonly people: Readonly<Record<'asker' | 'manager' | 'cashier' | 'examiner', Caller>>
  readonly memberId: string
  readonly productId: string
  constructor(instance: TestInstance, people: Real['people'], memberId: string, productId: string) {
    this.instance = instance
    this.people = people
    this.memberId = memberId
    this.productId = productId
  }

  order(at: number) {
    return this.instance.app.db.query
      .selectFrom('sales_order')
      .select(['pay_state', 'amount_fen', 'paid_fen', 'reserved_fen', 'refunded_fen'])
      .where('id', '=', (this.orders[at] as Bought).orderId)
      .executeTakeFirstOrThrow()
  }
}

type Step = fc.AsyncCommand<Model, Real>
let taken = 0

/** After every step the stored money is the model's, fen by fen. */
async function agree(model: Model, real: Real): Promise<void> {
  for (const [at, wanted] of model.orders.entries()) {
    const row = await real.order(at)
    expect({
      state: row.pay_state,
      amount: Number(row.amount_fen),
      paid: Number(row.paid_fen),
      reserved: Number(row.reserved_fen),
      refunded: Number(row.refunded_fen),
    }).toEqual({ ...wanted, paid: wanted.state === 'PAID' ? wanted.amount : 0 })
  }
  const { coins } = await real.instance.app.db.query
    .selectFrom('member')
    .select('coins')
    .where('id', '=', real.memberId)
    .executeTakeFirstOrThrow()
  expect(coins).toBe(model.coins)
}

const step = (name: string, check: Step['check'], run: (model: Model, real: Real) => Promise<void>): Step => ({
  check,
  async run(model, real) {
    await run(model, real)
    await agree(model, real)
    taken += 1
  },
  toString: () => name,
})
const pick = <T>(from: readonly T[], roll: number): number => roll % from.length
const code = async (answer: Promise<{ code: number }>) => (await answer).code

const place = step(
  'place',
  () => true,
  async (model, real) => {
    real.orders.push(await order(real.instance, real.memberId, real.productId))
    model.orders.push({ state: 'UNPAID', amount: PRICE_FEN, reserved: 0, refunded: 0 })
  },
)

const payOrder = (roll: number) =>
  step(
    `pay ${roll}`,
    model => model.orders.length > 0,
    async (model, real) => {
      const at = pick(model.orders, roll)
      const target = model.orders[at] as ModelOrder
      // Every third payment is of the wrong amount, and so fits nothing.
      const amountFen = roll % 3 === 0 ? target.amount + 1 : target.amount
      await pay(real.instance, { ...(real.orders[at] as Bought), amountFen })
      if (target.state === 'UNPAID' && amountFen === target.amount) {
        target.state = 'PAID'
        model.coins += COINS
      } else model.strayFen += amountFen
    },
  )

const close = (roll: number) =>
  step(
    `close ${roll}`,
    model => model.orders.length > 0,
    async (model, real) => {
      const at = pick(model.orders, roll)
      const target = model.orders[at] as ModelOrder
      const path = `/orders/order/${(real.orders[at] as Bought).orderId}/close`
      expect(await code(real.people.asker.post(path, { reason: 'test' }))).toBe(target.state === 'UNPAID' ? 0 : 4006)
      if (target.state === 'UNPAID') target.state = 'CLOSED'
    },
  )

const changePrice = (roll: number) =>
  step(
    `change price ${roll}`,
    model => model.orders.length > 0,
    async (model, real) => {
      const at = pick(model.orders, roll)
      const target = model.orders[at] as ModelOrder
      const { orderId } = real.orders[at] as Bought
      const amountFen = 1 + (roll % PRICE_FEN)
      const changed = await code(
        real.people.asker.post(`/orders/order/${orderId}/changePrice`, { amountFen, reason: 'test' }),
      )
      expect(changed).toBe(target.state === 'UNPAID' ? 0 : 4006)
      if (changed !== 0) return
      const { id } = await real.instance.app.db.query
        .selectFrom('order_examination')
        .select('id')
        .where('order_id', '=', orderId)
        .where('status', '=', 'WAITING')
        .executeTakeFirstOrThrow()
      const isApproved = roll % 2 === 0
      const verdict = isApproved ? 'approve' : 'reject'
      const body = isApproved ? {} : { reason: 'test' }
      expect(await code(real.people.examiner.post(`/orders/examination/${id}/${verdict}`, body))).toBe(0)
      if (isApproved) target.amount = amountFen
    },
  )

const ask = (roll: number) =>
  step(
    `ask refund ${roll}`,
    model => model.orders.length > 0,
    async (model, real) => {
      const at = pick(model.orders, roll)
      const target = model.orders[at] as ModelOrder
      const amountFen = 1 + (roll % (target.amount + 100))
      const body = {
        orderId: (real.orders[at] as Bought).orderId,
        amountFen,
        deviation: 'test',
        reason: 'NO_TIME',
        route: 'ORIGINAL',
        note: '',
      }
      const answer = await real.people.asker.post<{ id: string }>(REFUND, body)
      const left = target.amount - target.reserved - target.refunded
      const isRight = target.state === 'PAID' && amountFen <= left
      expect(answer.code === 0).toBe(isRight)
      if (!isRight) return
      target.reserved += amountFen
      model.refunds.push({ order: at, amount: amountFen, state: 'SUBMITTED' })
      real.refunds.push(answer.data.id)
    },
  )

const DECISIONS = {
  approve: { who: 'manager', from: ['SUBMITTED'], to: 'L1_APPROVED' },
  reject: { who: 'manager', from: ['SUBMITTED', 'L1_APPROVED'], to: 'REJECTED' },
  withdraw: { who: 'asker', from: ['SUBMITTED', 'L1_APPROVED'], to: 'WITHDRAWN' },
  pay: { who: 'cashier', from: ['L1_APPROVED'], to: 'PAID' },
} as const

const decide = (name: keyof typeof DECISIONS, roll: number) =>
  step(
    `${name} ${roll}`,
    model => model.refunds.length > 0,
    async (model, real) => {
      const at = pick(model.refunds, roll)
      const refund = model.refunds[at] as ModelRefund
      const { who, from, to } = DECISIONS[name]
      const path = `${REFUND}/${real.refunds[at]}/${name}`
      const isRight = (from as readonly string[]).includes(refund.state)
      expect(await code(real.people[who].post(path, name === 'reject' ? { reason: 'test' } : {}))).toBe(
        isRight ? 0 : 4006,
      )
      if (!isRight) return
      refund.state = to
      const target = model.orders[refund.order] as ModelOrder
      if (to === 'L1_APPROVED') return
      target.reserved -= refund.amount
      if (to !== 'PAID') return
      await real.instance.outbox.run()
      target.refunded += refund.amount
      // What the refund takes of the coins was decided when it was asked for.
      const { calculation } = await real.instance.app.db.query
        .selectFrom('refund_application')
        .select('calculation')
        .where('id', '=', real.refunds[at] as string)
        .executeTakeFirstOrThrow()
      const parts = (calculation as { parts: { units: number; debt: number }[] }[]).flatMap(line => line.parts)
      model.coins -= parts.reduce((sum, { units, debt }) => sum + units + debt, 0)
    },
  )

const spendCoins = (units: number) =>
  step(
    `spend ${units}`,
    () => true,
    async (model, real) => {
      const { app } = real.instance
      const frozen = Number(
        (
          await app.db.query
            .selectFrom('entitlement_lot')
            .select(eb => eb.fn.coalesce(eb.fn.sum<string>('frozen'), eb.lit(0)).as('frozen'))
            .where('member_id', '=', real.memberId)
            .executeTakeFirstOrThrow()
        ).frozen,
      )
      const spending = app.db.write(tx =>
        spend(ownChange(app, tx, app.clock.now(), 'test'), { memberId: real.memberId, kind: 'COINS', units }),
      )
      if (units <= model.coins - frozen) {
        await spending
        model.coins -= units
      } else await expect(spending).rejects.toThrow(Refused)
    },
  )

describe('money and coins in any order of events', () => {
  let instance: TestInstance
  let people: Real['people']

  beforeAll(async () => {
    instance = await openTestInstance()
    const list = ['list', 'detail']
    const hold = (orders: string[], refunds: string[], examinations: string[] = []) =>
      person(instance, {
        grants: {
          'order-list': [...list, ...orders],
          'order-refundApply': [...list, ...refunds],
          'order-examine': [...list, ...examinations],
        },
      })
    people = {
      asker: await hold(['close', 'changePrice'], ['create', 'withdraw']),
      manager: await hold([], ['approve', 'reject']),
      cashier: await hold([], ['pay']),
      examiner: await hold([], [], ['approve', 'reject']),
    }
  })

  test('the console agrees with a model of twenty lines after every step', async () => {
    const roll = fc.nat(100_000)
    const steps = fc.commands(
      [
        fc.constant(place),
        roll.map(payOrder),
        roll.map(payOrder),
        roll.map(close),
        roll.map(changePrice),
        roll.map(ask),
        roll.map(ask),
        ...(Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]).map(name => roll.map(nth => decide(name, nth))),
        fc.integer({ min: 1, max: 60 }).map(spendCoins),
      ],
      { maxCommands: STEPS_A_RUN, size: 'max' },
    )
    await fc.assert(
      fc.asyncProperty(steps, async given => {
        const memberId = await enrol(instance)
        const productId = await offer(instance, [grantOf('COINS', COINS)], { priceFen: PRICE_FEN })
        const setup = () => ({ model: new Model(), real: new Real(instance, people, memberId, productId) })
        await fc.asyncModelRun(setup, given)
      }),
      { numRuns: (5 * STEPS) / STEPS_A_RUN, interruptAfterTimeLimit: 600_000 },
    )
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
    expect(taken).toBeGreaterThanOrEqual(STEPS)
  }, 900_000)
})
