import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import {
  type Caller,
  insist,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { SaleLines } from './model.ts'

const PATH = '/channel/sale-line'
const TERMS = { weight: 10, dailyCap: null, openCap: null, workDays: ['MON'], workFrom: 9, workTo: 21 }
// Monday, ten o'clock.
const clock = stoppedClock(new Date('2026-11-16T02:00:00.007Z'))

let instance: TestInstance
let manager: Caller
let [an, bo]: Caller[] = []
beforeAll(async () => {
  instance = await openTestInstance({ clock, isSending: false })
  manager = await person(instance, {
    grants: { 'sale-line': ['list', 'update'], 'sale-list': ['create'] },
    scope: 'ALL',
  })
  for (const name of ['顾问安', '顾问博']) {
    const grants = { 'sale-list': ['list'], 'sale-salvage': ['list', 'claim'], 'member-list': ['own'] }
    const made = await person(instance, { grants, scope: 'SELF', name })
    expect(await manager.post('/sales/consultant', { staffId: made.id, ...TERMS })).toMatchObject({ code: 0 })
    if (an) bo = made
    else an = made
  }
})

const view = async (by = manager) => (await by.get<SaleLines>(PATH)).data
const channelIn = async (code: string) => (await view()).channels.find(one => one.code === code)
const line = ({ id = '' }: Partial<Caller> = {}, weight: number | null = null, isFallback = false) => ({
  ...{ staffId: id, weight, isFallback },
})
const put = async (code: string, lines: ReturnType<typeof line>[], more = {}, by = manager) =>
  by.post<{ edition: string }>(PATH, {
    ...{ code, lines, validFrom: null, validUntil: null, note: '测试', edition: (await view()).edition },
    ...more,
  })

let counter = PHONES.test + 90_000
async function come(count: number, channel: string): Promise<(string | null)[]> {
  const came = { name: null, source: 'SCHOOL', consent: 'FORM', owner: null, cameBy: 'IMPORT' } as const
  const arrivals = Array.from({ length: count }, () => {
    counter += 1
    return { phone: phoneAt(counter), channel, key: `test:${counter}`, ...came }
  })
  const arrived = await insist(() =>
    instance.app.db.write(tx => arrive(ownChange(instance.app, tx, clock.now(), 'test'), arrivals)),
  )
  await instance.outbox.run()
  const { rows } = await sql<{ owner: string | null }>`
    select owner_id as owner from lead where id = any(${arrived.map(({ leadId }) => leadId)}::bigint[]) order by id`.execute(
    instance.app.db.query,
  )
  return rows.map(({ owner }) => owner)
}

describe('the line of a channel', () => {
  test('where no rule stands, its leads go to the pool, and the page says so', async () => {
    expect((await view()).edition).toBeNull()
    expect(await channelIn('SCHOOL')).toMatchObject({ takers: [], given: 0, waiting: 0, minutes: null, lines: [] })
    expect(await come(1, 'SCHOOL')).toEqual([null])
  })

  test('holds from the next lead on, by its weights, for this channel and no other', async () => {
    expect(await put('SCHOOL', [line(an, 1), line(bo, 3)])).toMatchObject({ code: 0 })
    const owners = await come(8, 'SCHOOL')
    expect(owners.filter(id => id === an?.id)).toHaveLength(2)
    expect(owners.filter(id => id === bo?.id)).toHaveLength(6)
    expect(await come(1, 'STORE')).toEqual([null])
    const [taker, ...others] = (await channelIn('SCHOOL'))?.takers ?? []
    expect(others).toEqual([])
    expect(taker).toMatchObject({ isOwn: true })
    expect(taker?.receivers.map(({ name, weight, given }) => [name, weight, given])).toEqual([
      ['顾问安', 1, 2],
      ['顾问博', 3, 6],
    ])
    expect(await channelIn('SCHOOL')).toMatchObject({ given: 8, waiting: 0, minutes: 0 })
    expect(await channelIn('STORE')).toMatchObject({ takers: [], waiting: 1 })
  })

  test('is taken away again, and the general rules hold', async () => {
    expect(await put('SCHOOL', [])).toMatchObject({ code: 0 })
    expect(await channelIn('SCHOOL')).toMatchObject({ takers: [], lines: [] })
    expect(await come(1, 'SCHOOL')).toEqual([null])
  })
})

describe('what cannot be put in force', () => {
  test('rules others have changed meanwhile are not written over', async () => {
    const { edition } = await view()
    expect(await put('SCHOOL', [line(an)])).toMatchObject({ code: 0 })
    expect(await put('SCHOOL', [line(bo)], { edition })).toMatchObject({ status: 409 })
    expect((await channelIn('SCHOOL'))?.lines).toEqual([line(an)])
  })

  test.each<[string, string, () => ReturnType<typeof line>[], object?]>([
    ['a channel nobody knows', 'NO_SUCH', () => [line(an)]],
    ['a colleague who is no consultant', 'SCHOOL', () => [line(manager)]],
    ['the same consultant twice', 'SCHOOL', () => [line(an), line(an, 5)]],
    ['nobody but those who are asked last', 'SCHOOL', () => [line(an, null, true)]],
    [
      'a line that ends before it begins',
      'SCHOOL',
      () => [line(an)],
      { validFrom: '2026-12-02', validUntil: '2026-12-01' },
    ],
  ])('%s is refused in words', async (_name, code, lines, more) => {
    const { edition } = await view()
    const answer = await put(code, lines(), more)
    expect(answer.code).not.toBe(0)
    expect(answer.msg).not.toMatch(/undefined|consultant:|-twice/)
    expect((await view()).edition).toBe(edition)
  })

  test('a channel that has ended gets no line', async () => {
    await sql`update channel set status = 'ENDED' where code = 'STORE'`.execute(instance.app.db.query)
    expect((await put('STORE', [line(an)])).code).not.toBe(0)
    await sql`update channel set status = 'ACTIVE' where code = 'STORE'`.execute(instance.app.db.query)
  })

  test('is set only by who reaches everybody it names, or has named', async () => {
    const { orgId } = an as Caller & { orgId: string }
    const leader = await person(instance, {
      grants: { 'sale-line': ['list', 'update'] },
      scope: 'DEPARTMENT',
      orgId,
    })
    const puts = async (lines: ReturnType<typeof line>[]) => put('STORE', lines, {}, leader)
    const refused = { code: 4006, msg: expect.stringContaining('name people beyond your reach') }
    expect(await puts([line(an), line(bo)])).toMatchObject(refused)
    expect(await puts([line(an)])).toMatchObject({ code: 0 })
    expect(await put('STORE', [line(an), line(bo)])).toMatchObject({ code: 0 })
    expect(await puts([line(an)])).toMatchObject(refused)
    expect(await put('STORE', [])).toMatchObject({ code: 0 })
  })

  test('who may only look changes nothing', async () => {
    const reader = await person(instance, { grants: { 'sale-line': ['list'] } })
    expect((await view(reader)).channels.length).toBeGreaterThan(0)
    expect(await reader.post(PATH, {})).toMatchObject({ status: 403, code: 4003 })
  })
})

test('the records behind it are sound, and every change stands in the log', async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  const { rows } = await instance.app.db.read.pool.query(
    `select count(*)::int as n from operation_log where page = 'sale-line' and action = 'update' and code = 0`,
  )
  expect(rows[0].n).toBe(6)
})
