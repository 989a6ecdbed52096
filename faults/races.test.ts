import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/invariants.ts'
import { buy, enrol, grantOf, offer } from '../tools/testing/commerce.ts'
import {
  type Answer,
  type Caller,
  caller,
  cloneDatabase,
  openTestInstance,
  patiently,
  person,
  type TestInstance,
} from '../tools/testing/instance.ts'
import { CALLERS, rounds } from './rounds.ts'

const PAGE = 'order-refundApply'
const PATH = '/orders/refund-application'
const ROUNDS = Array.from({ length: rounds(20) }, (_, round) => round + 1)

/** Money under many hands at once, over two instances on one database. Each race also runs as a build would that reads first and writes later. */
describe('races for money', () => {
  const instances: TestInstance[] = []
  let product: string
  let memberId: string
  const people: Record<string, Caller> = {}

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    for (const _ of [1, 2]) instances.push(await openTestInstance({ url }))
    product = await offer(at(0), [grantOf('MEMBER_DAYS', 100)], { priceFen: 10_000 })
    memberId = await enrol(at(0))
    const hold = (...actions: string[]) => ({
      'order-list': ['list', 'detail'],
      [PAGE]: ['list', 'detail', ...actions],
    })
    people.asker = await person(at(0), { grants: hold('create', 'withdraw') })
    people.manager = await person(at(0), { grants: hold('approve') })
    people.second = await person(at(0), { grants: hold('approve') })
    people.cashier = await person(at(0), { grants: hold('pay') })
  })
  afterAll(async () => {
    expect(await findBroken(at(0).app.db, at(0).app.catalogue)).toEqual([])
  })

  const at = (nth: number) => instances[nth % 2] as TestInstance
  /** The same person, on one instance or the other. */
  const as = (who: string, nth: number) => caller(at(nth), people[who]?.id, people[who]?.token)
  const atOnce = <T>(times: number, work: (nth: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, nth) => work(nth)))
  const accepted = (answers: readonly Answer[]) => answers.filter(({ code }) => code === 0).length
  const ask = (orderId: string, amountFen: number, nth = 0, key: string = randomUUID()) => {
    const body = { orderId, amountFen, deviation: 'agreed', reason: 'NO_TIME', route: 'ORIGINAL', note: '' }
    return patiently(() => as('asker', nth).post<{ id: string }>(PATH, body, { 'idempotency-key': key }))
  }
  const asked = async () => {
    const { orderId } = await buy(at(0), memberId, product)
    return (await ask(orderId, 5_000)).data.id
  }
  const stateOf = async (id: string) =>
    (
      await at(0)
        .app.db.query.selectFrom('refund_application')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status

  test.each(ROUNDS)('200 ask ¥3 each on ¥100: 33 are accepted (round %i)', async () => {
    const { orderId } = await buy(at(0), memberId, product)
    expect(accepted(await atOnce(CALLERS, nth => ask(orderId, 300, nth)))).toBe(33)
  })

  test.each(ROUNDS)('two managers approve at once: one of them did (round %i)', async () => {
    const id = await asked()
    const answers = await atOnce(20, nth => as(nth % 4 < 2 ? 'manager' : 'second', nth).post(`${PATH}/${id}/approve`))
    expect(accepted(answers)).toBe(1)
    expect(await stateOf(id)).toBe('L1_APPROVED')
  })

  test.each(ROUNDS)('paying and withdrawing at once: one of them happens (round %i)', async () => {
    const id = await asked()
    await as('manager', 0).post(`${PATH}/${id}/approve`)
    const [paid, withdrawn] = await Promise.all([
      atOnce(10, nth => as('cashier', nth).post(`${PATH}/${id}/pay`)),
      atOnce(10, nth => as('asker', nth).post(`${PATH}/${id}/withdraw`)),
    ])
    expect([accepted(paid), accepted(withdrawn)].sort()).toEqual([0, 1])
    expect(await stateOf(id)).toBe(accepted(paid) === 1 ? 'PAYING' : 'WITHDRAWN')
  })

  test.each(ROUNDS)('one form sent 200 times with one key: one effect, equal answers (round %i)', async () => {
    const { orderId } = await buy(at(0), memberId, product)
    const key = randomUUID()
    const answers = await atOnce(CALLERS, nth => ask(orderId, 100, nth, key))
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    const { count } = await at(0)
      .app.db.query.selectFrom('refund_application')
      .select(eb => eb.fn.countAll<string>().as('count'))
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1)
  })
})

describe('a build that reads first and writes later loses these races', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance()
  })
  const atOnce = <T>(times: number, work: () => Promise<T>) => Promise.all(Array.from({ length: times }, () => work()))

  test('more is set aside than was paid', async () => {
    const { orderId } = await buy(
      instance,
      await enrol(instance),
      await offer(instance, [grantOf('MEMBER_DAYS', 100)], { priceFen: 10_000 }),
    )
    await instance.app.db.read.pool.query('alter table sales_order drop constraint refunds_within_paid')
    const naive = async () => {
      const { query } = instance.app.db
      const order = () => query.selectFrom('sales_order').select(['paid_fen', 'reserved_fen']).where('id', '=', orderId)
      const row = await order().executeTakeFirstOrThrow()
      if (Number(row.reserved_fen) + 300 > Number(row.paid_fen)) return 0
      const reserved = Number(row.reserved_fen) + 300
      await query.updateTable('sales_order').set({ reserved_fen: reserved }).where('id', '=', orderId).execute()
      return 1
    }
    const accepted = await atOnce(CALLERS, naive)
    expect(accepted.filter(Boolean).length).toBeGreaterThan(33)
  })

  test('a state is left twice', async () => {
    const { orderId } = await buy(instance, await enrol(instance), await offer(instance, [grantOf('MEMBER_DAYS', 100)]))
    const naive = async () => {
      const { query } = instance.app.db
      const row = await query
        .selectFrom('sales_order')
        .select('note')
        .where('id', '=', orderId)
        .executeTakeFirstOrThrow()
      if (row.note !== '') return 0
      await query.updateTable('sales_order').set({ note: 'left' }).where('id', '=', orderId).execute()
      return 1
    }
    expect((await atOnce(20, naive)).filter(Boolean).length).toBeGreaterThan(1)
  })
})
