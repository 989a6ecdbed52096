import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { repeatedValue } from './model.ts'

const item = (label: string, value: string) => ({ label, value, colour: null, enabled: true })

test('a value stands once in a type', () => {
  expect(repeatedValue([item('男', 'M'), item('女', 'F')])).toBeUndefined()
  expect(repeatedValue([item('男', 'M'), item('女', 'F'), item('男孩', 'M')])).toBe('M')
})

describe('a dictionary type', () => {
  let instance: TestInstance
  let admin: Caller
  const stored = (id: string) =>
    admin.get<{ name: string; version: number; items: unknown[] }>(`/system/dictionary/${id}`)
  const add = (code: string, items = [item('一', '1'), item('二', '2')]) =>
    admin.post<{ id: string }>(
      '/system/dictionary',
      { name: code, code, note: '', items },
      { 'idempotency-key': randomUUID() },
    )

  beforeAll(async () => {
    instance = await openTestInstance()
    admin = await person(instance, { superAdmin: true })
  })

  test('is added with its entries, in their order', async () => {
    const { data } = await add('GRADE', [item('三年级', '3'), item('一年级', '1')])
    expect((await stored(data.id)).data).toMatchObject({
      name: 'GRADE',
      builtIn: false,
      items: [
        { ...item('三年级', '3'), labels: {} },
        { ...item('一年级', '1'), labels: {} },
      ],
    })
  })

  test('is looked up by screens under its camel-case name, unknown codes without a word', async () => {
    await add('PEN_TYPE')
    const answer = await admin.post<Record<string, unknown[]>>('/common/attachMore', [
      { type: 'D', target: 'PEN_TYPE' },
      { type: 'D', target: 'NOBODY' },
    ])
    expect(answer.data).toEqual({
      penTypeKvList: [
        { k: '一', v: '1', colour: null, enabled: true },
        { k: '二', v: '2', colour: null, enabled: true },
      ],
      nobodyKvList: [],
    })
  })

  test('no other table can be read through the look-up', async () => {
    expect(
      await admin.post('/common/attachMore', [{ type: 'T', target: 'staff', label: 'password_hash' }]),
    ).toMatchObject({ status: 422, code: 4005 })
    expect(await admin.post('/common/attachMore', Array(51).fill({ type: 'D', target: 'X' }))).toMatchObject({
      code: 4005,
    })
  })

  test('has a code of its own, and keeps it', async () => {
    const { data } = await add('UNIQUE_CODE')
    expect(await add('UNIQUE_CODE')).toMatchObject({
      code: 4005,
      data: { fields: { code: 'Already in use. Choose another.' } },
    })
    expect(
      await admin.put(`/system/dictionary/${data.id}`, { name: 'x', code: 'OTHER', note: '', items: [], version: 1 }),
    ).toMatchObject({ code: 4005, data: { fields: { code: 'Unknown field' } } })
  })

  test('with one value twice is refused, and nothing of it is stored', async () => {
    expect(await add('TWICE', [item('一', '1'), item('壹', '1')])).toMatchObject({
      code: 4005,
      data: { fields: { items: 'The value "1" appears twice' } },
    })
    expect((await admin.get<{ total: number }>('/system/dictionary?code=TWICE')).data.total).toBe(0)
  })

  test('is changed too when its id stands in the body, under the same rules', async () => {
    const { data } = await admin.post<{ id: string }>('/system/dictionary', {
      name: 'By body',
      code: 'BY_BODY',
      note: '',
      items: [],
    })
    const edit = (more: object) =>
      admin.put('/system/dictionary', { id: data.id, name: 'Changed', note: '', items: [], version: 1, ...more })
    expect(await edit({ id: '999999999' })).toMatchObject({ code: 4004 })
    expect(await edit({ id: undefined })).toMatchObject({ code: 4005 })
    expect(await edit({})).toMatchObject({ code: 0 })
    expect(await edit({})).toMatchObject({ code: 4009, data: { current: { name: 'Changed', version: 2 } } })
  })

  test('changed by two people at once keeps the first change, and shows it to the second', async () => {
    const { data } = await add('CONFLICT')
    const edit = (name: string) => admin.put(`/system/dictionary/${data.id}`, { name, note: '', items: [], version: 1 })
    expect((await edit('first')).code).toBe(0)
    expect(await edit('second')).toMatchObject({
      status: 409,
      code: 4009,
      data: { current: { name: 'first', version: 2 } },
    })
    expect((await stored(data.id)).data.name).toBe('first')
  })

  test('of 50 edits of one version exactly one is kept', async () => {
    const { data } = await add('RACE')
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        admin.put(`/system/dictionary/${data.id}`, { name: `n${n}`, note: '', items: [], version: 1 }),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 4009)).toHaveLength(49)
    expect((await stored(data.id)).data.version).toBe(2)
  })

  test('is deleted with its entries, several at once or none', async () => {
    const first = (await add('GONE_1')).data.id
    const second = (await add('GONE_2')).data.id
    expect(await admin.remove(`/system/dictionary/${first},${second},999999`)).toMatchObject({ status: 404 })
    expect((await stored(first)).code).toBe(0)
    expect((await admin.remove(`/system/dictionary?ids=${first},${second}`)).code).toBe(0)
    expect((await stored(first)).status).toBe(404)
  })

  test('keeps an entry that records still hold', async () => {
    await placeOrder(instance)
    const { query } = instance.app.db
    await query
      .updateTable('member')
      .set({ tags: ['OWN'] })
      .execute()
    await query.updateTable('sales_order').set({ source: 'OWN' }).execute()
    for (const code of ['ORDER_SOURCE', 'MEMBER_TAG']) {
      const { id } = await query
        .selectFrom('dictionary_type')
        .select('id')
        .where('code', '=', code)
        .executeTakeFirstOrThrow()
      const { items } = (await stored(id)).data
      const keep = (kept: unknown[], version: number) =>
        admin.put(`/system/dictionary/${id}`, { name: 'x', note: '', items: kept, version })
      expect((await keep([...items, item('自己的', 'OWN')], 1)).code).toBe(0)
      expect(await keep(items, 2)).toMatchObject({
        code: 4005,
        data: { fields: { items: '1 record still uses "OWN": disable it instead' } },
      })
      expect((await keep([...items, { ...item('自己的', 'OWN'), enabled: false }], 2)).code).toBe(0)
    }
  })

  test('that is built in stays', async () => {
    const { id } = await instance.app.db.query
      .insertInto('dictionary_type')
      .values({ code: 'BUILT', name: 'b', built_in: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await admin.remove(`/system/dictionary/${id}`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: A built-in dictionary cannot be deleted',
    })
    expect((await stored(id)).code).toBe(0)
  })
})
