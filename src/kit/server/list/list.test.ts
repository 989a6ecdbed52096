import { beforeAll, describe, expect, test } from 'vitest'
import type { Resource } from '#kit/model/resource.ts'
import { type Caller, openTestInstance, org, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { openCounts } from './count.ts'

type Page = {
  records: { id: string; orderNo: string; amountFen: number; payState: string }[]
  total: number
  totalAt: string
}

let instance: TestInstance
let admin: Caller
const list = (by: Caller, query = '') => by.get<Page>(`/orders/order${query}`)
const ids = async (by: Caller, query = '') => (await list(by, query)).data.records.map(({ id }) => id)

beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { superAdmin: true })
})

describe('who sees which rows', () => {
  let parent: string
  let child: string
  let seller: Caller & { orgId: string }
  let colleague: Caller & { orgId: string }
  let mine: string
  let theirs: string
  let below: string
  const grants = { 'order-list': ['list', 'detail'] }

  beforeAll(async () => {
    parent = await org(instance)
    const { path } = await instance.app.db.query
      .selectFrom('org')
      .select('path')
      .where('id', '=', parent)
      .executeTakeFirstOrThrow()
    child = await org(instance, { id: parent, path })
    seller = await person(instance, { grants, scope: 'SELF', orgId: parent })
    colleague = await person(instance, { grants, scope: 'SELF', orgId: parent })
    mine = await placeOrder(instance, { ownerId: seller.id, orgId: parent })
    theirs = await placeOrder(instance, { ownerId: colleague.id, orgId: parent })
    below = await placeOrder(instance, { ownerId: null, orgId: child })
  })

  test('a person with the scope "self" sees what is theirs', async () => {
    expect(await ids(seller)).toEqual([mine])
    expect((await list(seller)).data.total).toBe(1)
    expect((await seller.get<Record<string, number>>('/orders/order/counts')).data).toEqual({ PAID: 1 })
  })

  test('a department sees its own rows, with those below only where the role says so', async () => {
    expect(await ids(await person(instance, { grants, scope: 'DEPARTMENT', orgId: parent }))).toEqual([theirs, mine])
    expect(await ids(await person(instance, { grants, scope: 'DEPARTMENT_AND_BELOW', orgId: parent }))).toEqual([
      below,
      theirs,
      mine,
    ])
  })

  test('a role of chosen departments shows the rows of these alone, whoever holds it and where', async () => {
    const elsewhere = await org(instance)
    const far = await placeOrder(instance, { ownerId: null, orgId: elsewhere })
    const seesOf = async (...chosen: string[]) =>
      ids(await person(instance, { grants, scope: 'CHOSEN', chosen, orgId: parent }))
    expect(await seesOf(child)).toEqual([below])
    expect(await seesOf(child, elsewhere)).toEqual([far, below])
    const holder = await person(instance, { grants, scope: 'CHOSEN', chosen: [child] })
    for (const id of [mine, far]) expect(await holder.get(`/orders/order/${id}`)).toMatchObject({ status: 404 })
  })

  test('a manager with "self and subordinates" sees the people below, however deep', async () => {
    const manager = await person(instance, { grants, scope: 'SELF_AND_SUBORDINATES', orgId: child })
    const team = await person(instance, { grants, orgId: child, managerId: manager.id })
    const helper = await person(instance, { grants, orgId: child, managerId: team.id })
    const deep = await placeOrder(instance, { ownerId: helper.id, orgId: child })
    expect(await ids(manager)).toEqual([deep])
  })

  test('a row outside the scope does not exist: not as detail, not in its timeline', async () => {
    expect(await seller.get(`/orders/order/${theirs}`)).toMatchObject({ status: 404, code: 4004 })
    expect(await seller.get(`/orders/order/${theirs}/timeline`)).toMatchObject({ status: 404 })
    expect((await seller.get(`/orders/order/${mine}`)).code).toBe(0)
  })
})

describe('asking a list', () => {
  beforeAll(async () => {
    for (let n = 1; n <= 25; n += 1)
      await placeOrder(instance, { paidFen: n * 100, memberName: n <= 3 ? '王小明' : '李雷' })
  })

  test('ten rows come by default, newest first, with the exact total and its time', async () => {
    const { data } = await list(admin)
    expect(data.records).toHaveLength(10)
    const numbers = data.records.map(({ id }) => Number(id))
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a))
    const { n } = await instance.app.db.query
      .selectFrom('sales_order')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
    expect(data.total).toBe(Number(n))
    expect(Date.now() - Date.parse(data.totalAt)).toBeLessThan(10_000)
  })

  test('all pages together are all rows, each once, in one order', async () => {
    const seen: string[] = []
    for (let current = 1; ; current += 1) {
      const page = await ids(admin, `?current=${current}&sort=amountFen:asc`)
      if (page.length === 0) break
      seen.push(...page)
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength((await list(admin)).data.total)
  })

  test('a page reached from another one is the page that counting would reach', async () => {
    const straight = await ids(admin, '?current=3&size=10&sort=createdAt:desc')
    await ids(admin, '?current=2&size=10&sort=createdAt:desc')
    expect(await ids(admin, '?current=3&size=10&sort=createdAt:desc')).toEqual(straight)
  })

  test('amounts are filtered by range, states by one or several, both together', async () => {
    const { data } = await list(admin, '?amountFenBegin=500&amountFenEnd=700&payState=PAID&payState=CLOSED&size=100')
    expect(data.records.map(({ amountFen }) => amountFen).sort()).toEqual([500, 600, 700])
    expect(data.total).toBe(3)
  })

  test('a day as the end of a range counts whole', async () => {
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    expect((await list(admin, `?createdAtBegin=${today}&createdAtEnd=${today}`)).data.total).toBeGreaterThan(0)
    expect((await list(admin, '?createdAtEnd=2001-01-01')).data.total).toBe(0)
  })

  test('rows of certain days come newest first by those days, on every page, unless another order is wished', async () => {
    // Paid in the other order than placed.
    const { rows } = await instance.app.db.read.pool.query(
      `update sales_order set paid_at = '2026-03-01T00:00:00Z'::timestamptz - id * interval '1 minute' where amount_fen between 300 and 1700 returning id`,
    )
    const oldestFirst = rows.map(({ id }) => String(id)).sort((a, b) => Number(a) - Number(b))
    const days = 'paidAtBegin=2026-01-01&paidAtEnd=2026-03-01'
    expect(await ids(admin, `?${days}&size=10`)).toEqual(oldestFirst.slice(0, 10))
    expect(await ids(admin, `?${days}&size=10&current=2`)).toEqual(oldestFirst.slice(10))
    expect(await ids(admin, `?${days}&size=20&sort=id:desc`)).toEqual(oldestFirst.toReversed())
  })

  test('the search box finds by the beginning of a member’s name, and by order number', async () => {
    expect((await list(admin, `?query=${encodeURIComponent('王')}`)).data.total).toBe(3)
    const [row] = (await list(admin)).data.records
    expect(await ids(admin, `?query=${row!.orderNo}`)).toEqual([row!.id])
  })

  test('wildcards that people type stand for themselves', async () => {
    expect((await list(admin, '?query=%25')).data.total).toBe(0)
    expect((await list(admin, '?query=_')).data.total).toBe(0)
  })

  test.each([
    '?foo=1',
    '?amountFen=5',
    '?note=x',
    '?sort=note:asc',
    '?sort=id',
    '?sort=id:asc,amountFen:asc',
    '?sort=(select 1):asc',
    '?size=11',
    '?current=0',
    '?current=1.5',
    '?payState=WRONG',
    '?memberId=abc',
    '?createdAtBegin=yesterday',
    '?current=1&current=2',
  ])('%s is refused with a clear answer and runs nothing', async query => {
    const answer = await list(admin, query)
    expect(answer).toMatchObject({ status: 400, code: 4000 })
    expect(answer.msg).toMatch(/^Parameters not valid: /)
  })

  test('what is refused of an address is named, so that a page can leave it out', async () => {
    const named = async (query: string) => Object.keys((await list(admin, query)).data?.['fields' as never] ?? {})
    expect(await named('?payState=WRONG')).toEqual(['payState'])
    expect(await named('?sort=note:asc')).toEqual(['sort'])
    expect(await named('?createdAtBegin=yesterday')).toEqual(['createdAtBegin'])
    expect(await named('?todo=nothing')).toEqual(['todo'])
  })

  test('a day no calendar has is called that, and not one that lies too far off', async () => {
    const { msg } = await list(admin, '?createdAtBegin=2026-02-31')
    expect(msg).toBe('Parameters not valid: 2026-02-31 is no date. Choose another')
    expect((await list(admin, '?createdAtBegin=1799-02-01')).msg).toContain('must be between')
  })

  test('too many values of one filter are called that', async () => {
    const answer = await list(admin, `?${Array.from({ length: 101 }, (_, at) => `memberId=${at + 1}`).join('&')}`)
    expect(answer).toMatchObject({ code: 4000, msg: expect.stringContaining('at most 100 values') })
  })

  test('a phone number in an address is refused', async () => {
    expect(await list(admin, '?query=13800138000')).toMatchObject({
      code: 4000,
      msg: expect.stringContaining('phone search'),
    })
  })
})

describe('personal data', () => {
  let order: string
  const grants = { 'order-list': ['list', 'detail', 'reveal'] }
  beforeAll(async () => {
    order = await placeOrder(instance, { phone: '13912345678' })
  })

  test('a phone is masked in list and detail', async () => {
    const row = (await admin.get<{ labels: { memberId: { note: string } } }>(`/orders/order/${order}`)).data
    expect(row.labels.memberId.note).toBe('139****5678')
    expect((await list(admin, '?size=100')).body).not.toContain('13912345678')
  })

  test('seeing it in full needs the right and a reason, and is logged before it is answered', async () => {
    const reader = await person(instance, { grants: { 'order-list': ['list', 'detail'] } })
    expect(
      await reader.post(`/orders/order/${order}/reveal`, { field: 'memberId', reason: 'call back' }),
    ).toMatchObject({ status: 403 })
    const revealer = await person(instance, { grants })
    expect(await revealer.post(`/orders/order/${order}/reveal`, { field: 'memberId' })).toMatchObject({ status: 422 })
    expect(
      await revealer.post(`/orders/order/${order}/reveal`, { field: 'memberId', reason: 'call back' }),
    ).toMatchObject({ data: { value: '13912345678' } })
    const log = await instance.app.db.query
      .selectFrom('operation_log')
      .selectAll()
      .where('action', '=', 'reveal')
      .where('actor_id', '=', revealer.id)
      .execute()
    expect(log).toMatchObject([{ record_id: order, reason: 'call back', code: 0 }])
    expect(JSON.stringify(log)).not.toContain('13912345678')
  })

  test('sixty a day are enough for anybody', async () => {
    const revealer = await person(instance, { grants })
    const reveal = () => revealer.post(`/orders/order/${order}/reveal`, { field: 'memberId', reason: 'call back' })
    for (let n = 0; n < 60; n += 1) expect((await reveal()).code).toBe(0)
    expect(await reveal()).toMatchObject({ status: 429, code: 4029 })
    instance.clock.forward(86_400_001)
    expect((await reveal()).code).toBe(0)
  })

  test('a whole number finds its member by a call of its own, a part of it does not', async () => {
    const found = await admin.post<{ field: string; ids: string[] }>('/orders/order/find-by-phone', {
      phone: '+86 139 1234 5678',
    })
    expect(await ids(admin, `?memberId=${found.data.ids}`)).toEqual([order])
    expect(await admin.post('/orders/order/find-by-phone', { phone: '13912345' })).toMatchObject({ code: 4005 })
    expect(await admin.post('/orders/order/find-by-phone', { phone: '13900000000' })).toMatchObject({
      data: { ids: [] },
    })
  })

  test('numbers cannot be tried out: thirty searches in ten minutes', async () => {
    const curious = await person(instance, { grants })
    const search = () => curious.post('/orders/order/find-by-phone', { phone: '13900000001' })
    for (let n = 0; n < 30; n += 1) expect((await search()).code).toBe(0)
    expect(await search()).toMatchObject({ code: 4029 })
  })
})

describe('kept counts', () => {
  test('follow every change of state, owner and department', async () => {
    const seller = await person(instance, { grants: { 'order-list': ['list', 'close'] }, scope: 'SELF' })
    const counts = async () => (await seller.get<Record<string, number>>('/orders/order/counts')).data
    const first = await placeOrder(instance, { ownerId: seller.id, orgId: seller.orgId, paidFen: 0 })
    await placeOrder(instance, { ownerId: seller.id, orgId: seller.orgId })
    expect(await counts()).toEqual({ UNPAID: 1, PAID: 1 })
    expect((await seller.post(`/orders/order/${first}/close`, { reason: 'asked by phone' })).code).toBe(0)
    expect(await counts()).toEqual({ UNPAID: 0, CLOSED: 1, PAID: 1 })
    expect((await list(seller, '?payState=CLOSED')).data.total).toBe(1)
  })
})

describe('the counts of the tabs', () => {
  test('are those of what the other filters leave, whichever tab is open', async () => {
    const seller = await person(instance, { grants: { 'order-list': ['list'] }, scope: 'SELF' })
    const mine = { ownerId: seller.id, orgId: seller.orgId }
    await placeOrder(instance, { ...mine, paidFen: 0 })
    await placeOrder(instance, { ...mine, paidFen: 500 })
    await placeOrder(instance, { ...mine, paidFen: 900 })
    const counts = async (search: string) => (await seller.get(`/orders/order/counts?${search}`)).data
    expect(await counts('amountFenEnd=600')).toEqual({ PAID: 1 })
    expect(await counts('amountFenEnd=600&payState=UNPAID')).toEqual({ PAID: 1 })
    expect(await counts('payState=UNPAID')).toEqual({ UNPAID: 1, PAID: 2 })
    expect(await seller.get('/orders/order/counts?nope=1')).toMatchObject({ code: 4000 })
  })

  describe('that cannot be had in time', () => {
    const late = { planned: () => Promise.reject(Object.assign(new Error('late'), { code: '57014' })) }
    const orders = () => instance.app.catalogue.slices.find(({ name }) => name === 'orders/order')?.resource as Resource

    test('are left open where the table is big', async () => {
      const { db } = instance.app
      const rows = async (text: string, values: readonly unknown[]) =>
        text.includes('pg_relation_size') ? [{ small: false }] : db.read.rows(text, values)
      const counts = await openCounts({ ...db, count: late, read: { ...db.read, rows } } as never)
      expect(await counts.byStateWithin(orders(), () => '')).toBeNull()
    })

    test('are asked for again where the table is small: too much is asked of a machine, not of the list', async () => {
      const counts = await openCounts({ ...instance.app.db, count: late } as never)
      expect(await counts.byStateWithin(orders(), () => '')).toMatchObject({ PAID: expect.any(Number) })
    })
  })
})
