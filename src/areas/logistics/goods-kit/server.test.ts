import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PublishedEdition } from '#kit/model/edition.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { grantOf } from '../../../../tools/testing/commerce.ts'
import { makeKit, sell, shelve } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { renameInKits } from './server.ts'

const path = '/logistics/goods-kit'

describe('a goods kit', () => {
  let instance: TestInstance
  let keeper: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    keeper = await person(instance, {
      grants: { 'logistics-product': ['list', 'detail', 'create', 'update', 'delete', 'drafts', 'publish', 'restore'] },
    })
  })

  const part = (baseProductId: string, quantity = 1) => ({ baseProductId, sku: '', name: '', quantity })
  const create = (code: string, parts: object[]) =>
    keeper.post<{ id: string }>(path, { code, name: '启蒙礼盒', weightG: 500, parts })
  const publish = async (id: string) => {
    const { version } = (await keeper.get<{ version: number }>(`${path}/${id}`)).data
    return keeper.post(`${path}/${id}/publish`, { version })
  }
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
    const held = async () => (await keeper.get<{ parts: object[] }>(`${path}/${data.id}`)).data.parts
    expect(await held()).toEqual([])
    expect((await publish(data.id)).code).toBe(0)
    expect(await held()).toMatchObject([{ baseProductId: id, quantity: 2, name: expect.stringMatching(/^字帖/) }])
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

  test('what was sold keeps the edition it was sold with, and the edition tells which orders', async () => {
    const [old, fresh] = [await shelve(instance, 5), await shelve(instance, 5)]
    const kitId = await makeKit(instance, [{ id: old, quantity: 1 }])
    const { parcelId, orderId } = await sell(instance, { kitId })
    const { data } = await keeper.get<{ version: number }>(`${path}/${kitId}`)
    const changed = { name: '换新', weightG: 1, parts: [part(fresh)], version: data.version }
    expect((await keeper.put(`${path}/${kitId}`, changed)).code).toBe(0)
    // A draft packs nothing: who buys now gets what is published.
    expect(await partsOfParcel((await sell(instance, { kitId })).parcelId)).toMatchObject([{ baseProductId: old }])
    expect((await publish(kitId)).code).toBe(0)
    const late = await sell(instance, { kitId })
    expect(await partsOfParcel(late.parcelId)).toMatchObject([{ baseProductId: fresh }])
    expect(await partsOfParcel(parcelId)).toMatchObject([{ baseProductId: old }])
    const seller = await person(instance, {
      grants: { 'logistics-product': ['list', 'detail'], 'order-list': ['list'] },
      scope: 'ALL',
    })
    const { data: editions } = await seller.get<PublishedEdition[]>(`${path}/${kitId}/editions`)
    expect(editions.map(({ edition, uses }) => [edition, uses[0]?.count])).toEqual([
      [2, 1],
      [1, 2],
    ])
    expect(editions[1]?.uses[0]?.links).toContainEqual({ name: expect.any(String), path: `/order/list/${orderId}` })
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('an order counts once however many lines it has, and is named to whoever may list orders alone', async () => {
    const kitId = await makeKit(instance, [{ id: await shelve(instance, 5), quantity: 1 }])
    await sell(instance, { kitId })
    const { parcelId } = await sell(instance, { kitId })
    const usesFor = async (more: Record<string, string[]>) => {
      const reader = await person(instance, {
        grants: { 'logistics-product': ['list', 'detail'], ...more },
        scope: 'ALL',
      })
      const { data } = await reader.get<PublishedEdition[]>(`${path}/${kitId}/editions`)
      return [data[0]?.uses[0]?.count, data[0]?.uses[0]?.links.length]
    }
    const { query } = instance.app.db
    const { rows } = await sql<{ id: string }>`
      insert into shipment_line (shipment_id, base_product_id, order_id, kit_edition_id, quantity)
      select l.shipment_id, l.base_product_id, l.order_id, l.kit_edition_id, 1 from shipment_line l, generate_series(1, 1001)
      where l.shipment_id = ${parcelId} returning id`.execute(query)
    expect(await usesFor({ 'order-list': ['list'] })).toEqual([2, 2])
    expect(await usesFor({})).toEqual([2, 0])
    const added = rows.map(({ id }) => id)
    await query.deleteFrom('shipment_line').where('id', 'in', added).execute()
  })

  test('is not deleted once parcels were packed by it', async () => {
    const kitId = await makeKit(instance, [{ id: await shelve(instance, 5), quantity: 1 }])
    await sell(instance, { kitId })
    await instance.app.db.query
      .updateTable('product')
      .set({ grants: JSON.stringify([grantOf('MEMBER_DAYS', 30)]) })
      .where(sql<boolean>`grants @> ${JSON.stringify([{ kitId }])}::jsonb`)
      .execute()
    expect(await keeper.remove(`${path}/${kitId}`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: Parcels were packed by it; it cannot be deleted',
    })
  })

  test('that was never published is given by no product', async () => {
    const { data } = await create('KIT-NEW', [part(await shelve(instance, 1))])
    const seller = await person(instance, { grants: { 'product-list': ['create'] } })
    const grants = [grantOf('GOODS', 1, 1_000, { kitId: data.id })]
    const body = {
      code: 'P-NEW',
      name: '新套餐',
      priceFen: 1,
      listFen: 1,
      grants,
      commissionPermille: 0,
      mayWait: false,
      sort: 0,
      note: '',
      picture: [],
    }
    expect(await seller.post('/products/product', body)).toMatchObject({
      code: 4005,
      data: { fields: { 'grants.0.kitId': expect.any(String) } },
    })
  })

  test('a part whose base product is called otherwise meanwhile is no change of the kit', async () => {
    const id = await shelve(instance, 5)
    const kitId = await makeKit(instance, [{ id, quantity: 1 }])
    await instance.app.db.write(tx => renameInKits(tx, id, '新字帖'))
    const { data } = await keeper.get<{ name: string; weightG: number; parts: object[]; version: number }>(
      `${path}/${kitId}/edited`,
    )
    const { name, weightG, parts, version } = data
    expect((await keeper.put(`${path}/${kitId}`, { name, weightG, parts, version })).code).toBe(0)
    expect((await keeper.get<{ status: string }>(`${path}/${kitId}`)).data.status).toBe('PUBLISHED')
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const partsOfParcel = async (id: string) =>
    (await instance.app.db.query.selectFrom('shipment').select('parts').where('id', '=', id).executeTakeFirstOrThrow())
      .parts
})
