import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { metaOf, type Resource } from '../src/kit/model/resource.ts'
import type { Route } from '../src/kit/server/http/route.ts'
import { type Caller, openTestInstance, person, type TestInstance } from './testing/instance.ts'
import { IS_LONG } from './testing/long.ts'
import { placeOrder } from './testing/records.ts'
import { fingerprints } from './testing/state.ts'

/** Every filter of every list, with everything people may type: it grows with the screens. */
const LONG_MS = 600_000

const SLEPT_MS = 4_000

/** Written by being asked, not by what is asked: counters of attempts, and the log. */
const BESIDE = ['attempt_gate', 'operation_log', 'login_trace', 'captcha']

const INJECTIONS = [
  "'",
  '"',
  '`',
  '\\',
  '\\\\',
  ';',
  '--',
  '/*',
  '*/',
  '%',
  '_',
  '%%',
  '\u0000',
  '\u202e',
  '\ud800',
  '{{7*7}}',
  '<script>',
  '../../etc/passwd',
  "' or '1'='1",
  "'; drop table staff; --",
  '1; select pg_sleep(5)',
  "' union select password_hash from staff --",
  '$1',
  '$$',
  '1e309',
  '-1',
  '0x10',
  'NaN',
  '9223372036854775808',
  '99999999999999999999',
  'null',
  'true',
  '[]',
  '{}',
  'id:desc,(select 1)',
  'id desc',
  'password_hash:asc',
  'id:DESC',
  'id;desc',
  '1'.repeat(10_000),
]
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'id',
  'version',
  'password_hash',
  'ownerId',
  'orgId',
  'table',
  'createdAt',
  "status'",
  'status--',
]

let instance: TestInstance
let admin: Caller
let resources: Resource[]
beforeAll(async () => {
  instance = await openTestInstance()
  admin = await person(instance, { superAdmin: true })
  await placeOrder(instance)
  // What the console does by itself meanwhile is not what was asked.
  await instance.house.stop()
  resources = instance.app.catalogue.slices.flatMap(({ resource }) => resource ?? [])
})

const send = (route: Route, payload: string, query = '') =>
  instance.http.inject({
    method: route.method,
    url: `/api${route.path
      .replace(':name', 'member')
      .replace(':source', 'app')
      .replace(/:ids?\b/, '1')}${query}`,
    headers: { authtoken: admin.token, 'content-type': 'application/json', 'accept-language': 'en-US' },
    payload,
  })

const refusedCodes = [4000, 4004, 4005]
/** Paths the contract only names (spec §7): they refuse whatever comes. */
const ALWAYS_REFUSE = ['/auth/register', '/auth/forge-password', '/account/sms', '/account/sms_err']
/** Display choices of the person alone, kept as the console sends them; only their size is bounded. */
const FREE_FORM = ['/account/preference']
/** Handed on by chat apps, which add words of their own to an address; none of them is read. */
const HANDED_ON = ['/go/:code', '/partner/:token']

describe('bodies are taken strictly', () => {
  const withBody = () =>
    instance.routes.filter(
      ({ method, path, body }) =>
        (method === 'POST' || method === 'PUT') &&
        body instanceof z.ZodType &&
        ![...ALWAYS_REFUSE, ...FREE_FORM].includes(path),
    )
  let untouched: Record<string, string>
  beforeAll(async () => {
    untouched = await fingerprints(instance, BESIDE)
  })

  test.each([
    ['an unknown field', '{"surprise":1}'],
    ['a number', '42'],
    ['a word', '"word"'],
    ['nothing that is JSON', '{"a":'],
    ['a list of what is no record', '[{"surprise":1}]'],
    ['a list in a list', '[[]]'],
    ['a forged prototype', '{"__proto__":{"superAdmin":true}}'],
    ['a forged constructor', '{"constructor":{"prototype":{"superAdmin":true}}}'],
  ])('%s is refused by every call, and nothing changes', async (_name, payload) => {
    for (const route of withBody()) {
      const answer = await send(route, payload)
      expect({
        call: `${route.method} ${route.path}`,
        // A page says so in words alone.
        refused: route.answer === 'page' || refusedCodes.includes(answer.json().code),
        status: answer.statusCode,
      }).toEqual({
        call: `${route.method} ${route.path}`,
        refused: true,
        status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
      })
    }
    expect(({} as { superAdmin?: boolean }).superAdmin).toBeUndefined()
    expect(await fingerprints(instance, BESIDE)).toEqual(untouched)
  })

  test('an unknown parameter in the address is refused by every call', async () => {
    for (const route of instance.routes.filter(
      // Asked for by GET, the second step refuses as the template's calls do.
      ({ method, path }) => method === 'GET' && ![...ALWAYS_REFUSE, ...HANDED_ON, '/auth/2step-code'].includes(path),
    )) {
      const answer = await send(route, '', '?surprise=1')
      expect({ call: route.path, code: answer.json().code }).toEqual({ call: route.path, code: 4000 })
    }
  })

  test('a body too large, and one that is no JSON by its own word, is refused', async () => {
    const route = withBody()[0] as Route
    expect((await send(route, JSON.stringify({ note: 'x'.repeat(1_100_000) }))).json().code).toBe(4000)
    const form = await instance.http.inject({
      method: 'POST',
      url: `/api${route.path}`,
      payload: 'a=1',
      headers: { authtoken: admin.token, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.json().code).toBe(4000)
  })
})

/** The same code reads them everywhere: all of them at the first, then an eighth in turn; in the long run all everywhere. */
const some = (texts: readonly string[], nth: number): readonly string[] =>
  IS_LONG || nth === 0 ? texts : texts.filter((_, at) => at % 8 === nth % 8)

const SIZES = ['10', '20', '30', '50', '100']
const NO_SIZES = ['0', '1', '11', '101', '1000', '-10', '10.5', '1e1']
const NO_PAGES = ['0', '-1', '1.5', '10000000']

describe('lists take what they declare and nothing else', () => {
  const list = async (resource: Resource, parameters: Record<string, string>) => {
    const begun = performance.now()
    const answer = await instance.http.inject({
      method: 'GET',
      url: `/api/${resource.screen.name}?${new URLSearchParams(Object.entries(parameters))}`,
      headers: { authtoken: admin.token },
    })
    return { status: answer.statusCode, ...answer.json(), ms: performance.now() - begun }
  }

  test('a filter or a sort that is not declared is refused, whatever it is called', async () => {
    for (const resource of resources) {
      const declared = new Set(resource.list.filters.flatMap(field => [field, `${field}Begin`, `${field}End`]))
      for (const name of NAMES.filter(name => !declared.has(name))) {
        expect(await list(resource, { [name]: '1' }), `${resource.screen.name} ${name}`).toMatchObject({
          status: 400,
          code: 4000,
        })
        if (!resource.list.sort.includes(name) && name !== 'id') {
          expect(await list(resource, { sort: `${name}:asc` }), `${resource.screen.name} ${name}`).toMatchObject({
            status: 400,
            code: 4000,
          })
        }
      }
    }
  })

  test('whatever stands in a sort, a page number or a size, it is a parameter and no SQL', async () => {
    for (const [nth, resource] of resources.entries()) {
      for (const text of some(INJECTIONS, nth)) {
        for (const name of ['sort', 'current', 'size']) {
          const answer = await list(resource, { [name]: text })
          if (name === 'sort' || !/^\d+$/.test(text))
            expect(answer, `${name}=${text}`).toMatchObject({ status: 400, code: 4000 })
          else expect(answer.status, `${name}=${text}`).toBeLessThan(500)
        }
      }
    }
  })

  const kinds = new Set<string>()
  let nth = 0
  /** All of them in the first filter of each kind and at each end of a range, which one piece of code reads; a few in the others, in turn. */
  const tried = (resource: Resource) =>
    [...resource.list.filters.flatMap(field => [field, `${field}Begin`, `${field}End`]), 'query'].map(name => {
      const field = resource.list.filters.find(filter => name.startsWith(filter))
      const kind = `${field ? metaOf(resource, field).kind : ''} ${name.slice(field?.length ?? 0)}`
      const isFirst = !kinds.has(kind)
      kinds.add(kind)
      nth += 1
      return { name, texts: isFirst ? INJECTIONS : some(INJECTIONS, nth) }
    })

  test(
    'whatever stands in a filter or in the search box finds what is so called, or is refused',
    async () => {
      const before = await fingerprints(instance, BESIDE)
      for (const resource of resources) {
        for (const { name, texts } of tried(resource)) {
          for (const text of texts) {
            let { status, code, data, ms } = await list(resource, { [name]: text })
            // What sleeps sleeps every time; a machine that was busy is not busy for ever.
            for (let tries = 1; ms >= SLEPT_MS && tries < 3; tries += 1)
              ({ status, code, data, ms } = await list(resource, { [name]: text }))
            const what = `${resource.screen.name}?${name}=${text.slice(0, 40)}`
            expect([0, 4000], what).toContain(code)
            expect(status, what).toBeLessThan(500)
            // One of them asks the database to sleep for five seconds.
            expect(ms, what).toBeLessThan(SLEPT_MS)
            if (code === 0 && !/^(-?\d+|true)$/.test(text)) expect(data.records, what).toEqual([])
          }
        }
      }
      expect(await fingerprints(instance, BESIDE)).toEqual(before)
    },
    LONG_MS,
  )

  test('every search box and every picker answers what people type', async () => {
    const typed = ['张', 'zhang', 'Zhang', '2026', '%']
    for (const query of typed) {
      for (const resource of resources) {
        const code = resource.list.search.length > 0 ? 0 : 4000
        expect(await list(resource, { query }), resource.screen.name).toMatchObject({ code })
      }
      for (const name of instance.app.catalogue.references.keys()) {
        expect(await admin.get(`/common/reference/${name}?query=${encodeURIComponent(query)}`), name).toMatchObject({
          code: 0,
        })
      }
    }
  })

  test('a filter given a hundred times or as a nested name is refused', async () => {
    for (const resource of resources) {
      const field = resource.list.filters[0]
      const many = Array.from({ length: 101 }, () => `${field}=1`).join('&')
      for (const query of [many, `${field}[]=1`, `${field}[a]=1`, 'sort=id:asc&sort=id:desc', 'query=a&query=b']) {
        const answer = await instance.http.inject({
          method: 'GET',
          url: `/api/${resource.screen.name}?${query}`,
          headers: { authtoken: admin.token },
        })
        expect(answer.json(), query).toMatchObject({ code: 4000 })
      }
    }
  })

  test('page sizes are those of the contract', async () => {
    for (const [nth, resource] of resources.entries()) {
      for (const size of some(SIZES, nth)) expect((await list(resource, { size })).code).toBe(0)
      for (const size of some(NO_SIZES, nth)) expect((await list(resource, { size })).code).toBe(4000)
      for (const current of some(NO_PAGES, nth)) expect((await list(resource, { current })).code).toBe(4000)
    }
  })
})

const NO_IDS = [
  "1'",
  '1;',
  '01',
  '0',
  '-1',
  '1.0',
  '1e3',
  'abc',
  '9223372036854775808',
  '99999999999999999999',
  '%00',
  '1%2c',
  '..%2f1',
]

describe('ids in addresses', () => {
  test('what is no id is refused before anything is asked', async () => {
    const withId = instance.routes.filter(({ path, access }) => /:ids?\b/.test(path) && access !== 'public')
    for (const [nth, route] of withId.entries()) {
      for (const id of some(NO_IDS, nth)) {
        const answer = await instance.http.inject({
          method: route.method,
          url: `/api${route.path.replace(/:ids?\b/, id)}`,
          headers: { authtoken: admin.token, 'content-type': 'application/json' },
          ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { payload: '{}' }),
        })
        expect(refusedCodes, `${route.method} ${route.path} ${id}`).toContain(answer.json().code)
      }
    }
  })

  test('more than 200 ids at once are refused, and 200 are taken', async () => {
    const route = instance.routes.find(({ method, path }) => method === 'DELETE' && path.endsWith('/:ids')) as Route
    const ask = async (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => `9000000000000${String(index).padStart(5, '0')}`).join(
        ',',
      )
      return (
        await instance.http.inject({
          method: 'DELETE',
          url: `/api${route.path.replace(':ids', ids)}`,
          headers: { authtoken: admin.token },
        })
      ).json().code
    }
    expect(await ask(200)).toBe(4004)
    expect(await ask(201)).toBe(4000)
  })
})
