import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { phoneBelow } from '../src/kit/model/child.ts'
import { PUSHES } from '../src/kit/model/contract.ts'
import type { Route } from '../src/kit/server/http/route.ts'
import { SPEC_ROUTES } from './spec-routes.ts'
import { openTestInstance, type TestInstance } from './testing/instance.ts'

/** Tabs of the personal centre beside those of the specification. */
const OWN_ROUTES = ['exports', 'factor', 'notifications', 'sessions'].map(tab => `/account/settings/${tab}`)

/** Who has no token may call these and nothing else. A line more here is a decision, told in docs/security.md. */
const PUBLIC = [
  'GET /account/sms',
  'GET /account/sms_err',
  'GET /auth/2step-code',
  'GET /auth/captcha',
  'GET /auth/forge-password',
  'GET /auth/register',
  'GET /common/file/:id',
  'GET /common/settings',
  'GET /go/:code',
  'GET /open/v1/wechat-shop/messages',
  'GET /open/v1/wecom/app',
  'GET /open/v1/wecom/contacts',
  'GET /partner/:token',
  'POST /account/sms',
  'POST /account/sms_err',
  'POST /auth/2step-code',
  'POST /auth/forge-password',
  'POST /auth/login',
  'POST /auth/register',
  'POST /open/v1/:source/events',
  'POST /open/v1/:source/files',
  'POST /open/v1/douyin/webhook',
  'POST /open/v1/kuaidi100/push',
  'POST /open/v1/pay/alipay/notify',
  'POST /open/v1/pay/wechat/notify',
  'POST /open/v1/wechat-shop/messages',
  'POST /open/v1/wecom/app',
  'POST /open/v1/wecom/contacts',
  'POST /open/v1/xiaohongshu/lead-forms',
  'POST /open/v1/xiaohongshu/push',
  'POST /partner/:token/code',
  'POST /partner/:token/confirm',
]

const named = ({ method, path }: Route) => `${method} ${path}`

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

describe('the screens are those of the specification', () => {
  const spec = new Map(SPEC_ROUTES.map(entry => [entry.route, entry]))

  test('there are 148, each once', () => {
    expect(SPEC_ROUTES).toHaveLength(148)
    expect(spec.size).toBe(148)
  })

  test('a screen that stands has the route, key, group and visibility the specification gives it', () => {
    const { areas } = instance.app.catalogue
    const built = areas.flatMap(area =>
      Object.values(area.screens).flatMap(screen =>
        [screen.route, ...screen.aliases]
          .filter(route => !OWN_ROUTES.includes(route))
          .map(route => ({ area: area.name, group: area.key, route, key: screen.key })),
      ),
    )
    const pinned = SPEC_ROUTES.map(({ area, group, route, key }) => ({ area, group, route, key }))
    expect(built).toEqual(built.map(({ route }) => pinned.find(entry => entry.route === route)))
    expect(built.length).toBeGreaterThan(0)
  })

  test('a detail the specification hides is hidden, and nothing else but the personal centre', () => {
    const hidden = instance.app.catalogue.screens.filter(screen => screen.hidden && !screen.name.startsWith('account/'))
    for (const { route } of hidden) expect(spec.get(route)?.hidden, route).toBe(true)
  })

  test('the menu stands in the order of the specification: its groups, and the screens of each', () => {
    const menu = instance.app.catalogue.areas.flatMap(({ screens }) => Object.values(screens).map(({ route }) => route))
    const pinned = SPEC_ROUTES.map(({ route }) => route)
    const inOrder = menu.filter(route => pinned.includes(route))
    expect(inOrder).toEqual(pinned.filter(route => menu.includes(route)))
  })

  test('every push leads to a screen that stands', () => {
    const screens = instance.app.catalogue.screens.map(({ route, key }) => `${route} ${key}`)
    for (const { route, page } of Object.values(PUSHES))
      if (route !== null) expect(screens).toContain(`${route} ${page}`)
  })

  test('no route and no key stands for two screens', () => {
    const { screens } = instance.app.catalogue
    const routes = screens.flatMap(screen => [screen.route, ...screen.aliases])
    expect(new Set(routes).size).toBe(routes.length)
    const keys = screens.filter(({ hidden }) => !hidden).flatMap(({ key }) => key ?? [])
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('the calls', () => {
  test('no two answer at one address', () => {
    const shapes = instance.routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  test('each says who may call it, and names a page and an action that exist', () => {
    const { pages } = instance.app.catalogue
    for (const route of instance.routes) {
      expect(route.access, named(route)).toBeDefined()
      if (typeof route.access === 'string') continue
      expect(pages.get(route.access.page), named(route)).toContain(route.access.action)
    }
  })

  test("a resource's calls ask for the action they are named after", () => {
    const asked = instance.app.catalogue.slices.flatMap(({ resource, workflow }) => {
      if (!resource) return []
      const steps = Object.keys(workflow?.steps ?? {})
      const base = `/${resource.screen.name}`
      const wanted: Record<string, string> = {
        [`GET ${base}`]: 'list',
        [`GET ${base}/counts`]: 'list',
        [`POST ${base}/find-by-phone`]: 'list',
        [`GET ${base}/:id`]: 'detail',
        [`GET ${base}/:id/timeline`]: 'detail',
        [`POST ${base}`]: 'create',
        [`PUT ${base}`]: 'update',
        [`PUT ${base}/:id`]: 'update',
        [`DELETE ${base}`]: 'delete',
        [`DELETE ${base}/:ids`]: 'delete',
        [`GET ${base}/download`]: 'export',
        [`POST ${base}/:id/reveal`]: 'reveal',
        ...Object.fromEntries(
          steps.flatMap(step => [
            [`POST ${base}/:id/${step}`, step],
            [`POST ${base}/steps/${step}`, step],
            [`POST ${base}/:id/${step}/undo`, step],
          ]),
        ),
      }
      return instance.routes
        .filter(route => named(route) in wanted)
        .map(route => ({
          call: named(route),
          access: route.access,
          wanted: { page: resource.screen.key, action: wanted[named(route)] },
        }))
    })
    expect(asked.length).toBeGreaterThan(30)
    for (const { call, access, wanted } of asked) expect({ call, access }).toEqual({ call, access: wanted })
  })

  test('what belongs to a record is read by whoever may read the record, and exported by whoever may export it', () => {
    const { children } = instance.app.catalogue
    expect(children.length).toBeGreaterThan(2)
    for (const { of: parent, name, resource } of children) {
      const path = `/${parent.screen.name}/:id/${name}`
      const isExported = resource.actions.includes('export')
      expect(
        instance.routes
          .filter(route => route.path === path || route.path.startsWith(`${path}/`))
          .map(route => [named(route), route.access]),
      ).toEqual([
        [`GET ${path}`, { page: parent.screen.key, action: 'detail' }],
        [`GET ${path}/counts`, { page: parent.screen.key, action: 'detail' }],
        ...(phoneBelow(resource)
          ? [[`POST ${path}/find-by-phone`, { page: parent.screen.key, action: 'detail' }]]
          : []),
        ...(isExported ? [[`GET ${path}/download`, { page: parent.screen.key, action: 'export' }]] : []),
      ])
    }
  })

  test('an edit names its record in the path or in the body, as the contract has it', () => {
    const puts = (pattern: RegExp) =>
      instance.routes
        .filter(({ method, path }) => method === 'PUT' && pattern.test(path))
        .map(({ path }) => path.replace('/:id', ''))
    const edited = instance.app.catalogue.slices.flatMap(({ resource }) =>
      resource?.actions.includes('update') ? [`/${resource.screen.name}`] : [],
    )
    expect(edited.length).toBeGreaterThan(5)
    for (const pattern of [/\/:id$/, /^(?!.*:)/]) expect(puts(pattern)).toEqual(expect.arrayContaining(edited))
  })

  test('everybody may call these and no others', () => {
    expect(
      instance.routes
        .filter(({ access }) => access === 'public')
        .map(named)
        .sort(),
    ).toEqual(PUBLIC)
  })

  test('docs/security.md lists the same ones', () => {
    const text = readFileSync(new URL('../docs/security.md', import.meta.url), 'utf8')
    const listed = [...text.matchAll(/^\| `((?:GET|POST|PUT|DELETE)) \/api(\/[^`]+)`/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    )
    expect(listed.sort()).toEqual(PUBLIC)
  })
})
