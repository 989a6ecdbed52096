import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
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
