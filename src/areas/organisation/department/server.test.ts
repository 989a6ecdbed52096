import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import type { TreeOfNodes } from '#kit/model/tree.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { invariants, isOpen } from './closing.server.ts'
import type { Department } from './model.ts'
import { openWork } from './server.ts'

const path = '/organisation/department'
const ACTIONS = ['list', 'detail', 'create', 'update', 'delete', 'move']

describe('departments', () => {
  let instance: TestInstance
  let admin: Caller
  let company: string
  beforeAll(async () => {
    instance = await openTestInstance()
    admin = await person(instance, { grants: { org: ACTIONS } })
    const [root] = await run(instance.app.db.query, 'select id from org where parent_id is null order by id', [])
    company = String(root?.id)
  })

  let made = 0
  const add = async (parentId: string | null, name = `部门${++made}`) => {
    const body = { parentId, name, shortName: null, code: `D${++made}`, type: 'DEPT', managerId: null, note: '' }
    const answer = await admin.post<{ id: string }>(path, body)
    expect(answer).toMatchObject({ code: 0 })
    return answer.data.id
  }
  const read = async (id: string) => (await admin.get<Department>(`${path}/${id}`)).data
  const move = async (id: string, parentId: string | null, afterId: string | null = null) =>
    admin.post(`${path}/${id}/move`, { parentId, afterId, version: (await read(id)).version })
  const nodes = async (query = '') => (await admin.get<TreeOfNodes>(`${path}/tree${query}`)).data.nodes
  const below = async (id: string) => (await nodes()).filter(({ parentId }) => parentId === id).map(node => node.id)
  const pathOf = async (id: string) =>
    String((await run(instance.app.db.query, 'select path from org where id = $1', [id]))[0]?.path)
  const whole = async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])

  test('a new department comes last below its parent and knows its way up', async () => {
    const parent = await add(company)
    const [first, second] = [await add(parent), await add(parent)]
    expect(await below(parent)).toEqual([first, second])
    expect(await pathOf(second)).toBe(`${await pathOf(parent)}${second}/`)
  })

  test('a department moves with all that is below it, to the place it was given', async () => {
    const [from, to] = [await add(company), await add(company)]
    const [moved, one, two] = [await add(from), await add(to), await add(to)]
    const leaf = await add(moved)
    expect(await move(moved, to, one)).toMatchObject({ code: 0 })
    expect(await below(to)).toEqual([one, moved, two])
    expect(await below(from)).toEqual([])
    expect(await pathOf(leaf)).toBe(`${await pathOf(to)}${moved}/${leaf}/`)
    await whole()
  })

  const entered = { shortName: null, type: 'DEPT', managerId: null, note: '' }

  test('there is one company: no second one is added, and no department becomes one', async () => {
    const added = await admin.post(path, { ...entered, parentId: null, name: '分公司', code: 'SECOND' })
    const refused = {
      code: CODES.validation,
      data: { fields: { parentId: 'There is already one at the top; choose what this stands below' } },
    }
    expect(added).toMatchObject(refused)
    const department = await add(company)
    expect(await move(department, null)).toMatchObject(refused)
    expect((await read(department)).parentId).toBe(company)
  })

  test('a second company that stands from before is told by the doctor, and is moved below the first, or deleted when it is empty', async () => {
    const { query } = instance.app.db
    const stand = async (code: string) =>
      String(
        (
          await run(query, `insert into org (name, code, path, type) values ('分公司', $1, '', 'COMP') returning id`, [
            code,
          ])
        )[0]?.id,
      )
    const [note] = openWork as [(typeof openWork)[number]]
    const told = async () => (await run(query, note.query, [])).map(note.say)
    expect(await told()).toEqual([])
    const [moved, deleted] = [await stand('SECOND'), await stand('THIRD')]
    expect(await told()).toEqual([
      expect.stringContaining('分公司 (SECOND) stands beside the company'),
      expect.stringContaining('分公司 (THIRD) stands beside the company'),
    ])
    expect(await admin.remove(`${path}/${deleted}`)).toMatchObject({ code: 0 })
    const leaf = await add(moved)
    expect(await move(moved, company)).toMatchObject({ code: 0 })
    expect(await pathOf(leaf)).toBe(`${await pathOf(company)}${moved}/${leaf}/`)
    expect(await told()).toEqual([])
    await whole()
  })

  test('a name is one line, however it was pasted', async () => {
    const id = await add(company, '华北\n大区\t二部\u2028')
    expect((await read(id)).name).toBe('华北 大区 二部')
  })

  test('nothing is added below a department that is deleted at that moment', async () => {
    const gone = await add(company)
    const late = await instance.app.db.write(async tx => {
      await run(tx, 'delete from org where id = $1', [gone])
      const answer = admin.post(path, { ...entered, parentId: gone, name: '太晚', code: 'LATE' })
      await delay(300)
      return { answer }
    })
    expect(await late.answer).toMatchObject({
      code: CODES.validation,
      data: { fields: { parentId: expect.any(String) } },
    })
  })

  test('nobody moves a department below his own to see what is in it; who sees it already may', async () => {
    const [own, other] = [await add(company), await add(company)]
    const inner = await add(own)
    const grants = { org: ACTIONS, 'order-list': ['list'] }
    const chief = await person(instance, { grants, orgId: own, scope: 'DEPARTMENT_AND_BELOW' })
    const moved = async (id: string, parentId: string) =>
      chief.post(`${path}/${id}/move`, { parentId, afterId: null, version: (await read(id)).version })
    expect(await moved(other, own)).toMatchObject({ code: CODES.rule })
    expect((await read(other)).parentId).toBe(company)
    const second = await add(own)
    expect(await moved(inner, second)).toMatchObject({ code: 0 })
  })

  test('the timeline tells where it stood before and where it stands now', async () => {
    const [from, to] = [await add(company, '华东区'), await add(company, '华南区')]
    const moved = await add(from)
    await move(moved, to)
    const { data } = await admin.get<{ action: string; diff: object }[]>(`${path}/${moved}/timeline`)
    expect(data[0]).toMatchObject({ action: 'move', diff: { parentId: ['华东区', '华南区'] } })
  })

  test('a move taken back leaves everything exactly where it stood, and is told as taken back', async () => {
    const [from, to] = [await add(company), await add(company)]
    const [first, moved, last] = [await add(from), await add(from), await add(from)]
    const [one] = [await add(to)]
    // Numbers with gaps, as imports and deletions leave them.
    await run(instance.app.db.query, 'update org set sort = sort * 2 + 2 where parent_id = any($1::bigint[])', [
      [from, to],
    ])
    const stands = async () =>
      run(instance.app.db.query, 'select id, parent_id, sort from org where id = any($1::bigint[]) order by id', [
        [first, moved, last, one],
      ])
    const before = await stands()
    for (const [parent, after] of [[to, null] as const, [from, null] as const, [from, last] as const]) {
      expect(await move(moved, parent, after)).toMatchObject({ code: 0 })
      expect(await admin.post(`${path}/${moved}/move/undo`, {})).toMatchObject({ code: 0 })
      expect(await stands()).toEqual(before)
    }
    const { data } = await admin.get<{ id: string; action: string; undoes: string | null }[]>(
      `${path}/${moved}/timeline`,
    )
    expect(data[0]).toMatchObject({ action: 'takeBack', undoes: data[1]?.id })
    await whole()
  })

  test('a move is taken back once, by whoever made it, and not over what others moved since', async () => {
    const parent = await add(company)
    const [one, two, three] = [await add(parent), await add(parent), await add(parent)]
    const undo = (who = admin) => who.post(`${path}/${three}/move/undo`, {})
    await move(three, parent, null)
    const colleague = await person(instance, { grants: { org: ACTIONS } })
    expect(await undo(colleague)).toMatchObject({ code: CODES.rule })
    await move(two, parent, null)
    expect(await undo()).toMatchObject({ code: CODES.rule })
    await admin.post(`${path}/${two}/move/undo`, {})
    expect(await undo()).toMatchObject({ code: 0 })
    expect(await undo()).toMatchObject({ code: CODES.rule })
    expect(await below(parent)).toEqual([one, two, three])
  })

  test('nothing can be moved below itself, not even by two moves at once', async () => {
    const [one, other] = [await add(company), await add(company)]
    const leaf = await add(one)
    expect(await move(one, leaf)).toMatchObject({
      code: CODES.validation,
      data: { fields: { parentId: expect.any(String) } },
    })
    const both = await Promise.all([move(one, other), move(other, one)])
    expect(both.map(({ code }) => code).filter(code => code === 0)).toHaveLength(1)
    await whole()
  })

  test('a department added below one that moves at that moment ends up in the right branch', async () => {
    const [from, to] = [await add(company), await add(company)]
    const moved = await add(from)
    const [, ...added] = await Promise.all([move(moved, to), add(moved), add(moved), add(moved)])
    for (const id of added) expect(await pathOf(id as string)).toBe(`${await pathOf(to)}${moved}/${id}/`)
    await whole()
  })

  test('a place somebody else has changed meanwhile is refused, and nothing moves', async () => {
    const [parent, other] = [await add(company), await add(company)]
    const child = await add(parent)
    const { version } = await read(child)
    await move(child, other)
    const late = await admin.post(`${path}/${child}/move`, { parentId: parent, afterId: null, version })
    expect(late).toMatchObject({ code: CODES.conflict })
    const elsewhere = await admin.post(`${path}/${child}/move`, {
      parentId: company,
      afterId: child,
      version: version + 1,
    })
    expect(elsewhere).toMatchObject({ code: CODES.conflict })
    expect(await below(other)).toEqual([child])
  })

  test('a tree has at most twelve levels, whether one is added or a branch is moved', async () => {
    let deep = company
    for (let level = 2; level <= 12; level++) deep = await add(deep)
    const body = { name: '太深', shortName: null, type: 'DEPT', managerId: null, note: '' }
    const added = await admin.post(path, { ...body, parentId: deep, code: 'DEEP' })
    expect(added).toMatchObject({
      code: CODES.validation,
      data: { fields: { parentId: expect.stringContaining('too many levels') } },
    })
    const branch = await add(company)
    await add(branch)
    expect(await move(branch, String((await read(deep)).parentId))).toMatchObject({ code: CODES.validation })
  })

  test('before a move it is told who and what moves, and who will see more or less', async () => {
    const [from, to] = [await add(company), await add(company)]
    const moved = await add(from)
    const leader = async (orgId: string, name: string) => {
      const { id } = await person(instance, { name, scope: 'DEPARTMENT_AND_BELOW', grants: { 'order-list': ['list'] } })
      await run(instance.app.db.query, 'update staff set org_id = $1 where id = $2', [orgId, id])
    }
    await leader(from, '旧主管')
    await leader(to, '新主管')
    await leader(moved, '组长')
    await enrol(instance, { orgId: await add(moved) })
    const { data } = await admin.get<string[]>(`${path}/${moved}/move?parentId=${to}`)
    expect(data).toEqual([
      'Moves along – departments below it: 1, employees: 1',
      'Records concerned: Members 1',
      'Will see its records: 新主管 (1 in all)',
      'Will no longer see its records: 旧主管 (1 in all)',
    ])
  })

  test('whoever is signed in sees at once what a move brings and takes', async () => {
    const [from, to] = [await add(company), await add(company)]
    const moved = await add(from)
    const leader = async (orgId: string) => {
      const caller = await person(instance, { scope: 'DEPARTMENT_AND_BELOW', grants: { 'member-list': ['list'] } })
      await run(instance.app.db.query, 'update staff set org_id = $1 where id = $2', [orgId, caller.id])
      return caller
    }
    const [before, after] = [await leader(from), await leader(to)]
    await enrol(instance, { ownerId: before.id, orgId: moved })
    const seen = async () =>
      Promise.all([before, after].map(async who => (await who.get<{ total: number }>('/members/member')).data.total))
    expect(await seen()).toEqual([1, 0])
    await move(moved, to)
    await expect.poll(seen).toEqual([0, 1])
  })

  test('only an empty department can be deleted, and the refusal says what is in it', async () => {
    const parent = await add(company)
    const child = await add(parent)
    expect(await admin.remove(`${path}/${parent}`)).toMatchObject({
      msg: expect.stringContaining('departments below it'),
    })
    const { id } = await person(instance, { grants: {} })
    await run(instance.app.db.query, 'update staff set org_id = $1 where id = $2', [child, id])
    expect(await admin.remove(`${path}/${child}`)).toMatchObject({
      msg: expect.stringContaining('Staff working here: 1'),
    })
    await run(instance.app.db.query, `update staff set status = 'DISABLED' where id = $1`, [id])
    expect(await admin.remove(`${path}/${child}`)).toMatchObject({ msg: expect.stringContaining('Disabled accounts') })
    await run(instance.app.db.query, `update staff_department set since = '2026-01-01' where staff_id = $1`, [id])
    await run(instance.app.db.query, 'update staff set org_id = $1 where id = $2', [company, id])
    expect(await admin.remove(`${path}/${child}`)).toMatchObject({ msg: expect.stringContaining('worked here before') })
    await run(instance.app.db.query, 'delete from staff_department where org_id = $1', [child])
    expect(await admin.remove(`${path}/${child}`)).toMatchObject({ code: 0 })
    expect(await admin.remove(`${path}/${company}`)).toMatchObject({ msg: expect.stringContaining('company itself') })
  })

  test('what keeps a department is told before anybody tries to delete it, to whoever could', async () => {
    const parent = await add(company)
    const child = await add(parent)
    const { id } = await person(instance, { grants: {} })
    const deleting = async (of: string, who = admin) =>
      (await who.get<{ steps: { delete?: { code: string; msg: string } | null } }>(`${path}/${of}`)).data.steps.delete
    expect(await deleting(parent)).toMatchObject({ code: 'has-departments' })
    expect(await deleting(child)).toBeNull()
    await run(instance.app.db.query, 'update staff set org_id = $1 where id = $2', [child, id])
    expect(await deleting(child)).toMatchObject({ msg: expect.stringContaining('Staff working here: 1') })
    const reader = await person(instance, { grants: { org: ['list', 'detail'] } })
    expect(await deleting(child, reader)).toBeUndefined()
    await run(instance.app.db.query, 'update staff set org_id = $1 where id = $2', [company, id])
  })

  const edit = async (id: string, more: object) => {
    const { name, shortName, type, managerId, status, note, version } = await read(id)
    return admin.put(`${path}/${id}`, { name, shortName, type, managerId, status, note, version, ...more })
  }
  const close = (id: string) => edit(id, { status: 'CLOSED' })
  const refusedOn = (field: string, said: string) => ({
    code: CODES.validation,
    data: { fields: { [field]: expect.stringContaining(said) } },
  })
  const put = (staffId: string, org: string) =>
    run(instance.app.db.query, 'update staff set org_id = $1 where id = $2', [org, staffId])

  test('a department is closed once nobody works there and nothing in it is left to do, and until then it is said what is', async () => {
    const parent = await add(company)
    const child = await add(parent)
    expect(await close(company)).toMatchObject(refusedOn('status', 'cannot be closed'))
    expect(await close(parent)).toMatchObject(refusedOn('status', 'Open departments below it: 1'))
    const { id } = await person(instance, { grants: {} })
    await put(id, child)
    expect(await close(child)).toMatchObject(refusedOn('status', 'Staff working here: 1'))
    await enrol(instance, { orgId: child })
    await run(
      instance.app.db.query,
      `insert into lead (phone, source, channel, came_by, consent, status, owner_id, org_id, owner_since, last_touch_at, created_at)
       values ('13900139017', 'LIVE', 'DOUYIN', 'IMPORT', 'CALL', 'ASSIGNED', $1, $2, now(), now(), now())`,
      [id, child],
    )
    await put(id, company)
    expect(await close(child)).toMatchObject(refusedOn('status', 'Members 1'))
    expect(await admin.remove(`${path}/${child}`)).toMatchObject({
      msg: expect.stringContaining('Records belong to it'),
    })
    await run(instance.app.db.query, 'update member set org_id = $1 where org_id = $2', [company, child])
    expect(await close(child)).toMatchObject(refusedOn('status', ' 1. Hand it over'))
    await run(instance.app.db.query, 'update lead set org_id = $1 where org_id = $2', [company, child])
    expect(await close(child)).toMatchObject({ code: 0 })
    expect(await close(parent)).toMatchObject({ code: 0 })
    expect((await nodes()).find(node => node.id === child)).toMatchObject({ beside: 'Closed', isClosed: true })
  })

  test('a closed department takes nobody and nothing until it is open again, and opens only below an open one', async () => {
    const parent = await add(company)
    const child = await add(parent)
    const other = await add(company)
    const { id } = await person(instance, { grants: {} })
    await put(id, child)
    await run(
      instance.app.db.query,
      `update staff set employment = 'LEFT', status = 'DISABLED', left_on = '2026-11-01' where id = $1`,
      [id],
    )
    await close(child)
    await close(parent)
    const body = { ...entered, parentId: child, name: '新部门', code: `D${++made}` }
    expect(await admin.post(path, body)).toMatchObject(refusedOn('parentId', ''))
    expect(await move(other, parent)).toMatchObject(refusedOn('parentId', 'closed'))
    expect((await read(other)).parentId).toBe(company)
    const personnel = await person(instance, {
      grants: { org: ['list'], 'org-user': ['list', 'detail', 'create', 'update', 'rejoin'] },
    })
    const [position] = await run(
      instance.app.db.query,
      `insert into job_position (name, code) values ('店长', 'HEAD-9') returning id`,
      [],
    )
    const begins = {
      ...{ account: null, name: '林小满', gender: 'F', orgId: child, managerId: null, phone: null, email: null },
      ...{ birthday: null, positions: [{ positionId: String(position?.id), isPrimary: true }] },
    }
    expect(await personnel.post('/organisation/staff', begins)).toMatchObject(refusedOn('orgId', ''))
    expect(await personnel.post(`/organisation/staff/${id}/rejoin`)).toMatchObject({
      msg: expect.stringContaining('is closed'),
    })
    const offered = await personnel.get<TreeOfNodes>('/common/reference/department/tree')
    const isClosed = new Map(offered.data.nodes.map(node => [node.id, node.isClosed]))
    expect([isClosed.get(child), isClosed.get(other)]).toEqual([true, undefined])
    expect(await edit(child, { status: 'OPEN' })).toMatchObject(refusedOn('status', 'above it is closed'))
    expect(await edit(parent, { status: 'OPEN' })).toMatchObject({ code: 0 })
    expect(await edit(child, { status: 'OPEN' })).toMatchObject({ code: 0 })
    expect(await personnel.post('/organisation/staff', begins)).toMatchObject({ code: 0 })
    for (const { query } of invariants) expect(await run(instance.app.db.query, query, [])).toEqual([])
  })

  test('whoever closes a department at the moment somebody is put there waits, and is refused', async () => {
    const id = await add(company)
    const { id: newcomer } = await person(instance, { grants: {} })
    const closing = await instance.app.db.write(async tx => {
      expect(await isOpen({ tx }, id)).toBe(true)
      const answer = close(id)
      await delay(300)
      await run(tx, 'update staff set org_id = $1 where id = $2', [id, newcomer])
      return { answer }
    })
    expect(await closing.answer).toMatchObject(refusedOn('status', 'Staff working here: 1'))
  })

  test('the tree shows how many people work in a department and below it', async () => {
    const parent = await add(company)
    const child = await add(parent)
    for (const org of [parent, child]) {
      const { id } = await person(instance, { grants: {} })
      await run(instance.app.db.query, 'update staff set org_id = $1 where id = $2', [org, id])
    }
    const shown = new Map((await nodes()).map(node => [node.id, node.beside]))
    expect([shown.get(parent), shown.get(child)]).toEqual(['2', '1'])
  })

  test('what fits a word is found with everything above it', async () => {
    const parent = await add(company, '西部大区')
    const found = await add(parent, '成都书法组')
    await add(parent, '重庆组')
    const fitting = await nodes(`?query=${encodeURIComponent('书法组')}`)
    expect(fitting.map(({ id }) => id).toSorted()).toEqual([company, parent, found].toSorted())
  })

  test('a very large tree is read level by level', async () => {
    const branch = await add(company)
    // In parts: each has its own time, which is short.
    for (let from = 1; from < 2_000; from += 250)
      await run(
        instance.app.db.query,
        `insert into org (parent_id, name, code, path) select $1, 'n' || n, 'BIG' || n, '' from generate_series($2::int, $2 + 249) n`,
        [branch, from],
      )
    const { data } = await admin.get<TreeOfNodes>(`${path}/tree`)
    expect(data.isWhole).toBe(false)
    expect(data.nodes.every(({ parentId }) => parentId === null || parentId === company)).toBe(true)
    expect(data.nodes.find(({ id }) => id === branch)?.children).toBe(2_000)
    expect(await nodes(`?below=${branch}`)).toHaveLength(2_000)
    await run(instance.app.db.query, `delete from org where parent_id = $1`, [branch])
  })
})
