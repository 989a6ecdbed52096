import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import type { TreeNode, TreeOfNodes } from '#kit/model/tree.ts'
import { syncPermissions } from '#kit/server/access/permission.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import type { Declared } from '#kit/server/declared.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { listen, openSocket } from '../../../../tools/testing/live.ts'
import type { MenuPermission } from './model.ts'

const PATH = '/system/menu-permission'
const NONE = { nameZhCn: null, nameZhTw: null, nameEnUs: null, namePtBr: null, icon: null }
const UNTOUCHED = { ...NONE, hidden: false, keepAlive: true }

type Entry = { resourceCode: string; displayName: string; parentId: string | null; own?: object }
type Nav = { name: string; title: string; icon: string; children: { key: string; title: string }[] }[]

describe('the menu', () => {
  let instance: TestInstance
  let admin: Caller
  let seller: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    admin = await person(instance, { grants: { 'iam-resource-permission': ['list', 'detail', 'update', 'move'] } })
    seller = await person(instance, {
      grants: { 'order-list': ['list'], 'order-browse': ['list'], 'order-exchange': ['list'], dictionary: ['list'] },
    })
  })

  const startWith = (catalogue: Declared) => syncPermissions(instance.app.db, catalogue, instance.app.texts)
  afterEach(async () => {
    await startWith(instance.app.catalogue)
    await run(
      instance.app.db.query,
      `update permission set sort = code_sort, hidden = false, keep_alive = true, icon = null,
         name_zh_cn = null, name_zh_tw = null, name_en_us = null, name_pt_br = null`,
      [],
    )
  })
  /** As if the code had no such page. */
  const without = (key: string): Declared => ({
    ...instance.app.catalogue,
    areas: instance.app.catalogue.areas.map(area => ({
      ...area,
      screens: Object.fromEntries(Object.entries(area.screens).filter(([, screen]) => screen.key !== key)),
    })),
  })

  const nodes = async () => (await admin.get<TreeOfNodes>(`${PATH}/tree`)).data.nodes
  const idOf = async (code: string) => {
    const [row] = await run(
      instance.app.db.query,
      `select id from permission where resource_code = $1 and display_type = 'MENU'`,
      [code],
    )
    return String(row?.id)
  }
  const read = async (code: string) => (await admin.get<MenuPermission>(`${PATH}/${await idOf(code)}`)).data
  const change = async (code: string, fields: Partial<MenuPermission>) => {
    const { id, version } = await read(code)
    expect(await admin.put(`${PATH}/${id}`, { ...UNTOUCHED, ...fields, version })).toMatchObject({ code: 0 })
  }
  const move = async (code: string, below: string | null, after: string | null) => {
    const { id, version } = await read(code)
    const [parentId, afterId] = [below && (await idOf(below)), after && (await idOf(after))]
    return admin.post(`${PATH}/${id}/move`, { parentId, afterId, version })
  }
  const entries = async (language = 'en-US') => {
    const { data } = await seller.get<{ role: { permissionList: Entry[] } }>('/auth/userInfo', {
      'accept-language': language,
    })
    return data.role.permissionList
  }
  const entry = async (code: string, language?: string) =>
    (await entries(language)).find(({ resourceCode }) => resourceCode === code)
  const nav = async () => (await seller.get<Nav>('/user/nav')).data
  const ordersIn = (menu: Nav) => menu.find(({ name }) => name === 'orders')?.children.map(({ key }) => key)

  test('shows every group with its pages in the words of whoever asks, and no action between them', async () => {
    const shown = await nodes()
    const below = (parent: TreeNode | undefined) => shown.filter(({ parentId }) => parentId === parent?.id)
    const finance = shown.find(({ name }) => name === 'Finance')
    expect(below(finance).map(({ name, children }) => [name, children])).toEqual([['Payment exceptions', 0]])
    expect(finance).toMatchObject({ parentId: null, children: 1, beside: null })
    const keys = [...instance.app.catalogue.areas, ...instance.app.catalogue.screens].filter(({ key }) => key !== null)
    expect(shown.filter(({ beside }) => beside === null)).toHaveLength(keys.length)
  })

  test('calls an entry as people here do, in the languages they gave it a name in', async () => {
    await change('order-list', { nameZhCn: '订单台账', nameEnUs: 'Order book' })
    expect(await entry('order-list')).toMatchObject({ displayName: 'Order book' })
    expect(await entry('order-list', 'zh-CN')).toMatchObject({ displayName: '订单台账' })
    expect(await entry('order-list', 'zh-TW')).toMatchObject({ displayName: '訂單臺賬' })
    expect(await entry('order-list', 'pt-BR')).toMatchObject({ displayName: 'Pedidos' })
    expect(await entry('order-list')).toMatchObject({
      own: { names: { 'zh-CN': '订单台账', 'en-US': 'Order book' }, words: ['dingdantaizhang', 'ddtz'] },
    })
    expect((await nodes()).map(({ name }) => name)).toContain('Order book')
    expect((await nav()).flatMap(({ children }) => children.map(({ title }) => title))).toContain('Order book')
    await change('order-list', {})
    expect(await entry('order-list')).not.toHaveProperty('own')
  })

  test('takes the order and the picture people gave it', async () => {
    expect(ordersIn(await nav())).toEqual(['order-list', 'order-browse', 'order-exchange'])
    expect(await move('order-exchange', 'order', null)).toMatchObject({ code: 0 })
    await change('order', { icon: 'brush' })
    expect(ordersIn(await nav())).toEqual(['order-exchange', 'order-list', 'order-browse'])
    expect((await nav()).find(({ name }) => name === 'orders')).toMatchObject({ icon: 'brush' })
    expect(await move('system', null, null)).toMatchObject({ code: 0 })
    // The workbench is everybody's and stays where it is.
    expect((await nav()).map(({ name }) => name)).toEqual(['workbench', 'system', 'orders'])
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  test('leaves out what is hidden, and takes no right from anybody by it', async () => {
    await change('order-browse', { hidden: true })
    expect(ordersIn(await nav())).toEqual(['order-list', 'order-exchange'])
    expect(await seller.get('/orders/browse-record')).toMatchObject({ code: 0 })
    expect((await entries()).map(({ resourceCode }) => resourceCode)).toContain('order-browse')
    await change('order', { hidden: true })
    expect((await nav()).map(({ name }) => name)).toEqual(['workbench', 'system'])
    expect(await seller.get('/orders/order')).toMatchObject({ code: 0 })
  })

  test('keeps a group’s pages no otherwise than before, and gives a page no picture, whatever is sent', async () => {
    await change('order', { keepAlive: false })
    expect(await read('order')).toMatchObject({ keepAlive: true })
    await change('order-list', { icon: 'brush', keepAlive: false })
    expect(await read('order-list')).toMatchObject({ icon: null, keepAlive: false })
    expect(await entry('order-list')).toMatchObject({ own: { keepAlive: false } })
  })

  test('has its pages below the groups the code puts them in, whatever anybody wants', async () => {
    expect(await move('order-list', 'system', null)).toMatchObject({
      code: CODES.validation,
      data: { fields: { parentId: expect.stringContaining('fixed') } },
    })
    expect(await move('order-list', null, null)).toMatchObject({ code: CODES.validation })
    expect((await read('order-list')).parentId).toBe(await idOf('order'))
  })

  test('keeps what people chose over a start, with a new page after the one it follows', async () => {
    await startWith(without('order-refundCount'))
    const gone = await idOf('order-refundCount')
    await run(instance.app.db.query, 'delete from permission where parent_id = $1', [gone])
    await run(instance.app.db.query, 'delete from permission where id = $1', [gone])
    await change('order-list', { nameEnUs: 'Order book', keepAlive: false })
    await move('order-refundApply', 'order', null)
    await startWith(instance.app.catalogue)
    expect(await read('order-list')).toMatchObject({ nameEnUs: 'Order book', keepAlive: false })
    const boss = await person(instance, { superAdmin: true })
    const shown = ordersIn((await boss.get<Nav>('/user/nav')).data)
    expect(shown?.slice(0, 3)).toEqual(['order-refundApply', 'order-refundCount', 'order-list'])
  })

  test('flags what the code no longer has: it opens nothing, and the roles that name it are told', async () => {
    const holder = await person(instance, { grants: { 'product-coin': ['list', 'update'] } })
    await startWith(without('product-coin'))
    const { kind, route, rights } = await read('product-coin')
    expect({ kind, route }).toEqual({ kind: 'VANISHED', route: null })
    expect(rights.map(({ code, people, vanished }) => [code, people, vanished])).toContainEqual(['update', 0, true])
    const update = rights.find(({ code }) => code === 'update')
    expect(update?.roles.map(({ name }) => name)).toContain((holder as Caller & { role: string }).role)
    const id = await idOf('product-coin')
    expect((await nodes()).find(node => node.id === id)).toMatchObject({ beside: 'Removed' })
    const somebody = await person(instance, { grants: { 'product-coin': ['list'] } })
    expect(await somebody.get('/products/coin-goods')).toMatchObject({ status: 403 })
  })

  test('tells of each action who holds it, by role and by number of people', async () => {
    const { kind, route, rights } = await read('dictionary')
    expect({ kind, route }).toEqual({ kind: 'PAGE', route: '/system/dictionary/list' })
    const [page, ...actions] = rights
    expect(page).toMatchObject({ name: 'Open', code: 'dictionary' })
    expect(actions.map(({ name, code }) => [name, code])).toEqual([
      ['View list', 'list'],
      ['View details', 'detail'],
      ['Create', 'create'],
      ['Edit', 'update'],
      ['Delete', 'delete'],
      ['Export', 'export'],
    ])
    const list = async () => (await read('dictionary')).rights.find(({ code }) => code === 'list')
    const before = await list()
    const more = await person(instance, { grants: { dictionary: ['list'] } })
    const after = await list()
    expect([after?.people, after?.roles.length]).toEqual([(before?.people ?? 0) + 1, (before?.roles.length ?? 0) + 1])
    await run(instance.app.db.query, `update staff set status = 'DISABLED' where id = $1`, [more.id])
    expect((await list())?.people).toBe(before?.people)
  })

  test('reaches every open console within a second, without a new login', async () => {
    const socket = await openSocket(await listen(instance), seller.token)
    await change('order-list', { nameEnUs: 'Order book' })
    await socket.next(message => (message as { menu?: boolean }).menu === true, 1_000)
    expect(await entry('order-list')).toMatchObject({ displayName: 'Order book' })
  })
})
