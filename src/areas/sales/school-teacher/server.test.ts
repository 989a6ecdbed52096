import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffHandedOver } from '#areas/organisation/staff/belongings.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { announce } from '#kit/server/change/announce.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { sendFile, settled } from '../../../../tools/testing/import.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { putInForce } from '../../../../tools/testing/settings.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { countTeachers } from './counting.server.ts'
import { type SchoolTeacher, workflow } from './model.ts'
import { jobs } from './server.ts'

const PAGE = 'sale-schoolTeacher'
const PATH = '/sales/school-teacher'
const SELLS = ['list', 'detail', 'create', 'update', 'reveal']
const DAY_MS = 86_400_000

let instance: TestInstance
let folder: string
let manager: Caller & { orgId: string }
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inkstone-teachers-'))
  instance = await openTestInstance({ clock, env: { DATA_DIR: folder } })
  const grants = { [PAGE]: [...SELLS, 'import', ...Object.keys(workflow.steps)], 'sale-salvage': ['list', 'assign'] }
  manager = await person(instance, { grants, scope: 'ALL' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

const seller = () =>
  person(instance, { grants: { [PAGE]: SELLS, 'sale-salvage': ['list', 'detail', 'claim'] }, scope: 'SELF' })
let counter = PHONES.test + 86_000
const newPhone = () => {
  counter += 1
  return phoneAt(counter)
}
const BARE = {
  name: '王老师',
  phone: null,
  school: '测试小学',
  grade: 'GRADE_3',
  className: '2 班',
  hasLeft: false,
  channel: null,
  link: null,
  note: '',
}
async function add(given: Partial<SchoolTeacher> = {}, by: Caller = manager): Promise<string> {
  const { code, data } = await by.post<{ id: string }>(PATH, { ...BARE, ...given })
  expect(code).toBe(0)
  return data.id
}
const read = async (id: string, by: Caller = manager) => (await by.get<SchoolTeacher>(`${PATH}/${id}`)).data
const take = (id: string, step: string, body: object = {}, by: Caller = manager) =>
  by.post(`${PATH}/${id}/${step}`, body)
const reward = (id: string, given: object = {}) =>
  take(id, 'noteReward', { rewardKind: 'GIFT', valueFen: 12_000, what: '钢笔礼盒', givenOn: '2026-11-10', ...given })

describe('a teacher at a school', () => {
  test('who is added without a channel gets one, which is offered at once and names no person', async () => {
    const { channel } = await read(await add())
    const made = await sql<{ name: string; group: string; entry: string }>`
      select c.name, c.channel_group as group, i.value as entry from channel c join dictionary_item i on i.value = c.code
      where c.code = ${channel}`.execute(instance.app.db.query)
    expect(made.rows).toEqual([{ name: expect.stringMatching(/^测试小学 2 班 \d+$/), group: 'SCHOOL', entry: channel }])
  })

  test('has a channel nobody else has, and a number nobody else has', async () => {
    const phone = newPhone()
    await add({ channel: 'STORE', phone })
    expect(await manager.post(PATH, { ...BARE, channel: 'STORE' })).toMatchObject({ code: 4005 })
    expect(await manager.post(PATH, { ...BARE, phone })).toMatchObject({ code: 4005 })
    expect(await manager.post(PATH, { ...BARE, phone: '12345' })).toMatchObject({ code: 4005 })
  })

  test('is shown with a masked number and with a code to scan', async () => {
    const phone = newPhone()
    const link = 'https://h5.example.test/join?channel=REFERRAL'
    const id = await add({ phone: `+86 ${phone}`, channel: 'REFERRAL', link })
    const shown = await read(id)
    expect(shown.phone).toBe(`${phone.slice(0, 3)}****${phone.slice(-4)}`)
    expect(shown.squares.length).toBeGreaterThan(20)
    expect(await manager.post(PATH, { ...BARE, link: 'http://h5.example.test' })).toMatchObject({ code: 4005 })
  })

  test('has a link that brings people by their own channel, and none by another', async () => {
    const link = (channel: string) => `https://h5.example.test/join?channel=${channel}`
    const refused = (words: string) => ({ code: 4005, data: { fields: { link: expect.stringContaining(words) } } })
    // Whose channel is made with them: nobody knows its code before.
    expect(await manager.post(PATH, { ...BARE, link: link('SCHOOL') })).toMatchObject(refused('not known'))
    const id = await add()
    const { channel, version } = await read(id)
    const { channel: _, ...entered } = BARE
    const edit = (to: string) => manager.put(`${PATH}/${id}`, { ...entered, link: link(to), version })
    expect(await edit('SCHOOL')).toMatchObject(refused(String(channel)))
    expect(await edit(`${channel}0`)).toMatchObject(refused(String(channel)))
    expect(await edit(String(channel))).toMatchObject({ code: 0 })
  })

  test('counts the leads that came by their own channel, and nobody else’s', async () => {
    const [id, other] = [await add(), await add()]
    const { channel } = await read(id)
    const came = { name: null, source: 'SCHOOL', consent: 'SCHOOL', cameBy: 'REGISTRATION', owner: null } as const
    await instance.changing(change =>
      arrive(change, [{ ...came, phone: newPhone(), channel: String(channel), key: 'registration' }]),
    )
    await instance.changing(countTeachers)
    expect(await read(id)).toMatchObject({ leads: 1, members: 0, orders: 0, paidFen: 0 })
    expect(await read(other)).toMatchObject({ leads: 0 })
  })

  test('is seen by the consultant who has it, who may hand nobody anything', async () => {
    const [one, another] = [await seller(), await seller()]
    const id = await add({}, one)
    expect(await read(id, one)).toMatchObject({ ownerId: one.id })
    expect(await another.get(`${PATH}/${id}`)).toMatchObject({ code: 4004 })
    expect((await take(id, 'assign', { newOwnerId: another.id }, one)).code).not.toBe(0)
    expect(await take(id, 'assign', { newOwnerId: another.id })).toMatchObject({ code: 0 })
    expect(await read(id, another)).toMatchObject({ ownerId: another.id })
    expect(await take(id, 'assign', { newOwnerId: another.id })).toMatchObject({ code: 4006 })
  })

  test('goes to whoever takes over when the consultant leaves', async () => {
    const [one, next] = [await seller(), await seller()]
    const id = await add({}, one)
    const handedOver = { fromId: one.id, toId: next.id, toName: '', orgId: next.orgId, isLeave: true }
    await instance.changing(change => announce(change, staffHandedOver, handedOver))
    expect(await read(id, next)).toMatchObject({ ownerId: next.id })
  })

  test('is stopped with a reason and taken up again; a year after the stop no number is left', async () => {
    const [gone, back] = [await add({ phone: newPhone() }), await add({ phone: newPhone() })]
    expect((await take(gone, 'stop')).code).not.toBe(0)
    for (const id of [gone, back]) expect(await take(id, 'stop', { reason: '调动' })).toMatchObject({ code: 0 })
    expect(await take(back, 'resume')).toMatchObject({ code: 0 })
    const longAgo = new Date(clock.now().getTime() - 366 * DAY_MS)
    await sql`update school_teacher set stopped_at = ${longAgo} where id = ${gone}`.execute(instance.app.db.query)
    await instance.changing(change => jobs[1]?.work(change, {} as never) ?? Promise.resolve(0))
    expect(await read(gone)).toMatchObject({ status: 'STOPPED', phone: null })
    expect(await read(back)).toMatchObject({ status: 'ACTIVE', stoppedAt: null, phone: expect.any(String) })
  })
})

test('a list of teachers is brought in: each gets a channel and is whose who brought it; a number that is known is left out', async () => {
  const [known, fresh] = [newPhone(), newPhone()]
  await add({ phone: known })
  const rows = [
    ['老师姓名', '学校', '任教年级', '班级', '手机号', '已离职或退休'],
    ['周老师', '名单小学', '三年级', '1 班', fresh, '否'],
    ['吴老师', '名单小学', '', '', '', '是'],
    ['郑老师', '名单小学', '', '', known, '否'],
  ]
  const file = Buffer.from(rows.map(cells => cells.join(',')).join('\n'))
  const { data } = await sendFile(instance, manager, `${PATH}/import`, file, 'teachers.csv')
  expect(await manager.post(`${PATH}/import/${data.id}/check`, { mapping: data.mapping })).toMatchObject({ code: 0 })
  await settled(manager, `${PATH}/import`, data.id)
  expect(await manager.post(`${PATH}/import/${data.id}/run`)).toMatchObject({ code: 0 })
  const done = await settled(manager, `${PATH}/import`, data.id)
  expect(done).toMatchObject({ state: 'DONE', doneRows: 2, badRows: 1 })
  const { records } = (
    await manager.get<{ records: SchoolTeacher[] }>(`${PATH}?query=${encodeURIComponent('名单小学')}&sort=id:asc`)
  ).data
  const told = records.map(({ id, name, hasLeft, ownerId, channel }) => ({
    name,
    hasLeft,
    ownerId,
    own: channel === `TEACHER_${id}`,
  }))
  expect(told).toEqual([
    { name: '周老师', hasLeft: false, ownerId: manager.id, own: true },
    { name: '吴老师', hasLeft: true, ownerId: manager.id, own: true },
  ])
})

describe('rewards', () => {
  test('are off, until the business says how much', async () => {
    expect(await reward(await add())).toMatchObject({ code: 4006, msg: expect.stringContaining('no rewards') })
  })

  test('are written down with who gave what, and taken back where it was a mistake', async () => {
    await putInForce(instance, 'school-teacher.yearFen', 20_000)
    const id = await add()
    expect(await reward(id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ rewardedFen: 12_000 })
    const list = () => manager.get<{ records: object[] }>(`${PATH}/${id}/rewards`)
    expect((await list()).data.records).toMatchObject([
      { what: '钢笔礼盒', valueFen: 12_000, wasServing: true, byId: manager.id },
    ])
    expect(await take(id, 'noteReward/undo')).toMatchObject({ code: 0 })
    expect([(await read(id)).rewardedFen, (await list()).data.records]).toEqual([0, []])
  })

  test('are no cash to whoever serves at a school, and the database says so too', async () => {
    await putInForce(instance, 'school-teacher.yearFen', 20_000)
    const [serving, retired] = [await add(), await add({ hasLeft: true })]
    expect(await reward(serving, { rewardKind: 'CASH', valueFen: 1 })).toMatchObject({ code: 4005 })
    expect(await reward(retired, { rewardKind: 'CASH' })).toMatchObject({ code: 0 })
    const against = sql`
      update school_teacher_reward set was_serving = true where teacher_id = ${retired}`.execute(instance.app.db.query)
    await expect(against).rejects.toThrow('school_teacher_reward_no_cash')
  })

  test('pass no bound of the year, also where two are written down at once; those of another year are not taken', async () => {
    await putInForce(instance, 'school-teacher.yearFen', 20_000)
    const id = await add()
    const codes = (await Promise.all([reward(id), reward(id), reward(id)])).map(({ code }) => code)
    expect(codes.filter(code => code === 0)).toHaveLength(1)
    expect(await read(id)).toMatchObject({ rewardedFen: 12_000 })
    expect(await reward(id, { valueFen: 8_000, givenOn: '2025-12-31' })).toMatchObject({ code: 4005 })
    expect(await reward(id, { valueFen: 8_001 })).toMatchObject({ code: 4005 })
    expect(await reward(id, { valueFen: 8_000 })).toMatchObject({ code: 0 })
  })
})
