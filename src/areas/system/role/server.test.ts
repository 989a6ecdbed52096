import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Caller,
  caller,
  cloneDatabase,
  openTestInstance,
  org,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import type { Role } from './model.ts'
import type { PermissionTree } from './permission-tree.model.ts'

const PATH = '/system/role'
const EDITOR = ['list', 'detail', 'create', 'update', 'delete']
let instance: TestInstance
let chief: Caller
let count = 0

beforeAll(async () => {
  instance = await openTestInstance()
  chief = await person(instance, { superAdmin: true, name: 'Chief' })
})

const body = (more: Partial<Role> = {}) => ({
  copyOf: null,
  name: `Role ${++count}`,
  code: `MADE_${count}`,
  note: '',
  scope: 'SELF',
  orgIds: [],
  permissions: [],
  ...more,
})
const make = async (more: Partial<Role> = {}, who = chief) => (await who.post<{ id: string }>(PATH, body(more))).data.id
const read = async (id: string, who = chief) => (await who.get<Role>(`${PATH}/${id}`)).data
const edit = async (id: string, more: Partial<Role>, who = chief) => {
  const { name, note, scope, orgIds, permissions, version } = await read(id)
  return who.put(`${PATH}/${id}`, { name, note, scope, orgIds, permissions, version, ...more })
}
const idOf = async (code: string) =>
  (await instance.app.db.query.selectFrom('role').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id
const refusedOn = ({ code, data }: { code: number; data: unknown }) => ({
  code,
  fields: Object.keys((data as { fields?: object })?.fields ?? {}),
})

describe('a role', () => {
  test('is made with what it may do, whose rows it sees, and an action brings its page along', async () => {
    const department = await org(instance)
    const id = await make({ scope: 'CHOSEN', orgIds: [department], permissions: ['dictionary:list'] })
    expect(await read(id)).toMatchObject({
      scope: 'CHOSEN',
      orgIds: [department],
      permissions: ['dictionary', 'dictionary:list'],
      people: 0,
    })
  })

  test('tells in its history which permissions were given and taken, in words', async () => {
    const id = await make({ permissions: ['dictionary', 'dictionary:list'] })
    await edit(id, { permissions: ['dictionary', 'dictionary:create', 'org', 'org:export'] })
    const { data } = await chief.get<{ action: string; diff: Record<string, unknown> }[]>(`${PATH}/${id}/timeline`)
    expect(data.map(({ action, diff }) => [action, diff])).toEqual([
      [
        'update',
        { given: [null, 'Dictionary (Create) and Departments (Export)'], taken: [null, 'Dictionary (View list)'] },
      ],
      ['create', expect.objectContaining({ permissions: [null, 'Dictionary (View list)'] })],
    ])
  })

  test('keeps what the code no longer has, and says how much of it there is', async () => {
    const id = await make({ permissions: ['dictionary'] })
    await instance.app.db.query
      .insertInto('permission')
      .values({ display_type: 'MENU', resource_code: 'gone', display_name: 'gone', vanished: true })
      .execute()
    await instance.app.db.read.pool.query(
      `insert into role_permission select $1, id from permission where resource_code = 'gone'`,
      [id],
    )
    await edit(id, { permissions: [] })
    expect(await read(id)).toMatchObject({ permissions: [], outdated: 1 })
  })

  test('that names a group of the menu besides its pages is edited like any other', async () => {
    const id = await make({ permissions: ['dictionary:list'] })
    await instance.app.db.read.pool.query(
      `insert into role_permission select $1, id from permission where resource_code = 'system' and display_type = 'MENU'`,
      [id],
    )
    expect((await read(id)).permissions).toEqual(['dictionary', 'dictionary:list'])
    expect(await edit(id, { permissions: ['dictionary'] })).toMatchObject({ code: 0 })
    expect((await read(id)).permissions).toEqual(['dictionary'])
  })

  test('somebody holds stays, and says who that is', async () => {
    const holder = await person(instance, { name: 'Wu Min', grants: { dictionary: ['list'] } })
    const id = await idOf(holder.role)
    const answer = await chief.remove(`${PATH}/${id}`)
    expect(answer).toMatchObject({ code: 4006, msg: expect.stringContaining('Held by 1 person: Wu Min') })
    const { people, holders } = await read(id)
    expect([people, holders.map(({ name }) => name)]).toEqual([1, ['Wu Min']])
  })

  test('nobody holds is deleted with what it allowed', async () => {
    const id = await make({ permissions: ['dictionary:list'] })
    expect(await chief.remove(`${PATH}/${id}`)).toMatchObject({ code: 0 })
    expect(await chief.get(`${PATH}/${id}`)).toMatchObject({ code: 4004 })
  })

  test('of the super administrator is neither edited, deleted nor copied, and no other is called so', async () => {
    const id = await idOf('SUPER_ADMIN')
    expect(await edit(id, { name: 'Less' })).toMatchObject({ code: 4006 })
    expect(await chief.remove(`${PATH}/${id}`)).toMatchObject({ code: 4006 })
    expect(refusedOn(await chief.post(PATH, body({ copyOf: id })))).toEqual({ code: 4005, fields: ['copyOf'] })
    expect(refusedOn(await chief.post(PATH, body({ code: 'SUPER_ADMIN2' })))).toEqual({ code: 4005, fields: ['code'] })
  })

  test('needs a code of its own, departments there are, and permissions there are', async () => {
    const id = await make()
    const { code } = await read(id)
    const fields = async (more: Partial<Role>) => refusedOn(await chief.post(PATH, body(more))).fields
    expect(await fields({ code })).toEqual(['code'])
    expect(await fields({ code: 'with space' })).toEqual(['code'])
    expect(await fields({ scope: 'CHOSEN', orgIds: ['999999'] })).toEqual(['orgIds.0'])
    expect(await fields({ scope: 'CHOSEN' })).toEqual(['orgIds'])
    expect(await fields({ permissions: ['nowhere:list'] })).toEqual(['permissions'])
    expect(await fields({ permissions: ['system'] })).toEqual(['permissions'])
  })
})

describe('whoever edits roles without being a super administrator', () => {
  const editor = () => person(instance, { grants: { 'iam-role': EDITOR, dictionary: ['list'] }, scope: 'DEPARTMENT' })

  test('gives what he holds, and is refused on the field what he does not', async () => {
    const who = await editor()
    const held = body({ permissions: ['dictionary:list'] })
    expect(await who.post(PATH, held)).toMatchObject({ code: 0 })
    const answer = await who.post(PATH, body({ permissions: ['dictionary:create'] }))
    expect(refusedOn(answer)).toEqual({ code: 4005, fields: ['permissions'] })
    expect(answer.msg).toContain('Dictionary (Create)')
  })

  test('shows others no more rows than he sees', async () => {
    const who = await editor()
    const wide = body({ permissions: ['dictionary:list'], scope: 'ALL' })
    expect(refusedOn(await who.post(PATH, wide))).toEqual({ code: 4005, fields: ['scope'] })
  })

  test('shows those who hold the role already no more rows than he sees himself', async () => {
    const who = await person(instance, { grants: { 'iam-role': EDITOR, 'member-list': ['list'] }, scope: 'DEPARTMENT' })
    const [near, far] = [
      await person(instance, { grants: { 'iam-role': [] }, scope: 'DEPARTMENT', orgId: who.orgId }),
      await person(instance, { grants: { 'iam-role': [] }, scope: 'DEPARTMENT', name: 'Far Away' }),
    ]
    const permissions = ['iam-role', 'member-list:list']
    expect(await edit(await idOf(near.role), { permissions }, who)).toMatchObject({ code: 0 })
    const answer = await edit(await idOf(far.role), { permissions }, who)
    expect(refusedOn(answer)).toEqual({ code: 4005, fields: ['scope'] })
    expect(answer.msg).toContain('Far Away')
  })

  test('cannot lift himself by the role he holds', async () => {
    const who = await editor()
    const own = await idOf(who.role)
    expect(refusedOn(await edit(own, { scope: 'ALL' }, who))).toEqual({ code: 4005, fields: ['scope'] })
    const more = [...(await read(own)).permissions, 'dictionary:create']
    expect(refusedOn(await edit(own, { permissions: more }, who))).toEqual({ code: 4005, fields: ['permissions'] })
    expect((await read(own)).permissions).not.toContain('dictionary:create')
  })

  test('sees what he does not hold, marked as such, under the names of the menu', async () => {
    const who = await editor()
    const { data } = await who.get<PermissionTree>(`${PATH}/permissions`)
    const system = data.find(({ key }) => key === 'system')
    const dictionary = system?.pages.find(({ key }) => key === 'dictionary')
    expect(dictionary).toMatchObject({ name: 'Dictionary', isHeld: true })
    const held = (key: string) => dictionary?.actions.find(action => action.key === key)?.isHeld
    expect([held('dictionary:list'), held('dictionary:create')]).toEqual([true, false])
    const members = data.flatMap(({ pages }) => pages).find(({ key }) => key === 'member-list')
    expect(members?.fields).toContainEqual({ name: 'Phone', right: 'member-list:reveal' })
  })
})

describe('on the other instance', () => {
  test('what is given and taken holds within a second', async () => {
    const { url } = await cloneDatabase()
    const here = await openTestInstance({ url })
    const there = await openTestInstance({ url })
    const boss = await person(here, { superAdmin: true })
    const holder = await person(here, { grants: { dictionary: ['list'] } })
    const elsewhere = caller(there, holder.id, holder.token)
    expect(await elsewhere.get('/system/dictionary')).toMatchObject({ code: 0 })
    const { data } = await boss.get<{ records: Role[] }>(`${PATH}?query=${holder.role}`)
    const whole = (await boss.get<Role>(`${PATH}/${data.records[0]?.id}`)).data
    const { id, name, note, scope, orgIds, version } = whole
    const began = performance.now()
    await boss.put(`${PATH}/${id}`, { name, note, scope, orgIds, version, permissions: ['org:list'] })
    while ((await elsewhere.get('/system/dictionary')).code === 0) expect(performance.now() - began).toBeLessThan(1_000)
    expect(await elsewhere.get('/organisation/department')).toMatchObject({ code: 0 })
  })
})

test('a role that comes to ask for a second factor leaves its holders nothing but the setting up, at once', async () => {
  const id = await make({ permissions: ['dictionary:list'] })
  const holder = await person(instance, {})
  await instance.app.db.query.insertInto('staff_role').values({ staff_id: holder.id, role_id: id }).execute()
  const asked = () => holder.get<{ mustEnrol: boolean }>('/auth/userInfo')
  expect((await asked()).data.mustEnrol).toBe(false)
  expect(await chief.post(`${PATH}/${id}/requireFactor`, {})).toMatchObject({ code: 0 })
  expect((await asked()).data.mustEnrol).toBe(true)
  expect(await holder.get('/account/settings-sessions')).toMatchObject({ status: 403 })
})
