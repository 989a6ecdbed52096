import { beforeAll, describe, expect, test } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  caller,
  openTestInstance,
  org,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'
import type { Belonging, OneTime, Staff } from './model.ts'
import { departmentsOn } from './spans.server.ts'

const path = '/organisation/staff'
const SELLS = { 'member-list': ['list', 'detail', 'own', 'teach'], 'order-list': ['list'] }

let instance: TestInstance
let personnel: Caller
let today: string
let productId: string
beforeAll(async () => {
  instance = await openTestInstance()
  today = dayOf(instance.clock.now())
  productId = await offer(instance, [grantOf('COINS', 10)])
  personnel = await person(instance, { grants: { 'org-user': ['list', 'detail', 'leave', 'handOver', 'rejoin'] } })
})

const query = (text: string, values: unknown[] = []) => run(instance.app.db.query, text, values)
const read = async (id: string) => (await personnel.get<Staff>(`${path}/${id}`)).data
const belongings = async (id: string) => (await personnel.get<Belonging[]>(`${path}/${id}/belongings`)).data
const ownersOf = async (memberId: string) =>
  (
    await query(
      `select 'member' as of, owner_id::text as owner, org_id::text as org from member where id = $1
       union all select 'order', owner_id::text, org_id::text from sales_order where member_id = $1 order by 1`,
      [memberId],
    )
  ).map(({ owner, org: at }) => `${owner} ${at}`)

/** Somebody with a member who bought something, a pupil, a position and a department of her own. */
async function seller(options: Parameters<typeof person>[1] = {}) {
  const own = await person(instance, { name: '赵离', grants: SELLS, scope: 'SELF', ...options })
  const memberId = await enrol(instance, { ownerId: own.id, orgId: own.orgId })
  await buy(instance, memberId, productId)
  const pupilId = await enrol(instance)
  await query('update member set teacher_id = $1 where id = $2', [own.id, pupilId])
  return { ...own, memberId, pupilId }
}
const colleague = (options: Parameters<typeof person>[1] = {}) =>
  person(instance, { name: '钱接', grants: SELLS, scope: 'SELF', ...options })

describe('somebody who leaves', () => {
  test('is told to own so much before anything happens, and then owns nothing, and all of it is listed', async () => {
    const [from, to] = [await seller(), await colleague()]
    const told = [
      { what: 'Members', count: 1, moves: true },
      { what: 'Members · Teacher', count: 1, moves: true },
      { what: 'Orders', count: 1, moves: true },
    ]
    expect(await belongings(from.id)).toEqual(told)
    expect(await personnel.post(`${path}/${from.id}/leave`, { successorId: to.id })).toMatchObject({ code: 0 })
    expect(await ownersOf(from.memberId)).toEqual([`${to.id} ${to.orgId}`, `${to.id} ${to.orgId}`])
    expect(await belongings(from.id)).toEqual([])
    expect((await read(from.id)).handovers).toMatchObject([{ to: '钱接', isLeave: true, moved: told }])
    expect((await to.get<{ total: number }>('/members/member')).data.total).toBe(2)
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('is shut out at once, and belongs to the department until the end of this day', async () => {
    const [from, to] = [await seller(), await colleague()]
    await query(`update staff_department set since = '2026-01-10' where staff_id = $1`, [from.id])
    expect(await from.get('/members/member')).toMatchObject({ code: 0 })
    await personnel.post(`${path}/${from.id}/leave`, { successorId: to.id })
    expect(await from.get('/members/member')).toMatchObject({ code: CODES.session })
    expect(await read(from.id)).toMatchObject({ employment: 'LEFT', status: 'DISABLED', leftOn: today, positions: [] })
    const on = async (day: string) => (await departmentsOn(instance.app.db.query, day, [from.id])).get(from.id)
    expect([await on(today), await on(addDays(today, 1))]).toEqual([from.orgId, undefined])
  })

  test('leaves whoever reported to her to her own manager, and a circle cannot come of it', async () => {
    const above = await colleague()
    const from = await seller({ managerId: above.id })
    const to = await colleague({ managerId: from.id })
    await personnel.post(`${path}/${from.id}/leave`, { successorId: to.id })
    expect(await read(to.id)).toMatchObject({ managerId: above.id })
  })

  test('is said to lead a department, and to wait for what she asked for: that does not move', async () => {
    const [from, to] = [await seller(), await colleague()]
    const led = await org(instance)
    await query('update org set manager_id = $1 where id = $2', [from.id, led])
    const stays = [{ what: 'Departments · Manager', count: 1, moves: false }]
    expect((await belongings(from.id)).filter(({ moves }) => !moves)).toEqual(stays)
    await personnel.post(`${path}/${from.id}/leave`, { successorId: to.id })
    expect((await read(from.id)).handovers[0]?.moved).toEqual(expect.arrayContaining(stays))
    expect(await query('select manager_id::text as id from org where id = $1', [led])).toEqual([{ id: from.id }])
  })

  test('comes back where she was, without positions or roles and with the account still shut', async () => {
    const [from, to] = [await seller(), await colleague()]
    await query(`update staff_department set since = '2026-01-10' where staff_id = $1`, [from.id])
    await personnel.post(`${path}/${from.id}/leave`, { successorId: to.id })
    const admin = await person(instance, { superAdmin: true })
    expect(await admin.post(`/system/user/${from.id}/enable`)).toMatchObject({
      msg: expect.stringContaining('has left'),
    })
    expect(await personnel.post(`${path}/${from.id}/rejoin`)).toMatchObject({ code: 0 })
    expect(await read(from.id)).toMatchObject({ employment: 'ACTIVE', status: 'DISABLED', leftOn: null })
    expect(await admin.post(`/system/user/${from.id}/enable`)).toMatchObject({ code: 0 })
    // What the new work needs is given anew, by somebody who may.
    expect(await query('select role_id from staff_role where staff_id = $1', [from.id])).toEqual([])
    const spans = await query('select since::text, until::text from staff_department where staff_id = $1', [from.id])
    expect(spans).toEqual([{ since: '2026-01-10', until: null }])
    expect(await findBroken(instance.app.db, instance.catalogue, name => name.includes('span'))).toEqual([])
  })
})

test('the old password of somebody who comes back opens nothing; the account tells another, which must be changed', async () => {
  const { id, account } = await employ(instance)
  const admin = await person(instance, { superAdmin: true })
  const to = await colleague()
  await personnel.post(`${path}/${id}/leave`, { successorId: to.id })
  await personnel.post(`${path}/${id}/rejoin`)
  await admin.post(`/system/user/${id}/enable`)
  expect(await signIn(instance, account)).toMatchObject({ msg: expect.stringContaining('password is wrong') })
  const { data } = await admin.post<OneTime>(`/system/user/${id}/resetPassword`, { reason: 'back again' })
  const { data: token } = await signIn(instance, account, { password: data.password })
  const back = caller(instance, id, token)
  expect(await back.get('/members/member')).toMatchObject({ status: 403 })
  const change = (password: string) => back.post('/account/settings-password', { oldPassword: data.password, password })
  expect(await change('ink stone 77')).toMatchObject({ code: 0 })
})

describe('whoever takes over', () => {
  test('is somebody else, works here, and is within the reach of whoever decides', async () => {
    const from = await seller()
    const refused = async (successorId: string, by = personnel) =>
      expect(await by.post(`${path}/${from.id}/leave`, { successorId })).toMatchObject({ code: CODES.validation })
    await refused(from.id)
    const gone = await colleague()
    await query(`update staff set status = 'DISABLED' where id = $1`, [gone.id])
    await refused(gone.id)
    const leader = await person(instance, {
      orgId: from.orgId,
      scope: 'DEPARTMENT',
      grants: { 'org-user': ['list', 'detail', 'leave'] },
    })
    await refused((await colleague()).id, leader)
    const near = await colleague({ orgId: from.orgId })
    expect(await leader.post(`${path}/${from.id}/leave`, { successorId: near.id })).toMatchObject({ code: 0 })
  })

  test('may own members: where an area refuses its part, nothing has moved and nobody has left', async () => {
    const from = await seller()
    const clerk = await person(instance, { name: '孙不卖', grants: { 'order-list': ['list'] } })
    const before = await ownersOf(from.memberId)
    expect(await personnel.post(`${path}/${from.id}/leave`, { successorId: clerk.id })).toMatchObject({
      code: CODES.validation,
      msg: expect.stringContaining('孙不卖 may not own members'),
    })
    // Owns, but teaches nobody: the members had moved already when the pupils were refused.
    const owner = await person(instance, { grants: { 'member-list': ['list', 'own'] } })
    expect(await personnel.post(`${path}/${from.id}/leave`, { successorId: owner.id })).toMatchObject({
      msg: expect.stringContaining('may not teach'),
    })
    expect(await ownersOf(from.memberId)).toEqual(before)
    expect(await read(from.id)).toMatchObject({ employment: 'ACTIVE', status: 'ENABLED', handovers: [] })
    expect(await from.get('/members/member')).toMatchObject({ code: 0 })
  })
})

test('work is handed over without leaving, and the colleague stays signed in', async () => {
  const [from, to] = [await seller(), await colleague()]
  expect(await personnel.post(`${path}/${from.id}/handOver`, { successorId: to.id })).toMatchObject({ code: 0 })
  expect(await ownersOf(from.memberId)).toEqual([`${to.id} ${to.orgId}`, `${to.id} ${to.orgId}`])
  expect(await from.get<{ total: number }>('/members/member')).toMatchObject({ code: 0, data: { total: 0 } })
  expect(await read(from.id)).toMatchObject({ employment: 'ACTIVE', handovers: [{ isLeave: false }] })
})

test('what a member went through tells of the hand-over', async () => {
  const [from, to] = [await seller(), await colleague()]
  await personnel.post(`${path}/${from.id}/handOver`, { successorId: to.id })
  const lines = await query(
    `select action, diff from operation_log where page = 'member-list' and record_id = $1 order by id`,
    [from.memberId],
  )
  expect(lines).toMatchObject([{ action: 'assignOwner', diff: { ownerId: [from.id, to.id] } }])
})
