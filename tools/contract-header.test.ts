import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestInstance, person, type TestInstance } from './testing/instance.ts'
import { fingerprints } from './testing/state.ts'

/** Node itself refuses what no header may hold, such as a line break. */
const HOSTILE = [
  "' or '1'='1",
  "'; drop table staff; --",
  '1; select pg_sleep(5)',
  "' union select password_hash from staff --",
  '\\',
  '%00',
  '$1',
  `\${jndi:ldap://127.0.0.1/x}`,
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '[object Object]',
  '__proto__',
  'x'.repeat(4_000),
]
const HEADERS = [
  'accept-language',
  'user-agent',
  'x-request-id',
  'idempotency-key',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'host',
  'origin',
  'referer',
  'if-none-match',
  'range',
  'cookie',
  'authorization',
]
/** Where a call is noted, with who came from where. */
const BESIDE = ['attempt_gate', 'operation_log', 'login_trace', 'captcha', 'idempotency']

describe('headers', () => {
  let instance: TestInstance
  let admin: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    // What the console does by itself meanwhile is not what was asked.
    await instance.house.stop()
    admin = await person(instance, { superAdmin: true })
  })

  test('whatever stands in them, a read answers and a refused write changes nothing', async () => {
    const before = await fingerprints(instance, BESIDE)
    for (const name of HEADERS) {
      for (const value of HOSTILE) {
        const headers = { authtoken: admin.token, [name]: value }
        const begun = performance.now()
        const read = await instance.http.inject({ method: 'GET', url: '/api/orders/order', headers })
        const written = await instance.http.inject({
          method: 'POST',
          url: '/api/orders/refund-application',
          headers,
          payload: { surprise: 1 },
        })
        const what = `${name}: ${value.slice(0, 40)}`
        expect(read.statusCode, what).toBeLessThan(500)
        expect([4000, 4005], what).toContain(written.json().code)
        expect(`${read.body}${JSON.stringify(read.headers)}`, what).not.toContain('<script>')
        // One of them asks the database to sleep for five seconds.
        expect(performance.now() - begun, what).toBeLessThan(4_500)
      }
    }
    expect(await fingerprints(instance, BESIDE)).toEqual(before)
  })

  test('a token is a token and nothing else', async () => {
    for (const value of HOSTILE) {
      const answer = await instance.http.inject({
        method: 'GET',
        url: '/api/orders/order',
        headers: { authtoken: value },
      })
      expect(answer.json().code, value.slice(0, 40)).toBe(4001)
    }
  })
})
