import { beforeAll, describe, expect, test } from 'vitest'
import { whyNot } from '#kit/model/workflow.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer, takeOffline } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  type PersonOptions,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import { type Member, workflow } from './model.ts'

const PAGE = 'member-list'
const READ = ['list', 'detail']
const OWNS = [...READ, 'own']
const TEACHES = [...READ, 'teach']
const PATH = '/members/member'

describe('what may be done with a member', () => {
  test.each([
    ['ACTIVE', 'noteFollowUp, assignOwner, bindTeacher, tag, correctOrigin, gift, recordConsent, freeze'],
    ['FROZEN', 'noteFollowUp, assignOwner, bindTeacher, tag, correctOrigin, recordConsent, unfreeze'],
  ] as const)('who is %s', (status, expected) => {
    const open = Object.keys(workflow.steps).filter(
      step => !whyNot(workflow, step, { status } as Member, { id: '1' }, undefined),
    )
    expect(open.join(', ')).toBe(expected)
  })
})

let instance: TestInstance
let manager: Caller & { orgId: string }
let seller: Caller & { orgId: string }
let phones = 0

beforeAll(async () => {
  instance = await openTestInstance()
  manager = await person(instance, {
    grants: {
      [PAGE]: [...READ, 'create', 'update', ...Object.keys(workflow.steps)],
      'order-list': [...READ, 'create'],
      'order-refundApply': [...READ, 'create'],
    },
  })
  seller = await person(instance, {
    grants: { [PAGE]: [...READ, 'own', 'create', 'update', 'noteFollowUp', 'gift'], 'order-list': READ },
    scope: 'SELF',
  })
})

const owned = () => enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
const read = async (id: string, by: Caller = manager) => (await by.get<Member>(`${PATH}/${id}`)).data
const stored = (id: string) =>
  instance.app.db.query.selectFrom('member').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const freshPhone = () => {
  phones += 1
  return `1390000${String(phones).padStart(4, '0')}`
}
const NEW = {
  name: '单雨桐',
  guardianName: '单静',
  birthMonth: null,
  source: 'APP',
  channel: 'OTHER',
  ownerId: null,
  tags: [],
}
const create = (given: object, by: Caller = seller) => by.post<{ id: string }>(PATH, { ...NEW, ...given })

describe('a member added by hand', () => {
  test('has a clean number, belongs to whoever added it, and is found by name, by pinyin and by the whole number', async () => {
    const phone = freshPhone()
    const { data } = await create({ phone: `+86 ${phone.slice(0, 3)}-${phone.slice(3, 7)}-${phone.slice(7)}` })
    expect(await stored(data.id)).toMatchObject({ phone, owner_id: seller.id, org_id: seller.orgId })
    for (const query of ['单雨', 'shanyu']) {
      const found = await seller.get<{ records: Member[] }>(`${PATH}?query=${encodeURIComponent(query)}`)
      expect(found.data.records.map(({ id }) => id)).toEqual([data.id])
    }
    expect(await seller.post(`${PATH}/find-by-phone`, { phone })).toMatchObject({
      data: { field: 'id', ids: [data.id] },
    })
    const { records } = (await seller.get<{ records: Member[] }>(`${PATH}?id=${data.id}`)).data
    expect(records).toMatchObject([{ phone: `139****${phone.slice(-4)}`, guardianName: '单*' }])
  })

  test('is refused when the number belongs to another member, or is none', async () => {
    const phone = freshPhone()
    await create({ phone })
    expect(await create({ phone })).toMatchObject({
      code: 4005,
      data: { fields: { phone: 'This number belongs to another member; search for it instead' } },
    })
    expect(await create({ phone: '12345' })).toMatchObject({ code: 4005 })
    const { rows } = await instance.app.db.read.pool.query('select 1 from member where phone = $1', [phone])
    expect(rows).toHaveLength(1)
  })

  test('of another team is neither named nor shown: whoever asks is told whom to ask, by each way of asking', async () => {
    const head = await person(instance, { name: '钟主管' })
    const other = await person(instance, { managerId: head.id })
    const member = await enrol(instance, { ownerId: other.id, orgId: other.orgId })
    const { phone, name } = await stored(member)
    const told = 'The member with this number belongs to another team. Ask 钟主管 about it.'
    const asked = [await seller.post(`${PATH}/find-by-phone`, { phone }), await create({ phone })]
    expect(asked).toMatchObject([
      { code: 4006, msg: `This could not be done: ${told}` },
      { code: 4005, data: { fields: { phone: told } } },
    ])
    for (const answer of asked) for (const secret of [name, `"${member}"`]) expect(answer.body).not.toContain(secret)
    const { rows } = await instance.app.db.read.pool.query(
      "select code from operation_log where actor_id = $1 and action = 'find-by-phone' and record_id = $2 order by id",
      [seller.id, member],
    )
    expect(rows).toEqual([{ code: 4006 }, { code: 4005 }])
  })

  test('numbers cannot be tried out by adding members: thirty taken ones in ten minutes, searches counted with them', async () => {
    const curious = await person(instance, { grants: { [PAGE]: ['list', 'create'] }, scope: 'SELF' })
    const taken = await stored(await owned())
    for (let turn = 0; turn < 10; turn += 1) await curious.post(`${PATH}/find-by-phone`, { phone: taken.phone })
    const answers = await Promise.all(Array.from({ length: 60 }, () => create({ phone: taken.phone }, curious)))
    expect(answers.filter(({ code }) => code === 4005)).toHaveLength(20)
    expect(answers.filter(({ code }) => code === 4029)).toHaveLength(40)
    expect(answers.find(({ code }) => code === 4029)?.headers['retry-after']).toBe('600')
    expect(await curious.post(`${PATH}/find-by-phone`, { phone: taken.phone })).toMatchObject({ code: 4029 })
    instance.clock.forward(600_001)
    for (let turn = 0; turn < 35; turn += 1)
      expect(await create({ phone: freshPhone() }, curious)).toMatchObject({ code: 0 })
  })

  test('is given to a colleague only by those who may assign owners', async () => {
    expect(await create({ phone: freshPhone(), ownerId: manager.id })).toMatchObject({ code: 4005 })
    const { data } = await create({ phone: freshPhone(), ownerId: seller.id }, manager)
    expect(await read(data.id)).toMatchObject({ ownerId: seller.id })
  })

  test('keeps the guardian when an edit leaves the name out, and takes a new one', async () => {
    const { data } = await create({ phone: freshPhone() })
    const edit = { name: '吕一诺', tags: ['RENEWAL'] }
    expect(await seller.put(`${PATH}/${data.id}`, { ...edit, version: 1 })).toMatchObject({ code: 0 })
    expect(await stored(data.id)).toMatchObject({ name_pinyin: 'lvyinuo', guardian_name: '单静', tags: ['RENEWAL'] })
    await seller.put(`${PATH}/${data.id}`, { ...edit, guardianName: '吕敏', version: 2 })
    expect(await stored(data.id)).toMatchObject({ guardian_name: '吕敏' })
  })
})

const takeMoney = async (memberId: string) =>
  takeOffline(instance, manager, { memberId, productId: await offer(instance, [grantOf('MEMBER_DAYS', 30)]) })

describe('handing a member over', () => {
  const handOver = (id: string, ownerId: string, by: Caller = manager) =>
    by.post(`${PATH}/${id}/assignOwner`, { newOwnerId: ownerId, reason: 'on leave' })
  const bind = (id: string, teacherId: string) => manager.post(`${PATH}/${id}/bindTeacher`, { teacherId })
  const colleague = (grants: PersonOptions['grants'] = {}, options: PersonOptions = {}) =>
    person(instance, { ...options, grants })

  test('moves what hangs on the member and nothing else; who sold it stays', async () => {
    const [member, other] = [await owned(), await owned()]
    const product = await offer(instance, [grantOf('MEMBER_DAYS', 30)])
    const order = await buy(instance, member, product)
    await buy(instance, other, product)
    await manager.post('/orders/refund-application', refundBody(order.orderId, 100))
    expect(await takeMoney(member)).toMatchObject({ code: 0 })
    const next = await person(instance, { grants: { 'order-list': READ, [PAGE]: OWNS }, scope: 'SELF' })
    expect(await handOver(member, next.id)).toMatchObject({ code: 0 })

    expect(await read(member)).toMatchObject({ ownerId: next.id })
    const { rows } = await instance.app.db.read.pool.query(
      `select 'order' as record, member_id::text as member, owner_id::text as owner, sold_by::text as seller from sales_order
       union all select 'refund', member_id::text, owner_id::text, null from refund_application
       union all select 'examination', member_id::text, owner_id::text, null from order_examination order by 1`,
    )
    const of = (id: string) => rows.filter(row => row.member === id).map(({ member: _, ...row }) => row)
    expect(of(member)).toEqual([
      { record: 'examination', owner: next.id, seller: null },
      { record: 'order', owner: next.id, seller: seller.id },
      { record: 'order', owner: next.id, seller: seller.id },
      { record: 'refund', owner: next.id, seller: null },
    ])
    expect(of(other)).toEqual([{ record: 'order', owner: seller.id, seller: seller.id }])
    expect(await next.get(`/orders/order/${order.orderId}`)).toMatchObject({ code: 0 })
    expect(await seller.get(`/orders/order/${order.orderId}`)).toMatchObject({ code: 4004 })
    const history = await manager.get<object[]>(`${PATH}/${member}/owner-history`)
    expect(history.data).toMatchObject([{ reason: 'on leave', to: expect.stringContaining('Person') }])
  })

  test('to somebody who left, or who has the member already, is refused and changes nothing', async () => {
    const member = await owned()
    const gone = await instance.app.db.query
      .insertInto('staff')
      .values({ account: 'gone', name: 'Gone', org_id: seller.orgId, password_hash: 'none', status: 'DISABLED' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const before = await stored(member)
    expect(await handOver(member, gone.id)).toMatchObject({ code: 4005 })
    expect(await handOver(member, seller.id)).toMatchObject({ code: 4006 })
    expect(await stored(member)).toEqual(before)
    expect((await manager.get(`${PATH}/${member}/owner-history`)).data).toEqual([])
  })

  test('goes to somebody whose job it is to own members, and a pupil to somebody who teaches', async () => {
    const member = await owned()
    const [looker, teacher] = [await colleague({ [PAGE]: READ }), await colleague({ [PAGE]: TEACHES })]
    const said = 'This is not part of this colleague’s job; choose someone else'
    for (const { id } of [looker, teacher])
      expect(await handOver(member, id)).toMatchObject({ code: 4005, data: { fields: { newOwnerId: said } } })
    for (const { id } of [looker, seller])
      expect(await bind(member, id)).toMatchObject({ code: 4005, data: { fields: { teacherId: said } } })
    expect(await create({ phone: freshPhone(), ownerId: looker.id }, manager)).toMatchObject({
      data: { fields: { ownerId: said } },
    })
    expect(await bind(member, teacher.id)).toMatchObject({ code: 0 })
    // Standing on the record as its teacher makes nobody its owner.
    expect(await handOver(member, teacher.id)).toMatchObject({ code: 4005 })
  })

  test('stays within the reach of whoever hands over, and the picker offers exactly those', async () => {
    const leader = await person(instance, {
      grants: { [PAGE]: [...READ, 'assignOwner', 'bindTeacher'] },
      scope: 'DEPARTMENT',
    })
    const { orgId } = leader
    const near = await colleague({ [PAGE]: OWNS }, { orgId })
    await colleague({ [PAGE]: READ }, { orgId })
    const teacher = await colleague({ [PAGE]: TEACHES }, { orgId })
    const { rows: gone } = await instance.app.db.read.pool.query(
      `with gone as (insert into staff (account, name, org_id, password_hash, status)
         values ('gone-owner', 'Gone', $1, 'none', 'DISABLED') returning id)
       insert into staff_role (staff_id, role_id) select gone.id, sr.role_id from gone, staff_role sr where sr.staff_id = $2
       returning staff_id::text as id`,
      [orgId, near.id],
    )
    const member = await enrol(instance, { ownerId: leader.id, orgId })
    expect(await handOver(member, seller.id, leader)).toMatchObject({
      code: 4005,
      data: { fields: { newOwnerId: 'This colleague is not in your team; choose someone else' } },
    })
    expect(await handOver(member, gone[0].id, leader)).toMatchObject({
      data: { fields: { newOwnerId: 'This does not exist or is not available to you' } },
    })
    const offered = async (right: string) => {
      const answer = await leader.get<{ id: string }[]>(`/common/reference/staff?offered=true&holding=${right}`)
      return answer.data.map(({ id }) => id)
    }
    expect(await offered(`${PAGE}:own`)).toEqual([near.id])
    expect(await offered(`${PAGE}:teach`)).toEqual([teacher.id])
    expect(await handOver(member, near.id, leader)).toMatchObject({ code: 0 })
  })

  test('of many at once answers for each', async () => {
    const members = [await owned(), await owned()]
    const next = await colleague({ [PAGE]: OWNS })
    await handOver(members[0] ?? '', next.id)
    const answer = await manager.post(`${PATH}/steps/assignOwner`, {
      ids: members,
      newOwnerId: next.id,
      reason: 'move',
    })
    expect(answer.data).toMatchObject([{ result: 'refused' }, { result: 'done' }])
  })
})

describe('a gift', () => {
  const gift = (by: Caller, id: string, giftKind: string, quantity: number | null, couponId: string | null = null) =>
    by.post(`${PATH}/${id}/gift`, { giftKind, quantity, couponId, reason: 'sorry' })
  const giver = () => person(instance, { grants: { [PAGE]: [...READ, 'gift'] } })

  // To different members: gifts to one member wait for each other anyway.
  test('never passes the monthly cap, however many are given at once', async () => {
    const by = await giver()
    const members = await Promise.all(Array.from({ length: 20 }, owned))
    const answers = await Promise.all(members.map(member => gift(by, member, 'COINS', 300)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(3)
    expect(answers.find(({ code }) => code !== 0)).toMatchObject({
      code: 4005,
      data: { fields: { quantity: expect.stringContaining('1000 a month, 100 left; more needs an application') } },
    })
    const coins = await Promise.all(members.map(async member => (await read(member)).coins))
    expect(coins.reduce((sum, one) => sum + one, 0)).toBe(900)
    expect(await gift(await giver(), members[0] ?? '', 'COINS', 1_000)).toMatchObject({ code: 0 })
  })

  test('counts by kind and by calendar month', async () => {
    const clock = stoppedClock(new Date('2027-03-31T15:59:59Z'))
    const march = await openTestInstance({ clock })
    const by = await person(march, { grants: { [PAGE]: [...READ, 'gift'] } })
    const member = await enrol(march)
    expect(await gift(by, member, 'DAYS', 30)).toMatchObject({ code: 0 })
    expect(await gift(by, member, 'DAYS', 1)).toMatchObject({ code: 4005 })
    expect(await gift(by, member, 'COINS', 5)).toMatchObject({ code: 0 })
    expect(await read(member, by)).toMatchObject({ membershipEndsOn: '2027-04-29', level: 'MEMBER', coins: 5 })
    // In Shanghai this is the first instant of April.
    clock.forward(1_000)
    expect(await gift(by, member, 'DAYS', 30)).toMatchObject({ code: 0 })
  })

  test('of a coupon keeps to the limit per person', async () => {
    const [member, by] = [await owned(), await giver()]
    const { id } = await instance.app.db.query
      .insertInto('coupon')
      .values({
        name: '满减',
        kind: 'CASH',
        amount_fen: 500,
        validity: 'AFTER_TAKING',
        valid_days: 7,
        total: 9,
        per_person: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await gift(by, member, 'COUPON', null)).toMatchObject({
      code: 4005,
      data: { fields: { couponId: expect.any(String) } },
    })
    expect(await gift(by, member, 'COUPON', null, id)).toMatchObject({ code: 0 })
    expect(await gift(by, member, 'COUPON', null, id)).toMatchObject({ code: 4005 })
    const held = await instance.app.db.query
      .selectFrom('member_coupon')
      .select('id')
      .where('member_id', '=', member)
      .execute()
    expect(held).toHaveLength(1)
  })

  test('stands in the ledger with the balance after it, and the sums agree', async () => {
    const [member, by] = [await owned(), await giver()]
    await gift(by, member, 'COINS', 200)
    await gift(by, member, 'COINS', 50)
    const { data } = await seller.get<{ balances: object[]; entries: object[] }>(`${PATH}/${member}/ledger?kind=COINS`)
    expect(data).toMatchObject({
      balances: [{ kind: 'COINS', remaining: 250, frozen: 0 }],
      entries: [
        { delta: 50, balanceAfter: 250, note: 'sorry' },
        { delta: 200, balanceAfter: 200 },
      ],
      total: 2,
    })
    const stranger = await person(instance, { grants: { [PAGE]: READ }, scope: 'SELF' })
    expect(await stranger.get(`${PATH}/${member}/ledger`)).toMatchObject({ code: 4004 })
  })
})

describe('a frozen member', () => {
  const orders = async (memberId: string) =>
    (await instance.app.db.query.selectFrom('sales_order').select('id').where('member_id', '=', memberId).execute())
      .length

  test('cannot order in the console nor in the app, and can again once unfrozen', async () => {
    const member = await owned()
    const { phone } = await stored(member)
    const step = (name: string) => manager.post(`${PATH}/${member}/${name}`, { reason: 'abuse' })
    const place = (id: string) =>
      sendEvent(instance, 'app', {
        id,
        type: 'order.placed',
        data: { phone, product: '字帖', amountFen: 900, source: 'APP' },
      })
    expect(await step('freeze')).toMatchObject({ code: 0 })
    const offline = await takeMoney(member)
    expect(offline).toMatchObject({ code: 4006, msg: expect.stringContaining('is frozen') })
    await place('frozen-1')
    await instance.inbox.sweep()
    expect(await orders(member)).toBe(0)

    expect(await step('unfreeze')).toMatchObject({ code: 0 })
    await place('frozen-2')
    await instance.inbox.sweep()
    expect(await orders(member)).toBe(1)
  })

  test('gets no gift', async () => {
    const member = await owned()
    await manager.post(`${PATH}/${member}/freeze`, { reason: 'abuse' })
    const answer = await manager.post(`${PATH}/${member}/gift`, {
      giftKind: 'COINS',
      quantity: 1,
      couponId: null,
      reason: 'x',
    })
    expect(answer).toMatchObject({ code: 4006 })
    expect(await read(member)).toMatchObject({ coins: 0 })
  })
})

describe('the members of a teacher', () => {
  const listed = async (by: Caller) => {
    const { data } = await by.get<{ records: Member[]; total: number }>(`${PATH}?size=100`)
    return { ids: data.records.map(({ id }) => id), total: data.total }
  }

  test('are those the teacher is bound to, whoever sold to them; whoever leads the teachers sees them too', async () => {
    const teacher = await person(instance, { grants: { [PAGE]: TEACHES }, scope: 'SELF' })
    const { orgId } = teacher
    const head = await person(instance, { grants: { [PAGE]: READ }, scope: 'DEPARTMENT', orgId })
    const colleague = await person(instance, { grants: { [PAGE]: TEACHES }, scope: 'SELF', orgId })
    const [member, other] = [await owned(), await owned()]
    const name = encodeURIComponent((await read(member)).name)
    const everybody = [teacher, head, colleague]
    for (const one of everybody) expect(await listed(one)).toEqual({ ids: [], total: 0 })
    await manager.post(`${PATH}/${member}/bindTeacher`, { teacherId: teacher.id })
    for (const one of [teacher, head]) {
      expect(await listed(one)).toEqual({ ids: [member], total: 1 })
      expect(await one.get(`${PATH}/${member}`)).toMatchObject({ code: 0 })
      expect((await one.get<object[]>(`/common/reference/member?query=${name}`)).data).toHaveLength(1)
      expect(await one.get(`${PATH}/${other}`)).toMatchObject({ code: 4004 })
    }
    expect(await listed(colleague)).toEqual({ ids: [], total: 0 })
    expect((await listed(seller)).ids).toContain(member)
    await manager.post(`${PATH}/${member}/bindTeacher`, { teacherId: colleague.id })
    expect([(await listed(teacher)).total, (await listed(head)).total, (await listed(colleague)).total]).toEqual([
      0, 1, 1,
    ])
    expect(await teacher.get(`${PATH}/${member}`)).toMatchObject({ code: 4004 })
  })
})

describe('what staff note', () => {
  test('tags come and go, a teacher is bound', async () => {
    const member = await owned()
    await manager.post(`${PATH}/${member}/tag`, { addTags: ['QUIET', 'RENEWAL'], removeTags: [] })
    await manager.post(`${PATH}/${member}/tag`, { addTags: ['SIBLING'], removeTags: ['QUIET'] })
    const teacher = await person(instance, { grants: { [PAGE]: TEACHES } })
    await manager.post(`${PATH}/${member}/bindTeacher`, { teacherId: teacher.id })
    expect(await read(member)).toMatchObject({ tags: ['RENEWAL', 'SIBLING'], teacherId: teacher.id })
  })

  test('a follow-up is corrected by whoever noted it, and by nobody else', async () => {
    const member = await owned()
    const note = { followUpKind: 'PHONE', content: 'Will call back', nextAt: '2090-12-01T10:00:00+08:00' }
    await seller.post(`${PATH}/${member}/noteFollowUp`, note)
    const notes = async () => (await manager.get<{ id: string; content: string }[]>(`${PATH}/${member}/follow-up`)).data
    const [noted] = await notes()
    const path = `${PATH}/${member}/follow-up/${noted?.id}`
    expect(await manager.put(path, { ...note, content: 'No' })).toMatchObject({ code: 4006 })
    expect(await notes()).toMatchObject([{ content: 'Will call back', nextAt: expect.stringContaining('2090-12-01') }])
    const past = { ...note, nextAt: '2020-01-01T10:00:00+08:00' }
    expect(await seller.put(path, past)).toMatchObject({ data: { fields: { nextAt: expect.any(String) } } })
    expect(await seller.put(path, { ...note, content: 'Called', nextAt: null })).toMatchObject({ code: 0 })
    expect(await notes()).toMatchObject([{ content: 'Called', nextAt: null }])
  })

  test('open refunds are told with the member', async () => {
    const member = await owned()
    const { orderId } = await buy(instance, member, await offer(instance, [grantOf('COINS', 10)]))
    const asked = refundBody(orderId, 700)
    await manager.post('/orders/refund-application', asked)
    expect(await read(member)).toMatchObject({ risks: { openRefunds: 1, openRefundFen: 700 } })
  })
})

describe('registering in the app', () => {
  const register = async (phone: string, name: string) => {
    await sendEvent(instance, 'app', {
      type: 'member.registered',
      data: { phone, name, guardianName: '王敏', source: 'DOUYIN', channel: 'DOUYIN_LIVE' },
    })
    await instance.inbox.sweep()
  }
  test('adds a member nobody owns yet; a known number changes nothing', async () => {
    const phone = freshPhone()
    await register(`86${phone}`, '王一诺')
    const rows = () => instance.app.db.query.selectFrom('member').selectAll().where('phone', '=', phone).execute()
    const [first] = await rows()
    expect(first).toMatchObject({ name: '王一诺', name_pinyin: 'wangyinuo', owner_id: null, channel: 'DOUYIN_LIVE' })
    await register(phone, '别人')
    expect(await rows()).toEqual([first])
  })
})

test('all of it leaves the books in order', async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})
