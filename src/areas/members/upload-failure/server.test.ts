import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import type { UploadFailure } from './model.ts'

const PAGE = 'opus-opusFail'
const PATH = '/members/upload-failure'
const READ = ['list', 'detail']
const STEPS = ['retry', 'contacted', 'solved', 'ignore']

let instance: TestInstance
let desk: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  desk = await person(instance, { grants: { [PAGE]: [...READ, ...STEPS] } })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const tell = async (type: string, data: object, id: string = randomUUID()) => {
  const answer = await sendEvent(instance, 'app', { id, type, data: data as never })
  await instance.inbox.sweep()
  return answer
}
const fail = (memberId: string, more: object = {}) =>
  tell('opus.upload-failed', { memberId, opusId: 'W1', reason: '上传超时', error: 'TIMEOUT', ...more })
const listed = async (memberId: string, by = desk) =>
  (await by.get<{ records: UploadFailure[] }>(`${PATH}?memberId=${memberId}`)).data.records
const only = async (memberId: string) => (await listed(memberId))[0] as UploadFailure
const step = (id: string, name: string, body?: object) => desk.post(`${PATH}/${id}/${name}`, body)

describe('a failure that comes again', () => {
  test('adds to the one row, with the newest version of the app and both times', async () => {
    const memberId = await enrol(instance)
    await fail(memberId, { clientVersion: '5.2.0', network: 'CELLULAR' })
    const first = instance.clock.now()
    instance.clock.forward(60_000)
    await fail(memberId, { clientVersion: '5.3.0', network: 'WIFI', bytes: 9_000 })
    const rows = await listed(memberId)
    expect(rows).toMatchObject([{ times: 2, status: 'NEW', clientVersion: '5.3.0', network: 'WIFI', bytes: 9_000 }])
    expect(Date.parse(String(rows[0]?.lastAt)) - Date.parse(String(rows[0]?.createdAt))).toBe(60_000)
    expect(Date.parse(String(rows[0]?.createdAt))).toBe(first.getTime())
  })

  test('stays one row when twenty come at once; another error or another work is another', async () => {
    const memberId = await enrol(instance)
    await Promise.all(Array.from({ length: 20 }, () => fail(memberId)))
    await instance.inbox.sweep()
    await fail(memberId, { error: 'TOO_LARGE' })
    await fail(memberId, { opusId: 'W2' })
    expect((await listed(memberId)).map(({ times }) => times).sort()).toEqual([1, 1, 20])
  })

  test('is counted once however often its event is repeated, and an event id with other words is a conflict', async () => {
    const memberId = await enrol(instance)
    const id = randomUUID()
    const said = { memberId, opusId: 'W1', reason: '上传超时' }
    expect(await tell('opus.upload-failed', said, id)).toMatchObject({ data: { repeated: false } })
    expect(await tell('opus.upload-failed', said, id)).toMatchObject({ data: { repeated: true } })
    expect(await tell('opus.upload-failed', { ...said, reason: '别的' }, id)).toMatchObject({ code: 4009 })
    expect(await only(memberId)).toMatchObject({ times: 1 })
  })

  test('needs somebody again after it was solved, and nobody after it was ignored', async () => {
    const [solved, ignored] = [await enrol(instance), await enrol(instance)]
    for (const memberId of [solved, ignored]) await fail(memberId)
    await step((await only(solved)).id, 'solved')
    await step((await only(ignored)).id, 'ignore', { reason: '测试账号' })
    for (const memberId of [solved, ignored]) await fail(memberId)
    expect(await only(solved)).toMatchObject({ status: 'NEW', times: 2 })
    expect(await only(ignored)).toMatchObject({ status: 'IGNORED', times: 2 })
  })

  test('of an error we have no word for is kept as another, with what the app said and no phone in it', async () => {
    const memberId = await enrol(instance)
    await fail(memberId, { error: 'E-77', reason: '请回电 13912345678' })
    expect(await only(memberId)).toMatchObject({ error: 'OTHER', said: '请回电 139****5678' })
  })
})

describe('what is done about it', () => {
  test('a retry asks the app once for each press, and what the app answers settles it', async () => {
    // The simulated app answers by the work it is asked for: it has it, it was told, it cannot be reached.
    for (const [opusId, status] of [
      ['a', 'SOLVED'],
      ['c', 'RETRYING'],
      ['m', 'NEW'],
    ] as const) {
      const memberId = await enrol(instance)
      await fail(memberId, { opusId })
      const { id } = await only(memberId)
      const pressed = await Promise.all([step(id, 'retry'), step(id, 'retry')])
      expect(pressed.map(({ code }) => code).sort()).toEqual([0, 4006])
      await instance.outbox.run()
      expect(await only(memberId)).toMatchObject({ retries: 1, status })
    }
  })

  test('a work that arrives ends all failures of it, and only those', async () => {
    const memberId = await enrol(instance)
    await fail(memberId)
    await fail(memberId, { error: 'NETWORK' })
    await fail(memberId, { opusId: 'W2' })
    await tell('opus.uploaded', { memberId, opusId: 'W1' })
    const states = (await listed(memberId)).map(({ opusId, status }) => `${opusId} ${status}`)
    expect(states.sort()).toEqual(['W1 SOLVED', 'W1 SOLVED', 'W2 NEW'])
  })

  test('what was marked can be taken back, and to ignore it needs a reason', async () => {
    const memberId = await enrol(instance)
    await fail(memberId)
    const { id } = await only(memberId)
    expect(await step(id, 'ignore')).toMatchObject({ code: 4005 })
    for (const [name, body] of [['contacted'], ['solved'], ['ignore', { reason: '测试账号' }]] as const) {
      expect(await step(id, name, body)).toMatchObject({ code: 0 })
      expect(await step(id, `${name}/undo`)).toMatchObject({ code: 0 })
      expect(await only(memberId)).toMatchObject({ status: 'NEW' })
    }
  })
})

describe('who sees it', () => {
  test("the pupil's teacher and whoever owns the member, also once they are others", async () => {
    const seller = await person(instance, { grants: { [PAGE]: READ }, scope: 'SELF' })
    const teaches = { [PAGE]: READ, 'member-list': ['list', 'detail', 'teach'] }
    const [teacher, next] = [
      await person(instance, { grants: teaches, scope: 'SELF' }),
      await person(instance, { grants: teaches, scope: 'SELF' }),
    ]
    const head = await person(instance, { grants: { 'member-list': [...READ, 'bindTeacher'] } })
    const memberId = await enrol(instance, { ownerId: seller.id, orgId: seller.orgId })
    const bind = (teacherId: string) => head.post(`/members/member/${memberId}/bindTeacher`, { teacherId })
    await bind(teacher.id)
    await fail(memberId)
    const seen = async () => Promise.all([seller, teacher, next].map(async by => (await listed(memberId, by)).length))
    expect(await seen()).toEqual([1, 1, 0])
    expect(await bind(next.id)).toMatchObject({ code: 0 })
    expect(await seen()).toEqual([1, 0, 1])
    expect(await head.post(`/members/member/${memberId}/bindTeacher/undo`)).toMatchObject({ code: 0 })
    expect(await seen()).toEqual([1, 1, 0])
  })
})
