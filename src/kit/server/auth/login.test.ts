import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, PASSWORD, signIn } from '../../../../tools/testing/sign-in.ts'
import { hashing } from '../access/hash.ts'
import { unlockAccount } from './login.ts'

const MINUTE_MS = 60_000
const WRONG = 'not the password'

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off' } })
})

const traced = async (account: string) => {
  const rows = await instance.app.db.query
    .selectFrom('login_trace')
    .select(['result', 'session_id'])
    .where('account', '=', account)
    .orderBy('id')
    .execute()
  return rows.map(({ result }) => result)
}
const fail = async (account: string, times: number, address?: string) => {
  for (let time = 0; time < times; time += 1)
    await signIn(instance, account, { password: WRONG, ...(address ? { address } : {}) })
}

describe('signing in', () => {
  test('name and password give a token that opens what a session opens', async () => {
    const { id, account } = await employ(instance)
    const answer = await signIn(instance, account, { device: 'Chrome on a Mac', address: '10.0.0.7' })
    expect(answer).toMatchObject({ status: 200, code: 0 })
    expect(answer.data).toMatch(/^[\w-]{43}$/)
    expect((await caller(instance, id, answer.data).get<{ account: string }>('/auth/userInfo')).data.account).toBe(
      account,
    )
    const session = await instance.app.db.query
      .selectFrom('session')
      .selectAll()
      .where('staff_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(session).toMatchObject({ address: '10.0.0.7', device: 'Chrome on a Mac', ended_at: null })
    expect(await traced(account)).toEqual(['SUCCESS'])
  })

  test('letters of the account may be typed large, wide or with spaces around', async () => {
    await employ(instance, { account: 'mei-lin' })
    for (const typed of ['Mei-Lin', '  mei-lin ', 'ｍｅｉ-ｌｉｎ'])
      expect(await signIn(instance, typed)).toMatchObject({ code: 0 })
  })

  test('the password is taken as it was typed, with every space and sign', async () => {
    const password = `${'墨🖋 '.repeat(42)}xy`
    const { account } = await employ(instance, { password })
    expect([...password]).toHaveLength(128)
    expect(await signIn(instance, account, { password })).toMatchObject({ code: 0 })
    expect(await signIn(instance, account, { password: `${password} ` })).toMatchObject({ code: 4006 })
    expect(await signIn(instance, account, { password: password.toUpperCase() })).toMatchObject({ code: 4006 })
  })

  test('an unknown name and a wrong password get the same answer, which is no 401', async () => {
    const { account } = await employ(instance)
    const [wrong, unknown] = [
      await signIn(instance, account, { password: WRONG }),
      await signIn(instance, 'nobody-here', { password: WRONG }),
    ]
    const said = {
      status: 200,
      code: 4006,
      msg: 'Sign-in failed: The account or password is wrong',
      data: null,
      result: { isLogin: true },
    }
    expect(wrong).toMatchObject(said)
    expect(unknown).toMatchObject(said)
    expect(await traced(account)).toEqual(['CREDENTIALS'])
    expect(await traced('nobody-here')).toEqual(['CREDENTIALS'])
  })

  test('an unknown name costs the same hashing as a known one', async () => {
    const { account } = await employ(instance)
    const cost = async (name: string) => {
      const before = hashing.runs
      await signIn(instance, name, { password: WRONG })
      return hashing.runs - before
    }
    expect([await cost(account), await cost('nobody-at-all')]).toEqual([1, 1])
  })

  test('that an account is disabled is told only to somebody who knows its password', async () => {
    const { account } = await employ(instance, { status: 'DISABLED' })
    expect(await signIn(instance, account, { password: WRONG })).toMatchObject({
      code: 4006,
      msg: 'Sign-in failed: The account or password is wrong',
    })
    expect(await signIn(instance, account)).toMatchObject({
      code: 4006,
      msg: 'Sign-in failed: This account is disabled. Please contact an administrator.',
    })
    expect(await traced(account)).toEqual(['CREDENTIALS', 'DISABLED'])
  })

  test('a hash of an older cost is renewed by the next good sign-in', async () => {
    const { hash } = await import('@node-rs/argon2')
    const old = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    const { id, account } = await employ(instance, { passwordHash: old })
    const stored = async () =>
      (
        await instance.app.db.query
          .selectFrom('staff')
          .select('password_hash')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).password_hash
    await signIn(instance, account, { password: WRONG })
    expect(await stored()).toBe(old)
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
    expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
  })

  test('an account whose password cannot be read opens to nothing', async () => {
    const { account } = await employ(instance, { passwordHash: 'none' })
    for (const password of ['none', PASSWORD]) {
      expect(await signIn(instance, account, { password })).toMatchObject({ code: 4006 })
    }
  })

  test('unknown fields, and text no database holds, are refused', async () => {
    const post = (payload: object | string) =>
      instance.http.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'content-type': 'application/json' },
        payload,
      })
    expect((await post({ username: 'a', password: 'b', captcha: '', superAdmin: true })).json()).toMatchObject({
      code: 4005,
      result: { isLogin: true },
    })
    expect((await post({ username: 'a\u0000', password: 'b', captcha: '' })).json()).toMatchObject({ code: 4000 })
    expect((await post('{"username":"\\ud800","password":"b","captcha":""}')).json()).toMatchObject({ code: 4000 })
    expect((await post({ username: ['a', 'b'], password: 'b', captcha: '' })).json()).toMatchObject({ code: 4005 })
  })
})

describe('guessing', () => {
  test('after five wrong passwords the account is locked, for the right one too, and opens again after 15 minutes', async () => {
    const { account } = await employ(instance)
    await fail(account, 5)
    expect(await signIn(instance, account)).toMatchObject({
      status: 429,
      code: 4029,
      msg: 'Too many attempts: Too many failed attempts. Try again in 15 min.',
    })
    instance.clock.forward(14 * MINUTE_MS)
    expect(await signIn(instance, account)).toMatchObject({
      code: 4029,
      msg: expect.stringContaining('in 1 min'),
      result: { isLogin: true },
    })
    instance.clock.forward(MINUTE_MS)
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
    expect(await traced(account)).toEqual([...Array(5).fill('CREDENTIALS'), 'LOCKED', 'LOCKED', 'SUCCESS'])
  })

  test('a name nobody has is locked in the same way', async () => {
    await fail('made-up-name', 5)
    expect(await signIn(instance, 'made-up-name')).toMatchObject({
      code: 4029,
      msg: 'Too many attempts: Too many failed attempts. Try again in 15 min.',
    })
  })

  test('hammering during the lock does not make it longer, and then there are five attempts again', async () => {
    const { account } = await employ(instance)
    await fail(account, 5)
    instance.clock.forward(5 * MINUTE_MS)
    await fail(account, 1)
    instance.clock.forward(11 * MINUTE_MS)
    await fail(account, 10)
    instance.clock.forward(4 * MINUTE_MS)
    await fail(account, 4)
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
  })

  test('a good sign-in wipes the slate', async () => {
    const { account } = await employ(instance)
    await signIn(instance, account)
    await fail(account, 4)
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
    await fail(account, 4)
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
  })

  test('of 200 guesses at once five are looked at', async () => {
    const { account } = await employ(instance)
    const before = hashing.runs
    const variants = [account, account.toUpperCase(), ` ${account} `]
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, turn) =>
        signIn(instance, variants[turn % 3] as string, { password: `${WRONG} ${turn}`, address: `10.1.${turn}.1` }),
      ),
    )
    expect(hashing.runs - before).toBe(5)
    expect(answers.filter(({ code }) => code === 4006)).toHaveLength(5)
    expect(answers.filter(({ code }) => code === 4029)).toHaveLength(195)
    expect(await signIn(instance, account)).toMatchObject({ code: 4029 })
  })

  test('an address that tries name after name is shut out at fifty, and its headers do not help', async () => {
    const address = '10.2.0.1'
    const { account } = await employ(instance)
    const names = Array.from({ length: 50 }, (_, at) => `name-${at}`)
    await Promise.all(names.map(name => signIn(instance, name, { password: WRONG, address })))
    expect(await signIn(instance, account, { address })).toMatchObject({ code: 4029 })
    const forwarded = await instance.http.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: address,
      headers: { 'x-forwarded-for': '10.2.0.99', 'x-real-ip': '10.2.0.99' },
      payload: { username: account, password: PASSWORD, captcha: '' },
    })
    expect(forwarded.json()).toMatchObject({ code: 4029 })
    expect(await signIn(instance, account, { address: '10.2.0.2' })).toMatchObject({ code: 0 })
  })

  test('an office of eighty that signs in at the same moment all gets in', async () => {
    const accounts = await Promise.all(Array.from({ length: 80 }, () => employ(instance)))
    const answers = await Promise.all(accounts.map(({ account }) => signIn(instance, account, { address: '10.3.0.2' })))
    expect(answers.filter(({ code }) => code !== 0)).toEqual([])
  })

  test('what could not be judged does not count', async () => {
    const { account } = await employ(instance)
    await instance.app.db.read.pool.query(
      `create function refuse_trace() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    )
    const ddl = (text: string) => instance.app.db.read.pool.query(text)
    await ddl('create trigger no_trace before insert on login_trace for each row execute function refuse_trace()')
    for (let turn = 0; turn < 8; turn += 1) expect(await signIn(instance, account)).toMatchObject({ status: 500 })
    await ddl('drop trigger no_trace on login_trace')
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
  })

  test('a stranger who guesses does not shut out the owner at an address known from before', async () => {
    const { account } = await employ(instance)
    await signIn(instance, account, { address: '10.4.0.1' })
    await fail(account, 6, '10.4.0.66')
    expect(await signIn(instance, account, { address: '10.4.0.67' })).toMatchObject({ code: 4029 })
    expect(await signIn(instance, account, { address: '10.4.0.1' })).toMatchObject({ code: 0 })
    // The known address has its own five, which a name with an address in it does not touch.
    await fail(`${account} 10.4.0.1`, 6, '10.4.0.66')
    expect(await signIn(instance, account, { address: '10.4.0.1' })).toMatchObject({ code: 0 })
    await fail(account, 6, '10.4.0.1')
    expect(await signIn(instance, account, { address: '10.4.0.1' })).toMatchObject({ code: 4029 })
  })

  test('an administrator opens a locked account before its time', async () => {
    const { account } = await employ(instance)
    await fail(account, 6)
    await instance.app.db.write(tx => unlockAccount(tx, account))
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
    await fail(account, 6)
    expect(await signIn(instance, account)).toMatchObject({ code: 4029 })
    await instance.app.db.write(tx => unlockAccount(tx, account))
    expect(await signIn(instance, account)).toMatchObject({ code: 0 })
  })

  test('a restart forgets no attempt', async () => {
    const { account } = await employ(instance)
    await fail(account, 3)
    const again = await openTestInstance({ url: instance.url, env: { CAPTCHA: 'off' }, clock: instance.clock })
    expect(await signIn(again, account, { password: WRONG })).toMatchObject({ code: 4006 })
    expect(await signIn(again, account, { password: WRONG })).toMatchObject({ code: 4006 })
    expect(await signIn(again, account)).toMatchObject({ code: 4029 })
    expect(await signIn(instance, account)).toMatchObject({ code: 4029 })
  })

  test('wrong captchas by the hundred stop being written down', async () => {
    const guarded = await openTestInstance()
    const { account } = await employ(guarded)
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => signIn(guarded, account, { verKey: 'x', captcha: 'y' })),
    )
    expect(answers.filter(({ code }) => code === 4029)).toHaveLength(30)
    const rows = await guarded.app.db.query
      .selectFrom('login_trace')
      .select('result')
      .where('account', '=', account)
      .execute()
    expect(rows.map(({ result }) => result)).toEqual(Array(100).fill('CAPTCHA'))
  })
})

describe('what is written down', () => {
  test('neither password nor token stands in the log or in the database', async () => {
    const own = await openTestInstance({ env: { CAPTCHA: 'off' } })
    const { id, account } = await employ(own)
    const { data: token } = await signIn(own, account)
    await signIn(own, account, { password: 'a-guess-to-look-for' })
    await caller(own, id, token).get('/auth/userInfo')
    await caller(own, id, token).post('/account/settings-password', {
      oldPassword: PASSWORD,
      password: 'a new one to look for 8',
    })
    await (await person(own)).get('/no/such/call')
    const dump = await own.app.db.read.pool.query(
      'select (select json_agg(s) from session s)::text || (select json_agg(t) from login_trace t)::text || (select json_agg(o) from operation_log o)::text as all',
    )
    for (const secret of [PASSWORD, token, 'a-guess-to-look-for', 'a new one to look for 8']) {
      expect(own.logged.filter(line => line.includes(secret))).toEqual([])
      expect(dump.rows[0].all).not.toContain(secret)
    }
  })
})

describe('the paths of the template', () => {
  test('each is refused in words that say what to do', async () => {
    const nobody = caller(instance)
    const paths = ['/auth/register', '/auth/forge-password', '/account/sms', '/account/sms_err']
    for (const path of paths) {
      for (const answer of [await nobody.get(`${path}?mobile=1`), await nobody.post(path, { anything: true })]) {
        expect(answer).toMatchObject({
          status: 200,
          code: 4006,
          msg: expect.stringMatching(/^This could not be done: .*(administrator|account and password)/),
        })
      }
    }
  })
})
