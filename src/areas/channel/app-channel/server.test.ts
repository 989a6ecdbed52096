import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { brought, partnerOf, settle } from '../../../../tools/testing/partners.ts'
import { countChannels } from '../../traffic/channel/counting.server.ts'
import { countPartners } from './counting.server.ts'
import type { Partner } from './model.ts'

const PATH = '/channel/app-channel'
const KEEPS = ['list', 'detail', 'create', 'update', 'export', 'reveal']

let instance: TestInstance
let keeper: Caller & { orgId: string }
let other: Caller
let reader: Caller
let stranger: Caller
beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date('2026-05-02T02:00:00Z')) })
  keeper = await person(instance, { grants: { appChannel: KEEPS } })
  other = await person(instance, { grants: { appChannel: KEEPS } })
  reader = await person(instance, { grants: { appChannel: ['list', 'detail'] } })
  stranger = await person(instance, { grants: { 'member-list': ['list', 'detail'] } })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

const BODY = {
  ...{ name: '墨云应用市场', company: '杭州墨云软件有限公司', channel: 'STORE', platform: 'HARMONY' },
  ...{ packageName: 'com.inkstone.school.hap', contactName: '王会计', contactPhone: '138 0013 7001' },
  ...{ contactEmail: 'settle@moyun.example', note: '' },
}
const add = (more: object = {}, by: Caller = keeper) => by.post<{ id: string }>(PATH, { ...BODY, ...more })
const read = async (id: string, by: Caller = reader) => (await by.get<Partner>(`${PATH}/${id}`)).data
/** As the jobs do, of which the one counts on what the other has counted: first channels, then partners. */
const count = () =>
  insist(() =>
    instance.app.db.write(async tx => {
      const change = ownChange(instance.app, tx, instance.clock.now(), 'test')
      await countChannels(change)
      return countPartners(change)
    }),
  )

describe('a partner', () => {
  let id: string
  test('is entered with its channel and whom to reach; phone and mail are shown masked, and revealed with a reason', async () => {
    const made = await add()
    expect(made).toMatchObject({ code: 0 })
    id = made.data.id
    expect(await read(id)).toMatchObject({
      ...{ name: '墨云应用市场', channel: 'STORE', platform: 'HARMONY', packageName: 'com.inkstone.school.hap' },
      ...{ contactPhone: '138****7001', registered: 0, paidOrders: 0, paidFen: 0, settledFen: 0, countedAt: null },
    })
    expect((await read(id)).contactEmail).not.toContain('settle@')
    const asked = { field: 'contactPhone', reason: '对账' }
    expect((await keeper.post<{ value: string }>(`${PATH}/${id}/reveal`, asked)).data.value).toBe('13800137001')
    expect(await reader.post(`${PATH}/${id}/reveal`, asked)).toMatchObject({ code: 4003 })
  })

  test('keeps its channel for good, and everything else can be changed by whoever may', async () => {
    const { version } = await read(id)
    const { channel: _, contactPhone: __, ...rest } = BODY
    const edited = { ...rest, name: '墨云市场', version }
    expect(await other.put(`${PATH}/${id}`, { ...edited, channel: 'SCHOOL' })).toMatchObject({ code: 4005 })
    expect(await reader.put(`${PATH}/${id}`, edited)).toMatchObject({ code: 4003 })
    expect(await other.put(`${PATH}/${id}`, edited)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ name: '墨云市场', channel: 'STORE', contactPhone: '138****7001' })
    // Somebody changed it meanwhile.
    expect(await keeper.put(`${PATH}/${id}`, edited)).toMatchObject({ code: 4009 })
  })

  test('is refused where its channel is another’s, its phone is none, or its mail is none', async () => {
    const fieldOf = async (more: object) => {
      const { code, data } = await add(more)
      return [code, Object.keys((data as unknown as { fields: object }).fields)]
    }
    expect(await fieldOf({})).toEqual([4005, ['channel']])
    expect(await fieldOf({ channel: 'SCHOOL', contactPhone: '12345' })).toEqual([4005, ['contactPhone']])
    expect(await fieldOf({ channel: 'SCHOOL', contactEmail: 'settle@' })).toEqual([4005, ['contactEmail']])
    expect(await fieldOf({ channel: 'NOWHERE' })).toEqual([4005, ['channel']])
    expect((await reader.get<{ total: number }>(`${PATH}?channel=SCHOOL`)).data.total).toBe(0)
  })

  test('may be reached by nobody: then no statement of it can be confirmed, and nothing else is wrong', async () => {
    const made = await add({ channel: 'SCHOOL', contactName: null, contactPhone: null, contactEmail: null })
    expect(made).toMatchObject({ code: 0 })
    expect(await read(made.data.id)).toMatchObject({ contactName: null, contactPhone: null, contactEmail: null })
  })

  test('is seen and entered by nobody who does not hold the page', async () => {
    expect(await stranger.get(PATH)).toMatchObject({ code: 4003 })
    expect(await stranger.get(`${PATH}/${id}`)).toMatchObject({ code: 4003 })
    expect(await add({ channel: 'DOUYIN_LIVE' }, stranger)).toMatchObject({ code: 4003 })
    expect(await add({ channel: 'DOUYIN_LIVE' }, reader)).toMatchObject({ code: 4003 })
    const found = await reader.get<{ records: { id: string }[] }>(`${PATH}?channel=STORE`)
    expect(found.data.records.map(one => one.id)).toEqual([id])
  })
})

describe('the figures of a partner', () => {
  test('are what came by its channel and what it was paid, counted anew by the job and true until the time it says', async () => {
    const id = await partnerOf(instance, 'DOUYIN_VIDEO', [keeper, other], { kind: 'SHARE', worth: 100 })
    const seller = keeper
    await brought(instance, { channel: 'DOUYIN_VIDEO', day: '2026-04-05', paidFen: 20_000, seller })
    await brought(instance, { channel: 'DOUYIN_VIDEO', day: '2026-04-06', paidFen: 30_000, seller })
    // An order by the channel of a member who came by another.
    await brought(instance, { channel: 'DOUYIN_VIDEO', day: '2026-04-07', paidFen: 5_000, seller, from: 'REFERRAL' })
    const statement = await settle(instance, id, '2026-04')
    expect(await count()).toBeGreaterThan(0)
    const { query } = instance.app.db
    const told = async () => {
      const { registered, activated, paidOrders, paidFen, settledFen, countedAt } = await read(id)
      return { registered, activated, paidOrders, paidFen, settledFen, countedAt }
    }
    const figures = { registered: 2, activated: 0, paidOrders: 3, paidFen: 55_000, settledFen: 0 }
    expect(await told()).toEqual({ ...figures, countedAt: '2026-05-02T02:00:00Z' })
    const listed = async (path: string) => (await boss().then(by => by.get<{ total: number }>(path))).data.total
    expect(await listed('/members/member?channel=DOUYIN_VIDEO')).toBe(2)
    expect(await listed('/orders/order?channel=DOUYIN_VIDEO&payState=PAID')).toBe(3)
    await query
      .updateTable('member')
      .set({ last_work_at: '2026-04-20T02:00:00Z' })
      .where('channel', '=', 'DOUYIN_VIDEO')
      .execute()
    await paid(statement)
    instance.clock.forward(60_000)
    expect(await count()).toBe(1)
    const total = query.selectFrom('settlement_statement').select('total_fen').where('id', '=', statement)
    const settledFen = Number((await total.executeTakeFirstOrThrow()).total_fen)
    expect(settledFen).toBeGreaterThan(0)
    expect(await told()).toEqual({ ...figures, activated: 2, settledFen, countedAt: '2026-05-02T02:01:00Z' })
    expect(await count()).toBe(0)
  })
})

/** Agreed to by the partner, approved and paid: by three people. */
async function paid(statement: string): Promise<void> {
  for (const [step, body] of [
    ['confirm', { confirmedName: '王会计' }],
    ['approve', {}],
    ['pay', { transferNo: 'T2026050200001' }],
  ] as const) {
    const by = await person(instance, { grants: { channelCpa: ['list', 'detail', step] } })
    expect(await by.post(`/channel/statement/${statement}/${step}`, body)).toMatchObject({ code: 0 })
  }
}

const boss = () => person(instance, { superAdmin: true })
