import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/invariants.ts'
import { buy, enrol, grantOf, offer } from '../tools/testing/commerce.ts'
import { type Caller, person, type TestInstance } from '../tools/testing/instance.ts'
import { CALLERS, ROUNDS } from './rounds.ts'
import { accepted, atOnce, naively, openTwo, type Two } from './two.ts'

const PATH = '/orders/refund-application'

let two: Two
let product: string
let memberId: string
let asker: Caller
let managers: readonly [Caller, Caller]
let cashier: Caller

beforeAll(async () => {
  two = await openTwo()
  product = await offer(two.at(0), [grantOf('MEMBER_DAYS', 100)], { priceFen: 10_000 })
  memberId = await enrol(two.at(0))
  const hold = (...actions: string[]) =>
    person(two.at(0), {
      grants: { 'order-list': ['list', 'detail'], 'order-refundApply': ['list', 'detail', ...actions] },
    })
  asker = await hold('create', 'withdraw')
  managers = [await hold('approve'), await hold('approve')]
  cashier = await hold('pay')
})

const paidOrder = async () => (await buy(two.at(0), memberId, product)).orderId
const ask = (orderId: string, amountFen: number, nth = 0, key?: string) => {
  const body = { orderId, amountFen, deviation: 'agreed', reason: 'NO_TIME', route: 'ORIGINAL', note: '' }
  return two.post<{ id: string }>(nth, asker, PATH, body, key)
}
const asked = async () => (await ask(await paidOrder(), 5_000)).data.id
const approved = async () => {
  const id = await asked()
  await two.post(0, managers[0], `${PATH}/${id}/approve`)
  return id
}
const stateOf = async (id: string, { app }: TestInstance = two.at(0)) =>
  (await app.db.query.selectFrom('refund_application').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status

describe('races for money that goes back', () => {
  afterAll(async () => {
    expect(await findBroken(two.at(0).app.db, two.at(0).app.catalogue)).toEqual([])
  })

  test.each(ROUNDS)('200 ask ¥3 each on ¥100: 33 are accepted (round %i)', async () => {
    const orderId = await paidOrder()
    expect(accepted(await atOnce(CALLERS, nth => ask(orderId, 300, nth)))).toBe(33)
  })

  test.each(ROUNDS)('two managers approve at once, 200 times: one of them did, once (round %i)', async () => {
    const id = await asked()
    const answers = await atOnce(CALLERS, nth => two.post(nth, managers[nth % 4 < 2 ? 0 : 1], `${PATH}/${id}/approve`))
    expect(accepted(answers)).toBe(1)
    expect(await stateOf(id)).toBe('L1_APPROVED')
  })

  test.each(ROUNDS)('100 pay while 100 withdraw: one of them happens (round %i)', async () => {
    const id = await approved()
    const [paid, withdrawn] = await Promise.all([
      atOnce(CALLERS / 2, nth => two.post(nth, cashier, `${PATH}/${id}/pay`)),
      atOnce(CALLERS / 2, nth => two.post(nth, asker, `${PATH}/${id}/withdraw`)),
    ])
    expect([accepted(paid), accepted(withdrawn)].sort()).toEqual([0, 1])
    // The provider may have paid by now.
    expect(accepted(paid) === 1 ? ['PAYING', 'PAID'] : ['WITHDRAWN']).toContain(await stateOf(id))
  })

  test.each(ROUNDS)('one form sent 200 times with one key: one effect, equal answers (round %i)', async () => {
    const orderId = await paidOrder()
    const key = randomUUID()
    const answers = await atOnce(CALLERS, nth => ask(orderId, 100, nth, key))
    expect(accepted(answers)).toBe(CALLERS)
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    expect((await moneyOf(orderId)).reserved).toBe(100)
  })
})

async function moneyOf(orderId: string, { app }: TestInstance = two.at(0)) {
  const row = await app.db.query
    .selectFrom('sales_order')
    .select(['paid_fen', 'reserved_fen'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  return { paid: Number(row.paid_fen), reserved: Number(row.reserved_fen) }
}

describe('a build that looks first and writes later loses these races', () => {
  const setAside = ({ app }: TestInstance, orderId: string, fen: number) =>
    app.db.query
      .updateTable('sales_order')
      .set(eb => ({ reserved_fen: eb('reserved_fen', '+', String(fen)) }))
      .where('id', '=', orderId)
      .execute()
  const move = ({ app }: TestInstance, id: string, status: 'L1_APPROVED' | 'PAYING' | 'WITHDRAWN') =>
    app.db.query.updateTable('refund_application').set({ status }).where('id', '=', id).execute()

  test('more is set aside than was paid', async () => {
    const orderId = await paidOrder()
    await two.at(0).app.db.read.pool.query('alter table sales_order drop constraint refunds_within_paid')
    const isRoom = async (instance: TestInstance) => {
      const { paid, reserved } = await moneyOf(orderId, instance)
      return reserved + 300 <= paid
    }
    expect(await naively(two, CALLERS, isRoom, instance => setAside(instance, orderId, 300))).toBeGreaterThan(33)
  })

  test('a refund is approved by both', async () => {
    const id = await asked()
    const isOpen = async (instance: TestInstance) => (await stateOf(id, instance)) === 'SUBMITTED'
    expect(await naively(two, CALLERS, isOpen, instance => move(instance, id, 'L1_APPROVED'))).toBeGreaterThan(1)
  })

  test('a refund is paid and withdrawn', async () => {
    const id = await approved()
    const said = new Set<string>()
    const isApproved = async (instance: TestInstance) => (await stateOf(id, instance)) === 'L1_APPROVED'
    await naively(two, CALLERS, isApproved, (instance, nth) => {
      const to = nth % 4 < 2 ? 'PAYING' : 'WITHDRAWN'
      said.add(to)
      return move(instance, id, to)
    })
    expect([...said].sort()).toEqual(['PAYING', 'WITHDRAWN'])
  })

  test('one form has more than one effect', async () => {
    const orderId = await paidOrder()
    const isFirst = async (instance: TestInstance) => (await moneyOf(orderId, instance)).reserved === 0
    await naively(two, CALLERS, isFirst, instance => setAside(instance, orderId, 1))
    expect((await moneyOf(orderId)).reserved).toBeGreaterThan(1)
  })
})
