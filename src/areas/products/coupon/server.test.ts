import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOTHING_IN_COMMON } from '#engines/audience/model.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { COUPON, newCoupon } from '../../../../tools/testing/coupons.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import type { Holder } from './holders/model.ts'
import type { Issued, Reach } from './issuing.model.ts'
import type { Coupon } from './model.ts'

describe('a coupon', () => {
  let instance: TestInstance
  let staff: Caller
  let productId: string
  const clock = stoppedClock(new Date('2026-03-10T02:00:00Z'))

  beforeAll(async () => {
    instance = await openTestInstance({ clock })
    const actions = ['list', 'detail', 'create', 'update', 'delete', 'issue', 'recall', 'stop', 'resume']
    staff = await person(instance, { grants: { 'coupon-list': actions } })
    productId = await offer(instance, [grantOf('MEMBER_DAYS', 365)])
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const PATH = '/products/coupon'
  const add = (given: object = {}) => staff.post<{ id: string }>(PATH, { ...COUPON, ...given })
  const added = (given: object = {}) => newCoupon(staff, given)
  const read = async (id: string) => (await staff.get<Coupon>(`${PATH}/${id}`)).data
  const edit = async (id: string, change: object) =>
    staff.put(`${PATH}/${id}`, { ...COUPON, ...change, version: (await read(id)).version })
  const issue = (id: string, memberIds: readonly string[], by = staff) =>
    by.post<Issued>(`${PATH}/${id}/issue`, { memberIds }, { 'idempotency-key': randomUUID() })
  const members = (count: number) => Promise.all(Array.from({ length: count }, () => enrol(instance)))
  const ids = (people: readonly { id: string }[]) => people.map(({ id }) => id)
  const holders = async (id: string, query = '', by = staff) =>
    (await by.get<{ records: Holder[]; total: number }>(`${PATH}/${id}/holders${query}`)).data

  describe('is added', () => {
    test('and keeps only what its kind and validity need', async () => {
      const id = await added({ kind: 'CASH', permille: 880, validFrom: '2026-03-01', validTo: '2026-03-31' })
      expect(await read(id)).toMatchObject({
        permille: null,
        validFrom: null,
        validTo: null,
        validDays: 30,
        taken: 0,
        status: 'ACTIVE',
      })
    })

    test.each([
      ['a discount without its rate', { kind: 'DISCOUNT' }, { permille: 'Enter the share to pay' }],
      [
        'fixed dates without the last day',
        { validity: 'FIXED', validFrom: '2026-03-01' },
        { validTo: 'Enter the date' },
      ],
      [
        'a last day before the first',
        { validity: 'FIXED', validFrom: '2026-04-02', validTo: '2026-04-01' },
        { validTo: 'The end date cannot be before the start date' },
      ],
      [
        'a last day that is over',
        { validity: 'FIXED', validFrom: '2026-03-01', validTo: '2026-03-09' },
        { validTo: 'The end date has already passed' },
      ],
      ['no number of days', { validDays: null }, { validDays: 'Enter for how many days it is valid' }],
      ['some products, but none named', { scope: 'PRODUCTS' }, { productIds: 'Choose at least one product' }],
      [
        'a product that is gone',
        { scope: 'PRODUCTS', productIds: ['999999'] },
        { 'productIds.0': 'This does not exist or is not available to you' },
      ],
    ])('not with %s, and nothing is stored', async (_name, given, fields) => {
      const name = randomUUID()
      expect(await add({ name, ...given })).toMatchObject({ code: 4005, data: { fields } })
      expect((await staff.get<{ total: number }>(`${PATH}?query=${name}`)).data.total).toBe(0)
    })
  })

  describe('that somebody took', () => {
    test('may still get another name, a greater number and a greater limit', async () => {
      const id = await added({ total: 2 })
      await issue(id, await members(2))
      expect(await edit(id, { name: '新名字', total: 3, perPerson: 5 })).toMatchObject({ code: 0 })
      expect(await read(id)).toMatchObject({ name: '新名字', total: 3, perPerson: 5, taken: 2 })
    })

    test.each([
      ['less off', { amountFen: 1_999 }, 'amountFen'],
      ['a higher threshold', { thresholdFen: 1 }, 'thresholdFen'],
      ['fewer days', { validDays: 29 }, 'validDays'],
    ])('keeps its promise: %s is refused', async (_name, change, field) => {
      const id = await added()
      await issue(id, await members(1))
      expect(await edit(id, change)).toMatchObject({
        code: 4005,
        data: { fields: { [field]: 'Some have been issued: only the name, total and limit per person can change' } },
      })
      expect(await read(id)).toMatchObject({ amountFen: 2_000, thresholdFen: 0, validDays: 30 })
    })

    test('is never fewer than were taken, and its limit never below what somebody holds', async () => {
      const id = await added({ total: 5, perPerson: 2 })
      const [one] = await members(1)
      await issue(id, [one as string])
      await issue(id, [one as string])
      expect(await edit(id, { total: 1, perPerson: 2 })).toMatchObject({
        data: { fields: { total: 'It cannot be less than the number already issued' } },
      })
      expect(await edit(id, { total: 5, perPerson: 1 })).toMatchObject({
        data: { fields: { perPerson: 'A member already holds 2; it cannot be less' } },
      })
      expect(await read(id)).toMatchObject({ total: 5, perPerson: 2 })
    })

    test('cannot be deleted; one nobody took can', async () => {
      const [taken, fresh] = [await added(), await added()]
      await issue(taken, await members(1))
      expect(await staff.remove(`${PATH}/${taken}`)).toMatchObject({
        code: 4006,
        msg: 'This could not be done: It has been issued and cannot be deleted; stop issuing it instead',
      })
      expect((await read(taken)).taken).toBe(1)
      expect(await staff.remove(`${PATH}/${fresh}`)).toMatchObject({ code: 0 })
    })
  })

  describe('is issued', () => {
    test('to each member once, with the rule of that day and its own last day', async () => {
      const id = await added({ scope: 'PRODUCTS', productIds: [productId], total: 5 })
      const people = await members(2)
      const { data } = await issue(id, people)
      expect(ids(data.done)).toEqual(people)
      expect(data.done[0]).toMatchObject({ name: '测试学员', phone: expect.stringMatching(/^\d{3}\*{4}\d{4}$/) })
      expect(await read(id)).toMatchObject({ taken: 2, used: 0 })
      const { records, total } = await holders(id)
      expect(total).toBe(2)
      expect(records[0]).toMatchObject({
        status: 'UNUSED',
        validFrom: '2026-03-10',
        validTo: '2026-04-08',
        orderId: null,
      })
      const kept = await instance.app.db.query
        .selectFrom('member_coupon')
        .select('rule')
        .where('coupon_id', '=', id)
        .executeTakeFirstOrThrow()
      await edit(id, { scope: 'PRODUCTS', productIds: [productId], name: '改名', total: 5 })
      expect(kept.rule).toMatchObject({ name: '立减 20 元', amountFen: 2_000, productIds: [productId] })
    })

    test('as far as its number and the limit go: everybody else is named with the reason', async () => {
      const id = await added({ total: 3 })
      const [first, frozen, ...others] = (await members(5)) as [string, string, string, string, string]
      await issue(id, [first])
      await instance.app.db.query.updateTable('member').set({ status: 'FROZEN' }).where('id', '=', frozen).execute()
      const { data } = await issue(id, [first, frozen, ...others, '999999999'])
      expect(ids(data.done)).toEqual(others.slice(0, 2))
      expect(data.over.map(({ id: one, why }) => [one, why])).toEqual([
        [first, 'LIMIT'],
        [others[2], 'USED_UP'],
      ])
      expect(data.failed.map(({ id: one, why }) => [one, why])).toEqual([
        [frozen, 'FROZEN'],
        ['999999999', 'MISSING'],
      ])
      expect((await read(id)).taken).toBe(3)
    })

    const EVERYBODY = { audienceBy: 'FILTER', ...NOTHING_IN_COMMON, numbers: '' }
    const counted = async (couponId: string, audience: object) =>
      (await staff.post<Reach>(`${PATH}/reach`, { ...EVERYBODY, ...audience, couponId })).data
    const issueTo = async (couponId: string, audience: object) =>
      (await staff.post<Issued>(`${PATH}/${couponId}/issue`, { audience: { ...EVERYBODY, ...audience } })).data
    const mark = (one: string, fields: { tags?: string[]; channel?: string; status?: 'FROZEN' }) =>
      instance.app.db.query.updateTable('member').set(fields).where('id', '=', one).execute()
    const phonesOf = async (ids: readonly string[]) =>
      (
        await instance.app.db.query
          .selectFrom('member')
          .select('phone')
          .where('id', 'in', [...ids])
          .execute()
      ).map(({ phone }) => phone)

    test('to an audience: all that is named must fit, and as many get it as were counted', async () => {
      const id = await added({ total: 100 })
      const [both, tagged, frozen] = (await members(3)) as [string, string, string]
      await mark(both, { tags: ['CAREFUL'], channel: 'SCHOOL' })
      await mark(tagged, { tags: ['CAREFUL'] })
      await mark(frozen, { tags: ['CAREFUL'], channel: 'SCHOOL', status: 'FROZEN' })
      const school = { levels: ['TRIAL'], channels: ['SCHOOL'], tags: ['CAREFUL'] }
      const nobodyLeft = { repeated: 0, invalid: 0, strangers: 0, limit: 0, usedUp: 0 }
      expect(await counted(id, school)).toEqual({ members: 1, toIssue: 1, ...nobodyLeft })
      expect(await issueTo(id, school)).toMatchObject({ done: [{ id: both }], over: [], failed: [] })
      const all = { tags: ['CAREFUL'] }
      expect(await counted(id, all)).toEqual({ members: 2, toIssue: 1, ...nobodyLeft, limit: 1 })
      const { done, over } = await issueTo(id, all)
      expect([ids(done), ids(over)]).toEqual([[tagged], [both]])
    })

    test('to numbers somebody pastes: those of nobody are told, and those for whom there are not enough', async () => {
      const id = await added({ total: 2 })
      const three = await members(3)
      const phones = await phonesOf(three)
      const numbers = [...phones, phones[0], '19999999998', '123'].join('\n')
      const asked = { audienceBy: 'NUMBERS', numbers }
      const left = { repeated: 1, invalid: 1, strangers: 1 }
      expect(await counted(id, asked)).toEqual({ members: 3, toIssue: 2, limit: 0, usedUp: 1, ...left })
      const { done, over } = await issueTo(id, asked)
      expect(ids(done)).toHaveLength(2)
      expect(over.map(({ why }) => why)).toEqual(['USED_UP'])
      expect((await read(id)).taken).toBe(2)
    })

    test.each([
      ['not to everybody by leaving the audience empty', {}, 'Choose at least one condition'],
      ['not to what no dictionary knows', { tags: ['NO-SUCH-TAG'] }, 'tags'],
      ['not to numbers that are none', { audienceBy: 'NUMBERS', numbers: '，' }, 'Enter at least one mobile number'],
    ])('%s', async (_, audience, msg) => {
      const id = await added()
      const refused = await staff.post(`${PATH}/${id}/issue`, { audience: { ...EVERYBODY, ...audience } })
      expect(refused.code).not.toBe(0)
      expect(refused.body).toContain(msg)
      expect((await read(id)).taken).toBe(0)
    })

    test('by somebody only to the members in the own scope', async () => {
      const seller = await person(instance, { scope: 'SELF', grants: { 'coupon-list': ['list', 'detail', 'issue'] } })
      const mine = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
      const [foreign] = (await members(1)) as [string]
      const id = await added()
      const { data } = await issue(id, [mine, foreign], seller)
      expect(ids(data.done)).toEqual([mine])
      expect(data.failed).toEqual([{ id: foreign, name: '', phone: '', why: 'MISSING' }])
      await issue(id, [foreign])
      expect((await holders(id, '', seller)).records.map(({ memberId }) => memberId)).toEqual([mine])
      expect((await holders(id)).total).toBe(2)
    })

    test.each([
      [
        'stopped',
        async (id: string) => staff.post(`${PATH}/${id}/stop`),
        'This could not be done: This coupon is no longer issued',
      ],
      ['over', async () => clock.set('2026-03-11T02:00:00Z'), 'This could not be done: This coupon has expired'],
    ])('not while it is %s', async (_name, prepare, msg) => {
      const id = await added({ validity: 'FIXED', validFrom: '2026-03-01', validTo: '2026-03-10', validDays: null })
      await prepare(id)
      expect(await issue(id, await members(1))).toMatchObject({ code: 4006, msg })
      expect((await read(id)).taken).toBe(0)
      clock.set('2026-03-10T02:00:00Z')
    })

    test('again once it is resumed', async () => {
      const id = await added()
      await staff.post(`${PATH}/${id}/stop`)
      await staff.post(`${PATH}/${id}/resume`)
      expect((await issue(id, await members(1))).data.done).toHaveLength(1)
    })

    test('but is not resumed after its last day, nor offered to anybody who issues one', async () => {
      const id = await added({ validity: 'FIXED', validFrom: '2026-03-01', validTo: '2026-03-10', validDays: null })
      type Offered = { id: string; note: string | null }
      const offered = async () =>
        (await staff.get<Offered[]>('/common/reference/coupon?offered=true')).data.find(one => one.id === id)
      expect((await offered())?.note).toBe('2026-03-10')
      clock.set('2026-03-11T02:00:00Z')
      expect(await offered()).toBeUndefined()
      await staff.post(`${PATH}/${id}/stop`)
      const { data } = await staff.get<{ steps: Record<string, { msg: string } | null> }>(`${PATH}/${id}`)
      expect(data.steps.resume?.msg).toBe('This coupon has expired')
      expect(await staff.post(`${PATH}/${id}/resume`)).toMatchObject({ code: 4006 })
      clock.set('2026-03-10T02:00:00Z')
    })

    test('once, when one form is sent twenty times with one key', async () => {
      const id = await added({ perPerson: 50, total: 50 })
      const [one] = await members(1)
      const key = randomUUID()
      const send = () => staff.post<Issued>(`${PATH}/${id}/issue`, { memberIds: [one] }, { 'idempotency-key': key })
      const answers = await Promise.all(Array.from({ length: 20 }, send))
      expect(answers.every(({ data }) => data.done.length === 1)).toBe(true)
      expect((await read(id)).taken).toBe(1)
    })
  })

  describe('is recalled', () => {
    const recall = (id: string, memberId: string | null) =>
      staff.post(`${PATH}/${id}/recall`, { reason: '活动取消', memberId })

    test('from everybody who has not used it, and the number is free again', async () => {
      const id = await added({ total: 2 })
      const people = await members(2)
      await issue(id, people)
      expect(await recall(id, null)).toMatchObject({ code: 0 })
      expect((await read(id)).taken).toBe(0)
      expect((await holders(id, '?status=RECALLED')).total).toBe(2)
      expect((await issue(id, people)).data.done).toHaveLength(2)
    })

    test('from one member, while the others keep theirs', async () => {
      const id = await added()
      const [one, other] = (await members(2)) as [string, string]
      await issue(id, [one, other])
      await recall(id, one)
      expect((await holders(id, '?status=UNUSED')).records.map(({ memberId }) => memberId)).toEqual([other])
      expect(await recall(id, one)).toMatchObject({
        code: 4006,
        msg: 'This could not be done: There are no unused coupons to recall',
      })
      expect((await read(id)).taken).toBe(1)
    })
  })
})
