import { afterAll, beforeAll, expect, test } from 'vitest'
import { announce } from '#kit/server/change/announce.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { belongingsOf, staffHandedOver } from '../../organisation/staff/belongings.server.ts'
import { countPublishing } from './counting.server.ts'
import { type CalendarDay, monthAfter, type PublishLine, standing, weeksOf } from './model.ts'

const PATH = '/traffic/publish-line'

let instance: TestInstance
let clerk: Caller
beforeAll(async () => {
  instance = await openTestInstance()
  const may = ['list', 'detail', 'create', 'update', 'delete']
  clerk = await person(instance, { grants: { redBookPublishLine: may, redBook: ['list', 'create'] } })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

const publish = (noteNo: string, publishedAt: string) =>
  clerk.post('/traffic/note', {
    title: '一篇笔记',
    noteNo,
    account: 'OFFICIAL',
    noteType: 'VIDEO',
    link: null,
    operatorId: clerk.id,
    publishedAt,
  })
const count = () => instance.app.db.write(tx => countPublishing({ tx, now: instance.app.clock.now() }))
const lines = async () => (await clerk.get<{ records: PublishLine[] }>(PATH)).data.records

test('a month is shown in whole weeks from Monday on', () => {
  const weeks = weeksOf('2026-11')
  expect(weeks).toHaveLength(6)
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
  expect(weeks[5]?.[0]).toBe('2026-11-30')
  expect(weeksOf('2027-02')).toHaveLength(4)
  expect([monthAfter('2026-12', 1), monthAfter('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
})

test('a day falls short only once it is over', () => {
  const plan = { day: '2026-03-02', planned: 2, published: 1 }
  expect(['2026-03-01', '2026-03-02', '2026-03-03'].map(today => standing(plan, today))).toEqual([
    'open',
    'open',
    'short',
  ])
  expect(standing({ ...plan, published: 2 }, '2026-03-03')).toBe('done')
})

test('what was published stands beside what was planned; what nobody planned is listed too', async () => {
  const line = { day: '2026-03-02', account: 'OFFICIAL', operatorId: clerk.id, planned: 2 }
  expect(await clerk.post(PATH, line)).toMatchObject({ code: 0 })
  expect(await clerk.post(PATH, line)).toMatchObject({ code: 4005 })
  await publish('p1', '2026-03-02T02:00:00Z')
  // Past midnight here: the next day.
  await publish('p2', '2026-03-02T17:00:00Z')
  await count()
  expect((await lines()).map(({ day, planned, published }) => [day, planned, published])).toEqual([
    ['2026-03-03', 0, 1],
    ['2026-03-02', 2, 1],
  ])
  const { data } = await clerk.get<CalendarDay[]>(`${PATH}/calendar?month=2026-03`)
  expect(data).toMatchObject([
    { day: '2026-03-02', account: 'OFFICIAL', planned: 2, published: 1 },
    { day: '2026-03-03', planned: 0, published: 1 },
  ])
})

test('what a leaver was still to publish is somebody else’s from today on, by the day in Shanghai', async () => {
  const [leaver, successor] = [await person(instance), await person(instance)]
  for (const day of ['2026-03-10', '2026-03-11'])
    expect(await clerk.post(PATH, { day, account: 'OFFICIAL', operatorId: leaver.id, planned: 1 })).toMatchObject({
      code: 0,
    })
  const before = instance.clock.now()
  // One o'clock in the night of the eleventh.
  instance.clock.set('2026-03-10T17:00:00Z')
  const to = { fromId: leaver.id, toId: successor.id, toName: '接手人', orgId: successor.orgId, isLeave: true }
  await instance.changing(change => announce(change, staffHandedOver, to))
  const { app } = instance
  expect(await belongingsOf(app, app.db.query, leaver.id, instance.clock.now())).toEqual([])
  instance.clock.set(before)
  const planned = (await lines()).flatMap(({ day, operatorId }) => (day > '2026-03-09' ? [[day, operatorId]] : []))
  expect(planned).toEqual([
    ['2026-03-11', successor.id],
    ['2026-03-10', leaver.id],
  ])
})
