import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetCopies } from '#engines/lead/forgetting.server.ts'
import { formSignature } from '#engines/platform/xiaohongshu-forms.server.ts'
import { findWords } from '#kit/server/change/erasure-proof.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { atOnce } from '#kit/server/work/job.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Lead } from './model.ts'

const PATH = '/sales/salvage'
const TOKEN = 'landing-page-token'
const FOLLOWS = ['list', 'detail', 'claim', 'contact', 'lose', 'giveBack']
const WHY = { reason: '家长来电要求删除全部信息' }

let instance: TestInstance
let manager: Caller
let seller: Caller
beforeAll(async () => {
  instance = await openTestInstance({ env: { XIAOHONGSHU_FORM_TOKEN: TOKEN } })
  const grants = { 'sale-salvage': [...FOLLOWS, 'assign', 'forget', 'reveal'] }
  manager = await person(instance, { grants, scope: 'ALL' })
  seller = await person(instance, {
    grants: { 'sale-salvage': FOLLOWS, 'member-list': ['list', 'own'] },
    scope: 'SELF',
  })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

let counter = PHONES.test + 99_000
const newPhone = () => {
  counter += 1
  return phoneAt(counter)
}
/** Somebody leaves number and name on a platform; the platform's word comes by its signed door. */
async function left(name: string, phone = newPhone()): Promise<{ id: string; phone: string }> {
  const body = Buffer.from(JSON.stringify({ leads_id: `F${randomUUID()}`, phone, name, campaign_id: 'C1' }))
  const { statusCode } = await instance.http.inject({
    method: 'POST',
    url: '/api/open/v1/xiaohongshu/lead-forms',
    headers: { 'content-type': 'application/json', 'x-red-signature': formSignature(TOKEN, body) },
    payload: body,
  })
  expect(statusCode).toBe(200)
  await instance.inbox.sweep()
  return { id: await openLead(phone), phone }
}
/** The app tells that the same number begins to register. */
async function begins(phone: string): Promise<void> {
  const data = { phone, step: 'CODE_SENT', source: 'APP', channel: 'STORE' }
  await sendEvent(instance, 'app', { type: 'registration.reached', data })
  await instance.inbox.sweep()
}
const openLead = async (phone: string): Promise<string> => {
  const { data } = await manager.post<{ ids: string[] }>(`${PATH}/find-by-phone`, { phone })
  return data.ids[0] ?? ''
}
const read = async (id: string) => (await manager.get<Lead>(`${PATH}/${id}`)).data
const forget = (id: string, who = manager, body: object = WHY) => who.post(`${PATH}/${id}/forget`, body)
const findCopies = () => instance.changing(atOnce(forgetCopies))
const standing = (words: readonly string[]) => findWords(instance.app.db.read.pool, words)

describe('whoever never became a member and asks to be forgotten', () => {
  test('leaves neither number nor name anywhere: with the lead, what was said, what the platform told and who looked for it', async () => {
    const { id, phone } = await left('欧阳忆南')
    await manager.post(`${PATH}/${id}/assign`, { newOwnerId: seller.id })
    const said = {
      contactKind: 'PHONE',
      content: `欧阳忆南说 ${phone} 不要再打`,
      level: null,
      nextAt: null,
      picture: [],
    }
    expect(await seller.post(`${PATH}/${id}/contact`, said)).toMatchObject({ code: 0 })
    await begins(phone)
    const tables = (await standing([phone, '欧阳忆南'])).map(({ table }) => table)
    expect(tables).toEqual(expect.arrayContaining(['follow_up', 'inbox_event', 'lead', 'lead_form', 'registration']))

    expect(await forget(id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ phone: null, name: null, status: 'INVALID', endReason: 'FORGOTTEN' })
    expect(await findCopies()).toBe(1)
    expect(await standing([phone, '欧阳忆南'])).toEqual([])
    expect(await findCopies()).toBe(0)
  })

  test('leaves none with what was bought on a platform either, nor with its refund: what was paid, and when, stays', async () => {
    counter += 1
    const phone = phoneAt(counter)
    const at = new Date(instance.clock.now().getTime() - 3_600_000).toISOString()
    const told = { orderNo: '6900000000077', at, paidAt: at, product: '体验课', amountFen: 1_990, unionid: 'o-asks' }
    for (const [type, data] of [
      ['platform-order.told', { ...told, buyerMobile: phone }],
      ['voucher.refunded', { orderNo: told.orderNo, at }],
    ] as const)
      expect(await sendEvent(instance, 'douyin', { type, data })).toMatchObject({ code: 0 })
    await instance.inbox.sweep()
    const { id } = await left('周八', phone)
    const tables = async () => (await standing([phone, 'o-asks'])).map(({ table }) => table)
    expect(await tables()).toEqual(expect.arrayContaining(['platform_order', 'refund_notice']))
    expect(await forget(id)).toMatchObject({ code: 0 })
    expect(await findCopies()).toBe(1)
    expect(await tables()).toEqual([])
    const stored = instance.app.db.query.selectFrom('platform_order').select(['amount_fen', 'status'])
    const order = await stored.where('order_no', '=', told.orderNo).executeTakeFirst()
    expect([Number(order?.amount_fen), order?.status]).toEqual([1_990, 'REFUNDED'])
  })

  test('is forgotten by who may, for a reason, and once; the number is a new lead when it comes again', async () => {
    const { id, phone } = await left('张三')
    await manager.post(`${PATH}/${id}/assign`, { newOwnerId: seller.id })
    expect(await forget(id, seller)).toMatchObject({ code: 4003 })
    expect(await forget(id, manager, {})).toMatchObject({ code: 4005 })
    expect(await forget(id)).toMatchObject({ code: 0 })
    expect(await forget(id)).toMatchObject({ code: 4006 })
    const again = await left('李四', phone)
    expect(again.id).not.toBe(id)
    expect(await read(again.id)).toMatchObject({ status: 'UNASSIGNED', name: '李四' })
  })

  test('is forgotten wherever the number led nowhere before, and what had ended stays as it ended', async () => {
    const { id: first, phone } = await left('王五')
    await manager.post(`${PATH}/${first}/assign`, { newOwnerId: seller.id })
    expect(await seller.post(`${PATH}/${first}/lose`, { endReason: 'TOO_DEAR' })).toMatchObject({ code: 0 })
    const { id: second } = await left('王五', phone)
    expect(await forget(first)).toMatchObject({ code: 0 })
    expect(await read(first)).toMatchObject({ phone: null, status: 'LOST', endReason: 'TOO_DEAR' })
    expect(await read(second)).toMatchObject({ phone: null, name: null, status: 'INVALID' })
  })

  test('is not forgotten where the number has come again before its copies were looked for: that person is known anew', async () => {
    await findCopies()
    const { id, phone } = await left('赵六')
    expect(await forget(id)).toMatchObject({ code: 0 })
    const again = await left('赵六', phone)
    await begins(phone)
    expect(await findCopies()).toBe(1)
    expect(await read(again.id)).toMatchObject({ status: 'UNASSIGNED', name: '赵六' })
    expect((await standing(['赵六'])).map(({ table }) => table)).toContain('inbox_event')
  })

  test('closes the account, where there is one: as a lead a member is not forgotten', async () => {
    const { id, phone } = await left('孙七')
    const data = { phone, name: '孙小满', source: 'APP', channel: 'STORE' }
    await sendEvent(instance, 'app', { type: 'member.registered', data })
    await instance.inbox.sweep()
    expect((await read(id)).memberId).not.toBeNull()
    expect(await forget(id)).toMatchObject({ code: 4006, msg: expect.stringContaining('close the account') })
    expect(await openLead(phone)).toBe(id)
  })
})
