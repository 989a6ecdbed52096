import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetNumber } from '#engines/lead/forgetting.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Registration } from './model.ts'

const PAGE = 'member-mobile'
const PATH = '/members/registration'
const READ = ['list', 'detail']
const OWN = { 'member-list': ['list', 'detail', 'own'] }

let instance: TestInstance
let head: Caller
let seller: Caller & { orgId: string }
beforeAll(async () => {
  instance = await openTestInstance()
  head = await person(instance, {
    grants: { [PAGE]: [...READ, 'remind', 'assign', 'markInvalid'], 'member-list': READ },
  })
  seller = await person(instance, { grants: { [PAGE]: READ, ...OWN }, scope: 'SELF', name: '顾问甲' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let counter = PHONES.test + 60_000
function newPhone(): string {
  counter += 1
  return phoneAt(counter)
}
const tell = async (type: string, data: object, id: string = randomUUID()) => {
  const answer = await sendEvent(instance, 'app', { id, type, data: data as never })
  await instance.inbox.sweep()
  return answer
}
const from = { source: 'DOUYIN', channel: 'DOUYIN_LIVE' }
const reach = (phone: string, step = 'CODE_SENT') => tell('registration.reached', { phone, step, ...from })
const register = (phone: string) =>
  tell('member.registered', { phone, name: '林小满', source: 'APP', channel: 'STORE' })

const found = async (phone: string, by: Caller = head): Promise<Registration[]> => {
  const ids = await instance.app.db.query.selectFrom('registration').select('id').where('phone', '=', phone).execute()
  if (ids.length === 0) return []
  const filter = ids.map(({ id }) => `id=${id}`).join('&')
  return (await by.get<{ records: Registration[] }>(`${PATH}?${filter}`)).data.records
}
const only = async (phone: string) => (await found(phone))[0] as Registration
const begun = async (step?: string) => {
  const phone = newPhone()
  await reach(phone, step)
  return { phone, id: (await only(phone)).id }
}
const step = (id: string, name: string, body?: object) => head.post(`${PATH}/${id}/${name}`, body)
const leadOf = (phone: string) =>
  instance.app.db.query.selectFrom('lead').selectAll().where('phone', '=', phone).orderBy('id').execute()

describe('somebody who begins to register', () => {
  test('stands in one row with the furthest step, however often and in whatever order the app tells it', async () => {
    const phone = newPhone()
    await reach(phone, 'PHONE')
    expect(await only(phone)).toMatchObject({ step: 'PHONE', codeSentAt: null, status: 'WAITING' })
    instance.clock.forward(60_000)
    await reach(phone, 'CODE_ENTERED')
    await reach(phone, 'CODE_SENT')
    const rows = await found(phone)
    const masked = expect.stringMatching(/^\d{3}\*{4}\d{4}$/)
    expect(rows).toMatchObject([{ step: 'CODE_ENTERED', source: 'DOUYIN', phone: masked }])
    expect(Date.parse(String(rows[0]?.codeSentAt))).toBe(instance.clock.now().getTime())
    expect(await leadOf(phone)).toMatchObject([{ came_by: 'REGISTRATION', status: 'UNASSIGNED', consent: 'APP_TERMS' }])
  })

  test('is a lead that names what was looked at, where the app tells a code of ours', async () => {
    const productId = await offer(instance, [grantOf('MEMBER_DAYS', 30)])
    const { code } = await instance.app.db.query
      .selectFrom('product')
      .select('code')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow()
    const named = async (product: string) => {
      const phone = newPhone()
      await tell('registration.reached', { phone, step: 'PHONE', ...from, product })
      return (await leadOf(phone)).map(({ product_id }) => product_id)
    }
    expect(await named(code)).toEqual([productId])
    expect(await named('NO-SUCH')).toEqual([null])
  })

  test('is one row when twenty events come at once', async () => {
    const phone = newPhone()
    await Promise.all(Array.from({ length: 20 }, () => reach(phone)))
    await instance.inbox.sweep()
    expect(await found(phone)).toHaveLength(1)
  })

  test('and is a member already begins nothing', async () => {
    const phone = newPhone()
    await register(phone)
    await reach(phone)
    expect(await found(phone)).toEqual([])
  })

  test('and comes to the end is through by itself, with nobody left to remind', async () => {
    const { phone, id } = await begun('PROFILE')
    await register(phone)
    expect(await only(phone)).toMatchObject({ status: 'REGISTERED' })
    expect(await step(id, 'remind')).toMatchObject({ code: 4006 })
  })

  test('and became a member is found by the name of that member', async () => {
    const { phone, id } = await begun('PROFILE')
    const named = async () => {
      const { data } = await head.get<{ records: Registration[] }>(`${PATH}?query=${encodeURIComponent('小满')}`)
      return data.records.map(row => row.id)
    }
    expect(await named()).not.toContain(id)
    await register(phone)
    expect(await named()).toContain(id)
  })
})

describe('a reminder', () => {
  const messages = (phone: string) =>
    instance.app.db.query
      .selectFrom('message')
      .select(['channel', 'kind', 'lead_id', 'phone'])
      .where('phone', '=', phone)
      .execute()

  test('is one text message to the number, and no second one within a day or after three', async () => {
    const { phone, id } = await begun()
    const pressed = await Promise.all([step(id, 'remind'), step(id, 'remind')])
    expect(pressed.map(({ code }) => code).sort()).toEqual([0, 4006])
    const [lead] = await leadOf(phone)
    expect(await messages(phone)).toEqual([{ channel: 'SMS', kind: 'NOTICE', lead_id: lead?.id, phone }])
    const dayLater = () =>
      sql`update registration set reminded_at = reminded_at - interval '24 hours' where id = ${id}`.execute(
        instance.app.db.query,
      )
    for (const sent of [2, 3]) {
      await dayLater()
      expect(await step(id, 'remind')).toMatchObject({ code: 0 })
      expect(await only(phone)).toMatchObject({ status: 'REMINDED', reminders: sent })
    }
    await dayLater()
    expect(await step(id, 'remind')).toMatchObject({ code: 4006, msg: expect.stringContaining('3 times') })
    expect(await messages(phone)).toHaveLength(3)
  })

  test('leaves no number behind once its person is forgotten', async () => {
    const { phone, id } = await begun()
    await step(id, 'remind')
    await instance.app.db.write(tx => forgetNumber(ownChange(instance.app, tx, instance.clock.now(), 'test'), phone))
    expect(await messages(phone)).toEqual([])
    expect((await head.get<Registration>(`${PATH}/${id}`)).data).toMatchObject({ phone: null, status: 'INVALID' })
  })
})

describe('whose it is', () => {
  test('whoever it is assigned to sees it, keeps the member, and an assignment is taken back', async () => {
    const { phone, id } = await begun()
    expect(await found(phone, seller)).toEqual([])
    expect(await step(id, 'assign', { newOwnerId: seller.id })).toMatchObject({ code: 0 })
    expect(await found(phone, seller)).toMatchObject([{ ownerId: seller.id }])
    expect(await leadOf(phone)).toMatchObject([{ owner_id: seller.id, status: 'ASSIGNED' }])
    expect(await step(id, 'assign', { newOwnerId: seller.id })).toMatchObject({ code: 4006 })
    expect(await step(id, 'assign/undo')).toMatchObject({ code: 0 })
    expect(await found(phone, seller)).toEqual([])
    expect(await leadOf(phone)).toMatchObject([{ owner_id: null, status: 'UNASSIGNED' }])
    await step(id, 'assign', { newOwnerId: seller.id })
    await register(phone)
    const member = instance.app.db.query.selectFrom('member').select('owner_id').where('phone', '=', phone)
    expect(await member.executeTakeFirst()).toEqual({ owner_id: seller.id })
  })

  test('nobody gets one whose job it is not to follow up', async () => {
    const clerk = await person(instance, { grants: { [PAGE]: READ } })
    const { id } = await begun()
    expect(await step(id, 'assign', { newOwnerId: clerk.id })).toMatchObject({ code: 4005 })
  })
})

describe('an invalid number', () => {
  test('ends the lead with a reason, can be taken back, and appears again when its person comes back', async () => {
    const { phone, id } = await begun()
    expect(await step(id, 'markInvalid')).toMatchObject({ code: 4005 })
    expect(await step(id, 'markInvalid', { reason: '空号' })).toMatchObject({ code: 0 })
    expect(await leadOf(phone)).toMatchObject([{ status: 'INVALID' }])
    expect(await step(id, 'markInvalid/undo')).toMatchObject({ code: 0 })
    expect(await only(phone)).toMatchObject({ status: 'WAITING' })
    await step(id, 'markInvalid', { reason: '空号' })
    await reach(phone)
    expect((await found(phone)).map(({ status }) => status).sort()).toEqual(['INVALID', 'WAITING'])
    expect(await step(id, 'markInvalid/undo')).toMatchObject({ code: 4006, msg: expect.stringContaining('again') })
  })
})
