import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { type Bought, enrol, grantOf, offer, order, pay, RECEIVER } from '../tools/testing/commerce.ts'
import { makeKit, shelve, stockOf } from '../tools/testing/goods.ts'
import { person, type TestInstance } from '../tools/testing/instance.ts'
import { CALLERS, ROUNDS } from './rounds.ts'
import { naively, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

const LEFT = 100

let two: TwoInstances
/** One each: those of one member would wait for one another. */
let members: string[]
beforeAll(async () => {
  two = await openTwoInstances()
  // Who publishes the kits.
  await person(two.at(0))
  members = await persistent(CALLERS, () => enrol(two.at(0)))
})

async function unpaidOrders(baseProductId: string): Promise<Bought[]> {
  const kitId = await makeKit(two.at(0), [{ id: baseProductId, quantity: 1 }])
  const product = await offer(two.at(0), [grantOf('GOODS', 1, 1_000, { kitId })], { priceFen: 10_000 })
  return persistent(CALLERS, nth => order(two.at(nth), members[nth] as string, product, { receiver: RECEIVER }))
}

async function payStates(orders: readonly Bought[]): Promise<Record<string, number>> {
  const rows = await two
    .at(1)
    .app.db.query.selectFrom('sales_order')
    .select(['pay_state', eb => eb.fn.countAll<string>().as('count')])
    .where(
      'id',
      'in',
      orders.map(({ orderId }) => orderId),
    )
    .groupBy('pay_state')
    .execute()
  return Object.fromEntries(rows.map(({ pay_state: state, count }) => [state, Number(count)]))
}

describe('the last hundred on the shelf', () => {
  afterAll(async () => {
    expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
  })

  test.each(ROUNDS)('of 200 sales at once, a hundred are made (round %i)', async () => {
    const id = await shelve(two.at(0), LEFT)
    const orders = await unpaidOrders(id)
    await persistent(CALLERS, nth => pay(two.at(nth), orders[nth] as Bought))
    expect(await payStates(orders)).toEqual({ PAID: LEFT, UNPAID: CALLERS - LEFT })
    expect(await stockOf(two.at(0), id)).toEqual([LEFT, LEFT])
  })
})

test('a build that looks first and writes later promises more than there is', async () => {
  const id = await shelve(two.at(0), LEFT)
  const isThere = async (instance: TestInstance) => {
    const [onHand, locked] = await stockOf(instance, id)
    return onHand - locked > 0
  }
  const promise = ({ app }: TestInstance) =>
    app.db.query
      .updateTable('base_product')
      .set(eb => ({ locked: eb('locked', '+', 1) }))
      .where('id', '=', id)
      .execute()
  expect(await naively(two, CALLERS, isThere, promise)).toBeGreaterThan(LEFT)
})
