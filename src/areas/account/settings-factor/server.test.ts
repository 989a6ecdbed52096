import { beforeAll, describe, expect, test } from 'vitest'
import { squaresOf } from '#engines/copybook/code.server.ts'
import { caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, PASSWORD, signIn } from '../../../../tools/testing/sign-in.ts'
import { codeAt } from '../../../kit/server/access/totp.ts'
import { grantRole, revokeRole } from '../../../kit/server/auth/access.ts'
import type { BegunFactor, FactorState, RecoveryCodes } from './model.ts'

const PATH = '/account/settings-factor'
const STEP_MS = 30_000

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
})

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** What the telephone does with what it was shown. */
const device = (secret: string) => {
  const bits = [...secret].map(sign => BASE32.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map(eight => Number.parseInt(eight, 2)))
  return () => codeAt(bytes, instance.clock.now())
}
const demandingRole = async () =>
  (
    await instance.app.db.query
      .insertInto('role')
      .values({ code: `R${Math.random()}`, name: 'Cashiers', scope: 'SELF', second_factor: 'REQUIRED' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

const enrolled = async (roleId?: string) => {
  const { id, account } = await employ(instance, roleId ? { roleId } : {})
  const me = caller(instance, id, (await signIn(instance, account)).data)
  const begun = await me.post<BegunFactor>(`${PATH}/begin`, roleId ? {} : { password: PASSWORD })
  const now = device(begun.data.secret)
  const { data } = await me.post<RecoveryCodes>(`${PATH}/confirm`, { code: now() })
  instance.clock.forward(STEP_MS)
  return { id, account, me, now, codes: data.codes }
}
const ticketFor = async (account: string) =>
  ((await signIn(instance, account)).data as unknown as { current: { ticket: string } }).current.ticket
const enter = (ticket: string, code: string) => caller(instance).post<string>('/auth/2step-code', { ticket, code })
const resultsOf = async (staffId: string) =>
  (
    await instance.app.db.query
      .selectFrom('login_trace')
      .select('result')
      .where('staff_id', '=', staffId)
      .orderBy('id')
      .execute()
  ).map(({ result }) => result)

describe('signing in with a second factor', () => {
  test('asks for a code after the password, and the answer to both is the token', async () => {
    const { id, account, now } = await enrolled()
    expect(await signIn(instance, account)).toMatchObject({
      status: 200,
      code: 4007,
      msg: 'One more step: Enter the 6-digit code of your authenticator app',
      data: { current: { ticket: expect.any(String) } },
      result: { isLogin: true },
    })
    const ticket = await ticketFor(account)
    expect(await caller(instance, id, ticket).get('/auth/userInfo')).toMatchObject({ code: 4001 })
    const { data: token } = await enter(ticket, now())
    expect(await caller(instance, id, token).get('/auth/userInfo')).toMatchObject({ code: 0 })
    expect(await resultsOf(id)).toEqual(['SUCCESS', 'SECOND_STEP', 'SECOND_STEP', 'SUCCESS'])
  })

  test('a code that was used, and one used twice at the same moment, opens once', async () => {
    const { account, now } = await enrolled()
    const ticket = await ticketFor(account)
    const answers = await Promise.all([enter(ticket, now()), enter(ticket, now())])
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 4005])
    expect(await enter(ticket, now())).toMatchObject({
      code: 4005,
      data: { fields: { code: 'The code is wrong or was already used' } },
    })
  })

  test('a recovery code opens once, however it is typed, and it is logged', async () => {
    const { id, account, codes } = await enrolled()
    expect(codes).toHaveLength(10)
    const [first = '', second = ''] = codes
    expect(await enter(await ticketFor(account), ` ${first.toUpperCase()} `)).toMatchObject({ code: 0 })
    expect(await enter(await ticketFor(account), first)).toMatchObject({ code: 4005 })
    expect(await enter(await ticketFor(account), second.replace('-', ''))).toMatchObject({ code: 0 })
    const lines = await instance.app.db.query
      .selectFrom('operation_log')
      .select('action')
      .where('actor_id', '=', id)
      .orderBy('id')
      .execute()
    expect(lines.map(({ action }) => action)).toEqual(['enable', 'recover', 'recover'])
  })

  test('five wrong codes shut the door to the right one and to the password, for a quarter of an hour', async () => {
    const { id, account, now } = await enrolled()
    const ticket = await ticketFor(account)
    for (let turn = 0; turn < 5; turn += 1) expect(await enter(ticket, '000000')).toMatchObject({ code: 4005 })
    expect(await enter(ticket, now())).toMatchObject({ status: 429, code: 4029 })
    expect(await signIn(instance, account)).toMatchObject({ code: 4029 })
    expect((await resultsOf(id)).slice(-3)).toEqual(['CODE', 'LOCKED', 'LOCKED'])
    instance.clock.forward(15 * 60_000)
    expect(await enter(await ticketFor(account), now())).toMatchObject({ code: 0 })
  })

  test('a ticket is good for five minutes and one password, and nothing else is a ticket', async () => {
    const { id, account, now } = await enrolled()
    const over = { code: 4006, msg: expect.stringContaining('Enter your account and password again') }
    expect(await enter('made-up', now())).toMatchObject(over)
    const late = await ticketFor(account)
    instance.clock.forward(5 * 60_000)
    expect(await enter(late, now())).toMatchObject(over)
    const ticket = await ticketFor(account)
    await instance.app.db.query
      .updateTable('staff')
      .set({ password_hash: '$argon2id$another' })
      .where('id', '=', id)
      .execute()
    expect(await enter(ticket, now())).toMatchObject(over)
  })
})

describe('setting it up', () => {
  test('needs the password, and counts for nothing before a code of it has come back', async () => {
    const { id, account } = await employ(instance)
    const me = caller(instance, id, (await signIn(instance, account)).data)
    expect(await me.post(`${PATH}/begin`)).toMatchObject({ code: 4005 })
    expect(await me.post(`${PATH}/begin`, { password: 'wrong' })).toMatchObject({
      data: { fields: { password: 'The current password is wrong' } },
    })
    const { data } = await me.post<BegunFactor>(`${PATH}/begin`, { password: PASSWORD })
    expect(data.uri).toContain(`otpauth://totp/Inkstone:${account}?secret=${data.secret}&`)
    expect(data.squares).toEqual(squaresOf(data.uri))
    expect(await me.post(`${PATH}/confirm`, { code: '000000' })).toMatchObject({ code: 4005 })
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
    instance.clock.forward(15 * 60_000)
    expect(await me.post(`${PATH}/confirm`, { code: device(data.secret)() })).toMatchObject({ code: 4006 })
  })

  test('comes before anything else for whoever has a role that asks for it', async () => {
    const { id, account } = await employ(instance, { roleId: await demandingRole() })
    const me = caller(instance, id, (await signIn(instance, account)).data)
    expect((await me.get<{ mustEnrol: boolean }>('/auth/userInfo')).data.mustEnrol).toBe(true)
    expect(await me.get('/account/settings-sessions')).toMatchObject({
      status: 403,
      msg: expect.stringContaining('Set up two-step verification first'),
    })
    const { data } = await me.post<BegunFactor>(`${PATH}/begin`)
    expect(await me.post(`${PATH}/confirm`, { code: device(data.secret)() })).toMatchObject({ code: 0 })
    expect(await me.get('/account/settings-sessions')).toMatchObject({ code: 0 })
  })

  test('is confirmed in the session that began it alone, and ends every other session', async () => {
    const { id, account } = await employ(instance)
    const me = caller(instance, id, (await signIn(instance, account)).data)
    const other = caller(instance, id, (await signIn(instance, account)).data)
    const { data } = await me.post<BegunFactor>(`${PATH}/begin`, { password: PASSWORD })
    const code = device(data.secret)()
    expect(await other.post(`${PATH}/confirm`, { code })).toMatchObject({ code: 4006 })
    expect(await me.post(`${PATH}/confirm`, { code })).toMatchObject({ code: 0 })
    expect(await me.get(PATH)).toMatchObject({ code: 0 })
    expect(await other.get(PATH)).toMatchObject({ code: 4001 })
  })

  test('is confirmed by no guessing: five wrong codes shut the door', async () => {
    const { id, account } = await employ(instance)
    const me = caller(instance, id, (await signIn(instance, account)).data)
    const { data } = await me.post<BegunFactor>(`${PATH}/begin`, { password: PASSWORD })
    for (let turn = 0; turn < 5; turn += 1)
      expect(await me.post(`${PATH}/confirm`, { code: '000000' })).toMatchObject({ code: 4005 })
    expect(await me.post(`${PATH}/confirm`, { code: device(data.secret)() })).toMatchObject({ code: 4029 })
    expect((await resultsOf(id)).slice(-2)).toEqual(['CODE', 'LOCKED'])
  })

  test('needs the password where the session was open before a role asked for it', async () => {
    const { id, account } = await employ(instance)
    const me = caller(instance, id, (await signIn(instance, account)).data)
    instance.clock.forward(15 * 60_000)
    const { code } = await instance.app.db.query
      .selectFrom('role')
      .select('code')
      .where('id', '=', await demandingRole())
      .executeTakeFirstOrThrow()
    expect(await me.get('/account/settings-sessions')).toMatchObject({ code: 0 })
    await instance.app.db.write(tx => grantRole(tx, instance.app, id, code))
    expect(await me.get('/account/settings-sessions')).toMatchObject({ status: 403 })
    expect(await me.post(`${PATH}/begin`)).toMatchObject({
      code: 4005,
      data: { fields: { password: expect.any(String) } },
    })
    expect(await me.post(`${PATH}/begin`, { password: PASSWORD })).toMatchObject({ code: 0 })
  })

  test('keeps neither the secret nor a code as it is', async () => {
    const { id, codes } = await enrolled()
    const kept = await instance.app.db.query
      .selectFrom('recovery_code')
      .select('digest')
      .where('staff_id', '=', id)
      .execute()
    expect(kept.map(({ digest }) => digest.length)).toEqual(Array(10).fill(32))
    for (const secret of codes) expect(instance.logged.filter(line => line.includes(secret))).toEqual([])
  })
})

describe('having it', () => {
  test('after a restore says since when no recovery code opens anything, until new ones are made', async () => {
    const { id, me, now, codes } = await enrolled()
    expect((await me.get<FactorState>(PATH)).data).toMatchObject({ codesLeft: 10, codesVoidAt: null })
    // As a restore leaves it.
    await instance.app.db.query
      .updateTable('recovery_code')
      .set({ used_at: new Date() })
      .where('staff_id', '=', id)
      .execute()
    await instance.app.db.query
      .updateTable('second_factor')
      .set({ codes_void_at: new Date('2026-03-02T01:00:00Z') })
      .where('staff_id', '=', id)
      .execute()
    const { data } = await me.get<FactorState>(PATH)
    expect([data.codesLeft, Date.parse(data.codesVoidAt ?? '')]).toEqual([0, Date.parse('2026-03-02T01:00:00Z')])
    const proof = { password: PASSWORD, code: codes[0] }
    expect(await me.post(`${PATH}/codes`, proof)).toMatchObject({ code: 4005 })
    expect(await me.post(`${PATH}/codes`, { ...proof, code: now() })).toMatchObject({ code: 0 })
    expect((await me.get<FactorState>(PATH)).data).toMatchObject({ codesLeft: 10, codesVoidAt: null })
  })

  test('is ended by password and code, and then the password is enough', async () => {
    const { account, me, now } = await enrolled()
    expect(await me.post(`${PATH}/off`, { password: PASSWORD, code: '000000' })).toMatchObject({ code: 4005 })
    expect(await me.post(`${PATH}/off`, { password: 'wrong', code: now() })).toMatchObject({ code: 4005 })
    expect(await me.post(`${PATH}/off`, { password: PASSWORD, code: now() })).toMatchObject({ code: 0 })
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
  })

  test('is not guessed from an open session by whoever knows the password', async () => {
    const { id, me, now } = await enrolled()
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await me.post(`${PATH}/codes`, { password: PASSWORD, code: '000000' })).toMatchObject({ code: 4005 })
      // The password alone frees no attempts, wherever it is shown.
      if (turn < 4) await me.post('/account/settings-password', { oldPassword: PASSWORD, password: PASSWORD })
    }
    expect(await me.post(`${PATH}/codes`, { password: PASSWORD, code: now() })).toMatchObject({ code: 4029 })
    expect((await resultsOf(id)).filter(result => result === 'CODE')).toHaveLength(5)
  })

  test('a right code forgets the wrong ones before it', async () => {
    const { me, now } = await enrolled()
    const wrong = () => me.post(`${PATH}/codes`, { password: PASSWORD, code: '000000' })
    for (let turn = 0; turn < 4; turn += 1) await wrong()
    expect(await me.post(`${PATH}/codes`, { password: PASSWORD, code: now() })).toMatchObject({ code: 0 })
    for (let turn = 0; turn < 4; turn += 1) expect(await wrong()).toMatchObject({ code: 4005 })
  })

  test('is not ended while a role asks for it', async () => {
    const { me, now } = await enrolled(await demandingRole())
    expect((await me.get<FactorState>(PATH)).data).toMatchObject({ codesLeft: 10, demandedBy: ['Cashiers'] })
    expect(await me.post(`${PATH}/off`, { password: PASSWORD, code: now() })).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('Required by: Cashiers'),
    })
  })

  test('is not ended by whoever was just given a role that asks for it', async () => {
    const { id, me, now } = await enrolled()
    const { app } = instance
    const { code } = await app.db.query
      .selectFrom('role')
      .select('code')
      .where('id', '=', await demandingRole())
      .executeTakeFirstOrThrow()
    const asked = await app.db.write(async tx => {
      await grantRole(tx, app, id, code)
      const off = me.post(`${PATH}/off`, { password: PASSWORD, code: now() })
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await app.db.read.pool.query(waiting)).rowCount).toBe(1)
      return { off }
    })
    expect(await asked.off).toMatchObject({ code: 4006, msg: expect.stringContaining('Required by: Cashiers') })
    expect((await me.get<FactorState>(PATH)).data.since).not.toBeNull()
  })

  test('is asked of nobody any more whose role no longer asks for it, where he is signed in already', async () => {
    const admin = await person(instance, { superAdmin: true })
    const roles = [await demandingRole(), await demandingRole()]
    const { id, account } = await employ(instance, { roleId: roles[0]! })
    const me = caller(instance, id, (await signIn(instance, account)).data)
    const { code } = await instance.app.db.query
      .selectFrom('role')
      .select('code')
      .where('id', '=', roles[1]!)
      .executeTakeFirstOrThrow()
    await instance.app.db.write(tx => grantRole(tx, instance.app, id, code))
    const sessions = () => me.get('/account/settings-sessions')
    expect(await admin.post(`/system/role/${roles[0]}/liftFactor`)).toMatchObject({ code: 0 })
    expect(await sessions()).toMatchObject({ status: 403 })
    await instance.app.db.write(tx => revokeRole(tx, instance.app, id, code))
    expect(await sessions()).toMatchObject({ code: 0 })
  })

  test('is asked of everybody by level protection, also where somebody is signed in already, and ended by nobody', async () => {
    const { id, account } = await employ(instance)
    const open = (await signIn(instance, account)).data
    expect(await caller(instance, id, open).get('/account/settings-sessions')).toMatchObject({ code: 0 })
    const { url, clock } = instance
    const strict = await openTestInstance({ url, clock, env: { CAPTCHA: 'off', SECURITY_PROFILE: 'djbh' } })
    const me = caller(strict, id, open)
    const mustEnrol = async () => (await me.get<{ mustEnrol: boolean }>('/auth/userInfo')).data.mustEnrol
    expect(await mustEnrol()).toBe(true)
    expect(await me.get('/account/settings-sessions')).toMatchObject({
      status: 403,
      msg: expect.stringContaining('Set up two-step verification first'),
    })
    const alive = async () => (await strict.app.sessions.alive([(await strict.app.sessions.find(open))?.id ?? ''])).size
    expect(await alive()).toBe(0)
    const { data } = await me.post<BegunFactor>(`${PATH}/begin`)
    const now = device(data.secret)
    expect(await me.post(`${PATH}/confirm`, { code: now() })).toMatchObject({ code: 0 })
    expect([await mustEnrol(), await alive()]).toEqual([false, 1])
    expect(await me.get('/account/settings-sessions')).toMatchObject({ code: 0 })
    clock.forward(STEP_MS)
    expect(await me.post(`${PATH}/off`, { password: PASSWORD, code: now() })).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('asks everybody for it'),
    })
    expect((await me.get<FactorState>(PATH)).data).toMatchObject({ demandedBy: [], isAskedOfAll: true })
  })

  test('new recovery codes put an end to the old ones', async () => {
    const { account, me, now, codes } = await enrolled()
    const renewed = await me.post<RecoveryCodes>(`${PATH}/codes`, { password: PASSWORD, code: now() })
    expect(await enter(await ticketFor(account), codes[0] ?? '')).toMatchObject({ code: 4005 })
    expect(await enter(await ticketFor(account), renewed.data.codes[0] ?? '')).toMatchObject({ code: 0 })
  })
})
