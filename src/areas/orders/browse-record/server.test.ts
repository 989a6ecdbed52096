import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { enrol, grantOf, offer, order } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { BrowseRecord } from './model.ts'
import { events } from './server.ts'

let instance: TestInstance
let seller: Caller

beforeAll(async () => {
  instance = await openTestInstance()
  seller = await person(instance, { grants: { 'order-browse': ['list', 'detail', 'contacted', 'dismiss'] } })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const browse = (memberId: string, key: string, product = '年度会员') =>
  instance.app.db.write(async tx => {
    const { app } = instance
    const [event] = events
    const data = event?.data.parse({ key, product, memberId })
    const { now } = ownChange(app, tx, app.clock.now(), key)
    await event?.apply({ app, tx, now, source: 'app', key }, data)
  })
const listed = async (memberId: string) =>
  (await seller.get<{ records: BrowseRecord[] }>(`/orders/browse-record?memberId=${memberId}`)).data.records

test('looking again adds to the one reminder', async () => {
  const memberId = await enrol(instance)
  await browse(memberId, 'a')
  await browse(memberId, 'b')
  expect(await listed(memberId)).toMatchObject([{ times: 2, status: 'OPEN' }])
})

test('whoever looked last stands first, however old the reminder', async () => {
  const memberId = await enrol(instance)
  await browse(memberId, 'g', '字帖')
  instance.clock.forward(60_000)
  await browse(memberId, 'h', '毛笔')
  instance.clock.forward(60_000)
  await browse(memberId, 'i', '字帖')
  expect((await listed(memberId)).map(({ productName }) => productName)).toEqual(['字帖', '毛笔'])
})

test('ordering the product ends the reminder, another product does not', async () => {
  const memberId = await enrol(instance)
  await browse(memberId, 'c')
  await browse(memberId, 'd', '字帖')
  await order(instance, memberId, await offer(instance, [grantOf('MEMBER_DAYS', 30)]))
  const states = (await listed(memberId)).map(({ productName, status }) => `${productName}: ${status}`)
  expect(states.sort()).toEqual(['字帖: OPEN', '年度会员: ORDERED'])
})

test('a dismissed reminder stays closed, and looking again makes a new one', async () => {
  const memberId = await enrol(instance)
  await browse(memberId, 'e')
  const [row] = await listed(memberId)
  expect(await seller.post(`/orders/browse-record/${row?.id}/dismiss`)).toMatchObject({ code: 0 })
  expect(await seller.post(`/orders/browse-record/${row?.id}/contacted`)).toMatchObject({ code: 4006 })
  await browse(memberId, 'f')
  expect((await listed(memberId)).map(({ status }) => status)).toEqual(['OPEN', 'DISMISSED'])
})
