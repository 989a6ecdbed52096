import { beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../src/kit/server/route.ts'
import { type Answer, type Caller, caller, openTestInstance, person, type TestInstance } from './testing/instance.ts'
import { fingerprints } from './testing/state.ts'

/** Every call of every screen, as everybody: it grows with the screens. */
const LONG_MS = 90_000

const named = ({ method, path }: Route) => `${method} ${path}`
const address = ({ path }: Route) =>
  path
    .replace(':name', 'member')
    .replace(':source', 'app')
    .replace(/:ids?\b/, '1')

function ask(who: Caller, route: Route): Promise<Answer> {
  const path = address(route)
  if (route.method === 'GET') return who.get(path)
  if (route.method === 'DELETE') return who.remove(path.includes('/1') ? path : `${path}?ids=1`)
  return route.method === 'PUT' ? who.put(path, {}) : who.post(path)
}

/** Every page with every action it knows, but for one. */
const allBut = (instance: TestInstance, page: string, action: string) =>
  Object.fromEntries(
    [...instance.app.catalogue.pages].map(([key, actions]) => [
      key,
      actions.filter(held => key !== page || held !== action),
    ]),
  )

let instance: TestInstance
let closed: Route[]
let guarded: (Route & { access: { page: string; action: string } })[]
beforeAll(async () => {
  instance = await openTestInstance()
  closed = instance.routes.filter(({ access }) => access !== 'public')
  guarded = closed.filter(({ access }) => typeof access === 'object') as typeof guarded
})

describe('who may call what', () => {
  test('nobody without a token gets past any call that is not public, and nothing changes', async () => {
    const before = await fingerprints(instance)
    for (const route of closed) {
      const answer = await ask(caller(instance), route)
      expect({ call: named(route), status: answer.status, code: answer.code, data: answer.data }).toEqual({
        call: named(route),
        status: 401,
        code: 4001,
        data: null,
      })
      expect((answer as { result?: unknown }).result).toEqual({ isLogin: false })
    }
    expect(await fingerprints(instance)).toEqual(before)
  })

  test('a token that is none, is malformed or comes as a cookie opens nothing', async () => {
    const { token } = await person(instance, { superAdmin: true })
    for (const headers of [
      { authtoken: '' },
      { authtoken: 'x'.repeat(42) },
      { authtoken: `${token}x` },
      { authtoken: `Bearer ${token}` },
      { authorization: `Bearer ${token}` },
      { cookie: `Access-Token=${token}; authtoken=${token}` },
    ]) {
      const answer = await instance.http.inject({ method: 'GET', url: '/api/auth/userInfo', headers })
      expect(answer.statusCode, JSON.stringify(headers)).toBe(401)
    }
    const unknown = await caller(instance, '', 'x'.repeat(43)).get('/auth/userInfo')
    expect(unknown).toMatchObject({ status: 200, code: 4001 })
  })

  test('a person whose role holds nothing is refused by every guarded call; only the log of it grows', async () => {
    const nobody = await person(instance, { grants: {} })
    const before = await fingerprints(instance, ['operation_log'])
    for (const route of guarded) {
      expect({ call: named(route), ...status(await ask(nobody, route)) }).toEqual({
        call: named(route),
        status: 403,
        code: 4003,
      })
    }
    expect(await fingerprints(instance, ['operation_log'])).toEqual(before)
    const { rows } = await instance.app.db.read.pool.query(
      'select page, action from operation_log where actor_id = $1 and code = 4003 order by id',
      [nobody.id],
    )
    expect(rows).toEqual(guarded.map(({ access }) => access))
  })

  test(
    'everything but the one permission is not enough, and that one alone is',
    async () => {
      const permissions = new Map(guarded.map(({ access }) => [`${access.page} ${access.action}`, access]))
      for (const { page, action } of permissions.values()) {
        const most = await person(instance, { grants: allBut(instance, page, action) })
        const holder = await person(instance, { grants: { [page]: [action] } })
        for (const route of guarded.filter(({ access }) => access.page === page && access.action === action)) {
          expect({ call: named(route), ...status(await ask(most, route)) }).toEqual({
            call: named(route),
            status: 403,
            code: 4003,
          })
          expect((await ask(holder, route)).status, named(route)).not.toBe(403)
        }
      }
    },
    LONG_MS,
  )

  test('no answer to any of these calls is an error of ours', async () => {
    const admin = await person(instance, { superAdmin: true })
    for (const route of closed) expect((await ask(admin, route)).status, named(route)).toBeLessThan(500)
  })
})

const status = ({ status: http, code }: Answer) => ({ status: http, code })

describe('what is not declared', () => {
  test('an unknown call, and a known one by another method, is answered in the envelope', async () => {
    const admin = await person(instance, { superAdmin: true })
    for (const [method, url] of [
      ['GET', '/api'],
      ['GET', '/api/'],
      ['GET', '/api/nowhere'],
      ['POST', '/api/orders'],
      ['PUT', '/api/orders/order'],
      ['DELETE', '/api/orders/order/1'],
      ['PATCH', '/api/orders/order/1'],
      ['OPTIONS', '/api/orders/order'],
    ] as const) {
      const answer = await instance.http.inject({ method, url, headers: { authtoken: admin.token } })
      expect({ method, url, status: answer.statusCode, code: answer.json().code }).toEqual({
        method,
        url,
        status: 404,
        code: 4004,
      })
    }
  })

  test('TRACE and made-up methods reach nothing', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'LINK'] as never[]) {
      expect((await instance.http.inject({ method, url: '/api/auth/userInfo' })).statusCode).toBe(404)
    }
  })
})

describe('security headers', () => {
  const CSP = [
    "default-src 'self'",
    "script-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "connect-src 'self'",
  ]
  test.each([
    ['an answer', 200, '/api/common/settings', {}],
    ['a call without a token', 401, '/api/auth/userInfo', {}],
    ['an unknown call', 404, '/api/nowhere', {}],
    ['a bad parameter', 400, '/api/common/settings?x=1', {}],
    ['a probe', 200, '/health', {}],
    ['a missing file', 404, '/assets/none.js', {}],
    ['a call from a foreign page', 200, '/api/common/settings', { origin: 'https://evil.example' }],
  ])('stand on %s', async (_name, wanted, url, headers) => {
    const answer = await instance.http.inject({ method: 'GET', url, headers })
    expect(answer.statusCode).toBe(wanted)
    const csp = String(answer.headers['content-security-policy']).split(';')
    for (const directive of CSP) expect(csp).toContain(directive)
    expect(answer.headers['content-security-policy']).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': expect.stringMatching(/^max-age=31536000/),
      'permissions-policy': expect.stringContaining('camera=()'),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'content-type': expect.any(String),
    })
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
      expect(answer.headers).not.toHaveProperty(name)
    if (url.startsWith('/api')) expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('a request id that is a UUID is kept, and any other replaced', async () => {
    const id = async (given: string) =>
      (await instance.http.inject({ method: 'GET', url: '/health', headers: { 'x-request-id': given } })).headers[
        'x-request-id'
      ]
    expect(await id('0b7c5e2e-58b5-4d54-9f8a-0d6f1f8f2a11')).toBe('0b7c5e2e-58b5-4d54-9f8a-0d6f1f8f2a11')
    expect(await id('<script>')).toMatch(/^[0-9a-f-]{36}$/)
  })
})
