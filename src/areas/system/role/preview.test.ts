import { beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#kit/server/http/route.ts'
import {
  type Caller,
  caller,
  cloneDatabase,
  openTestInstance,
  org,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { fingerprints } from '../../../../tools/testing/state.ts'
import type { Role } from './model.ts'

const PATH = '/system/role'
const ORDERS = { 'order-list': ['list', 'detail', 'export'] }
type Info = {
  role: {
    code: string
    name: string
    superAdmin: boolean
    permissionList: { resourceCode: string; displayType: string }[]
  }
  preview?: { roleId: string; name: string }
}

let instance: TestInstance
let elsewhere: TestInstance
beforeAll(async () => {
  const { url } = await cloneDatabase()
  instance = await openTestInstance({ url })
  elsewhere = await openTestInstance({ url, clock: instance.clock })
  await instance.house.stop()
  await elsewhere.house.stop()
})

const idOf = async (code: string) =>
  (await instance.app.db.query.selectFrom('role').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id
const preview = async (who: Caller, role: string) => who.post(`${PATH}/${await idOf(role)}/preview`)
const info = async (who: Caller) => (await who.get<Info>('/auth/userInfo')).data
const orders = async (who: Caller) =>
  (await who.get<{ records: { id: string }[]; total: number }>('/orders/order?size=100')).data
const ask = (who: Caller, { method, path }: Route) => {
  const url = path.replace(':name', 'member').replace(/:\w+/g, '1')
  if (method === 'GET') return who.get(url)
  if (method === 'DELETE') return who.remove(url)
  return method === 'PUT' ? who.put(url, {}) : who.post(url)
}

describe('looking at the console as a role', () => {
  test('refuses everything that changes or exports, on every address, and nothing changes', async () => {
    const chief = await person(instance, { superAdmin: true })
    const { role } = await person(instance, { grants: ORDERS })
    expect(await preview(chief, role)).toMatchObject({ code: 0 })
    const open = ['/logout', '/iam/ping', '/iam/ticket', '/auth/preview/end']
    const changes = instance.routes.filter(
      ({ method, path, access, reads }) =>
        access !== 'public' &&
        (method === 'GET'
          ? reads === false || (typeof access === 'object' && access.action === 'export')
          : !reads && !open.includes(path)),
    )
    expect(changes.length).toBeGreaterThan(300)
    const paths = changes.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/message/app/read/:id', '/common/task/:id/download']))
    const before = await fingerprints(instance)
    for (const route of changes) {
      const answer = await ask(chief, route)
      const { code, msg } = answer
      expect([route.method, route.path, code, msg]).toEqual([
        route.method,
        route.path,
        4003,
        expect.stringContaining(`previewing the role “${role}”`),
      ])
    }
    expect(await fingerprints(instance)).toEqual(before)
  })

  test('shows its menu and no more than one’s own, in this session alone, and says so', async () => {
    const who = await person(instance, { grants: { 'iam-role': ['list', 'preview'], ...ORDERS } })
    const { role } = await person(instance, { grants: { 'order-list': ['list', 'create'], dictionary: ['list'] } })
    await preview(who, role)
    const seen = await info(who)
    expect(seen).toMatchObject({ preview: { name: role }, role: { name: role, superAdmin: false } })
    const codes = seen.role.permissionList.map(({ resourceCode }) => resourceCode)
    expect(codes.sort()).toEqual(['list', 'order', 'order-list'])
    expect(await who.get('/system/dictionary')).toMatchObject({ code: 4003 })
    expect(await who.get('/orders/order')).toMatchObject({ code: 0 })
    const { token } = await instance.app.db.write(tx =>
      instance.app.sessions.open(tx, who.id, { address: '127.0.0.1', device: 'other' }),
    )
    expect((await info(caller(instance, who.id, token))).preview).toBeUndefined()
  })

  test('shows no row beyond what both the role and the person see', async () => {
    const [own, other] = [await org(instance), await org(instance)]
    const grants = { 'iam-role': ['preview'], ...ORDERS }
    const who = await person(instance, { grants, scope: 'DEPARTMENT', orgId: own })
    const mine = await placeOrder(instance, { ownerId: who.id, orgId: own })
    // Sold for another department: a role that shows one's own would show it, one's own department does not.
    const away = await placeOrder(instance, { ownerId: who.id, orgId: other })
    const colleagues = await placeOrder(instance, { orgId: own })
    const seen = async () => (await orders(who)).records.map(({ id }) => id).sort()
    expect(await seen()).toEqual([mine, colleagues].sort())
    const self = await person(instance, { grants: ORDERS, scope: 'SELF' })
    await preview(who, self.role)
    expect(await orders(who)).toMatchObject({ records: [{ id: mine }], total: 1 })
    expect(await who.get(`/orders/order/${away}`)).toMatchObject({ code: 4004 })
    await who.post('/auth/preview/end')
    const all = await person(instance, { grants: ORDERS, scope: 'ALL' })
    await preview(who, all.role)
    expect(await seen()).toEqual([mine, colleagues].sort())
  })

  test('lets nobody copy text who may not as himself, whatever the role is called', async () => {
    const { role: name } = await person(instance, { grants: ORDERS })
    const code = `${name}_COPY`
    await instance.app.db.query.updateTable('role').set({ code }).where('code', '=', name).execute()
    const who = await person(instance, { grants: { 'iam-role': ['preview'], ...ORDERS } })
    const chief = await person(instance, { superAdmin: true })
    for (const one of [who, chief]) await preview(one, code)
    expect((await info(who)).role).toMatchObject({ name, code: '' })
    expect((await info(chief)).role).toMatchObject({ name, code })
  })

  test('holds on the other instance within a second, and so does its end', async () => {
    const who = await person(instance, { superAdmin: true })
    const there = caller(elsewhere, who.id, who.token)
    const { role } = await person(instance, { grants: ORDERS })
    expect(await there.get('/system/dictionary')).toMatchObject({ code: 0 })
    const within = async (code: number) => {
      const began = performance.now()
      while ((await there.get('/system/dictionary')).code !== code)
        expect(performance.now() - began).toBeLessThan(1_000)
    }
    await preview(who, role)
    await within(4003)
    await who.post('/auth/preview/end')
    await within(0)
  })

  test('stands in the history of the role, from when to when', async () => {
    const who = await person(instance, { superAdmin: true, name: 'Auditor Lin' })
    const { role } = await person(instance, { grants: ORDERS })
    await preview(who, role)
    await who.post('/auth/preview/end')
    await preview(who, role)
    await who.post('/logout')
    const reader = await person(instance, { superAdmin: true })
    const { data } = await reader.get<{ action: string; actor: string; diff: object }[]>(
      `${PATH}/${await idOf(role)}/timeline`,
    )
    expect(data.map(({ action, actor }) => `${actor} ${action}`)).toEqual(
      ['endPreview', 'preview', 'endPreview', 'preview'].map(action => `Auditor Lin ${action}`),
    )
    expect(data[1]?.diff).toEqual({ previewUntil: [null, expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d/)] })
  })

  test('ends by itself after an hour, and with the role it shows', async () => {
    const who = await person(instance, { superAdmin: true })
    const { role } = await person(instance, { grants: ORDERS })
    await preview(who, role)
    instance.clock.forward(3_600_000 - 1)
    expect((await info(who)).preview).toBeDefined()
    instance.clock.forward(1)
    expect((await info(who)).preview).toBeUndefined()
    const chief = await person(instance, { superAdmin: true })
    const body = { copyOf: null, name: 'Short', code: 'SHORT', note: '', scope: 'SELF', orgIds: [], permissions: [] }
    const { id } = (await chief.post<Role>(PATH, body)).data
    await who.post(`${PATH}/${id}/preview`)
    expect(await who.get('/system/dictionary')).toMatchObject({ code: 4003 })
    await chief.remove(`${PATH}/${id}`)
    expect(await who.get('/system/dictionary')).toMatchObject({ code: 0 })
  })

  test('is not for the role that sees everything, nor for whoever may not', async () => {
    const chief = await person(instance, { superAdmin: true })
    expect(await preview(chief, 'SUPER_ADMIN')).toMatchObject({ code: 4006 })
    expect(await chief.post(`${PATH}/999999/preview`)).toMatchObject({ code: 4004 })
    const other = await person(instance, { grants: { 'iam-role': ['list', 'detail'] } })
    expect(await preview(other, other.role)).toMatchObject({ code: 4003 })
  })
})
