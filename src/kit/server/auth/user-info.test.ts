import { beforeAll, describe, expect, test } from 'vitest'
import { caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { employ, signIn } from '../../../../tools/testing/sign-in.ts'
import { hashPassword } from '../access/hash.ts'
import { DEMO_PASSWORD } from './demo-account.ts'

type Entry = { id: string; parentId: string | null; resourceCode: string; displayName: string; displayType: string }
type Info = {
  role: { code: string; name: string; superAdmin: boolean; permissionList: Entry[] } | null
  preference: unknown
}

let instance: TestInstance
beforeAll(async () => {
  instance = await openTestInstance()
})

const infoOf = async (who: { get<T>(path: string): Promise<{ data: T }> }) =>
  (await who.get<Info>('/auth/userInfo')).data
const newRole = async (code: string, name: string) =>
  (
    await instance.app.db.query
      .insertInto('role')
      .values({ code, name, scope: 'SELF' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
const signedIn = async (roleId?: string) => {
  const { id, account } = await employ(instance, roleId ? { roleId } : {})
  return caller(instance, id, (await signIn(instance, account)).data)
}
/** "dictionary list" for an action, "dictionary" for a page. */
const named = (list: readonly Entry[]) =>
  list
    .map(entry =>
      entry.displayType === 'MENU'
        ? entry.resourceCode
        : `${list.find(({ id }) => id === entry.parentId)?.resourceCode} ${entry.resourceCode}`,
    )
    .sort()

describe('who is signed in', () => {
  test('is told with name, language, preference and role', async () => {
    const somebody = await person(instance, { name: '林小满', grants: { dictionary: ['list'] } })
    expect((await somebody.get<object>('/auth/userInfo')).data).toMatchObject({
      id: somebody.id,
      account: expect.any(String),
      name: '林小满',
      avatar: null,
      language: null,
      mustChangePassword: false,
      preference: {},
      role: { code: expect.stringMatching(/^ROLE_/), superAdmin: false },
    })
  })

  test('a person without any role has none', async () => {
    expect((await infoOf(await signedIn())).role).toBeNull()
  })

  test('a role without permissions is a role with an empty list', async () => {
    expect((await infoOf(await signedIn(await newRole('EMPTY', '空角色')))).role).toEqual({
      code: 'EMPTY',
      name: '空角色',
      superAdmin: false,
      permissionList: [],
    })
  })

  test('permissions come with the menus above them, actions under their page', async () => {
    const { role } = await infoOf(await person(instance, { grants: { dictionary: ['list', 'create'] } }))
    expect(named(role?.permissionList ?? [])).toEqual(['dictionary', 'dictionary create', 'dictionary list', 'system'])
    const page = role?.permissionList.find(({ resourceCode }) => resourceCode === 'dictionary')
    expect(role?.permissionList.find(({ id }) => id === page?.parentId)).toMatchObject({
      resourceCode: 'system',
      displayType: 'MENU',
      parentId: null,
    })
  })

  test('several roles are taken together as one', async () => {
    const first = await person(instance, { grants: { dictionary: ['list'] } })
    const second = await person(instance, { grants: { 'order-list': ['list'], dictionary: ['list', 'delete'] } })
    await instance.app.db.query
      .insertInto('staff_role')
      .columns(['staff_id', 'role_id'])
      .expression(eb =>
        eb
          .selectFrom('staff_role')
          .select(eb => [eb.val(first.id).$castTo<string>().as('staff_id'), 'role_id'])
          .where('staff_id', '=', second.id),
      )
      .execute()
    const { role } = await infoOf(first)
    expect(role?.code).toMatch(/^ROLE_\w+,ROLE_\w+$/)
    expect(role?.name).toMatch(/^ROLE_\w+, ROLE_\w+$/)
    expect(named(role?.permissionList ?? [])).toEqual([
      'dictionary',
      'dictionary delete',
      'dictionary list',
      'order',
      'order-list',
      'order-list list',
      'system',
    ])
  })

  test('a super administrator gets every permission of a screen that stands, and none that vanished', async () => {
    await instance.app.db.query
      .insertInto('permission')
      .values({ display_type: 'MENU', resource_code: 'gone', display_name: 'gone', vanished: true })
      .execute()
    const { role } = await infoOf(await person(instance, { superAdmin: true }))
    const { areas, screens, pages } = instance.app.catalogue
    const menus = new Set([...areas, ...screens].flatMap(({ key }) => key ?? []))
    const actions = [...pages.values()].flat()
    expect(role?.superAdmin).toBe(true)
    expect(role?.permissionList).toHaveLength(menus.size + actions.length)
    expect(role?.permissionList.map(({ resourceCode }) => resourceCode)).not.toContain('gone')
  })

  test('names are in the language of the page', async () => {
    const somebody = await person(instance, {
      grants: { 'order-refundApply': ['list', 'approve'], dictionary: ['create'] },
    })
    const inLanguage = async (language: string) => {
      const answer = await instance.http.inject({
        url: '/api/auth/userInfo',
        headers: { authtoken: somebody.token, 'accept-language': language },
      })
      return Object.fromEntries(
        (answer.json().data.role.permissionList as Entry[]).map(({ resourceCode, displayName }) => [
          resourceCode,
          displayName,
        ]),
      )
    }
    expect(await inLanguage('en-US')).toMatchObject({
      system: 'System',
      dictionary: 'Dictionary',
      'order-refundApply': 'Refund applications',
      create: 'Create',
      list: 'View list',
      approve: expect.stringContaining('pprove'),
    })
    expect(await inLanguage('zh-CN')).toMatchObject({
      system: '系统管理',
      dictionary: '数据字典',
      create: '新建',
      approve: '同意退款',
    })
    expect(await inLanguage('pt-BR')).toMatchObject({ dictionary: 'Dicionário', create: 'Criar' })
    expect(await inLanguage('zh-TW')).toMatchObject({ system: '系統管理', create: '新建' })
  })
})

describe('the menu', () => {
  type Nav = { name: string; title: string; icon: string; children: { path: string; title: string }[] }[]

  test('holds what the person may open, group by group, and nothing hidden', async () => {
    const somebody = await person(instance, { grants: { dictionary: ['list'] } })
    const { data } = await somebody.get<Nav>('/user/nav')
    const system = data.find(({ name }) => name === 'system')
    expect(system).toMatchObject({ title: 'System', icon: 'setting' })
    expect(system?.children).toEqual([
      { key: 'dictionary', name: 'system/dictionary', title: 'Dictionary', path: '/system/dictionary/list' },
    ])
    expect(data.map(({ name }) => name)).not.toContain('orders')
    expect(data.map(({ name }) => name)).not.toContain('account')
  })

  test('needs a session', async () => {
    expect(await caller(instance).get('/user/nav')).toMatchObject({ status: 401 })
  })
})

describe('what the console knows before sign-in', () => {
  type Settings = { demoAccounts: { account: string; role: string; password: string }[] }

  test('language, retry factor, captcha and version', async () => {
    const own = await openTestInstance({ env: { DEFAULT_LOCALE: 'en-US', RECONNECT_FACTOR: '1.3' } })
    expect((await caller(own).get<object>('/common/settings')).data).toEqual({
      defaultLocale: 'en-US',
      reconnectFactor: 1.3,
      captcha: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      demoAccounts: [],
    })
  })

  test('demo accounts are named by their role, and only while the demo password works', async () => {
    const own = await openTestInstance({ env: { ADMIN_USERNAME: 'boss' } })
    const hash = await hashPassword(DEMO_PASSWORD)
    const roleIds: Record<string, string> = {}
    for (const code of ['SALES', 'FINANCE_CASHIER', 'SUPER_ADMIN', 'AUDITOR']) {
      roleIds[code] = (
        await own.app.db.query
          .insertInto('role')
          .values({ code, name: `role ${code}`, scope: 'ALL' })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    }
    await employ(own, { account: 'sales', roleId: roleIds.SALES!, passwordHash: hash })
    await employ(own, { account: 'finance-cashier', roleId: roleIds.FINANCE_CASHIER!, passwordHash: hash })
    await employ(own, { account: 'boss', roleId: roleIds.SUPER_ADMIN!, passwordHash: hash })
    await employ(own, { account: 'another-seller', roleId: roleIds.SALES!, passwordHash: hash })
    await employ(own, { account: 'auditor', roleId: roleIds.AUDITOR! })
    expect((await caller(own).get<Settings>('/common/settings')).data.demoAccounts).toEqual([
      { account: 'sales', role: 'role SALES', password: DEMO_PASSWORD },
      { account: 'finance-cashier', role: 'role FINANCE_CASHIER', password: DEMO_PASSWORD },
      { account: 'boss', role: 'role SUPER_ADMIN', password: DEMO_PASSWORD },
    ])
    const real = await openTestInstance({ url: own.url, env: { SEED: 'none', CAPTCHA: 'on', ADMIN_USERNAME: 'boss' } })
    expect((await caller(real).get<Settings>('/common/settings')).data.demoAccounts).toEqual([])
  })
})
