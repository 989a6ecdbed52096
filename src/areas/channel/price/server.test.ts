import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editionOn } from '#engines/settlement/model.ts'
import { fen } from '#kit/model/money.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sourceOf } from '../statement/source.server.ts'
import { hasNeverBegun, type Price, sensible, whyNotFrom, whyNotTo } from './model.ts'

const PATH = '/channel/price'
const PAGE = 'channelPer'
const ASKS = { [PAGE]: ['list', 'detail', 'create', 'withdraw'] }
const BODY = {
  kind: 'REGISTERED',
  priceFen: 1_200,
  sharePermille: null,
  windowDays: null,
  freezeDays: 0,
  monthlyCap: null,
  deductionPermille: 0,
  validFrom: '2026-05-03',
  reason: '首次合作',
}

let instance: TestInstance
let [keeper, boss]: Caller[] = []
let partnerId = ''
beforeAll(async () => {
  // Before midnight elsewhere, the second of May in Shanghai.
  instance = await openTestInstance({ clock: stoppedClock(new Date('2026-05-01T18:00:00Z')) })
  keeper = await person(instance, { grants: { ...ASKS, appChannel: ['list', 'create'] } })
  boss = await person(instance, { grants: { [PAGE]: [...ASKS[PAGE], 'approve', 'reject', 'end'] } })
  const partner = {
    name: '墨云应用市场',
    company: '墨云软件',
    channel: 'STORE',
    platform: 'HARMONY',
    packageName: null,
    ...{ contactName: null, contactPhone: null, contactEmail: null },
    note: '',
  }
  partnerId = (await keeper.post<{ id: string }>('/channel/app-channel', partner)).data.id
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

const ask = (fields: object = {}, by = keeper as Caller) =>
  by.post<{ id: string }>(PATH, { ...BODY, partnerId, ...fields })
const found = async (id: string) => (await (boss as Caller).get<Price>(`${PATH}/${id}`)).data
const step = (by: Caller | undefined, id: string, name: string, body: object = {}) =>
  (by as Caller).post(`${PATH}/${id}/${name}`, body)

describe('a price', () => {
  test('begins tomorrow at the earliest: what has happened is paid by the price of its day', async () => {
    expect(await ask({ validFrom: '2026-05-02' })).toMatchObject({ code: 4005 })
    expect(await ask({ validFrom: '2026-05-03' })).toMatchObject({ code: 0 })
  })

  test('is agreed to by somebody else, before it begins', async () => {
    const own = (await ask({}, boss)).data.id
    expect(await step(boss, own, 'approve')).toMatchObject({ code: 4006 })
    const { id } = (await ask()).data
    expect(await step(boss, id, 'approve')).toMatchObject({ code: 0 })
    expect(await found(id)).toMatchObject({ status: 'APPROVED', l1By: (boss as Caller).id })
    const late = (await ask()).data.id
    instance.clock.forward(86_400_000)
    expect(await step(boss, late, 'approve')).toMatchObject({ code: 4006 })
    instance.clock.forward(-86_400_000)
  })

  test('is a price for each or a share of what is paid, never both or neither', async () => {
    expect(await ask({ priceFen: null })).toMatchObject({ code: 4005 })
    expect(await ask({ kind: 'SHARE' })).toMatchObject({ code: 4005 })
    const { id } = (await ask({ kind: 'SHARE', sharePermille: 120 })).data
    expect(await found(id)).toMatchObject({ priceFen: null, sharePermille: 120 })
  })

  test('ends today at the earliest, and a last day once said is only moved forward', async () => {
    const { id } = (await ask()).data
    await step(boss, id, 'approve')
    const end = (validTo: string) => step(boss, id, 'end', { validTo, reason: '合作到期' })
    expect(await end('2026-05-01')).toMatchObject({ code: 4005 })
    expect(await end('2026-05-10')).toMatchObject({ code: 0 })
    expect(await end('2026-05-11')).toMatchObject({ code: 4005 })
    expect(await end('2026-05-09')).toMatchObject({ code: 0 })
    expect(await found(id)).toMatchObject({ validTo: '2026-05-09', status: 'APPROVED' })
  })

  test('that was agreed to in advance can be ended before it begins: the one before it goes on, and nothing is paid by it', async () => {
    const [first, next] = [(await ask()).data.id, (await ask({ validFrom: '2026-05-20', priceFen: 9_900 })).data.id]
    for (const id of [first, next]) expect(await step(boss, id, 'approve')).toMatchObject({ code: 0 })
    const end = await step(boss, next, 'end', { validTo: '2026-05-02', reason: '谈妥作废' })
    expect(end).toMatchObject({ code: 0 })
    expect(await found(next)).toMatchObject({ validFrom: '2026-05-20', validTo: '2026-05-02', status: 'APPROVED' })
    const now = instance.clock.now()
    const editions = await instance.app.db.write(tx => sourceOf(instance.app).editions({ tx, now }, partnerId))
    const those = editions.filter(({ id }) => id === first || id === next)
    expect(['2026-05-20', '2026-06-20'].map(day => editionOn(those, 'REGISTERED', day)?.id)).toEqual([first, first])
  })

  test('a channel has one partner', async () => {
    const again = { name: '另一家', company: '另一家', channel: 'STORE', platform: 'IOS', packageName: null, note: '' }
    expect(await (keeper as Caller).post('/channel/app-channel', again)).toMatchObject({ code: 4005 })
  })
})

test('what a price may begin and end on', () => {
  expect(whyNotFrom('2026-05-02', '2026-05-02')?.code).toBe('begins-too-early')
  expect(whyNotFrom('2026-05-03', '2026-05-02')).toBeUndefined()
  const row = { validFrom: '2026-05-05', validTo: null }
  expect(whyNotTo(row, '2026-05-01', '2026-05-02')?.code).toBe('ends-too-early')
  expect(whyNotTo(row, '2026-05-02', '2026-05-02')).toBeUndefined()
  expect(whyNotTo(row, '2026-05-05', '2026-05-02')).toBeUndefined()
  expect(hasNeverBegun({ ...row, validTo: '2026-05-04' })).toBe(true)
  expect(hasNeverBegun({ ...row, validTo: '2026-05-05' })).toBe(false)
  expect(whyNotTo({ ...row, validTo: '2026-05-06' }, '2026-05-07', '2026-05-06')?.code).toBe('only-earlier')
})

test('who registers does so at once: no window is kept for that', () => {
  const entered = { kind: 'REGISTERED', priceFen: fen(100), sharePermille: 5, windowDays: 7 } as const
  expect(sensible(entered)).toMatchObject({ priceFen: 100, sharePermille: null, windowDays: null })
})
