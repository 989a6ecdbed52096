import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, enrol, grantOf, proof } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'

const PATH = '/products/product'

describe('a product', () => {
  let instance: TestInstance
  let seller: Caller
  let reader: Caller
  let nth = 0

  beforeAll(async () => {
    instance = await openTestInstance()
    const actions = ['list', 'detail', 'create', 'update', 'delete', 'putOnSale', 'takeOffSale', 'copy']
    seller = await person(instance, { grants: { 'product-list': actions } })
    reader = await person(instance, { grants: { 'product-list': ['list', 'detail'] } })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const add = (given: object = {}, by = seller) => {
    nth += 1
    return by.post<{ id: string }>(PATH, {
      name: '年度会员',
      code: `Y-${nth}`,
      priceFen: 100,
      listFen: 200,
      grants: [grantOf('MEMBER_DAYS', 365)],
      commissionPermille: 0,
      sort: 0,
      mayWait: false,
      note: '',
      picture: [],
      ...given,
    })
  }
  const stored = async () =>
    (await instance.app.db.query.selectFrom('product').select(['id', 'status', 'code']).execute()).length

  test('is added off sale, put on sale, and only then can be ordered', async () => {
    const { data } = await add()
    expect((await reader.get<{ status: string }>(`${PATH}/${data.id}`)).data.status).toBe('OFF_SALE')
    expect(await seller.post(`${PATH}/${data.id}/putOnSale`)).toMatchObject({ code: 0 })
    expect(await seller.post(`${PATH}/${data.id}/putOnSale`)).toMatchObject({ code: 4006 })
  })

  test('is offered in a form while it is on sale, and found by a filter ever after', async () => {
    const { data } = await add({ name: '暑期营' })
    const found = async (more: string) =>
      (await seller.get<{ id: string }[]>(`/common/reference/product?query=${encodeURIComponent('暑期营')}${more}`))
        .data
    expect([(await found('')).length, (await found('&offered=true')).length]).toEqual([1, 0])
    await seller.post(`${PATH}/${data.id}/putOnSale`)
    expect(await found('&offered=true')).toMatchObject([{ id: data.id }])
  })

  test('is shown with its picture to whoever sees it, all of a page in one call, and to nobody else', async () => {
    const picture = await proof(instance, seller.id)
    const loose = await proof(instance, seller.id)
    const { data } = await add({ picture: [picture] })
    expect((await reader.get<{ picture: string[] }>(`${PATH}/${data.id}`)).data.picture).toEqual([picture])
    const links = async (by: Caller) =>
      (await by.post<Record<string, string>>('/common/file/links', { ids: [picture, loose] })).data
    expect(Object.keys(await links(reader))).toEqual([picture])
    expect(Object.keys(await links(seller))).toEqual([picture, loose])
    expect(await links(await person(instance, { grants: {} }))).toEqual({})
  })

  test('keeps its picture when somebody else edits it, and takes none that belongs elsewhere', async () => {
    const picture = await proof(instance, seller.id)
    const { data } = await add({ picture: [picture] })
    const editor = await person(instance, { grants: { 'product-list': ['list', 'detail', 'update'] } })
    const edit = (given: object) =>
      editor.put(`${PATH}/${data.id}`, {
        name: '年度会员',
        priceFen: 100,
        listFen: 200,
        grants: [grantOf('MEMBER_DAYS', 365)],
        commissionPermille: 0,
        sort: 0,
        mayWait: false,
        note: '',
        version: 1,
        ...given,
      })
    const foreign = await proof(instance, seller.id)
    expect(await edit({ picture: [foreign] })).toMatchObject({ code: 4005 })
    expect(await edit({ picture: [picture] })).toMatchObject({ code: 0 })
    expect(await add({ picture: [picture] })).toMatchObject({ code: 4005 })
  })

  test.each([
    ['without a grant', { grants: [] }],
    ['whose shares do not make a whole', { grants: [grantOf('MEMBER_DAYS', 365, 999)] }],
    ['with a course that names none', { grants: [grantOf('COURSE', 1)] }],
    ['with a course that was never published', { grants: [grantOf('COURSE', 1, 1_000, { packageId: '999' })] }],
    ['with goods of a kit that does not exist', { grants: [grantOf('GOODS', 1, 1_000, { kitId: '999' })] }],
    ['dearer than its list price', { priceFen: 201 }],
  ])('%s is refused, and nothing is stored', async (_name, given) => {
    const before = await stored()
    expect(await add(given)).toMatchObject({ code: 4005, data: { fields: expect.any(Object) } })
    expect(await stored()).toBe(before)
  })

  test('has a code of its own', async () => {
    await add({ code: 'TWICE' })
    expect(await add({ code: 'TWICE' })).toMatchObject({ code: 4005, data: { fields: { code: expect.any(String) } } })
  })

  test('is copied with its grants, off sale, under another code', async () => {
    const { data } = await add()
    const copy = { newName: '年度会员二', newCode: 'COPY-1' }
    expect(await seller.post(`${PATH}/${data.id}/copy`, copy)).toMatchObject({ code: 0 })
    const made = await instance.app.db.query
      .selectFrom('product')
      .select(['status', 'grants'])
      .where('code', '=', 'COPY-1')
      .executeTakeFirstOrThrow()
    expect(made).toMatchObject({ status: 'OFF_SALE', grants: [{ kind: 'MEMBER_DAYS' }] })
    const before = await stored()
    const again = await seller.post(`${PATH}/${data.id}/copy`, copy)
    expect(again).toMatchObject({ code: 4005, data: { fields: { newCode: expect.any(String) } } })
    expect(await stored()).toBe(before)
  })

  test('that was bought counts its sales and cannot be deleted', async () => {
    const { data } = await add()
    await seller.post(`${PATH}/${data.id}/putOnSale`)
    await buy(instance, await enrol(instance), data.id)
    expect((await reader.get<{ sold: number }>(`${PATH}/${data.id}`)).data.sold).toBe(1)
    expect(await seller.remove(`${PATH}/${data.id}`)).toMatchObject({ code: 4006 })
    expect((await reader.get(`${PATH}/${data.id}`)).code).toBe(0)
  })

  test('is changed by nobody without the right', async () => {
    const before = await stored()
    expect(await add({}, reader)).toMatchObject({ code: 4003 })
    expect(await stored()).toBe(before)
  })
})
