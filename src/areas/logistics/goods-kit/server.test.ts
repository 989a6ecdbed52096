import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { makeKit, sell, shelve } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'

const path = '/logistics/goods-kit'

describe('a goods kit', () => {
  let instance: TestInstance
  let keeper: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    keeper = await person(instance, {
      grants: { 'logistics-product': ['list', 'detail', 'create', 'update', 'delete'] },
    })
  })

  const part = (baseProductId: string, quantity = 1) => ({ baseProductId, sku: '', name: '', quantity })
  const create = (code: string, parts: object[]) =>
    keeper.post<{ id: string }>(path, { code, name: '启蒙礼盒', weightG: 500, parts })
  const count = async () =>
    Number(
      (
        await instance.app.db.query
          .selectFrom('goods_kit')
          .select(eb => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )

  test('takes the names of its parts from the shelf', async () => {
    const id = await shelve(instance, 3)
    const { data } = await create('KIT-A', [part(id, 2)])
    const { data: kit } = await keeper.get<{ parts: { name: string; quantity: number }[] }>(`${path}/${data.id}`)
    expect(kit.parts).toMatchObject([{ baseProductId: id, quantity: 2, name: expect.stringMatching(/^字帖/) }])
  })

  test('has parts, each of them once, at least one piece of each, and only what is on the shelf', async () => {
    const id = await shelve(instance, 3)
    const before = await count()
    for (const [parts, said] of [
      [[], 'A kit needs at least one base product'],
      [[part(id), part(id)], 'Each base product can appear only once'],
      [[part(id, 0)], 'At least one piece of each'],
    ] as const)
      expect(await create('KIT-B', [...parts])).toMatchObject({ code: 4005, data: { fields: { parts: said } } })
    expect(await create('KIT-B', [part('999999')])).toMatchObject({
      code: 4005,
      data: { fields: { 'parts.0.baseProductId': 'This does not exist or is not available to you' } },
    })
    expect(await count()).toBe(before)
  })

  test('two kits do not have one code', async () => {
    const id = await shelve(instance, 3)
    await create('KIT-C', [part(id)])
    expect(await create('KIT-C', [part(id)])).toMatchObject({
      code: 4005,
      data: { fields: { code: expect.any(String) } },
    })
  })

  test('cannot be deleted while a product gives it, and tells which', async () => {
    const kitId = await makeKit(instance, [{ id: await shelve(instance, 1), quantity: 1 }])
    const grants = [
      { kind: 'GOODS', quantity: 1, validDays: null, sharePermille: 1_000, packageId: null, kitId, name: '盒' },
    ]
    await instance.app.db.query
      .insertInto('product')
      .values({ code: 'P-KIT', name: '年度套餐', price_fen: 1, list_fen: 1, grants: JSON.stringify(grants) })
      .execute()
    const { data } = await keeper.get<{ usedBy: { name: string }[] }>(`${path}/${kitId}`)
    expect(data.usedBy).toMatchObject([{ name: '年度套餐', onSale: false }])
    expect(await keeper.remove(`${path}/${kitId}`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: The membership "年度套餐" includes it; it cannot be deleted',
    })
    expect((await keeper.get(`${path}/${kitId}`)).code).toBe(0)
  })

  test('what was sold keeps the parts it was sold with', async () => {
    const [old, fresh] = [await shelve(instance, 5), await shelve(instance, 5)]
    const kitId = await makeKit(instance, [{ id: old, quantity: 1 }])
    const { parcelId } = await sell(instance, { kitId })
    const { data } = await keeper.get<{ version: number }>(`${path}/${kitId}`)
    const changed = { name: '换新', weightG: 1, parts: [part(fresh)], version: data.version }
    expect((await keeper.put(`${path}/${kitId}`, changed)).code).toBe(0)
    const row = await instance.app.db.query
      .selectFrom('shipment')
      .select('parts')
      .where('id', '=', parcelId)
      .executeTakeFirstOrThrow()
    expect(row.parts).toMatchObject([{ baseProductId: old }])
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
