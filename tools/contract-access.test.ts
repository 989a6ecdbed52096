import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { rolesOf } from '../src/demo/holdings.server.ts'
import { readStories } from '../src/demo/story.server.ts'
import type { Actor } from '../src/kit/model/actor.ts'
import type { Route } from '../src/kit/server/http/route.ts'
import { pickersOf } from './pickers.ts'
import { type Answer, type Caller, caller, openTestInstance, person, type TestInstance } from './testing/instance.ts'
import { IS_LONG } from './testing/long.ts'
import { fingerprints } from './testing/state.ts'

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

type Access = { page: string; action: string }
/** Of the permissions, those tried all the way from the row of a role to the answer. */
const EVERY = 25
/** Of the calls, those each role of the business asks. */
const EVERY_CALL = 10

let instance: TestInstance
let closed: Route[]
let guarded: (Route & { access: Access })[]
let changesHeard = 0
beforeAll(async () => {
  instance = await openTestInstance()
  // What the console does by itself meanwhile is not what was asked.
  await instance.house.stop()
  instance.app.signals.on('access', () => {
    changesHeard += 1
  })
  closed = instance.routes.filter(({ access }) => access !== 'public')
  guarded = closed.filter(({ access }) => typeof access === 'object') as typeof guarded
})

type Holders = { readonly most: string; readonly holder: string }

/** Of everything the one lacks this permission alone, and the other holds it alone. Comes back when the instance goes by it. */
async function allBut({ most, holder }: Holders, page: string, action: string): Promise<void> {
  const { db, signals } = instance.app
  const before = changesHeard
  const ofPage = sql`select p.id from permission p join permission menu on menu.id = p.parent_id
    where menu.resource_code = ${page} and p.resource_code = ${action}
    union all select id from permission where display_type = 'MENU' and resource_code = ${page}`
  await db.write(async tx => {
    await sql`insert into role_permission (role_id, permission_id)
      select most.id, lost.permission_id from role most, role holder join role_permission lost on lost.role_id = holder.id
      where most.code = ${most} and holder.code = ${holder} on conflict do nothing`.execute(tx)
    await sql`delete from role_permission using role where role.id = role_id and role.code = ${holder}`.execute(tx)
    await sql`insert into role_permission (role_id, permission_id)
      select role.id, held.id from role, (${ofPage}) held where role.code = ${holder}`.execute(tx)
    await sql`delete from role_permission using role most, permission p, permission menu
      where most.id = role_id and most.code = ${most} and p.id = permission_id and p.resource_code = ${action}
        and menu.id = p.parent_id and menu.resource_code = ${page}`.execute(tx)
    await signals.send(tx, 'access', {})
  })
  while (changesHeard === before) await sleep(1)
}

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

  test('each permission a role holds is read as itself, and as nothing besides', async () => {
    const { pages } = instance.app.catalogue
    const { id, role } = await person(instance, { grants: Object.fromEntries(pages) })
    const read = [...((await instance.app.sessions.actor(id))?.grants ?? [])]
    const sorted = (grants: Iterable<readonly [string, Iterable<string>]>) =>
      [...grants].map(([page, actions]) => [page, ...[...actions].sort()].join(' ')).sort()
    expect(sorted(read)).toEqual(sorted(pages))
    // As many rows as there are permissions: none is read as two, and no two as one.
    const { rows } = await instance.app.db.read.pool.query(
      `select count(*)::int as n from role_permission join role on role.id = role_id join permission p on p.id = permission_id
       where role.code = $1 and p.display_type = 'PERMISSION' and p.resource_code <> ''`,
      [role],
    )
    expect(rows[0].n).toBe(read.reduce((sum, [, actions]) => sum + actions.size, 0))
  })

  const refused = { status: 403, code: 4003 }
  const guardedBy = ({ page, action }: Access) =>
    guarded.filter(({ access }) => access.page === page && access.action === action)
  const permissions = () => [
    ...new Map(guarded.map(({ access }) => [`${access.page} ${access.action}`, access])).values(),
  ]

  test('everything but the one permission is not enough, and that one alone is', async () => {
    const { app } = instance
    const somebody = await person(instance, { grants: Object.fromEntries(app.catalogue.pages) })
    const everything = [...((await app.sessions.actor(somebody.id))?.grants ?? [])]
    let grants: Actor['grants'] = new Map()
    const find = app.sessions.find
    // At the door, which is what is tried: to write and to read a role anew for each would grow with the square of them.
    const door = vi.spyOn(app.sessions, 'find').mockImplementation(async token => {
      const session = await find(token)
      return session && { ...session, actor: { ...session.actor, grants } }
    })
    for (const access of permissions()) {
      const { page, action } = access
      for (const route of guardedBy(access)) {
        grants = new Map(
          everything.map(([held, actions]) => [
            held,
            held === page ? new Set([...actions].filter(one => one !== action)) : actions,
          ]),
        )
        expect({ call: named(route), ...status(await ask(somebody, route)) }).toEqual({
          call: named(route),
          ...refused,
        })
        grants = new Map([[page, new Set([action])]])
        expect((await ask(somebody, route)).status, named(route)).not.toBe(403)
      }
    }
    door.mockRestore()
  })

  test('and so it is when a role loses or gets it while people are at work', async () => {
    // One person who loses and gets back each in turn: a person for each would hold as many rows as there are pairs.
    const most = await person(instance, { grants: Object.fromEntries(instance.app.catalogue.pages) })
    const holder = await person(instance)
    const few = permissions().filter((_, nth) => IS_LONG || nth % EVERY === 0)
    expect(few.length).toBeGreaterThan(10)
    for (const access of few) {
      await allBut({ most: most.role, holder: holder.role }, access.page, access.action)
      for (const route of guardedBy(access)) {
        expect({ call: named(route), ...status(await ask(most, route)) }).toEqual({ call: named(route), ...refused })
        expect((await ask(holder, route)).status, named(route)).not.toBe(403)
      }
    }
  })

  test('each role of the business gets past the calls it holds and past no other, and a refused call changes nothing', async () => {
    const { catalogue } = instance.app
    const roles = await Promise.all(
      rolesOf(await readStories(catalogue), catalogue).map(async ({ code, scope, holds }, nth) => {
        const known = Object.entries(holds).filter(([page]) => catalogue.pages.has(page))
        const who = await person(instance, { grants: Object.fromEntries(known), scope })
        // A role asks each a few of all calls; together they ask all of them.
        const asked = guarded.filter((_, at) => IS_LONG || (at + nth) % EVERY_CALL === 0)
        const isHeld = ({ access: { page, action } }: (typeof guarded)[number]) =>
          holds[page]?.includes(action) === true
        return { code, who, held: asked.filter(isHeld), kept: asked.filter(route => !isHeld(route)) }
      }),
    )
    expect(roles.length).toBeGreaterThan(EVERY_CALL)
    const before = await fingerprints(instance, ['operation_log'])
    for (const { code, who, kept } of roles)
      for (const route of kept)
        expect({ role: code, call: named(route), ...status(await ask(who, route)) }).toEqual({
          ...{ role: code, call: named(route) },
          ...refused,
        })
    expect(await fingerprints(instance, ['operation_log'])).toEqual(before)
    for (const { code, who, held } of roles)
      for (const route of held) expect((await ask(who, route)).status, `${code} ${named(route)}`).not.toBe(403)
    expect(roles.flatMap(({ held }) => held).length).toBeGreaterThan(50)
  })

  test('no answer to any of these calls is an error of ours', async () => {
    const admin = await person(instance, { superAdmin: true })
    for (const route of closed) expect((await ask(admin, route)).status, named(route)).toBeLessThan(500)
  })
})

describe('what is chosen from', () => {
  const refusals = async (
    who: string,
    grants: Record<string, readonly string[]>,
    scope: 'SELF' | 'DEPARTMENT_AND_BELOW' | 'ALL',
  ) => {
    const somebody = await person(instance, { grants, scope })
    const found: string[] = []
    for (const slice of instance.catalogue.slices.filter(({ screen }) => screen?.key && screen.key in grants))
      for (const name of pickersOf(slice)) {
        const { status: http, code } = await somebody.get(`/common/reference/${name}`)
        if (code !== 0) found.push(`${who} on ${slice.screen?.route} choosing a ${name}: ${http}`)
      }
    return found
  }

  test('no role of the business is refused by a picker of a screen it holds', async () => {
    const { catalogue } = instance.app
    for (const { code, scope, holds } of rolesOf(await readStories(catalogue), catalogue)) {
      const known = Object.entries(holds).filter(([page]) => catalogue.pages.has(page))
      expect(await refusals(code, Object.fromEntries(known), scope)).toEqual([])
    }
  })

  test('who holds one screen alone can choose everything that is chosen there', async () => {
    expect(instance.catalogue.slices.flatMap(slice => pickersOf(slice)).length).toBeGreaterThan(20)
    for (const [page, actions] of instance.app.catalogue.pages)
      expect(await refusals('who holds it alone', { [page]: actions }, 'SELF')).toEqual([])
  })

  test('who holds no screen it is chosen on is refused', async () => {
    const somebody = await person(instance, { grants: { dictionary: ['list'] } })
    for (const name of instance.app.catalogue.references.keys())
      expect({ name, ...status(await somebody.get(`/common/reference/${name}`)) }).toEqual({
        name,
        status: 403,
        code: 4003,
      })
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
      ['PUT', '/api/orders'],
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
