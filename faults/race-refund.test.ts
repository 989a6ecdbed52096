import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EFFECTS } from '../src/areas/orders/refund-application/effects.model.ts'
import { effectDelivery } from '../src/areas/orders/refund-application/effects.server.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer } from '../tools/testing/commerce.ts'
import { type Caller, person, type TestInstance } from '../tools/testing/instance.ts'
import { refundBody } from '../tools/testing/refunds.ts'
import { CALLERS, ROUNDS } from './rounds.ts'
import { accepted, atOnce, naively, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

const PATH = '/orders/refund-application'

let two: TwoInstances
let product: string
let asker: Caller
let managers: readonly [Caller, Caller]
let cashier: Caller

beforeAll(async () => {
  two = await openTwoInstances()
  product = await offer(two.at(0), [grantOf('MEMBER_DAYS', 100)], { priceFen: 10_000 })
  const hold = (...actions: string[]) =>
    person(two.at(0), {
      grants: { 'order-list': ['list', 'detail'], 'order-refundApply': ['list', 'detail', ...actions] },
    })
  asker = await hold('create', 'withdraw')
  managers = [await hold('approve'), await hold('approve')]
  cashier = await hold('pay')
})

// Each of another member: refunds of one add up, and from some sum on a second manager is asked.
const paidOrder = async () => (await buy(two.at(0), await enrol(two.at(0)), product)).orderId
const ask = (orderId: string, amountFen: number, nth = 0, key?: string) => {
  const body = refundBody(orderId, amountFen)
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
    expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
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

  test.each(ROUNDS)('what follows from a refund, taken up by 40 at once each, is done once (round %i)', async () => {
    const { app, outbox } = two.at(0)
    await sql`
      create or replace function held() returns trigger language plpgsql as $$
        begin new.due_at = 'infinity'; return new; end $$`.execute(app.db.query)
    // Nobody but those below takes them up.
    await sql`
      create or replace trigger held before insert on outbox for each row when (new.kind = 'refund-effect')
        execute function held()`.execute(app.db.query)
    const id = await approved()
    await two.post(0, cashier, `${PATH}/${id}/pay`)
    await outbox.run()
    await expect.poll(() => stateOf(id)).toBe('PAID')
    await sql`drop trigger held on outbox`.execute(app.db.query)
    expect(await followed(id)).toMatchObject({ open: EFFECTS.length, taken: 0 })

    await Promise.all(EFFECTS.map(name => persistent(40, nth => settle(two.at(nth), id, name))))
    expect(await followed(id)).toEqual({ open: 0, done: EFFECTS.length, taken: 1 })
  })
})

const settle = ({ app }: TestInstance, refundId: string, name: string) =>
  effectDelivery.call(app, { refundId, name } as never, `${refundId}:${name}`)

async function followed(id: string) {
  const { rows } = await sql<{ open: number; done: number; taken: number }>`
    select effects_open as open,
      (select count(*)::int from refund_effect where refund_id = r.id and status = 'DONE') as done,
      (select count(*)::int from entitlement_entry where refund_id = r.id and cause = 'TAKEN_BACK') as taken
    from refund_application r where id = ${id}`.execute(two.at(0).app.db.query)
  return rows[0]
}

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
