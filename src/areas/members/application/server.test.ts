import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Decision } from '#kit/model/decision.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol, proof } from '../../../../tools/testing/commerce.ts'
import { newCoupon } from '../../../../tools/testing/coupons.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { putInForce } from '../../../../tools/testing/settings.ts'
import { type Application, requests } from './model.ts'

const PATH = '/members/application'
const PAGE = 'apply-list'
const READ = ['list', 'detail']
const ASKS = { [PAGE]: [...READ, 'create', 'withdraw'], 'member-list': [...READ, 'gift', 'own'] }
const WEEK_MS = 7 * 86_400_000

describe('how many have to agree to a gift', () => {
  const bounds = { daysPerMonth: 30, coinsPerMonth: 1_000, couponsPerMonth: 20, l2Days: 90, l2Coins: 5_000 }
  test.each([
    ['DAYS', 90, 0, 1],
    ['DAYS', 91, 0, 2],
    ['DAYS', 60, 31, 2],
    ['COINS', 5_000, 0, 1],
    ['COINS', 5_001, 0, 2],
    ['COUPON', null, null, 1],
  ] as const)('%s, %s of them after %s: %s', (giftKind, quantity, givenLately, levels) => {
    expect(requests.kinds.GIFT.levels({ giftKind, quantity, givenLately } as Application, bounds)).toBe(levels)
  })
})

let instance: TestInstance
let seller: Caller & { orgId: string }
let manager: Caller
let finance: Caller

beforeAll(async () => {
  instance = await openTestInstance()
  seller = await person(instance, { grants: ASKS, scope: 'SELF' })
  manager = await person(instance, {
    name: '钟主管',
    grants: { ...ASKS, [PAGE]: [...READ, 'create', 'withdraw', 'approve', 'approveL2', 'reject'] },
  })
  finance = await person(instance, { grants: { [PAGE]: [...READ, 'approveL2', 'reject'] } })
})

const owned = (by = seller) => enrol(instance, { ownerId: by.id, orgId: by.orgId })
const days = (memberId: string, quantity: number) => ({
  kind: 'GIFT',
  memberId,
  giftKind: 'DAYS',
  quantity,
  couponId: null,
  newPhone: null,
  pauseFrom: null,
  pauseDays: null,
  proof: [] as string[],
  reason: '直播课两次中断，补偿家长',
})
const ask = async (body: object, by: Caller = seller) => {
  const { code, data } = await by.post<{ id: string }>(PATH, body)
  expect(code).toBe(0)
  return data.id
}
const take = (id: string, step: string, by: Caller, body: object = {}) => by.post(`${PATH}/${id}/${step}`, body)
const read = async (id: string, by: Caller = manager) => (await by.get<Application>(`${PATH}/${id}`)).data
const lots = (memberId: string) =>
  instance.app.db.query
    .selectFrom('entitlement_lot as l')
    .innerJoin('entitlement_entry as e', 'e.lot_id', 'l.id')
    .select(['l.kind', 'l.source', 'l.quantity', 'l.application_id', 'e.note', 'e.staff_id'])
    .where('l.member_id', '=', memberId)
    .execute()

describe('a gift above the cap', () => {
  test('is refused on the spot, with the way to ask for it and what was entered', async () => {
    const member = await owned()
    const gift = { giftKind: 'DAYS', quantity: 31, couponId: null, reason: 'sorry' }
    const answer = await seller.post<{ instead: string }>(`/members/member/${member}/gift`, gift)
    expect(answer).toMatchObject({ code: 4005, data: { fields: { quantity: expect.stringContaining('30 left') } } })
    expect(answer.data.instead).toBe(
      `/members/apply?create=1&with.kind=GIFT&with.memberId=${member}&with.giftKind=DAYS&with.quantity=31`,
    )
    const mayNotAsk = await person(instance, { grants: { 'member-list': [...READ, 'gift'] } })
    const refused = await mayNotAsk.post(`/members/member/${member}/gift`, gift)
    expect(refused).toMatchObject({ code: 4005 })
    expect(refused.body).not.toContain('instead')
  })

  test('given to many at once shows each member it was refused for the way to ask', async () => {
    const members = [await owned(), await owned()]
    const giver = await person(instance, { grants: ASKS })
    const gift = { ids: members, giftKind: 'DAYS', quantity: 20, couponId: null, reason: 'sorry' }
    type Results = { id: string; result: string; instead?: string }[]
    const { data } = await giver.post<Results>('/members/member/steps/gift', gift)
    expect(data).toMatchObject([
      { id: members[0], result: 'done' },
      {
        id: members[1],
        result: 'refused',
        instead: `/members/apply?create=1&with.kind=GIFT&with.memberId=${members[1]}&with.giftKind=DAYS&with.quantity=20`,
      },
    ])
    expect(data[0]).not.toHaveProperty('instead')
  })

  test('a gift to many that is sent again under its key is given once, and tells again what became of each', async () => {
    const members = [await owned(), await owned()]
    const giver = await person(instance, { grants: ASKS })
    const gift = { ids: members, giftKind: 'DAYS', quantity: 3, couponId: null, reason: 'sorry' }
    const send = () => giver.post('/members/member/steps/gift', gift, { 'idempotency-key': 'gift-to-many' })
    const [first, again] = [await send(), await send()]
    expect(first.data).toMatchObject(members.map(id => ({ id, result: 'done' })))
    expect(again.data).toEqual(first.data)
    for (const member of members) expect(await lots(member)).toHaveLength(1)
  })

  test('is given with the yes of another person, in the ledger under its number, from nobody’s allowance', async () => {
    const member = await owned()
    const id = await ask(days(member, 60))
    expect(await lots(member)).toEqual([])
    expect(await take(id, 'approve', manager)).toMatchObject({ code: 0 })
    const row = await read(id)
    expect(row).toMatchObject({ status: 'APPROVED', l1By: manager.id, l2By: null, allowanceLeft: 30 })
    expect(await lots(member)).toEqual([
      {
        kind: 'MEMBER_DAYS',
        source: 'GIFT',
        quantity: 60,
        application_id: id,
        note: `${row.applicationNo} ${row.reason}`,
        staff_id: manager.id,
      },
    ])
    const whole = { giftKind: 'DAYS', quantity: 30, couponId: null, reason: 'own' }
    for (const giver of [manager, seller])
      expect(await giver.post(`/members/member/${member}/gift`, whole)).toMatchObject({ code: 0 })
  })

  test('of a coupon is given too, and a coupon that is gone refuses the yes and leaves the application as it was', async () => {
    const clerk = await person(instance, { grants: { 'coupon-list': [...READ, 'create'] } })
    const couponId = await newCoupon(clerk, { total: 1 })
    await putInForce(instance, 'gift.couponsPerMonth', 0)
    const [first, second] = [await owned(), await owned()]
    const coupon = (memberId: string) => ({ ...days(memberId, 1), giftKind: 'COUPON', quantity: null, couponId })
    const [lucky, late] = [await ask(coupon(first)), await ask(coupon(second))]
    expect(await take(lucky, 'approve', manager)).toMatchObject({ code: 0 })
    expect(await take(late, 'approve', manager)).toMatchObject({ code: 4005 })
    expect(await read(late)).toMatchObject({ status: 'SUBMITTED', l1By: null, endedAt: null })
    const { rows } = await instance.app.db.read.pool.query('select member_id, application_id from member_coupon')
    expect(rows).toEqual([{ member_id: first, application_id: lucky }])
  })

  test('is not asked for by whoever can still give it, nor twice at once, nor without saying how much', async () => {
    const member = await owned()
    const fresh = await person(instance, { grants: ASKS })
    expect(await fresh.post(PATH, days(member, 30))).toMatchObject({ code: 4006 })
    await ask(days(member, 31), fresh)
    expect(await seller.post(PATH, days(member, 40))).toMatchObject({
      code: 4005,
      data: { fields: { memberId: 'An application of this kind is already open for this member' } },
    })
    expect(await seller.post(PATH, { ...days(await owned(), 40), quantity: null })).toMatchObject({
      code: 4005,
      data: { fields: { quantity: 'Required' } },
    })
    expect(await seller.post(PATH, { ...days(await owned(), 40), couponId: '1' })).toMatchObject({ code: 4005 })
    const mayNotGive = await person(instance, { grants: { [PAGE]: [...READ, 'create'] } })
    expect(await mayNotGive.post(PATH, days(await owned(), 40))).toMatchObject({
      code: 4005,
      data: { fields: { kind: 'You do not have permission for applications of this type' } },
    })
  })

  test('is not given to somebody who was frozen meanwhile', async () => {
    const member = await owned()
    const id = await ask(days(member, 60))
    await instance.app.db.query.updateTable('member').set({ status: 'FROZEN' }).where('id', '=', member).execute()
    expect(await take(id, 'approve', manager)).toMatchObject({ code: 4006 })
    expect(await seller.post(PATH, days(member, 60))).toMatchObject({ code: 4006 })
    expect([await lots(member), (await read(id)).status]).toEqual([[], 'SUBMITTED'])
  })
})

describe('a change of phone', () => {
  const NO_PAUSE = { pauseFrom: null, pauseDays: null }
  const WHY = { reason: '原号码已停用', giftKind: null, quantity: null, couponId: null, ...NO_PAUSE }
  const EDITS = { [PAGE]: [...READ, 'create'], 'member-list': [...READ, 'update'] }
  const editor = () => person(instance, { grants: EDITS })
  const change = async (memberId: string, newPhone: string, by: Caller) =>
    by.post<{ id: string }>(PATH, {
      ...{ kind: 'PHONE', memberId, newPhone, ...WHY },
      proof: [await proof(instance, by.id)],
    })
  const phoneOf = async (id: string) =>
    (await instance.app.db.query.selectFrom('member').select('phone').where('id', '=', id).executeTakeFirstOrThrow())
      .phone ?? ''

  test('is made with the yes of another person, stands in the member’s history, and is nowhere in full', async () => {
    const member = await owned()
    const by = await editor()
    const { data } = await change(member, '+86 137-0000-1111', by)
    expect(await read(data.id)).toMatchObject({ newPhone: '137****1111', needsL2: false, giftKind: null })
    expect(await take(data.id, 'approve', manager)).toMatchObject({ code: 0 })
    expect(await phoneOf(member)).toBe('13700001111')
    const { rows } = await instance.app.db.read.pool.query(
      "select reason, diff::text as diff from operation_log where page = 'member-list' and action = 'changePhone' and record_id = $1",
      [member],
    )
    expect(rows).toEqual([{ reason: expect.stringMatching(/^A\d{13}$/), diff: expect.stringContaining('137****1111') }])
    const log = await instance.app.db.read.pool.query("select from operation_log where diff::text like '%13700001111%'")
    expect(log.rowCount).toBe(0)
  })

  test('needs its proof, and a number that is one, is new to the member and nobody else’s', async () => {
    const [member, other] = [await owned(), await owned()]
    const by = await editor()
    const fieldsOf = async (newPhone: string) => (await change(member, newPhone, by)).data
    expect(await fieldsOf('12345')).toMatchObject({ fields: { newPhone: expect.any(String) } })
    expect(await fieldsOf(await phoneOf(member))).toMatchObject({
      fields: { newPhone: 'This is the member’s current number' },
    })
    expect(await fieldsOf(await phoneOf(other))).toMatchObject({
      fields: { newPhone: 'This number belongs to another member' },
    })
    const bare = { kind: 'PHONE', memberId: member, newPhone: '13700002222', ...WHY, proof: [] }
    expect(await by.post(PATH, bare)).toMatchObject({ code: 4005, data: { fields: { proof: 'Required' } } })
    expect(await by.post(PATH, days(member, 60))).toMatchObject({
      code: 4005,
      data: { fields: { kind: expect.any(String) } },
    })
  })

  test('shows its proof to whoever decides, for as long as it stands, and takes no picture that is not there', async () => {
    const by = await editor()
    const { data } = await change(await owned(), '13700004444', by)
    const [file] = (await read(data.id)).proof
    const bound = await instance.app.db.query
      .selectFrom('file')
      .select(['page', 'record_id'])
      .where('id', '=', String(file))
      .executeTakeFirst()
    expect(bound).toEqual({ page: PAGE, record_id: data.id })
    const made = { kind: 'PHONE', memberId: await owned(), newPhone: '13700005555', ...WHY, proof: [randomUUID()] }
    expect(await by.post(PATH, made)).toMatchObject({ code: 4005 })
  })

  test('is not made for somebody who was frozen meanwhile', async () => {
    const member = await owned()
    const { data } = await change(member, '13700006666', await editor())
    await instance.app.db.query.updateTable('member').set({ status: 'FROZEN' }).where('id', '=', member).execute()
    expect(await take(data.id, 'approve', manager)).not.toMatchObject({ code: 0 })
    expect(await phoneOf(member)).not.toBe('13700006666')
  })

  test('names nobody of another team by a number, and says whom to ask', async () => {
    const head = await person(instance, { name: '别组主管' })
    const stranger = await person(instance, { managerId: head.id })
    const theirs = await enrol(instance, { ownerId: stranger.id, orgId: stranger.orgId })
    const by = await person(instance, { grants: EDITS, scope: 'SELF' })
    const mine = await enrol(instance, { ownerId: by.id, orgId: by.orgId })
    const { data } = await change(mine, await phoneOf(theirs), by)
    expect(data).toMatchObject({ fields: { newPhone: expect.stringContaining('别组主管') } })
  })

  test('is refused when somebody was quicker with the number', async () => {
    const [member, other] = [await owned(), await owned()]
    const { data } = await change(member, '13700003333', await editor())
    await instance.app.db.query.updateTable('member').set({ phone: '13700003333' }).where('id', '=', other).execute()
    expect(await take(data.id, 'approve', manager)).toMatchObject({ code: 4005 })
    expect(await read(data.id)).toMatchObject({ status: 'SUBMITTED' })
  })

  test('is no way to try numbers out: thirty taken ones in ten minutes, searches counted with them', async () => {
    const [member, other] = [await owned(), await owned()]
    const by = await editor()
    const taken = await phoneOf(other)
    const codes: number[] = []
    for (let turn = 0; turn < 32; turn += 1) codes.push((await change(member, taken, by)).code)
    expect(codes.filter(code => code === 4005)).toHaveLength(30)
    expect(codes.slice(30)).toEqual([4029, 4029])
    // Nor by which refusal comes while a request is open: the member's own number would be told apart from all others.
    const guesser = await editor()
    await change(member, '13700007777', guesser)
    const guesses: number[] = []
    for (let turn = 0; turn < 31; turn += 1)
      guesses.push((await change(member, `137${String(10_000_000 + turn)}`, guesser)).code)
    expect(guesses.at(-1)).toBe(4029)
  })
})

describe('who decides', () => {
  test('what was asked for in parts by all of it, within thirty days and without what was refused', async () => {
    const member = await owned()
    const first = await ask(days(member, 60))
    expect(await read(first)).toMatchObject({ needsL2: false, givenLately: 0 })
    await take(first, 'approve', manager)
    const second = await ask(days(member, 60))
    expect(await read(second)).toMatchObject({ needsL2: true, givenLately: 60 })
    await take(second, 'reject', manager, { reason: 'once is enough' })
    expect(await read(await ask(days(member, 31)))).toMatchObject({ needsL2: true, givenLately: 60 })
    expect(await read(await ask(days(await owned(), 60)))).toMatchObject({ needsL2: false })
  })

  test('nobody on what he asked for, whatever he may otherwise do', async () => {
    const id = await ask(days(await owned(), 91), manager)
    for (const step of ['approve', 'reject'])
      expect(await take(id, step, manager, { reason: 'x' })).toMatchObject({
        code: 4006,
        msg: expect.stringContaining('You submitted it yourself'),
      })
  })

  test('above the second bound finance too, and never the same person twice', async () => {
    const member = await owned()
    const id = await ask(days(member, 91))
    expect(await take(id, 'approveL2', finance)).toMatchObject({ code: 4006 })
    expect(await take(id, 'approve', manager)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'L1_APPROVED', needsL2: true, endedAt: null })
    expect(await lots(member)).toEqual([])
    expect(await take(id, 'approveL2', manager)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('two different people'),
    })
    expect(await take(id, 'approveL2', finance)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'APPROVED', l1By: manager.id, l2By: finance.id })
    expect(await lots(member)).toMatchObject([{ quantity: 91, staff_id: finance.id }])
  })

  test('by the bounds of the day it was asked for', async () => {
    const id = await ask(days(await owned(), 85))
    await putInForce(instance, 'gift.l2Days', 80)
    expect(await take(id, 'approve', manager)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'APPROVED', l2By: null })
    expect(await read(await ask(days(await owned(), 85)))).toMatchObject({ needsL2: true })
    await putInForce(instance, 'gift.l2Days', 90)
  })

  test('two at once give once', async () => {
    const member = await owned()
    const id = await ask(days(member, 60))
    const answers = await Promise.all([manager, manager, manager].map(by => take(id, 'approve', by)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await lots(member)).toHaveLength(1)
  })

  test('and the database itself refuses one person as two', async () => {
    const id = await ask(days(await owned(), 91))
    const write = (by: object) =>
      instance.app.db.query.updateTable('member_application').set(by).where('id', '=', id).execute()
    await expect(write({ l1_by: seller.id })).rejects.toThrow('member_application_four_eyes')
    await expect(write({ l1_by: manager.id, l2_by: manager.id })).rejects.toThrow('member_application_four_eyes')
    await expect(write({ status: 'APPROVED', l1_by: manager.id, ended_at: new Date() })).rejects.toThrow(
      'member_application_agreed',
    )
  })
})

describe('what becomes of it', () => {
  const decided = async (by: Caller) => (await by.get<Decision[]>('/workbench/workbench/decisions')).data

  test('a no says why, and whoever asked is told', async () => {
    const asker = await person(instance, { grants: ASKS, scope: 'SELF' })
    const id = await ask(days(await owned(asker), 60), asker)
    expect(await take(id, 'reject', manager)).toMatchObject({ code: 4005 })
    expect(await take(id, 'reject', manager, { reason: '请先用活动优惠券' })).toMatchObject({ code: 0 })
    expect(await decided(asker)).toMatchObject([
      { state: 'Rejected', reason: '请先用活动优惠券', by: '钟主管', path: expect.stringContaining(id) },
    ])
  })

  test('whoever asked takes it back, nobody else, and may think better of it', async () => {
    const id = await ask(days(await owned(), 91))
    await take(id, 'approve', manager)
    expect(await take(id, 'withdraw', manager)).toMatchObject({ code: 4006 })
    expect(await take(id, 'withdraw', seller)).toMatchObject({ code: 0 })
    expect(await take(id, 'approveL2', finance)).toMatchObject({ code: 4006 })
    expect(await take(id, 'withdraw/undo', seller)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'L1_APPROVED', l1By: manager.id, endedAt: null })
  })

  test('what nobody decides on within a week is over, and whoever asked is told', async () => {
    const asker = await person(instance, { grants: ASKS })
    const member = await owned()
    const [id, other] = [await ask(days(member, 60), asker), await ask(days(await owned(), 60), asker)]
    const { createdAt, expiresAt } = await read(id)
    expect(Date.parse(String(expiresAt)) - Date.parse(createdAt)).toBe(WEEK_MS)
    await take(other, 'withdraw', asker)
    await instance.house.runJobs()
    expect(await read(id)).toMatchObject({ status: 'SUBMITTED' })
    // Nobody stays signed in for a week: its end is moved to today instead.
    const today = { expires_at: instance.clock.now() }
    await instance.app.db.query.updateTable('member_application').set(today).where('id', 'in', [id, other]).execute()
    expect(await take(id, 'approve', manager)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('time to decide'),
    })
    expect(await take(other, 'withdraw/undo', asker)).toMatchObject({ code: 4006 })
    await instance.house.runJobs()
    expect(await read(id)).toMatchObject({ status: 'EXPIRED', endedAt: expect.any(String) })
    expect(await decided(asker)).toMatchObject([{ state: 'Expired', by: '' }])
    expect(await lots(member)).toEqual([])
  })
})

describe('who sees it', () => {
  test('the owner of the member and whoever asked, also after the member changed hands; nobody else', async () => {
    const member = await owned()
    const id = await ask(days(member, 60))
    const head = await person(instance, {
      grants: { 'member-list': [...READ, 'assignOwner'], [PAGE]: READ },
    })
    const next = await person(instance, { grants: ASKS, scope: 'SELF' })
    const stranger = await person(instance, { grants: ASKS, scope: 'SELF' })
    expect(await next.get(`${PATH}/${id}`)).toMatchObject({ code: 4004 })
    await head.post(`/members/member/${member}/assignOwner`, { newOwnerId: next.id, reason: 'on leave' })
    for (const who of [next, seller, head]) expect(await who.get(`${PATH}/${id}`)).toMatchObject({ code: 0 })
    expect(await stranger.get(`${PATH}/${id}`)).toMatchObject({ code: 4004 })
    expect((await stranger.get<{ total: number }>(PATH)).data.total).toBe(0)
  })
})

test('all of it leaves the books in order', async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})
