import { beforeAll, describe, expect, test } from 'vitest'
import { openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, PASSWORD } from '../../../../tools/testing/sign-in.ts'
import { BadSettings, readEnv } from '../process/env.ts'

const PROXY = '172.18.0.2'
let instance: TestInstance
let account: string
beforeAll(async () => {
  instance = await openTestInstance({ env: { CAPTCHA: 'off', TRUSTED_PROXIES: '172.18.0.0/16, fd00::7' } })
  account = (await employ(instance)).account
})

/** Where the console takes the caller to be: as it stands in the trace of the sign-in. */
async function seenFrom(remoteAddress: string, forwarded?: string, of = instance): Promise<string> {
  await of.http.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    payload: { username: account, password: PASSWORD, captcha: '' },
  })
  const { address } = await of.app.db.query
    .selectFrom('login_trace')
    .select('address')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return address
}

describe('behind a proxy that is trusted', () => {
  test.each([
    ['the address the proxy saw', PROXY, '203.0.113.5', '203.0.113.5'],
    ['not what the caller wrote before it', PROXY, '10.0.0.1, 203.0.113.5', '203.0.113.5'],
    ['not a trusted address the caller wrote before it', PROXY, '172.18.0.9, 203.0.113.5', '203.0.113.5'],
    ['what is before two proxies of ours', PROXY, '203.0.113.5, 172.18.0.3', '203.0.113.5'],
    ['an address of IPv6', PROXY, '2001:db8::5', '2001:db8::5'],
    ['IPv4 in the clothes of IPv6', `::ffff:${PROXY}`, '::ffff:203.0.113.5', '203.0.113.5'],
    ['the proxy itself, when it says nothing', PROXY, undefined, PROXY],
    ['the proxy itself, when it says what is no address', PROXY, 'unknown', PROXY],
    ['a proxy known by its address of IPv6', 'fd00::7', '203.0.113.5', '203.0.113.5'],
  ])('counts %s', async (_what, remote, forwarded, seen) => {
    expect(await seenFrom(remote, forwarded)).toBe(seen)
  })

  test('an office shares no limit with its neighbours', async () => {
    const answer = (forwarded: string, username = 'nobody') =>
      instance.http.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: PROXY,
        headers: { 'x-forwarded-for': forwarded },
        payload: { username, password: 'x', captcha: '' },
      })
    await Promise.all(Array.from({ length: 50 }, (_, turn) => answer('203.0.113.66', `name-${turn}`)))
    expect((await answer('203.0.113.66')).json()).toMatchObject({ code: 4029 })
    expect((await answer('203.0.113.67')).json()).toMatchObject({ code: 4006 })
  })
})

describe('an address cannot be made up', () => {
  test.each([
    ['by a caller who is no proxy of ours', '203.0.113.9', '10.0.0.1', '203.0.113.9'],
    ['by one from just beside the network', '172.19.0.2', '10.0.0.1', '172.19.0.2'],
    ['by a list with our proxy in it', '203.0.113.9', `10.0.0.1, ${PROXY}`, '203.0.113.9'],
  ])('%s', async (_what, remote, forwarded, seen) => {
    expect(await seenFrom(remote, forwarded)).toBe(seen)
  })

  test('with any header while no proxy is named', async () => {
    const plain = await openTestInstance({ env: { CAPTCHA: 'off' } })
    await employ(plain, { account })
    expect(await seenFrom(PROXY, '203.0.113.5', plain)).toBe(PROXY)
    expect(await seenFrom('::ffff:10.1.2.3', '203.0.113.5', plain)).toBe('10.1.2.3')
  })
})

test.each(['everybody', '0.0.0.0/0', '::/0', '10.0.0.1/33', '10.0.0.1/8/8', '10.0.0.300'])(
  'the setting %s is refused: it names no proxy',
  TRUSTED_PROXIES => {
    expect(() => readEnv({ TRUSTED_PROXIES })).toThrow(BadSettings)
  },
)
