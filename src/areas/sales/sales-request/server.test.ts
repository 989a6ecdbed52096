import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Lead } from '../salvage/model.ts'
import { requests, type SalesRequest } from './model.ts'

const PATH = '/sales/sales-request'
const READ = ['list', 'detail']
const SELLS = {
  'sale-apply': [...READ, 'create', 'withdraw'],
  'sale-salvage': [...READ, 'claim'],
  'member-list': [...READ, 'gift', 'own'],
}

describe('how many have to agree to a price', () => {
  test.each([
    [100_00, 85_00, 1],
    [100_00, 84_99, 2],
    [100_00, 1, 2],
  ])('%s fen sold for %s fen: %s', (listFen, priceFen, levels) => {
    const asked = { listFen, priceFen } as SalesRequest
    expect(requests.kinds.DISCOUNT.levels(asked, { l2Percent: 15, discountDays: 14 })).toBe(levels)
  })
})

let instance: TestInstance
let manager: Caller & { orgId: string }
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  manager = await person(instance, {
    grants: {
      'sale-apply': [...READ, 'create', 'approve', 'reject'],
      'sale-salvage': [...READ, 'claim', 'assign'],
      'member-list': [...READ, 'gift', 'own'],
    },
    scope: 'ALL',
  })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const FORM = {
  ...{ leadPhone: null, poolId: null, quotaDay: null, extraClaims: null, productId: null, priceFen: null },
  ...{ giftToId: null, giftKind: null, quantity: null, couponId: null, reason: '家长指名要我跟进' },
}
const seller = () => person(instance, { grants: SELLS, scope: 'SELF' })
const post = (by: Caller, body: object) => by.post<{ id: string }>(PATH, { ...FORM, ...body })
async function ask(by: Caller, body: object): Promise<string> {
  const { code, data } = await post(by, body)
  expect(code).toBe(0)
  return data.id
}
const approve = (id: string, by: Caller = manager) => by.post(`${PATH}/${id}/approve`, {})
const read = async (id: string) => (await manager.get<SalesRequest>(`${PATH}/${id}`)).data
let phones = PHONES.test + 91_000
const newPhone = () => {
  phones += 1
  return phoneAt(phones)
}
async function lead(phone: string, owner: { id: string; orgId: string } | null): Promise<string> {
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner } as const
  const [arrived] = await instance.changing(change =>
    arrive(change, [{ phone, cameBy: 'REGISTRATION', key: 'registration', ...came }]),
  )
  return String(arrived?.leadId)
}
const leadOf = async (id: string) => (await manager.get<Lead>(`/sales/salvage/${id}`)).data

describe('a discount', () => {
  test('is asked for with the price of now in sight, by whoever may ask for one', async () => {
    const productId = await offer(instance, [grantOf('MEMBER_DAYS', 30)], { priceFen: 100_00 })
    const asker = await seller()
    const price = async (by: Caller, id = productId) => by.get<{ priceFen: number }>(`${PATH}/price?productId=${id}`)
    expect((await price(asker)).data).toEqual({ priceFen: 100_00 })
    await instance.app.db.query.updateTable('product').set({ price_fen: 120_00 }).where('id', '=', productId).execute()
    expect((await price(asker)).data).toEqual({ priceFen: 120_00 })
    expect(await price(asker, '999999999')).toMatchObject({ code: 4004 })
    const reader = await person(instance, { grants: { 'sale-apply': READ } })
    expect(await price(reader)).toMatchObject({ code: 4003 })
  })
})

describe('a lead of somebody else', () => {
  test('is taken over with the yes of another person, who alone sees whose it is', async () => {
    const [owner, asker] = [await seller(), await seller()]
    const phone = newPhone()
    const leadId = await lead(phone, owner)
    const id = await ask(asker, { kind: 'TAKE_OVER', leadPhone: phone })
    expect((await manager.get<{ lead: object }>(`${PATH}/${id}/lead`)).data.lead).toMatchObject({
      status: 'ASSIGNED',
      isMember: false,
    })
    expect(await asker.get(`${PATH}/${id}/lead`)).toMatchObject({ code: 4003 })
    clock.forward(60_007)
    expect(await approve(id)).toMatchObject({ code: 0 })
    expect(await leadOf(leadId)).toMatchObject({ ownerId: asker.id, status: 'ASSIGNED' })
    expect(await read(id)).toMatchObject({ status: 'APPROVED', fromId: owner.id })
  })

  test('is not told to who asks for it, though that person decides on what others ask for', async () => {
    const [owner, asker, phone] = [await seller(), await seller(), newPhone()]
    await lead(phone, owner)
    const own = await ask(manager, { kind: 'TAKE_OVER', leadPhone: phone })
    expect(await manager.get(`${PATH}/${own}/lead`)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('Only whoever decides sees whose the lead is'),
    })
    const id = await ask(asker, { kind: 'TAKE_OVER', leadPhone: phone })
    expect(await manager.get(`${PATH}/${id}/lead`)).toMatchObject({ code: 0, data: { lead: { status: 'ASSIGNED' } } })
  })

  test('is not found out by asking: each number asked for counts as a search', async () => {
    const asker = await seller()
    const own = newPhone()
    await lead(own, asker)
    for (let at = 0; at < 29; at += 1) await ask(asker, { kind: 'TAKE_OVER', leadPhone: newPhone() })
    expect(await post(asker, { kind: 'TAKE_OVER', leadPhone: own })).toMatchObject({ code: 4005 })
    await ask(asker, { kind: 'TAKE_OVER', leadPhone: newPhone() })
    expect(await post(asker, { kind: 'TAKE_OVER', leadPhone: own })).toMatchObject({ status: 429 })
    expect(await post(asker, { kind: 'TAKE_OVER', leadPhone: newPhone() })).toMatchObject({ status: 429 })
  })

  test('is asked for alike whether the number is known or not; of one nobody knows, the yes is refused', async () => {
    const asker = await seller()
    const id = await ask(asker, { kind: 'TAKE_OVER', leadPhone: newPhone() })
    expect(await approve(id)).toMatchObject({ code: 4006 })
    expect(await read(id)).toMatchObject({ status: 'SUBMITTED', l1By: null })
    const own = newPhone()
    await lead(own, asker)
    expect(await post(asker, { kind: 'TAKE_OVER', leadPhone: own })).toMatchObject({ code: 4005 })
    expect(await post(asker, { kind: 'TAKE_OVER', leadPhone: '123' })).toMatchObject({ code: 4005 })
  })
})

describe('more claims on a day', () => {
  test('raise the cap of that day and person, and of no other', async () => {
    const [me, other] = [await seller(), await seller()]
    const { rows } = await sql<{ id: string }>`
      insert into lead_pool (name, claims_a_day, cool_down_days) values ('追加测试公海', 1, 0) returning id`.execute(
      instance.app.db.query,
    )
    const poolId = String(rows[0]?.id)
    for (const { id } of [me, other])
      await sql`insert into lead_pool_member (pool_id, staff_id) values (${poolId}, ${id})`.execute(
        instance.app.db.query,
      )
    const pooled = async () => {
      const id = await lead(newPhone(), null)
      await sql`update lead set pool_id = ${poolId}, pooled_at = ${clock.now()} where id = ${id}`.execute(
        instance.app.db.query,
      )
      return id
    }
    const claim = async (by: Caller) => (await by.post(`/sales/salvage/${await pooled()}/claim`, {})).code
    const today = dayOf(clock.now())
    const body = { kind: 'EXTRA_QUOTA', poolId, quotaDay: today, extraClaims: 1 }
    expect(await post(me, { ...body, quotaDay: addDays(today, -1) })).toMatchObject({ code: 4005 })
    const id = await ask(me, body)
    expect(await claim(me)).toBe(0)
    expect(await claim(me)).toBe(4006)
    expect(await approve(id)).toMatchObject({ code: 0 })
    expect(await claim(me)).toBe(0)
    expect(await claim(me)).toBe(4006)
    expect([await claim(other), await claim(other)]).toEqual([0, 4006])
    clock.forward(86_400_000)
    expect([await claim(me), await claim(me)]).toEqual([0, 4006])
    const late = await ask(me, { ...body, quotaDay: dayOf(clock.now()) })
    clock.forward(86_400_000)
    expect(await approve(late)).toMatchObject({ code: 4006 })
  })

  test('are asked for by those who may claim from the pool', async () => {
    const stranger = await seller()
    const body = { kind: 'EXTRA_QUOTA', poolId: '1', quotaDay: dayOf(clock.now()), extraClaims: 5 }
    expect(await post(stranger, body)).toMatchObject({ code: 4005 })
  })
})

describe('a lower price', () => {
  test('is below what the product costs, and usable for some days once agreed to', async () => {
    const asker = await seller()
    const price = 36_500
    const productId = await offer(instance, [grantOf('MEMBER_DAYS', 30)], { priceFen: price })
    expect(await post(asker, { kind: 'DISCOUNT', productId, priceFen: price })).toMatchObject({ code: 4005 })
    const id = await ask(asker, { kind: 'DISCOUNT', productId, priceFen: price - 100 })
    expect(await read(id)).toMatchObject({ listFen: price, usableUntil: null, needsL2: false })
    expect(await approve(id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'APPROVED', usableUntil: addDays(dayOf(clock.now()), 14) })
    const deep = await ask(asker, { kind: 'DISCOUNT', productId, priceFen: Math.floor(price / 2) })
    expect(await approve(deep)).toMatchObject({ code: 0 })
    expect(await read(deep)).toMatchObject({ status: 'L1_APPROVED', usableUntil: null })
  })
})

describe('a gift', () => {
  test('is given from the allowance of whoever agrees, and refused where that is used up', async () => {
    const asker = await seller()
    const member = await enrol(instance, { ownerId: asker.id, orgId: asker.orgId })
    const days = (quantity: number) => ({ kind: 'GIFT', giftToId: member, giftKind: 'DAYS', quantity })
    const id = await ask(asker, days(30))
    expect(await approve(id)).toMatchObject({ code: 0 })
    const given = await instance.app.db.query
      .selectFrom('entitlement_entry')
      .select(['staff_id', 'delta'])
      .where('staff_id', '=', manager.id)
      .execute()
    expect(given).toEqual([{ staff_id: manager.id, delta: 30 }])
    const more = await ask(asker, days(1))
    expect(await approve(more)).toMatchObject({ code: 4006 })
    expect(await read(more)).toMatchObject({ status: 'SUBMITTED', l1By: null })
  })
})
