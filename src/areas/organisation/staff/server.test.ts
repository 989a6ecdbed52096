import { beforeAll, describe, expect, test } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, org, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { signIn } from '../../../../tools/testing/sign-in.ts'
import type { OneTime, Staff } from './model.ts'
import { departmentsOn, peopleOn } from './spans.server.ts'

const path = '/organisation/staff'
const ACTIONS = ['list', 'detail', 'create', 'update', 'reveal', 'export']

let instance: TestInstance
let personnel: Caller
let position: string
let other: string
let today: string
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
  today = dayOf(instance.clock.now())
  personnel = await person(instance, { grants: { 'org-user': ACTIONS } })
  ;[position, other] = [await addPosition('A-1'), await addPosition('A-2')]
})

const query = (text: string, values: unknown[] = []) => run(instance.app.db.query, text, values)
const addPosition = async (code: string) =>
  String((await query('insert into job_position (name, code) values ($1, $1) returning id', [code]))[0]?.id)
const body = (more: object = {}) => ({
  account: null,
  name: '林小满',
  gender: 'F',
  orgId: '',
  managerId: null,
  phone: null,
  email: null,
  birthday: null,
  positions: [{ positionId: position, isPrimary: true }],
  ...more,
})
const add = async (more: object = {}) =>
  personnel.post<OneTime>(path, body({ orgId: (more as { orgId?: string }).orgId ?? (await org(instance)), ...more }))
const read = async (id: string, by = personnel) => (await by.get<Staff>(`${path}/${id}`)).data
async function edit(id: string, more: object, by = personnel) {
  const { name, gender, orgId, managerId, email, birthday, positions, version } = await read(id)
  const now = { name, gender, orgId, managerId, email, birthday, positions, version }
  return by.put(`${path}/${id}`, { ...now, ...more })
}

describe('somebody who begins', () => {
  test('gets an account made of the name, and a password that is told once and opens nothing but its change', async () => {
    const first = (await add({ name: '林小满' })).data
    const second = (await add({ name: '林小满' })).data
    expect([first.account, second.account]).toEqual(['linxiaoman', 'linxiaoman2'])
    const { data: token } = await signIn(instance, first.account, { password: first.password })
    expect(token).toBeTruthy()
    expect(await read(first.id)).toMatchObject({ name: '林小满', staffNo: `S${first.id.padStart(5, '0')}` })
    expect(
      JSON.stringify(await query('select diff from operation_log where record_id = $1', [first.id])),
    ).not.toContain(first.password)
  })

  test('is found by the spelling of the name, and the phone is shown masked', async () => {
    const { id } = (await add({ name: '欧阳修远', phone: '138 0013 8001' })).data
    const { data } = await personnel.get<{ records: Staff[] }>(`${path}?query=ouyang`)
    expect(data.records).toMatchObject([{ id, phone: '138****8001' }])
  })

  test('has exactly one primary position', async () => {
    expect(await add({ positions: [] })).toMatchObject({ code: CODES.validation })
    const both = [
      { positionId: position, isPrimary: true },
      { positionId: other, isPrimary: true },
    ]
    expect(await add({ positions: both })).toMatchObject({ msg: expect.stringContaining('Exactly one') })
  })

  test('begins only in a department that whoever hires sees', async () => {
    const leader = await person(instance, { grants: { 'org-user': ACTIONS }, scope: 'DEPARTMENT' })
    expect(await leader.post(path, body({ orgId: leader.orgId }))).toMatchObject({ code: 0 })
    expect(await leader.post(path, body({ orgId: await org(instance) }))).toMatchObject({
      code: CODES.validation,
      msg: expect.stringContaining('outside your data scope'),
    })
  })
})

describe('the positions of somebody', () => {
  test('one becomes the primary one when two people choose another at once', async () => {
    const { id } = (await add()).data
    const third = await addPosition(`T-${id}`)
    const chosen = (primary: string) =>
      [position, other, third].map(positionId => ({ positionId, isPrimary: positionId === primary }))
    const { version } = await read(id)
    const { positions: _, ...now } = body({ orgId: (await read(id)).orgId })
    const { account: __, phone: ___, ...fields } = now
    const answers = await Promise.all(
      [other, third].map(primary => personnel.put(`${path}/${id}`, { ...fields, version, positions: chosen(primary) })),
    )
    expect(answers.map(({ code }) => code).toSorted()).toEqual([0, CODES.conflict].toSorted())
    expect((await read(id)).positions.filter(({ isPrimary }) => isPrimary)).toHaveLength(1)
    expect(await findBroken(instance.app.db, instance.catalogue, name => name.includes('primary one'))).toEqual([])
  })

  test('what is disabled stays with whoever holds it and goes to nobody else', async () => {
    const { id } = (await add()).data
    const gone = await addPosition(`G-${id}`)
    const two = [
      { positionId: position, isPrimary: true },
      { positionId: gone, isPrimary: false },
    ]
    expect(await edit(id, { positions: two })).toMatchObject({ code: 0 })
    await query(`update job_position set status = 'DISABLED' where id = $1`, [gone])
    expect(await edit(id, { name: '林满' })).toMatchObject({ code: 0 })
    expect(await add({ positions: two })).toMatchObject({ msg: expect.stringContaining('disabled') })
  })
})

describe('who belonged where', () => {
  test('is known of any day: the day of a move is the new department’s', async () => {
    const [from, to] = [await org(instance), await org(instance)]
    const { id } = (await add({ orgId: from })).data
    await query(`update staff_department set since = '2026-01-10' where staff_id = $1`, [id])
    await query(`update staff_position set since = '2026-01-10' where staff_id = $1`, [id])
    expect(await edit(id, { orgId: to, positions: [{ positionId: other, isPrimary: true }] })).toMatchObject({
      code: 0,
    })
    const on = async (day: string) => (await departmentsOn(instance.app.db.query, day, [id])).get(id)
    expect([await on('2026-01-09'), await on('2026-01-10'), await on(addDays(today, -1))]).toEqual([
      undefined,
      from,
      from,
    ])
    expect([await on(today), await on(addDays(today, 30))]).toEqual([to, to])
    expect(await peopleOn(instance.app.db.query, '2026-06-01', [from])).toEqual([id])
    expect(await peopleOn(instance.app.db.query, today, [from])).toEqual([])
    expect((await read(id)).spans.map(({ kind, since, until }) => [kind, since, until])).toEqual([
      ['DEPARTMENT', today, null],
      ['POSITION', today, null],
      ['DEPARTMENT', '2026-01-10', today],
      ['POSITION', '2026-01-10', today],
    ])
  })

  test('what was changed twice on one day was only the last of it, and going back leaves no trace', async () => {
    const [from, to] = [await org(instance), await org(instance)]
    const { id } = (await add({ orgId: from })).data
    await query(`update staff_department set since = '2026-01-10' where staff_id = $1`, [id])
    await edit(id, { orgId: to })
    await edit(id, { orgId: from })
    const spans = await query('select since::text, until::text from staff_department where staff_id = $1', [id])
    expect(spans).toEqual([{ since: '2026-01-10', until: null }])
  })

  test('the database refuses that somebody belongs to two departments on one day', async () => {
    const { id } = (await add()).data
    const span = 'insert into staff_department (staff_id, org_id, since, until) values ($1, $2, $3, $4)'
    await query(span, [id, await org(instance), '2025-01-01', '2025-02-01'])
    await query(span, [id, await org(instance), '2025-02-01', '2025-03-01'])
    await expect(query(span, [id, await org(instance), '2025-02-28', '2025-04-01'])).rejects.toThrow(
      'staff_department_one',
    )
    await expect(query(span, [id, await org(instance), '2025-06-01', '2025-06-01'])).rejects.toThrow('lasts')
  })
})

describe('somebody who works elsewhere from now on', () => {
  test('sees, and is seen, by the new department within a second, with all that is his', async () => {
    const [from, to] = [await org(instance), await org(instance)]
    const grants = { 'member-list': ['list', 'own'], 'order-list': ['list'], 'org-user': ['list'] }
    const seller = await person(instance, { scope: 'DEPARTMENT', grants, orgId: from })
    const [before, after] = [
      await person(instance, { scope: 'DEPARTMENT', grants, orgId: from }),
      await person(instance, { scope: 'DEPARTMENT', grants, orgId: to }),
    ]
    const memberId = await enrol(instance, { ownerId: seller.id, orgId: from })
    await buy(instance, memberId, await offer(instance, [grantOf('COINS', 10)]))
    await enrol(instance, { ownerId: after.id, orgId: to })
    const seen = async (who: Caller) =>
      Promise.all(
        ['/members/member', '/orders/order'].map(
          async list => (await who.get<{ records: unknown[] }>(list)).data.records.length,
        ),
      )
    expect([await seen(seller), await seen(before), await seen(after)]).toEqual([
      [1, 1],
      [1, 1],
      [1, 0],
    ])
    await query(`update staff_department set since = '2026-01-10' where staff_id = $1`, [seller.id])
    const positions = [{ positionId: position, isPrimary: true }]
    expect(await edit(seller.id, { orgId: to, positions })).toMatchObject({ code: 0 })
    await expect
      .poll(async () => [await seen(seller), await seen(before), await seen(after)], { timeout: 1_000 })
      .toEqual([
        [2, 1],
        [0, 0],
        [2, 1],
      ])
    expect(await findBroken(instance.app.db, instance.catalogue, name => name.includes("member's owner"))).toEqual([])
  })
})

describe('who reports to whom', () => {
  test('nobody reports to themselves, nor to somebody who reports to them, not even by two changes at once', async () => {
    const [first, second] = [(await add({ name: '甲方' })).data.id, (await add({ name: '乙方' })).data.id]
    expect(await edit(first, { managerId: first })).toMatchObject({ code: CODES.validation })
    expect(await edit(first, { managerId: second })).toMatchObject({ code: 0 })
    expect(await edit(second, { managerId: first })).toMatchObject({ msg: expect.stringContaining('reports to') })
    await edit(first, { managerId: null })
    const answers = await Promise.all([edit(first, { managerId: second }), edit(second, { managerId: first })])
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })
})

describe('whom somebody sees', () => {
  test('people of the departments of the role, and no others, in list and detail', async () => {
    const leader = await person(instance, { scope: 'DEPARTMENT', grants: { 'org-user': ['list', 'detail', 'update'] } })
    const stranger = (await add()).data.id
    const { data } = await leader.get<{ records: Staff[] }>(path)
    expect(data.records.map(({ id }) => id)).toEqual([leader.id])
    expect(await leader.get(`${path}/${stranger}`)).toMatchObject({ code: CODES['not-found'] })
    expect(await leader.get(`${path}/${stranger}/belongings`)).toMatchObject({ code: CODES['not-found'] })
    expect(await edit(stranger, { name: '改名' }, leader)).toMatchObject({ code: CODES['not-found'] })
  })
})

test('whoever sees the records of his people does not choose his people', async () => {
  const chief = await person(instance, { grants: { 'org-user': ACTIONS } })
  const leading = await person(instance, { grants: { 'order-list': ['list'] }, scope: 'SELF_AND_SUBORDINATES' })
  await query('insert into staff_role (staff_id, role_id) select $1, role_id from staff_role where staff_id = $2', [
    chief.id,
    leading.id,
  ])
  await instance.app.db.write(tx => instance.app.sessions.changed(tx))
  const { id } = (await add()).data
  expect(await edit(id, { managerId: chief.id }, chief)).toMatchObject({
    code: CODES.rule,
    msg: expect.stringContaining('see or do more than now'),
  })
  expect(await edit(id, { managerId: chief.id })).toMatchObject({ code: 0 })
  expect(await edit(id, { managerId: null }, chief)).toMatchObject({ code: 0 })
})

test('whoever sees the records of a department does not draw people into it from elsewhere', async () => {
  const chief = await person(instance, { grants: { 'org-user': ACTIONS } })
  const near = { orgId: chief.orgId, scope: 'DEPARTMENT' } as const
  const leading = await person(instance, { grants: { 'order-list': ['list'] }, ...near })
  await query('insert into staff_role (staff_id, role_id) select $1, role_id from staff_role where staff_id = $2', [
    chief.id,
    leading.id,
  ])
  await instance.app.db.write(tx => instance.app.sessions.changed(tx))
  const { id } = (await add({ orgId: await org(instance) })).data
  const refused = { code: CODES.rule, msg: expect.stringContaining('see or do more than now') }
  expect(await edit(id, { orgId: chief.orgId }, chief)).toMatchObject(refused)
  expect(await edit(id, { orgId: chief.orgId })).toMatchObject({ code: 0 })
  expect(await edit(id, { orgId: await org(instance) }, chief)).toMatchObject({ code: 0 })
})
