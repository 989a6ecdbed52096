import { beforeAll, describe, expect, test } from 'vitest'
import type { Label } from '#kit/model/resource.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { PHONES, phoneAt, randomFrom } from '../../../demo/builders.server.ts'
import { spellNames } from '../text/spelling.ts'

const LISTS = { 'member-list': ['list', 'detail'], 'order-list': ['list', 'detail'] }
const PEOPLE = [
  ['林小满', '13800138000'],
  ['林晓曼', '13800138001'],
  ['王小满', '13900138000'],
  ['欧阳小明', '13700138002'],
  ['Lucas Oliveira', '13600138003'],
  ['百分%之_五', '13500138004'],
] as const

let instance: TestInstance
let admin: Caller
let seller: Caller & { orgId: string }
let theirs: string
const idOf = new Map<string, string>()
const phoneOf = new Map<string, string>()

beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { superAdmin: true })
  seller = await person(instance, { grants: LISTS, scope: 'SELF' })
  const own = { ownerId: seller.id, orgId: seller.orgId }
  for (const [memberName, phone] of PEOPLE) await placeOrder(instance, { ...own, memberName, phone })
  theirs = await placeOrder(instance, { memberName: '陈小满', phone: '13400138000' })
  await instance.app.db.write(tx => spellNames(tx, instance.app.catalogue))
  for (const row of await instance.app.db.query.selectFrom('member').select(['id', 'name', 'phone']).execute()) {
    idOf.set(row.name, row.id)
    phoneOf.set(row.id, row.phone ?? '')
  }
})

type Row = { id: string; name: string; phone: string; labels: Record<string, Label> }
const ask = (query: string) => `?size=100&query=${encodeURIComponent(query)}`
const members = async (query: string, by: Caller = seller) =>
  (await by.get<{ records: Row[] }>(`/members/member${ask(query)}`)).data.records.map(({ name }) => name)
const buyers = async (query: string, by: Caller = seller) =>
  (await by.get<{ records: Row[] }>(`/orders/order${ask(query)}`)).data.records.map(
    ({ labels }) => labels.memberId?.name,
  )
const options = async (query: string, by: Caller = seller) =>
  (await by.get<Label[]>(`/common/reference/member?query=${encodeURIComponent(query)}`)).data.map(({ name }) => name)
const ordersOf = async (query: string, by: Caller = seller) =>
  (await by.get<Label[]>(`/common/reference/order?query=${encodeURIComponent(query)}`)).data.map(
    ({ note }) => note?.split(' · ')[1],
  )
const namesakes = async (phone: string, by: Caller = seller) => {
  const { data } = await by.post<{ ids: string[] }>('/members/member/find-by-phone', { phone })
  return data.ids.map(id => [...idOf].find(([, known]) => known === id)?.[0])
}

test('the picker says of each order whether it is paid, in words of whoever looks', async () => {
  const notes = async (query: string) =>
    (await seller.get<Label[]>(`/common/reference/order?query=${encodeURIComponent(query)}`)).data.map(
      ({ note }) => note,
    )
  expect(await notes('林晓曼')).toEqual([expect.stringMatching(/^Paid · 林晓曼 · /)])
})

describe.each([
  ['the list of the people', members],
  ['the list of what they ordered', buyers],
  ['the picker', options],
  ['the picker of what they ordered', ordersOf],
])('a person is found in %s', (_where, find) => {
  test.each([
    ['the whole name', '林小满', ['林小满']],
    ['a part of the name', '小满', ['王小满', '林小满']],
    ['the end of a name', '阳小明', ['欧阳小明']],
    ['the surname alone', '林', ['林晓曼', '林小满']],
    ['a single sign at the beginning only', '满', []],
    ['pinyin', 'linxiaom', ['林晓曼', '林小满']],
    ['pinyin with a space', 'Lin Xiao', ['林晓曼', '林小满']],
    ['initials', 'lxm', ['林晓曼', '林小满']],
    ['initials in capitals and wide', 'ＬＸ', ['林晓曼', '林小满']],
    ['initials of a double surname', 'oyx', ['欧阳小明']],
    ['a part of a Latin name in any case', 'oliv', ['Lucas Oliveira']],
    ['signs that are wildcards elsewhere', '%之_', ['百分%之_五']],
    ['a wildcard that stands for itself alone', '小%', []],
    ['the signs of a name in another order', '满小', []],
    ['a hundred signs', '满'.repeat(100), []],
  ])('by %s', async (_by, typed, expected) => {
    expect(await find(typed)).toEqual(expected)
  })

  test('of others only by whoever sees them', async () => {
    expect(await find('陈小满')).toEqual([])
    expect(await find('陈小满', admin)).toEqual(['陈小满'])
  })
})

describe('the last four digits', () => {
  test.each([
    ['小满 8000', ['王小满', '林小满']],
    ['8000 林', ['林小满']],
    ['８０００　林小满', ['林小满']],
    ['lxm 8001', ['林晓曼']],
    ['oliveira 8003', ['Lucas Oliveira']],
    ['小满 8001', []],
    ['小% 8000', []],
  ])('with a name find whom both fit: %s', async (typed, expected) => {
    expect(await namesakes(typed)).toEqual(expected)
  })

  test('find others only for whoever sees them, and show their numbers masked', async () => {
    expect(await namesakes('陈小满 8000')).toEqual([])
    const { data } = await admin.post<Label[]>('/common/reference/member/find-by-phone', { phone: '陈小满 8000' })
    expect(data).toMatchObject([{ name: '陈小满', note: '134****8000' }])
    expect(await seller.get(`/orders/order/${theirs}`)).toMatchObject({ code: 4004 })
  })

  test.each(['8000', '8000 %', '_ 8000', '8000 l', '800 林小满', '80001 林小满'])(
    'find nobody without a name: %s',
    async phone => {
      for (const path of ['/members/member/find-by-phone', '/common/reference/member/find-by-phone'])
        expect(await seller.post(path, { phone })).toMatchObject({ code: 4005 })
    },
  )

  test('never find anybody whose name does not fit, whatever is typed', async () => {
    const random = randomFrom(4)
    const signs = [...new Set([...PEOPLE.map(([name]) => name).join(''), ...'abcxyz%_\\\'" -'])]
    for (let turn = 0; turn < 25; turn += 1) {
      const name = Array.from({ length: random.whole(1, 3) }, () => random.pick(signs)).join('')
      const asker = await person(instance, { superAdmin: true })
      const answer = await asker.post<{ ids: string[] }>('/members/member/find-by-phone', { phone: `${name} 8000` })
      if (answer.code !== 0) continue
      const fits = await members(name.trim(), asker)
      const found = answer.data.ids.map(id => [...idOf].find(([, known]) => known === id)?.[0])
      expect(fits, name).toEqual(expect.arrayContaining(found))
      for (const id of answer.data.ids) expect(phoneOf.get(id)).toMatch(/8000$/)
    }
  })

  test('count with whole numbers, thirty in ten minutes by every way of asking, and are logged without what was typed', async () => {
    const curious = await person(instance, { grants: LISTS })
    const ways = [
      () => curious.post('/members/member/find-by-phone', { phone: '小满 8000' }),
      () => curious.post('/orders/order/find-by-phone', { phone: '13800138000' }),
      () => curious.post('/common/reference/member/find-by-phone', { phone: '8000 小满' }),
    ]
    for (let turn = 0; turn < 30; turn += 1) expect((await ways[turn % 3]?.())?.code).toBe(0)
    for (const way of ways) expect(await way()).toMatchObject({ status: 429, code: 4029 })
    const log = await instance.app.db.query
      .selectFrom('operation_log')
      .selectAll()
      .where('actor_id', '=', curious.id)
      .where('action', '=', 'find-by-phone')
      .execute()
    expect(log).toHaveLength(30)
    // What is made by chance or by the clock may hold any four digits.
    const chance = ['request_id', 'at', 'salt', 'duration_ms', 'actor_name']
    const said = log.map(line => Object.entries(line).filter(([column]) => !chance.includes(column)))
    expect(JSON.stringify(said).replaceAll(/\d{18}/g, '')).not.toMatch(/小满|8000/)
  })
})

describe('a whole number', () => {
  test('stands in no address, of a list or of a picker, however it is written', async () => {
    for (const phone of ['13800138000', '１３８００１３８０００', '+86 138 0013 8000'])
      for (const path of ['/members/member', '/common/reference/member'])
        expect(await seller.get(`${path}?query=${encodeURIComponent(phone)}`)).toMatchObject({ code: 4000 })
  })

  test('chooses its member in a picker, and nobody where there are no people', async () => {
    const { data } = await seller.post<Label[]>('/common/reference/member/find-by-phone', { phone: '139 0013 8000' })
    expect(data).toMatchObject([{ name: '王小满', note: '139****8000' }])
    const unknown = phoneAt(PHONES.test + 9_000_000)
    expect((await seller.post('/common/reference/member/find-by-phone', { phone: unknown })).data).toEqual([])
    expect(await admin.post('/common/reference/product/find-by-phone', { phone: '13800138000' })).toMatchObject({
      code: 4004,
    })
  })
})

describe('a number from a paper', () => {
  test('is found in whatever case and width it is typed', async () => {
    await instance.app.db.query
      .insertInto('product')
      .values({ code: 'VIP-2026', name: '年度会员', price_fen: 100, list_fen: 100, grants: '[]' })
      .execute()
    for (const typed of ['VIP-2026', 'vip-20', 'ＶＩＰ-2026']) {
      const { data } = await admin.get<Label[]>(`/common/reference/product?query=${encodeURIComponent(typed)}`)
      expect(data.map(({ note }) => note)).toContain('VIP-2026')
    }
  })

  test('as long as that of an order is found whole or by its beginning, in all lists, and only by whoever sees it', async () => {
    const { orderNo } = (await admin.get<{ orderNo: string }>(`/orders/order/${theirs}`)).data
    const found = async (typed: string, by: Caller) =>
      (await by.get<{ records: Row[] }>(`/orders/order${ask(typed)}`)).data.records.map(({ id }) => id)
    for (const typed of [orderNo, ` ${orderNo}`, orderNo.slice(0, -1), orderNo.slice(0, 14)]) {
      expect(await found(typed, admin), typed).toContain(theirs)
      expect(await found(typed, seller), typed).not.toContain(theirs)
    }
    expect(await found(`${orderNo}0`, admin)).toEqual([])
  })
})
