import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, PASSWORD, signIn } from '../../../../tools/testing/sign-in.ts'
import { newToken, openSessions } from '../access/session.ts'
import { sendSignal } from '../database/signal.ts'
import { changeGrant, disableStaff, endSessionsOf, grantRole, revokeRole } from './access.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const ENDED = { status: 200, code: 4001, msg: 'Login expired: login expired, please log in again' }

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
})

const me = '/auth/userInfo'
const signedIn = async (options: Parameters<typeof employ>[1] = {}, where = instance) => {
  const { id, account } = await employ(where, options)
  const { data: token } = await signIn(where, account)
  return { ...caller(where, id, token), account }
}
/** Asks until the answer is the wished one, for a second at most. */
const within1s = async <T>(ask: () => Promise<T>, wished: (answer: T) => boolean): Promise<T> => {
  const end = Date.now() + 1_000
  for (;;) {
    const answer = await ask()
    if (wished(answer) || Date.now() > end) return answer
    await delay(20)
  }
}

describe('who has no session', () => {
  test('without a token, or with something that is none: 401, and not as a failed sign-in', async () => {
    const said = {
      status: 401,
      code: 4001,
      msg: 'Unauthorized: Authorization verification failed',
      result: { isLogin: false },
    }
    expect(await caller(instance).get(me)).toMatchObject(said)
    expect(await caller(instance, '', 'short').get(me)).toMatchObject(said)
    expect(await caller(instance, '', 'x'.repeat(5_000)).get(me)).toMatchObject(said)
  })

  test('a token nobody was given is told that the session is over', async () => {
    expect(await caller(instance, '', 'A'.repeat(43)).get(me)).toMatchObject(ENDED)
  })

  test('the cookie alone opens nothing and changes nothing', async () => {
    const { id, token } = await signedIn()
    const headers = { cookie: `Access-Token=${token}; authtoken=${token}` }
    for (const [method, url] of [
      ['GET', me],
      ['POST', '/logout'],
      ['PUT', '/account/preference'],
      ['GET', '/account/settings-sessions'],
    ] as const) {
      const answer = await instance.http.inject({
        method,
        url: `/api${url}`,
        headers,
        ...(method === 'GET' ? {} : { payload: {} }),
      })
      expect([answer.statusCode, answer.json().result]).toEqual([401, { isLogin: false }])
    }
    expect(await caller(instance, id, token).get(me)).toMatchObject({ code: 0 })
  })
})

describe('how a session ends', () => {
  test('after seven days, whatever was done in it', async () => {
    const own = await openTestInstance({ env: { CAPTCHA: 'off' } })
    const { id, account } = await employ(own)
    let token = (await signIn(own, account)).data
    for (let day = 1; day < 7; day += 1) {
      own.clock.forward(DAY_MS)
      const answer = await caller(own, id, token).get(me)
      expect(answer.code).toBe(0)
      token = String(answer.headers.authtoken)
    }
    own.clock.forward(DAY_MS)
    expect(await caller(own, id, token).get(me)).toMatchObject(ENDED)
  })

  test('by signing out, at once', async () => {
    const somebody = await signedIn()
    expect(await somebody.post('/logout')).toMatchObject({ code: 0 })
    expect(await somebody.get(me)).toMatchObject(ENDED)
    expect(await somebody.post('/logout')).toMatchObject(ENDED)
  })

  test('when the person is disabled, at once, in every place', async () => {
    const first = await signedIn()
    const second = caller(instance, first.id, (await signIn(instance, first.account)).data)
    await Promise.all([first.get(me), second.get(me)])
    await instance.app.db.write(tx => disableStaff(tx, instance.app, first.id))
    expect(await first.get(me)).toMatchObject(ENDED)
    expect(await second.get(me)).toMatchObject(ENDED)
  })

  test('when it is ended by force, at once', async () => {
    const somebody = await signedIn()
    await instance.app.db.write(tx => endSessionsOf(tx, instance.app.sessions, somebody.id, 'FORCED'))
    expect(await somebody.get(me)).toMatchObject(ENDED)
    const { end_reason } = await instance.app.db.query
      .selectFrom('session')
      .select('end_reason')
      .where('staff_id', '=', somebody.id)
      .executeTakeFirstOrThrow()
    expect(end_reason).toBe('FORCED')
  })

  test('when the password changes: all others, not the one it was changed in; tickets for sockets too', async () => {
    const here = await signedIn()
    const there = caller(instance, here.id, (await signIn(instance, here.account)).data)
    expect(await there.post('/iam/ticket')).toMatchObject({ code: 0 })
    await here.get(me)
    await there.get(me)
    expect(
      await here.post('/account/settings-password', { oldPassword: PASSWORD, password: 'brush and bamboo 3' }),
    ).toMatchObject({ code: 0 })
    expect(await there.get(me)).toMatchObject(ENDED)
    expect(await here.get(me)).toMatchObject({ code: 0 })
    const tickets = await instance.app.db.query
      .selectFrom('socket_ticket as t')
      .innerJoin('session as s', 's.id', 't.session_id')
      .select('t.hash')
      .where('s.staff_id', '=', here.id)
      .execute()
    expect(tickets).toEqual([])
  })

  test('a sign-in that was under way while the password changed opens nothing', async () => {
    const { id, account } = await employ(instance)
    const answers = await instance.app.db.write(async tx => {
      await tx.updateTable('staff').set({ password_hash: 'changed' }).where('id', '=', id).execute()
      const waiting = signIn(instance, account)
      await delay(200)
      return { waiting }
    })
    expect(await answers.waiting).toMatchObject({ code: 4006 })
  })
})

describe('the token', () => {
  test('is random, new at each sign-in, and stored only as a hash', async () => {
    const { account, token } = await signedIn()
    const second = (await signIn(instance, account)).data
    expect(second).not.toBe(token)
    const { rows } = await instance.app.db.read.pool.query('select string_agg(s::text, chr(10)) as all from session s')
    expect(rows[0].all).not.toContain(token)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

  test('of ten thousand none comes twice, and none of their signs comes more often than chance has it', () => {
    const tokens = Array.from({ length: 10_000 }, newToken)
    expect(new Set(tokens).size).toBe(tokens.length)
    const counts = new Map<number, number>()
    for (const byte of Buffer.concat(tokens.map(token => Buffer.from(token, 'base64url'))))
      counts.set(byte, (counts.get(byte) ?? 0) + 1)
    const expected = (tokens.length * 32) / 256
    const chiSquare = Array.from({ length: 256 }, (_, byte) => ((counts.get(byte) ?? 0) - expected) ** 2 / expected)
    // 255 degrees of freedom: fair bytes pass 400 once in ten million times.
    expect(chiSquare.reduce((sum, part) => sum + part, 0)).toBeLessThan(400)
  })

  test('is replaced after a day; the old one is good for two more minutes', async () => {
    const old = await signedIn()
    instance.clock.forward(DAY_MS - 1_000)
    expect((await old.get(me)).headers.authtoken).toBeUndefined()
    instance.clock.forward(2_000)
    const answer = await old.get(me)
    const fresh = caller(instance, old.id, String(answer.headers.authtoken))
    expect(fresh.token).toMatch(/^[\w-]{43}$/)
    expect(fresh.token).not.toBe(old.token)
    expect(await fresh.get(me)).toMatchObject({ code: 0 })
    instance.clock.forward(2 * MINUTE_MS - 3_000)
    expect((await old.get(me)).headers.authtoken).toBeUndefined()
    expect(await old.get(me)).toMatchObject({ code: 0 })
    instance.clock.forward(4_000)
    expect(await old.get(me)).toMatchObject(ENDED)
    expect(await fresh.get(me)).toMatchObject({ code: 0 })
  })

  test('of many calls that notice at once, one brings the new token and all are answered', async () => {
    const old = await signedIn()
    instance.clock.forward(DAY_MS)
    const answers = await Promise.all(Array.from({ length: 30 }, () => old.get(me)))
    expect(answers.every(({ code }) => code === 0)).toBe(true)
    expect(answers.filter(({ headers }) => headers.authtoken !== undefined)).toHaveLength(1)
  })

  test('the new token comes with a refused call too', async () => {
    const old = await signedIn()
    instance.clock.forward(DAY_MS)
    const answer = await old.remove('/account/settings-sessions/999999999')
    expect(answer).toMatchObject({ status: 404, code: 4004 })
    expect(answer.headers.authtoken).toMatch(/^[\w-]{43}$/)
  })
})

describe('being at work', () => {
  const activeAt = async (staffId: string, where = instance) =>
    (
      await where.app.db.query
        .selectFrom('session')
        .select('active_at')
        .where('staff_id', '=', staffId)
        .executeTakeFirstOrThrow()
    ).active_at

  test('is written down once a minute, however many calls', async () => {
    const somebody = await signedIn()
    const start = await activeAt(somebody.id)
    instance.clock.forward(30_000)
    await somebody.get(me)
    expect(await activeAt(somebody.id)).toBe(start)
    instance.clock.forward(31_000)
    await Promise.all(Array.from({ length: 10 }, () => somebody.get(me)))
    expect(Date.parse(await activeAt(somebody.id)) - Date.parse(start)).toBe(61_000)
  })

  test('in the strict profile half an hour without work ends a session, pings or not', async () => {
    const strict = await openTestInstance({ env: { CAPTCHA: 'off', SECURITY_PROFILE: 'djbh' } })
    const [idle, busy] = [await signedIn({}, strict), await signedIn({}, strict)]
    for (let minute = 0; minute < 30; minute += 5) {
      strict.clock.forward(5 * MINUTE_MS)
      expect(await idle.post('/iam/ping')).toMatchObject({ code: 0 })
      expect(await busy.get(me)).toMatchObject({ code: 0 })
    }
    strict.clock.forward(1_000)
    expect(await idle.post('/iam/ping')).toMatchObject(ENDED)
    expect(await idle.get(me)).toMatchObject(ENDED)
    expect(await busy.get(me)).toMatchObject({ code: 0 })
  })

  test('otherwise a ping keeps the session, for the seven days', async () => {
    const somebody = await signedIn()
    instance.clock.forward(23 * 60 * MINUTE_MS)
    expect(await somebody.post('/iam/ping')).toMatchObject({ code: 0 })
    expect(Date.parse(await activeAt(somebody.id))).toBe(instance.clock.now().getTime())
  })
})

describe('a first password', () => {
  test('opens nothing but the change of it', async () => {
    const fresh = await signedIn({ mustChange: true })
    expect((await fresh.get<{ mustChangePassword: boolean }>(me)).data.mustChangePassword).toBe(true)
    expect(await fresh.post('/iam/ping')).toMatchObject({ code: 0 })
    expect(await fresh.get('/account/settings-password')).toMatchObject({ code: 0 })
    const said = { status: 403, code: 4003, msg: expect.stringContaining('Change your initial password') }
    const paths = instance.routes
      .filter(({ access, method, path }) => access === 'session' && method === 'GET' && !path.includes(':'))
      .map(({ path }) => path)
    for (const path of paths.filter(path => ![me, '/account/settings-password'].includes(path)))
      expect([path, await fresh.get(path)]).toMatchObject([path, said])
    for (const path of ['/iam/ticket', '/common/attachMore']) expect(await fresh.post(path, {})).toMatchObject(said)
    expect(await fresh.put('/account/preference', {})).toMatchObject(said)
  })

  test('once changed, everything opens without a new sign-in', async () => {
    const fresh = await signedIn({ mustChange: true })
    expect(
      await fresh.post('/account/settings-password', { oldPassword: PASSWORD, password: 'brush and bamboo 3' }),
    ).toMatchObject({ code: 0 })
    expect(await fresh.get('/account/preference')).toMatchObject({ code: 0 })
    expect((await fresh.get<{ mustChangePassword: boolean }>(me)).data.mustChangePassword).toBe(false)
  })

  test('in the strict profile a password older than 90 days is like a first one', async () => {
    const strict = await openTestInstance({ env: { CAPTCHA: 'off', SECURITY_PROFILE: 'djbh' } })
    const old = await signedIn({ passwordSetAt: new Date(strict.clock.now().getTime() - 91 * DAY_MS) }, strict)
    // That profile asks everybody for a second factor: of whoever has one nothing more is asked.
    await strict.app.db.query.updateTable('staff').set({ has_factor: true }).where('id', '=', old.id).execute()
    expect((await old.get<{ mustChangePassword: boolean }>(me)).data.mustChangePassword).toBe(true)
    expect(await old.get('/account/preference')).toMatchObject({ status: 403 })
    expect(
      await old.post('/account/settings-password', { oldPassword: PASSWORD, password: 'Brush and bamboo 3' }),
    ).toMatchObject({ code: 0 })
    expect(await old.get('/account/preference')).toMatchObject({ code: 0 })
  })
})

describe('two instances on one database', () => {
  let other: TestInstance
  beforeAll(async () => {
    other = await openTestInstance({ url: instance.url, env: { CAPTCHA: 'off' }, clock: instance.clock })
  })

  test('a permission taken away on one is refused on the other within a second, and the session goes on', async () => {
    const reader = await person(instance, { grants: { dictionary: ['list'] } })
    const { code: role } = await instance.app.db.query
      .selectFrom('role as r')
      .innerJoin('staff_role as sr', 'sr.role_id', 'r.id')
      .select('r.code')
      .where('sr.staff_id', '=', reader.id)
      .executeTakeFirstOrThrow()
    const there = caller(other, reader.id, reader.token)
    const list = () => there.get('/system/dictionary')
    expect(await list()).toMatchObject({ code: 0 })
    await changeGrant(
      instance.app.db,
      { send: sendSignal },
      { role, page: 'dictionary', action: 'list', held: false, now: instance.clock.now() },
    )
    expect(await within1s(list, ({ code }) => code !== 0)).toMatchObject({ status: 403, code: 4003 })
    expect(await there.get(me)).toMatchObject({ code: 0 })
    await changeGrant(
      instance.app.db,
      { send: sendSignal },
      { role, page: 'dictionary', action: 'list', held: true, now: instance.clock.now() },
    )
    expect(await within1s(list, ({ code }) => code === 0)).toMatchObject({ code: 0 })
  })

  test('a role given and taken takes hold on the other within a second', async () => {
    const reader = await person(instance, { grants: { dictionary: ['list'] } })
    const { code: role } = await instance.app.db.query
      .selectFrom('role as r')
      .innerJoin('staff_role as sr', 'sr.role_id', 'r.id')
      .select('r.code')
      .where('sr.staff_id', '=', reader.id)
      .executeTakeFirstOrThrow()
    const list = () => caller(other, reader.id, reader.token).get('/system/dictionary')
    expect(await list()).toMatchObject({ code: 0 })
    await instance.app.db.write(tx => revokeRole(tx, instance.app, reader.id, role))
    expect(await within1s(list, ({ code }) => code !== 0)).toMatchObject({ code: 4003 })
    await instance.app.db.write(tx => grantRole(tx, instance.app, reader.id, role))
    expect(await within1s(list, ({ code }) => code === 0)).toMatchObject({ code: 0 })
  })

  test('signing out on one ends the session on the other within a second', async () => {
    const somebody = await signedIn()
    const there = caller(other, somebody.id, somebody.token)
    expect(await there.get(me)).toMatchObject({ code: 0 })
    await somebody.post('/logout')
    expect(
      await within1s(
        () => there.get(me),
        ({ code }) => code !== 0,
      ),
    ).toMatchObject(ENDED)
  })

  test('an instance that hears no signals asks the database each time', async () => {
    const somebody = await signedIn()
    let deaf = false
    const signals = { ...instance.app.signals, on: () => {}, deaf: () => deaf }
    const sessions = openSessions(instance.app.db, signals, instance.clock, instance.app.env)
    expect(await sessions.find(somebody.token)).toMatchObject({ actor: { id: somebody.id } })
    await instance.app.db.query
      .updateTable('session')
      .set({ ended_at: instance.clock.now(), end_reason: 'FORCED' })
      .where('staff_id', '=', somebody.id)
      .execute()
    // Nobody told it, so what it remembers still stands; deaf, it must not trust that.
    expect(await sessions.find(somebody.token)).toBeDefined()
    deaf = true
    expect(await sessions.find(somebody.token)).toBeUndefined()
  })

  test('a session read just before it ended is not remembered after', async () => {
    const somebody = await signedIn()
    const heard: ((payload: { sessionIds: string[] }) => void)[] = []
    const signals = {
      ...instance.app.signals,
      on: (topic: string, listener: never) => void (topic === 'sessions-ended' && heard.push(listener)),
      deaf: () => false,
    }
    const sessions = openSessions(instance.app.db, signals, instance.clock, instance.app.env)
    const { id } = await instance.app.db.query
      .selectFrom('session')
      .select('id')
      .where('staff_id', '=', somebody.id)
      .executeTakeFirstOrThrow()
    // Reading takes several questions to the database; the signal comes before the first answer.
    const reading = sessions.find(somebody.token)
    heard[0]?.({ sessionIds: [id] })
    expect(await reading).toBeDefined()
    await instance.app.db.query
      .updateTable('session')
      .set({ ended_at: instance.clock.now(), end_reason: 'FORCED' })
      .where('id', '=', id)
      .execute()
    expect(await sessions.find(somebody.token)).toBeUndefined()
  })
})
