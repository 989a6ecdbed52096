import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { dictionaries } from '../../orders/refund-application/dictionaries.server.ts'
import { keepBuiltInDictionaries } from './built-in.server.ts'

type Item = { label: string; labels: Record<string, string>; value: string; colour: string | null; enabled: boolean }
type Type = { id: string; name: string; note: string; version: number; items: Item[] }

let instance: TestInstance
let admin: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { superAdmin: true })
})

const keep = () => keepBuiltInDictionaries(instance.app, instance.clock.now())
async function reasons(): Promise<Type> {
  const { data } = await admin.get<{ records: Type[] }>('/system/dictionary?code=REFUND_REASON')
  return (await admin.get<Type>(`/system/dictionary/${data.records[0]?.id}`)).data
}
/** Saves the reasons of a refund as this changes them. */
async function edit(change: (items: Item[]) => unknown[]) {
  const { id, name, note, version, items } = await reasons()
  return admin.put(`/system/dictionary/${id}`, { name, note, version, items: change(items) })
}
const called = async (value: string, language: string) => {
  const { data } = await admin.post<{ refundReasonKvList: { k: string; v: string }[] }>(
    '/common/attachMore',
    [{ type: 'D', target: 'REFUND_REASON' }],
    { 'accept-language': language },
  )
  return data.refundReasonKvList.find(({ v }) => v === value)?.k
}
const rename = (value: string, words: Partial<Item>) =>
  edit(items => items.map(item => (item.value === value ? { ...item, ...words } : item)))

describe('built-in dictionaries', () => {
  test('come without a demo business too, once, however many start together', async () => {
    await Promise.all([1, 2].map(keep))
    const { rows } = await instance.app.db.read.pool.query('select code, built_in from dictionary_type order by code')
    expect(rows).toEqual([...instance.app.catalogue.dictionaries.keys()].sort().map(code => ({ code, built_in: true })))
  })

  test('get back what a later version adds to them, and keep what people changed', async () => {
    expect((await rename('NO_TIME', { label: '太忙' })).code).toBe(0)
    expect((await rename('PRICE', { enabled: false, colour: '#000000' })).code).toBe(0)
    await instance.app.db.query.deleteFrom('dictionary_item').where('value', '=', 'WRONG_ORDER').execute()
    await keep()
    const { items } = await reasons()
    expect(items.map(({ value }) => value).sort()).toEqual(Object.keys(dictionaries.REFUND_REASON.entries).sort())
    expect(items.find(({ value }) => value === 'PRICE')).toMatchObject({ enabled: false, colour: '#000000' })
    expect(await called('NO_TIME', 'zh-CN')).toBe('太忙')
  })

  test('are named in the language of whoever looks at them, unless people here named them otherwise', async () => {
    const named = async (language: string) => {
      const { data } = await admin.get<{ records: { labels: { name?: { name: string } } }[] }>(
        '/system/dictionary?code=REFUND_REASON',
        { 'accept-language': language },
      )
      return data.records[0]?.labels.name?.name
    }
    const { name } = dictionaries.REFUND_REASON
    expect(await named('zh-CN')).toBe(name['zh-CN'])
    expect(await named('en-US')).toBe(name['en-US'])
    expect(await named('pt-BR')).toBe(name['pt-BR'])
    const { id, note, version, items } = await reasons()
    await admin.put(`/system/dictionary/${id}`, { name: '为何退款', note, version, items })
    expect([await named('zh-CN'), await named('zh-TW')]).toEqual(['为何退款', '為何退款'])
    const renamed = await reasons()
    await admin.put(`/system/dictionary/${id}`, { name: name['zh-CN'], note, version: renamed.version, items })
    expect(await named('en-US')).toBe(name['en-US'])
  })

  test('may be renamed in one language and say what they said in the others', async () => {
    await rename('TEACHER', { label: '对老师不满意' })
    expect(await called('TEACHER', 'zh-CN')).toBe('对老师不满意')
    expect(await called('TEACHER', 'zh-TW')).toBe('對老師不滿意')
    expect(await called('TEACHER', 'en-US')).toBe('Unhappy with feedback')
    await rename('TEACHER', { labels: { 'en-US': 'Unhappy with the teacher' } })
    expect(await called('TEACHER', 'en-US')).toBe('Unhappy with the teacher')
    // A word taken away again is the declared one, and so it is shown.
    expect(await called('TEACHER', 'pt-BR')).toBe('Insatisfação com as correções')
  })

  test('of before, with their labels stored in Chinese, speak every language and hear of better words', async () => {
    await instance.app.db.query
      .updateTable('dictionary_item')
      .set({ labels: JSON.stringify({ 'zh-CN': '其他' }) })
      .where('value', '=', 'OTHER')
      .execute()
    expect(await called('OTHER', 'en-US')).toBe('Other')
    await keep()
    const { rows } = await instance.app.db.read.pool.query(
      `select distinct labels from dictionary_item where value = 'OTHER'`,
    )
    expect(rows).toEqual([{ labels: {} }])
  })

  test('keep every entry the code relies on: it is disabled, not deleted', async () => {
    expect(await edit(items => items.slice(1))).toMatchObject({
      code: 4005,
      data: { fields: { items: 'The value "NO_TIME" is built in: disable it instead' } },
    })
  })

  test('keep the rows of their entries when they are edited', async () => {
    const ids = async () =>
      (await instance.app.db.query.selectFrom('dictionary_item').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      )
    const before = await ids()
    expect((await edit(items => items.toReversed())).code).toBe(0)
    expect(await ids()).toEqual(before)
    expect((await reasons()).items[0]?.value).toBe(Object.keys(dictionaries.REFUND_REASON.entries).at(-1))
  })
})

test('an entry people add needs a label in the language of the house, and is called by it where no other word was given', async () => {
  const added = { label: '搬家', value: 'MOVED', colour: null, enabled: true }
  expect(await edit(items => [...items, { ...added, label: '', labels: { 'en-US': 'Moved away' } }])).toMatchObject({
    code: 4005,
  })
  expect((await edit(items => [...items, { ...added, labels: { 'en-US': 'Moved away' } }])).code).toBe(0)
  expect(await called('MOVED', 'zh-CN')).toBe('搬家')
  expect(await called('MOVED', 'zh-TW')).toBe('搬家')
  expect(await called('MOVED', 'en-US')).toBe('Moved away')
  expect(await called('MOVED', 'pt-BR')).toBe('搬家')
})
