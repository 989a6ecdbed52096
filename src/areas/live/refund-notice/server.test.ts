import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import type { Source } from '#kit/server/live/event.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { listen, openSocket, sendEvent } from '../../../../tools/testing/live.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'

const PAGE = { 'dy-code': ['list'] }
const PHONE = '13511112222'

type Notice = {
  id: string
  status: string
  content: string
  registered: boolean
  createdAt: string
  processedAt: string | null
  processedBy: string | null
}

let instance: TestInstance
let host: string
let owner: Caller & { orgId: string }
beforeAll(async () => {
  instance = await openTestInstance()
  host = await listen(instance)
  owner = await person(instance, { name: '李雷', grants: PAGE, scope: 'SELF' })
  await placeOrder(instance, { ownerId: owner.id, orgId: owner.orgId, phone: PHONE })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

/** A refund told by a shop; gives the notice's id. */
async function refunded(
  source: Source = 'douyin',
  data: Record<string, unknown> = { leadMobile: PHONE, mobilePhone: PHONE },
): Promise<string> {
  const orderNo = randomUUID().slice(0, 12)
  expect(await sendEvent(instance, source, { type: 'voucher.refunded', data: { orderNo, ...data } })).toMatchObject({
    code: 0,
  })
  await instance.inbox.sweep()
  const found = await instance.app.db.query
    .selectFrom('refund_notice')
    .select('id')
    .where('order_no', '=', orderNo)
    .executeTakeFirst()
  return found?.id ?? ''
}
const count = async (by: Caller) => (await by.get<{ total: number }>('/message/web/count')).data.total
const page = async (by: Caller, query = '') =>
  (await by.get<{ records: Notice[]; total: number }>(`/message/web/page?${query}`)).data
const process = (by: Caller, id: string) => by.get<null>(`/message/app/read/${id}`)
/** The order a notice is about: what happens to the notice stands in its story. */
const orderOf = async (id: string) => {
  const { order_no } = await stored(id)
  const found = await instance.app.db.query
    .selectFrom('platform_order')
    .select('id')
    .where('order_no', '=', order_no)
    .executeTakeFirstOrThrow()
  return found.id
}
const stored = (id: string) =>
  instance.app.db.query.selectFrom('refund_notice').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a refund told by a platform', () => {
  test('becomes a notice with order number and masked phones, and raises the count', async () => {
    const before = await count(owner)
    const id = await refunded()
    expect(await count(owner)).toBe(before + 1)
    const { records, total } = await page(owner, 'current=1&size=10&status=UNREAD')
    expect(total).toBe(before + 1)
    const [notice] = records
    expect(notice).toMatchObject({ id, status: 'UNREAD', registered: true, processedAt: null, processedBy: null })
    const { order_no, member_id } = await stored(id)
    expect(JSON.parse(notice?.content ?? '')).toEqual({
      pId: order_no,
      leadMobile: '135****2222',
      mobilePhone: '135****2222',
      userId: member_id,
    })
  })

  test('of a buyer nobody knows is unregistered and seen by those who see everything', async () => {
    const all = await person(instance, { grants: PAGE })
    const id = await refunded('douyin', { leadMobile: '138****0000' })
    const [notice] = (await page(all)).records
    expect(notice).toMatchObject({ id, registered: false })
    expect(JSON.parse(notice?.content ?? '')).toMatchObject({ leadMobile: '***', mobilePhone: null, userId: null })
    expect((await page(owner)).records.map(({ id: seen }) => seen)).not.toContain(id)
  })

  test('shows as registered once the buyer has registered', async () => {
    const all = await person(instance, { grants: PAGE })
    const id = await refunded('douyin', { leadMobile: '13511110001' })
    const find = async () => (await page(all, 'size=100')).records.find(notice => notice.id === id)
    expect(await find()).toMatchObject({ registered: false })
    await placeOrder(instance, { phone: '13511110001' })
    expect(await find()).toMatchObject({ registered: true })
  })

  test('told again under another event id stays one notice', async () => {
    const before = await count(owner)
    const data = { orderNo: randomUUID(), leadMobile: PHONE }
    for (let n = 0; n < 3; n += 1) await sendEvent(instance, 'douyin', { type: 'voucher.refunded', data })
    await instance.inbox.sweep()
    expect(await count(owner)).toBe(before + 1)
  })

  test('is heard only from the shop the order came through', async () => {
    const orderNo = '900000000000000777'
    const id = await placeOrder(instance, { phone: '13511110777' })
    await instance.app.db.query
      .updateTable('sales_order')
      .set({ order_no: orderNo, source: 'DOUYIN' })
      .where('id', '=', id)
      .execute()
    const tell = async (source: Source) => {
      const data = { orderNo, leadMobile: '13511110777' }
      await sendEvent(instance, source, { type: 'voucher.refunded', data })
      await instance.inbox.sweep()
      return (await query(orderNo)).map(({ source: by }) => by)
    }
    const query = (no: string) =>
      instance.app.db.query.selectFrom('refund_notice').select('source').where('order_no', '=', no).execute()
    expect(await tell('wechat-shop')).toEqual([])
    expect(await tell('xiaohongshu')).toEqual([])
    expect(await tell('douyin')).toEqual(['douyin'])
  })

  test('of the short-video platform is pushed as type 8; of the other shops it waits without a push', async () => {
    const socket = await openSocket(host, owner.token)
    await refunded('wechat-shop')
    await refunded('xiaohongshu')
    const id = await refunded('douyin')
    const push = await socket.next(({ type }) => type === 8)
    expect(push.key).toBe(id)
    expect(JSON.parse(push.content)).toMatchObject({ leadMobile: '135****2222' })
    expect(socket.pushes).toHaveLength(1)
    socket.raw.close()
  })
})

describe('processed', () => {
  test('clears a notice for everybody, within a second, and says who and when', async () => {
    const colleague = await person(instance, { grants: PAGE })
    const id = await refunded()
    const before = [await count(owner), await count(colleague)]
    const badge = await openSocket(host, colleague.token)
    const began = performance.now()
    expect(await process(owner, id)).toMatchObject({ status: 200, code: 0, data: null })
    // Only a refresh of the count: type 8 shows no notice of its own (spec §7).
    expect(await badge.next(({ key }) => key === `processed:${id}`)).toMatchObject({
      type: 8,
      content: '{}',
      token: null,
    })
    expect(performance.now() - began).toBeLessThan(1_000)
    expect([await count(owner), await count(colleague)]).toEqual(before.map(total => total - 1))
    const done = (await page(colleague, 'status=READ')).records.find(notice => notice.id === id)
    expect(done).toMatchObject({ status: 'READ', processedBy: '李雷', processedAt: expect.any(String) })
    expect((await page(colleague, 'status=UNREAD&size=100')).records.map(notice => notice.id)).not.toContain(id)
    badge.raw.close()
  })

  test('a second time changes nothing: the first person and time stay', async () => {
    const colleague = await person(instance, { grants: PAGE })
    const id = await refunded()
    await process(owner, id)
    const first = await stored(id)
    instance.clock.forward(60_000)
    expect(await process(colleague, id)).toMatchObject({ status: 200, code: 0 })
    expect(await stored(id)).toEqual(first)
    const logged = await instance.app.db.query
      .selectFrom('operation_log')
      .select(['actor_id', 'diff'])
      .where('page', '=', 'dy-code')
      .where('record_id', '=', await orderOf(id))
      .where('action', '=', 'processed')
      .execute()
    expect(logged).toEqual([{ actor_id: owner.id, diff: {} }])
  })

  test('by many at once counts once', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => person(instance, { grants: PAGE })))
    const id = await refunded()
    const before = await count(owner)
    const answers = await Promise.all(people.map(who => process(who, id)))
    expect(answers.map(({ code }) => code)).toEqual(people.map(() => 0))
    expect(await count(owner)).toBe(before - 1)
    const logged = await instance.app.db.query
      .selectFrom('operation_log')
      .select('id')
      .where('page', '=', 'dy-code')
      .where('record_id', '=', await orderOf(id))
      .where('action', '=', 'processed')
      .execute()
    expect(logged).toHaveLength(1)
  })

  test.each([
    ['an address somebody opens', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }],
    ["another site's page", { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' }],
  ])('%s does not mark a notice', async (_name, headers) => {
    const id = await refunded()
    const answer = await instance.http.inject({
      method: 'GET',
      url: `/api/message/app/read/${id}`,
      headers: { authtoken: owner.token, ...headers },
    })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 4003 })
    expect(await stored(id)).toMatchObject({ status: 'UNREAD', processed_at: null })
  })

  test('a call of the console itself marks it', async () => {
    const id = await refunded()
    const headers = { authtoken: owner.token, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' }
    const answer = await instance.http.inject({ method: 'GET', url: `/api/message/app/read/${id}`, headers })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await stored(id)).toMatchObject({ status: 'READ' })
  })

  test('the cookie alone marks nothing', async () => {
    const id = await refunded()
    const answer = await instance.http.inject({
      method: 'GET',
      url: `/api/message/app/read/${id}`,
      headers: { cookie: `Access-Token=${owner.token}` },
    })
    expect(answer.statusCode).toBe(401)
    expect(await stored(id)).toMatchObject({ status: 'UNREAD' })
  })
})

describe('people without the work', () => {
  test.each([
    ['without the page', { grants: { 'order-list': ['list'] } }],
    ['who may open the page but list nothing there', { grants: { 'dy-code': [] } }],
    ['with the page, but for others', { grants: PAGE, scope: 'SELF' as const }],
  ])('somebody %s sees none, counts none and marks none', async (_name, options) => {
    const somebody = await person(instance, options)
    const id = await refunded()
    expect(await page(somebody)).toMatchObject({ records: [], total: 0 })
    expect(await count(somebody)).toBe(0)
    expect(await process(somebody, id)).toMatchObject({ status: 404, code: 4004 })
    expect(await stored(id)).toMatchObject({ status: 'UNREAD' })
  })

  test('nobody asks without a session', async () => {
    for (const path of ['web/page', 'web/count', 'app/read/1']) {
      expect((await instance.http.inject({ method: 'GET', url: `/api/message/${path}` })).statusCode).toBe(401)
    }
  })
})

test('pages follow each other, newest first', async () => {
  const all = await person(instance, { grants: PAGE })
  for (let n = 0; n < 3; n += 1) await refunded()
  const first = await page(all, 'current=1&size=10')
  const second = await page(all, 'current=2&size=10')
  const ids = [...first.records, ...second.records].map(({ id }) => Number(id))
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect(new Set(ids).size).toBe(ids.length)
  expect(first.records).toHaveLength(10)
})

test.each(['size=7', 'current=0', 'status=GONE', 'current=a', 'sort=id'])(
  'the parameter %s is refused',
  async query => {
    expect(await owner.get(`/message/web/page?${query}`)).toMatchObject({ status: 400, code: 4000 })
  },
)
