import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Caller,
  caller,
  openTestInstance,
  org,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { employ, PASSWORD, signIn } from '../../../../tools/testing/sign-in.ts'
import { dayOf } from '../../../kit/model/time.ts'
import { endSpentSessions } from '../../../kit/server/start/housekeeping.ts'
import type { Staff } from '../../organisation/staff/model.ts'
import type { OfferedRole, OneTime, User } from './model.ts'

const PATH = '/system/user'
const MANAGES = {
  'iam-user': [
    'list',
    'detail',
    'create',
    'resetPassword',
    'assignRoles',
    'unlock',
    'enable',
    'disable',
    'forceLogout',
  ],
}
const REASON = { reason: 'asked for by phone' }

let instance: TestInstance
let admin: Caller
let positionId: string
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
  admin = await person(instance, { superAdmin: true })
  positionId = await addPosition('U-1')
})

const addPosition = async (code: string, status = 'ENABLED') => {
  const position = { name: code, code, status } as { name: string; code: string; status: 'ENABLED' }
  const { id } = await instance.app.db.query
    .insertInto('job_position')
    .values(position)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const newcomer = async (more: object) => ({
  ...{ name: '王熙凤', orgId: await org(instance), positionId, phone: null, roleIds: [] },
  ...more,
})

const roleOf = async ({ role }: { role: string }) =>
  (await instance.app.db.query.selectFrom('role').select('id').where('code', '=', role).executeTakeFirstOrThrow()).id
const userOf = async (id: string, by = admin) => (await by.get<User>(`${PATH}/${id}`)).data
const linesOf = (recordId: string) =>
  instance.app.db.query
    .selectFrom('operation_log')
    .select(['action', 'diff', 'reason'])
    .where('page', '=', 'iam-user')
    .where('record_id', '=', recordId)
    .orderBy('id')
    .execute()
const assign = (by: Caller, id: string, roleIds: string[]) => by.post(`${PATH}/${id}/assignRoles`, { roleIds })

describe('a new user', () => {
  test('gets a password that is told once, kept nowhere, and opens nothing but the change of it', async () => {
    const role = await roleOf(await person(instance, { grants: { 'iam-user': ['list'] } }))
    const body = await newcomer({ account: 'Jia.Baoyu', name: '贾宝玉', roleIds: [role] })
    const { code, data } = await admin.post<OneTime>(PATH, body)
    expect({ code, account: data.account }).toEqual({ code: 0, account: 'jia.baoyu' })
    const { data: token } = await signIn(instance, 'jia.baoyu', { password: data.password })
    const first = caller(instance, data.id, token)
    expect(await first.get(PATH)).toMatchObject({ status: 403 })
    const { rows } = await instance.app.db.read.pool.query(
      `select t::text as row from operation_log t union all select t::text from idempotency t union all select t::text from staff t`,
    )
    expect([...rows.map(({ row }) => row), ...instance.logged].filter(line => line.includes(data.password))).toEqual([])
    expect(
      await first.post('/account/settings-password', { oldPassword: data.password, password: 'ink stone 77' }),
    ).toMatchObject({ code: 0 })
    expect(await first.get(PATH)).toMatchObject({ code: 0 })
    expect(await linesOf(data.id)).toMatchObject([{ action: 'create', diff: { account: [null, 'jia.baoyu'] } }])
  })

  test('is refused beside the field whose account is taken, or whose department there is not', async () => {
    const body = await newcomer({ account: 'wang.xifeng' })
    expect(await admin.post(PATH, body)).toMatchObject({ code: 0 })
    expect(await admin.post(PATH, body)).toMatchObject({
      data: { fields: { account: expect.stringContaining('already exists') } },
    })
    expect(await admin.post(PATH, { ...body, account: 'other', orgId: '999999' })).toMatchObject({
      data: { fields: { orgId: expect.any(String) } },
    })
  })

  test('has one position, the primary one, from the first day on, and the staff record says so', async () => {
    const { data } = await admin.post<OneTime>(PATH, await newcomer({ account: 'shi.xiangyun' }))
    const { data: staff } = await admin.get<Staff>(`/organisation/staff/${data.id}`)
    expect(staff).toMatchObject({ positionId, positions: [{ positionId, isPrimary: true }] })
    const today = dayOf(instance.clock.now())
    expect(staff.spans).toMatchObject([
      { kind: 'DEPARTMENT', since: today, until: null },
      { kind: 'POSITION', name: 'U-1', isPrimary: true, since: today, until: null },
    ])
    expect(await userOf(data.id)).toMatchObject({ positionId })
    const closed = await addPosition('U-2', 'DISABLED')
    for (const wrong of [closed, '999999'])
      expect(await admin.post(PATH, await newcomer({ account: 'nobody', positionId: wrong }))).toMatchObject({
        data: { fields: { positionId: expect.any(String) } },
      })
  })

  test('has the phone of the staff record: read as people type it, shown masked, refused where it is none', async () => {
    const { data } = await admin.post<OneTime>(
      PATH,
      await newcomer({ account: 'qin.keqing', phone: '+86 138-0013-8000' }),
    )
    const staff = await instance.app.db.query.selectFrom('staff').select('phone').where('id', '=', data.id).execute()
    expect(staff).toEqual([{ phone: '13800138000' }])
    expect(await userOf(data.id)).toMatchObject({ phone: '138****8000' })
    const [line] = await linesOf(data.id)
    expect(JSON.stringify(line)).not.toContain('13800138000')
    expect(await admin.post(PATH, await newcomer({ account: 'nobody', phone: '1380013' }))).toMatchObject({
      data: { fields: { phone: expect.any(String) } },
    })
  })
})

describe('roles', () => {
  test('are in force at the next call, and the timeline names them', async () => {
    const somebody = await person(instance)
    const lister = await person(instance, { grants: { 'iam-user': ['list'] } })
    expect(await somebody.get(PATH)).toMatchObject({ status: 403 })
    expect(await assign(admin, somebody.id, [await roleOf(lister)])).toMatchObject({ code: 0 })
    expect(await somebody.get(PATH)).toMatchObject({ code: 0 })
    expect(await userOf(somebody.id)).toMatchObject({ roleNames: [lister.role], roles: [{ code: lister.role }] })
    expect(await linesOf(somebody.id)).toMatchObject([
      { action: 'assignRoles', diff: { roleNames: [[somebody.role], [lister.role]] } },
    ])
  })

  test('that hold a right their giver does not hold are refused beside the field, and change nothing', async () => {
    const giver = await person(instance, { grants: MANAGES })
    const somebody = await person(instance, { orgId: giver.orgId })
    const wider = await person(instance, { grants: { dictionary: ['list'] } })
    const refused = await assign(giver, somebody.id, [await roleOf(wider)])
    expect(refused).toMatchObject({
      code: 4005,
      data: { fields: { roleIds: expect.stringContaining('Dictionary') } },
    })
    expect(await userOf(somebody.id)).toMatchObject({ roleNames: [somebody.role] })
    const { data: offered } = await giver.get<OfferedRole[]>(`${PATH}/roles`)
    const closed = await Promise.all([roleOf(wider), roleOf({ role: 'SUPER_ADMIN' })])
    expect(offered.filter(({ id }) => closed.includes(id)).every(({ why }) => why !== null)).toBe(true)
    expect(offered.find(({ name }) => name === giver.role)).toMatchObject({ why: null })
  })

  test('that reach records out of their giver’s sight are refused', async () => {
    const giver = await person(instance, { grants: MANAGES, scope: 'DEPARTMENT' })
    const [here, elsewhere] = [await person(instance, { orgId: giver.orgId }), await person(instance)]
    const own = await roleOf(await person(instance, { grants: { 'iam-user': ['list'] }, scope: 'SELF' }))
    const all = await roleOf(await person(instance, { grants: { 'iam-user': ['list'] }, scope: 'ALL' }))
    const reaches = { code: 4005, data: { fields: { roleIds: expect.stringContaining('data scope') } } }
    expect(await assign(giver, here.id, [await roleOf(here), all])).toMatchObject(reaches)
    expect(await assign(giver, elsewhere.id, [await roleOf(elsewhere), own])).toMatchObject(reaches)
    expect(await assign(giver, here.id, [await roleOf(here), own])).toMatchObject({ code: 0 })
  })

  test('what somebody holds already may stay, whoever gives more, and may be taken', async () => {
    const giver = await person(instance, { grants: MANAGES })
    const strong = await person(instance, { grants: { dictionary: ['list'] } })
    const lister = await roleOf(await person(instance, { grants: { 'iam-user': ['list'] } }))
    expect(await assign(giver, strong.id, [await roleOf(strong), lister])).toMatchObject({ code: 0 })
    expect(await assign(giver, strong.id, [])).toMatchObject({ code: 0 })
  })

  test('whose code lets people copy text are given by those alone who may copy it, and nobody else resets their passwords', async () => {
    const giver = await person(instance, { grants: MANAGES })
    const copier = await person(instance, { grants: MANAGES })
    const somebody = await person(instance, { orgId: giver.orgId })
    const role = `${copier.role}_COPY`
    await instance.app.db.query.updateTable('role').set({ code: role }).where('code', '=', copier.role).execute()
    const roleId = await roleOf({ role })
    expect(await assign(giver, somebody.id, [roleId])).toMatchObject({
      code: 4005,
      data: { fields: { roleIds: `Whoever holds "${copier.role}" may copy text on pages, which you may not` } },
    })
    const { data: offered } = await giver.get<OfferedRole[]>(`${PATH}/roles`)
    expect(offered.find(({ id }) => id === roleId)?.why).toContain('copy text')
    expect(await giver.post(`${PATH}/${copier.id}/resetPassword`, REASON)).toMatchObject({ code: 4006 })
    expect(await assign(copier, somebody.id, [roleId])).toMatchObject({ code: 0 })
    expect(await assign(giver, somebody.id, [roleId, await roleOf(giver)])).toMatchObject({ code: 0 })
  })

  test('of one’s own, and one’s own status and password, are changed by nobody', async () => {
    expect(await assign(admin, admin.id, [])).toMatchObject({ code: 4006 })
    expect(await admin.post(`${PATH}/${admin.id}/disable`, REASON)).toMatchObject({ code: 4006 })
    expect(await admin.post(`${PATH}/${admin.id}/resetPassword`, REASON)).toMatchObject({ code: 4006 })
    expect(await admin.get('/auth/userInfo')).toMatchObject({ code: 0 })
  })
})

describe('a super administrator', () => {
  test('is touched by nobody lesser', async () => {
    const lesser = await person(instance, { grants: MANAGES })
    const roleIds = [await roleOf(lesser)]
    const answers = await Promise.all([
      lesser.post(`${PATH}/${admin.id}/resetPassword`, REASON),
      lesser.post(`${PATH}/${admin.id}/disable`, REASON),
      lesser.post(`${PATH}/${admin.id}/forceLogout`),
      assign(lesser, admin.id, roleIds),
    ])
    expect(answers.map(({ code }) => code)).toEqual([4006, 4006, 4006, 4006])
    expect(await admin.get('/auth/userInfo')).toMatchObject({ code: 0 })
  })
})

describe('an account that was shut', () => {
  test('by too many wrong passwords shows until when, and opens when it is unlocked', async () => {
    const { id, account } = await employ(instance)
    for (let turn = 0; turn < 6; turn += 1)
      await signIn(instance, account, { password: 'wrong', address: '203.0.113.9' })
    const { accountState, lockedUntil } = await userOf(id)
    expect(accountState).toBe('LOCKED')
    expect(Date.parse(lockedUntil ?? '') - instance.clock.now().getTime()).toBe(15 * 60_000)
    expect(await signIn(instance, account)).toMatchObject({ status: 429 })
    expect(await admin.post(`${PATH}/${id}/unlock`)).toMatchObject({ code: 0 })
    expect(await userOf(id)).toMatchObject({ accountState: 'ENABLED', lockedUntil: null })
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
    const { openSessions, lastLoginAt } = await userOf(id)
    expect({ openSessions, at: new Date(lastLoginAt ?? '') }).toEqual({ openSessions: 1, at: instance.clock.now() })
  })

  test('for guessing from an open session is not opened from it, so that nobody goes on guessing there', async () => {
    const me = await person(instance, { grants: { 'iam-user': ['list', 'unlock'] } })
    const guess = () =>
      me.post('/account/settings-password', { oldPassword: 'wrong', password: 'Zehn Pinsel, 4 Tuschen' })
    for (let turn = 0; turn < 6; turn += 1) await guess()
    expect(await guess()).toMatchObject({ status: 429 })
    expect((await userOf(me.id)).accountState).toBe('LOCKED')
    expect(await me.post(`${PATH}/${me.id}/unlock`)).toMatchObject({ code: 4006 })
    const many = await me.post<{ result: string }[]>(`${PATH}/steps/unlock`, { ids: [me.id] })
    expect(many.data.map(({ result }) => result)).toEqual(['refused'])
    expect(await guess()).toMatchObject({ status: 429 })
  })

  test('is given nothing that grows beyond its giver by what the person holds already', async () => {
    const orders = (actions: string[], scope?: 'SELF') =>
      person(instance, { grants: { 'order-list': actions }, ...(scope ? { scope } : {}) })
    const far = await roleOf(await orders(['list']))
    const lister = await person(instance, { grants: { ...MANAGES, 'order-list': ['list'] } })
    const selling = await orders(['list', 'create'], 'SELF')
    const both = [await roleOf(selling), far]
    expect(await assign(lister, selling.id, both)).toMatchObject({ code: 4005 })
    expect(await assign(admin, selling.id, both)).toMatchObject({ code: 0 })
  })

  test('is not lifted by a role that is filled after it was given, further than whoever fills it reaches', async () => {
    const [leaf, other] = [await org(instance), await org(instance)]
    const grants = { 'order-list': ['list'], 'iam-role': ['list', 'detail', 'create', 'update'], ...MANAGES }
    const maker = await person(instance, { grants, scope: 'DEPARTMENT', orgId: leaf })
    const empty = { copyOf: null, name: 'Empty', code: 'EMPTY_ROLE', note: '', scope: 'DEPARTMENT', orgIds: [] }
    const made = await maker.post<{ id: string }>('/system/role', { ...empty, permissions: [] })
    expect(made.code).toBe(0)
    const { id } = made.data
    for (const [account, orgId] of [
      ['near.by', leaf],
      ['far.off', other],
    ] as const)
      expect(
        await maker.post(PATH, { account, name: account, orgId, positionId, phone: null, roleIds: [id] }),
      ).toMatchObject({
        code: 0,
      })
    const { data } = await maker.get<{ version: number }>(`/system/role/${id}`)
    const { code: _code, copyOf: _copyOf, ...edited } = empty
    const filled = { ...edited, permissions: ['order-list', 'order-list:list'], version: data.version }
    const refused = await maker.put(`/system/role/${id}`, filled)
    expect(refused).toMatchObject({ code: 4005, msg: expect.stringContaining('far.off') })
    expect(await admin.put(`/system/role/${id}`, filled)).toMatchObject({ code: 0 })
  })

  test('is not reset by somebody who could do more by it than by his own', async () => {
    const lesser = await person(instance, { grants: MANAGES })
    const finance = await person(instance, { grants: { 'order-refundApply': ['list', 'pay'] } })
    const refused = await lesser.post(`${PATH}/${finance.id}/resetPassword`, REASON)
    expect(refused).toMatchObject({ code: 4006, msg: expect.stringContaining('includes a permission you do not have') })
    expect((await userOf(finance.id)).mustChange).toBe(false)
    const equal = await person(instance, { grants: { 'iam-user': ['list'] } })
    expect(await lesser.post(`${PATH}/${equal.id}/resetPassword`, REASON)).toMatchObject({ code: 0 })
  })

  test('by a reset opens with the new password alone, and is no longer locked', async () => {
    const { id, account } = await employ(instance)
    const { data: token } = await signIn(instance, account)
    const { data } = await admin.post<OneTime>(`${PATH}/${id}/resetPassword`, REASON)
    expect(await caller(instance, id, token).get('/auth/userInfo')).toMatchObject({ code: 4001 })
    expect(await signIn(instance, account)).toMatchObject({ code: 4006 })
    expect(await signIn(instance, account, { password: data.password })).toMatchObject({ code: 0 })
    expect(await linesOf(id)).toMatchObject([
      { action: 'resetPassword', reason: REASON.reason, diff: { mustChange: [false, true] } },
    ])
  })

  test('many are disabled at once with a result for each, and enabled again', async () => {
    const [one, two] = [await employ(instance), await employ(instance)]
    const ids = [one.id, two.id, admin.id]
    const { data } = await admin.post<{ result: string }[]>(`${PATH}/steps/disable`, { ids, ...REASON })
    expect(data.map(({ result }) => result)).toEqual(['done', 'done', 'refused'])
    expect(await signIn(instance, one.account)).toMatchObject({ code: 4006 })
    expect(await admin.post(`${PATH}/${one.id}/enable`)).toMatchObject({ code: 0 })
    expect(await signIn(instance, one.account, { password: PASSWORD })).toMatchObject({ code: 0 })
  })
})

describe('sessions', () => {
  test('one of several is ended, and the others go on', async () => {
    const { id, account } = await employ(instance)
    const [first, second] = [await signIn(instance, account), await signIn(instance, account)]
    const [newest] = (await userOf(id)).sessions
    expect(await admin.post(`${PATH}/${id}/sessions/${newest?.id}/end`)).toMatchObject({ code: 0 })
    expect(await caller(instance, id, second.data).get('/auth/userInfo')).toMatchObject({ code: 4001 })
    expect(await caller(instance, id, first.data).get('/auth/userInfo')).toMatchObject({ code: 0 })
    expect(await userOf(id)).toMatchObject({ openSessions: 1 })
    expect(await admin.post(`${PATH}/${admin.id}/sessions/${newest?.id}/end`)).toMatchObject({ code: 4006 })
  })

  test('those whose seven days are over are counted no longer', async () => {
    const other = await openTestInstance({ env: { CAPTCHA: 'off' } })
    const { id, account } = await employ(other)
    await signIn(other, account)
    other.clock.forward(8 * 86_400_000)
    await other.app.db.write(tx => endSpentSessions(tx, other.app, other.clock.now()))
    const staff = await other.app.db.query
      .selectFrom('staff')
      .select('open_sessions')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(staff).toEqual({ open_sessions: 0 })
  })
})
