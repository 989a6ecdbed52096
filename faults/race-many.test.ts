import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { enrol, grantOf, offer, order, pay, RECEIVER } from '../tools/testing/commerce.ts'
import { newCoupon } from '../tools/testing/coupons.ts'
import { makeKit, shelve } from '../tools/testing/goods.ts'
import { type Answer, type Caller, caller, patiently, person } from '../tools/testing/instance.ts'
import { CALLERS, rounds } from './rounds.ts'
import { accepted, atOnce, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

const ROUNDS = Array.from({ length: rounds(10) }, (_, round) => round + 1)

let two: TwoInstances
let clerk: Caller
beforeAll(async () => {
  two = await openTwoInstances()
  clerk = await person(two.at(0), {
    grants: {
      dictionary: ['list', 'detail', 'create', 'update', 'delete'],
      'coupon-list': ['list', 'detail', 'create', 'issue'],
      'order-list': ['list', 'detail'],
      'dy-code': ['list'],
    },
  })
})
afterAll(async () => {
  expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
})

const at = (nth: number): Caller => caller(two.at(nth), clerk.id, clerk.token)
let marks = 0
const newType = async () => {
  marks += 1
  const body = { name: 'before', code: `RACE_${marks}`, note: '', items: [] }
  return (await clerk.post<{ id: string }>('/system/dictionary', body)).data.id
}

test.each(ROUNDS)(
  '200 store what they changed in one version of a record: one did, the others are told (round %i)',
  async () => {
    const id = await newType()
    const answers = await atOnce(CALLERS, nth =>
      patiently(() => at(nth).put(`/system/dictionary/${id}`, { name: `by ${nth}`, note: '', items: [], version: 1 })),
    )
    expect(accepted(answers)).toBe(1)
    expect(answers.filter(({ code }) => code === 4009)).toHaveLength(CALLERS - 1)
    const { data } = await at(1).get<{ name: string; version: number }>(`/system/dictionary/${id}`)
    const winner = answers.findIndex(({ code }) => code === 0)
    expect(data).toMatchObject({ name: `by ${winner}`, version: 2 })
  },
)

test.each(ROUNDS)(
  '200 say that one refund notice is processed: all are right, it was processed once (round %i)',
  async () => {
    const { query } = two.at(0).app.db
    marks += 1
    const { id } = await query
      .insertInto('refund_notice')
      .values({ source: 'DOUYIN', order_no: `N${marks}`, created_at: two.at(0).clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const waiting = async (nth: number) => (await at(nth).get<{ total: number }>('/message/web/count')).data.total
    const before = await waiting(0)
    // Under the order a notice is about, where there is one: told apart by nothing but how many there are.
    const logged = query.selectFrom('operation_log').select('id').where('action', '=', 'processed')
    const told = (await logged.execute()).length
    const answers = await atOnce(CALLERS, nth => patiently(() => at(nth).get(`/message/app/read/${id}`)))
    expect(accepted(answers)).toBe(CALLERS)
    expect([await waiting(0), await waiting(1)]).toEqual([before - 1, before - 1])
    expect((await logged.execute()).length).toBe(told + 1)
  },
)

describe('what wants the same records in another order', () => {
  const AT_ONCE = 64
  const WAVES = rounds(10)
  const turned = <T>(nth: number, ids: readonly T[]): T[] => (nth % 2 === 0 ? [...ids] : [...ids].reverse())
  const deadlocks = async (): Promise<number> => {
    const [row] = await two
      .at(0)
      .app.db.read.rows(
        'select pg_stat_clear_snapshot(), deadlocks::int as n from pg_stat_database where datname = current_database()',
        [],
      )
    return Number(row?.n)
  }
  /** Nobody is told of an error, and the database had no deadlock to end. */
  const goesWell = async (wave: (nth: number) => Promise<Answer>) => {
    const before = await deadlocks()
    for (let nth = 0; nth < WAVES; nth += 1) {
      const answers = await atOnce(AT_ONCE, caller => patiently(() => wave(caller)))
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }
    expect(await deadlocks()).toBe(before)
  }

  test('coupons given to the same members from the first to the last and back', async () => {
    const couponId = await newCoupon(clerk, { total: 100_000, perPerson: 10_000 })
    const members = await Promise.all(Array.from({ length: 8 }, () => enrol(two.at(0))))
    await goesWell(nth => at(nth).post(`/products/coupon/${couponId}/issue`, { memberIds: turned(nth, members) }))
  })

  test('records deleted from the first to the last and back', async () => {
    const ids = [await newType(), await newType(), await newType(), await newType()]
    await goesWell(nth => at(nth).remove(`/system/dictionary/${turned(nth, ids).join(',')}`))
  })

  test('goods sold from the same shelves from the first to the last and back', async () => {
    const shelves = [await shelve(two.at(0), 10_000), await shelve(two.at(0), 10_000)]
    const sides = [0, 1].map(async side => {
      const parts = turned(side, shelves).map(id => ({ id, quantity: 1 }))
      const grants = parts.map(async part =>
        grantOf('GOODS', 1, 1_000 / parts.length, { kitId: await makeKit(two.at(0), [part]) }),
      )
      return offer(two.at(0), await Promise.all(grants), { priceFen: 10_000 })
    })
    const products = await Promise.all(sides)
    const members = await persistent(AT_ONCE, nth => enrol(two.at(nth)))
    const before = await deadlocks()
    for (let wave = 0; wave < WAVES; wave += 1)
      await persistent(AT_ONCE, async nth => {
        const bought = await order(two.at(nth), members[nth] ?? '', products[nth % 2] ?? '', { receiver: RECEIVER })
        await pay(two.at(nth), bought)
      })
    expect(await deadlocks()).toBe(before)
  })
})
