import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  caller,
  cloneDatabase,
  openTestInstance,
  patiently,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'

/** Each case also runs on a build that reads first and writes later, to show that the test would see the fault. */
describe('two instances on one database', () => {
  let first: TestInstance
  let second: TestInstance

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    first = await openTestInstance({ url })
    second = await openTestInstance({ url })
  })

  test('of 200 who ask 3 yuan each on 100 yuan over both at once, 33 are accepted', async () => {
    const asker = await person(first, { grants: { 'order-list': ['list'], 'order-refundApply': ['list', 'create'] } })
    const elsewhere = caller(second, asker.id, asker.token)
    const order = await placeOrder(first, { paidFen: 10_000 })
    const body = refundBody(order, 300)
    const ask = (n: number) =>
      patiently(() =>
        (n % 2 ? asker : elsewhere).post('/orders/refund-application', body, { 'idempotency-key': randomUUID() }),
      )
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(n)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(33)
    expect(answers.filter(({ code }) => code === 4005)).toHaveLength(167)
    const { reserved_fen } = await first.app.db.query
      .selectFrom('sales_order')
      .select('reserved_fen')
      .where('id', '=', order)
      .executeTakeFirstOrThrow()
    expect(Number(reserved_fen)).toBe(9_900)
  }, 600_000)

  test('reading the free amount first and writing later would accept too many', async () => {
    const order = await placeOrder(first, { paidFen: 10_000 })
    // What the database refuses is taken away, as in a build that trusts its own reading.
    await first.app.db.read.pool.query('alter table sales_order drop constraint refunds_within_paid')
    const naive = async ({ app }: TestInstance) => {
      const row = await app.db.query
        .selectFrom('sales_order')
        .select(['paid_fen', 'reserved_fen'])
        .where('id', '=', order)
        .executeTakeFirstOrThrow()
      if (Number(row.reserved_fen) + 300 > Number(row.paid_fen)) return false
      await app.db.query
        .updateTable('sales_order')
        .set({ reserved_fen: Number(row.reserved_fen) + 300 })
        .where('id', '=', order)
        .execute()
      return true
    }
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => naive(n % 2 ? first : second)))
    expect(answers.filter(accepted => accepted).length).toBeGreaterThan(33)
  })

  test('one form sent to both with one key has one effect and one answer', async () => {
    const asker = await person(first, { grants: { 'order-list': ['list'], 'order-refundApply': ['list', 'create'] } })
    const order = await placeOrder(first)
    const key = randomUUID()
    const send = (instance: TestInstance) =>
      patiently(() =>
        caller(instance, asker.id, asker.token).post<{ id: string }>(
          '/orders/refund-application',
          refundBody(order, 100),
          { 'idempotency-key': key },
        ),
      )
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => send(n % 2 ? first : second)))
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
  })
})
