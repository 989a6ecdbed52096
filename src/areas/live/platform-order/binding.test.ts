import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadGivenUp } from '#engines/lead/ending.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import type { DyCode } from '../dy-code/model.ts'

const ACTIONS = ['list', 'detail', 'bindMember']
const PATH = '/live/dy-code'
const FIND = '/common/reference/lead/find-by-phone'

let instance: TestInstance
let desk: Caller
let owner: Awaited<ReturnType<typeof person>>
let productCode: string
beforeAll(async () => {
  instance = await openTestInstance()
  desk = await person(instance, { grants: { 'dy-code': ACTIONS } })
  owner = await person(instance, { scope: 'SELF', grants: { 'dy-code': ACTIONS } })
  const productId = await offer(instance, [grantOf('COINS', 100)], { priceFen: 1_990 })
  const product = instance.app.db.query.selectFrom('product').select('code').where('id', '=', productId)
  productCode = (await product.executeTakeFirstOrThrow()).code
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let counter = 0
const newPhone = () => `1997777${String(++counter).padStart(4, '0')}`
const leadOf = (phone: string, name: string | null = '小林') =>
  instance.app.db.write(async tx => {
    const change = ownChange(instance.app, tx, instance.clock.now(), 'test')
    const came = { cameBy: 'FORM', source: 'XIAOHONGSHU', channel: 'XIAOHONGSHU_FORM', consent: 'FORM' } as const
    const [made] = await arrive(change, [
      {
        ...came,
        key: `form:${phone}`,
        phone,
        name,
        owner: { id: owner.id, orgId: owner.orgId },
        at: instance.clock.now(),
      },
    ])
    return String(made?.leadId)
  })
const buy = async (more: object = {}) => {
  const orderNo = `68${String(++counter).padStart(10, '0')}`
  const at = new Date(instance.clock.now().getTime() - 60_000).toISOString()
  const data = { orderNo, at, paidAt: at, product: '体验课', productCode, amountFen: 1_990, ...more }
  await sendEvent(instance, 'douyin', { id: randomUUID(), type: 'platform-order.told', data })
  await instance.inbox.sweep()
  return shown(orderNo)
}
const shown = async (orderNo: string) =>
  (await desk.get<{ records: DyCode[] }>(`${PATH}?query=${orderNo}`)).data.records[0] as DyCode
const bind = (id: string, given: object) =>
  desk.post(`${PATH}/${id}/bindMember`, { memberId: null, leadId: null, reason: '家长来电', ...given })
const memberAt = (phone: string) =>
  instance.app.db.query.selectFrom('member').selectAll().where('phone', '=', phone).executeTakeFirst()

describe('an order that is bound by hand to a lead', () => {
  test('makes it a member by the one door: with its owner, source and path, and the course is opened', async () => {
    const phone = newPhone()
    const [leadId, order] = [await leadOf(phone), await buy()]
    const { data: found } = await desk.post<{ id: string; note: string }[]>(FIND, { phone })
    expect(found).toMatchObject([{ id: leadId, name: '小林', note: `${phone.slice(0, 3)}****${phone.slice(-4)}` }])
    expect(await bind(order.id, { leadId })).toMatchObject({ code: 0 })
    const member = await memberAt(phone)
    expect(member).toMatchObject({ name: '小林', owner_id: owner.id, source: 'XIAOHONGSHU', coins: 100 })
    expect(await shown(order.orderNo)).toMatchObject({ status: 'REGISTERED', memberId: member?.id, boundBy: desk.id })
    const tied = instance.app.db.query.selectFrom('lead').select('member_id').where('id', '=', leadId)
    expect(await tied.executeTakeFirst()).toEqual({ member_id: member?.id })
    const { rows } = await instance.app.db.read.pool.query(
      'select came_by from lead_touch where member_id = $1 order by id',
      [member?.id],
    )
    expect(rows.map(({ came_by }) => came_by)).toEqual(['FORM', 'PLATFORM_ORDER'])
  })

  test('takes the orders along that wait under its number, and its own once', async () => {
    const phone = newPhone()
    const waiting = await buy({ buyerMobile: phone })
    const order = await buy()
    const lead = instance.app.db.query.selectFrom('lead').select('id').where('phone', '=', phone)
    const { id: leadId } = await lead.executeTakeFirstOrThrow()
    expect(await bind(order.id, { leadId })).toMatchObject({ code: 0 })
    const member = await memberAt(phone)
    expect(member?.name).toContain(phone.slice(-4))
    for (const { orderNo } of [waiting, order])
      expect(await shown(orderNo)).toMatchObject({ status: 'REGISTERED', memberId: member?.id })
    expect(member?.coins).toBe(200)
  })

  test('that is a member already is that member’s; one that led nowhere is nobody’s', async () => {
    const phone = newPhone()
    const leadId = await leadOf(phone)
    const registration = { phone, name: '小林', source: 'APP', channel: 'STORE' }
    await sendEvent(instance, 'app', { id: randomUUID(), type: 'member.registered', data: registration })
    await instance.inbox.sweep()
    const order = await buy()
    expect(await bind(order.id, { leadId })).toMatchObject({ code: 0 })
    expect(await shown(order.orderNo)).toMatchObject({ memberId: (await memberAt(phone))?.id })
    const ended = await leadOf(newPhone())
    await instance.app.db.write(tx =>
      leadGivenUp(ownChange(instance.app, tx, instance.clock.now(), 'test'), ended, 'INVALID', 'WRONG_NUMBER'),
    )
    expect(await bind((await buy()).id, { leadId: ended })).toMatchObject({ code: 4006 })
  })

  test('takes a member or a lead, one of them', async () => {
    const [leadId, memberId, order] = [await leadOf(newPhone()), await enrol(instance), await buy()]
    expect(await bind(order.id, {})).toMatchObject({ code: 4005 })
    expect(await bind(order.id, { leadId, memberId })).toMatchObject({ code: 4005 })
    expect(await shown(order.orderNo)).toMatchObject({ memberId: null })
  })
})

test('a lead is found by its whole number within sight alone; of another’s no more is told than whom to ask', async () => {
  const phone = newPhone()
  const leadId = await leadOf(phone)
  const other = await person(instance, { scope: 'SELF', grants: { 'dy-code': ACTIONS } })
  expect((await owner.post<{ id: string }[]>(FIND, { phone })).data).toMatchObject([{ id: leadId }])
  expect(await other.post(FIND, { phone })).toMatchObject({ code: 4006 })
  expect(await desk.post(FIND, { phone: phone.slice(0, 8) })).toMatchObject({ code: 4005 })
  const logged = instance.app.db.query
    .selectFrom('operation_log')
    .select('id')
    .where('action', '=', 'find-by-phone')
    .where('actor_id', '=', other.id)
  expect(await logged.execute()).toHaveLength(1)
})
