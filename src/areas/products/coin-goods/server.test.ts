import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { coinGoods } from '../../../../tools/testing/coins.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { leftOf } from './model.ts'

const CALL = '/products/coin-goods'

test.each([
  ['the quota is the smaller', { quota: 10, sold: 4 }, 100, 6],
  ['the shelf is the smaller', { quota: 10, sold: 4 }, 2, 2],
  ['all of the quota went', { quota: 10, sold: 10 }, 100, 0],
  ['the shelf owes what is promised', { quota: 10, sold: 0 }, -3, 0],
])('what is left when %s', (_name, goods, available, left) => {
  expect(leftOf(goods, available)).toBe(left)
})

describe('goods of the coin mall', () => {
  let instance: TestInstance
  let keeper: Caller

  beforeAll(async () => {
    instance = await openTestInstance()
    keeper = await person(instance, {
      grants: { 'product-coin': ['list', 'detail', 'create', 'update', 'putOn', 'takeOff'] },
    })
  })

  const stored = (id: string) =>
    instance.app.db.query
      .selectFrom('coin_goods')
      .select(['status', 'quota', 'coins'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  test('are added off the mall, put on, and taken off', async () => {
    const other = await coinGoods(instance)
    const { base_product_id: baseProductId } = await instance.app.db.query
      .selectFrom('coin_goods')
      .select('base_product_id')
      .where('id', '=', other)
      .executeTakeFirstOrThrow()
    const { data } = await keeper.post<{ id: string }>(CALL, {
      name: '墨条',
      baseProductId,
      coins: 80,
      cashFen: 0,
      quota: 10,
      perPerson: 1,
      sort: 0,
      picture: [],
    })
    expect(await stored(data.id)).toEqual({ status: 'OFF', quota: 10, coins: 80 })
    expect(await keeper.post(`${CALL}/${data.id}/putOn`)).toMatchObject({ code: 0 })
    expect(await keeper.post(`${CALL}/${data.id}/putOn`)).toMatchObject({ code: 4006 })
    expect(await keeper.post(`${CALL}/${data.id}/takeOff`)).toMatchObject({ code: 0 })
    expect((await stored(data.id)).status).toBe('OFF')
  })

  test('tell what is left: no more than the quota, no more than the shelf', async () => {
    const [many, few] = [await coinGoods(instance, { quota: 5 }), await coinGoods(instance, { quota: 5, onHand: 2 })]
    expect((await keeper.get(`${CALL}/left?ids=${many},${few}`)).data).toEqual({ [many]: 5, [few]: 2 })
    expect((await keeper.get<{ left: number }>(`${CALL}/${few}`)).data.left).toBe(2)
  })

  test('keep a quota that covers what went already', async () => {
    const id = await coinGoods(instance, { quota: 5 })
    const { db } = instance.app
    await db.query.updateTable('coin_goods').set({ sold: 3 }).where('id', '=', id).execute()
    const edit = { name: '毛笔', coins: 30, cashFen: 0, perPerson: 1, sort: 0, picture: [], version: 1 }
    expect(await keeper.put(`${CALL}/${id}`, { ...edit, quota: 2 })).toMatchObject({
      code: 4005,
      data: { fields: { quota: 'The quota cannot be less than the number already redeemed' } },
    })
    expect((await stored(id)).quota).toBe(5)
    expect(await keeper.put(`${CALL}/${id}`, { ...edit, quota: 3 })).toMatchObject({ code: 0 })
    await db.query.updateTable('coin_goods').set({ sold: 0 }).where('id', '=', id).execute()
  })

  test('everything adds up', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
