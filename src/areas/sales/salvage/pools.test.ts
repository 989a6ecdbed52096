import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { takeBackLeads } from '#engines/lead/ending.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { disableStaff } from '#kit/server/auth/access.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { atOnce } from '#kit/server/work/job.ts'
import {
  type Caller,
  openTestInstance,
  org,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { POOL_RULES } from '../../../../tools/testing/pools.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Lead } from './model.ts'
import type { PoolBody, PoolView } from './pools.model.ts'
import { jobs } from './server.ts'

const PAGE = 'sale-salvage'
const PATH = '/sales/salvage'
const SELLS = ['list', 'detail', 'claim', 'contact', 'giveBack']
const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

let instance: TestInstance
let manager: Caller
const clock = stoppedClock(new Date('2026-11-16T02:00:00.007Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
})
const managing = () => person(instance, { grants: { [PAGE]: [...SELLS, 'assign'] }, scope: 'ALL' })
// No session lasts for the days that pass here.
beforeEach(async () => {
  manager = await managing()
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const query = () => instance.app.db.query
let counter = PHONES.test + 70_000
/** A pool of its own, so that what one test does counts in no other. */
async function pool(rules: Partial<PoolBody>): Promise<PoolView> {
  counter += 1
  const { data } = await manager.post<{ id: string }>(`${PATH}/pool`, {
    ...POOL_RULES,
    name: `公海 ${counter}`,
    ...rules,
  })
  const pools = (await manager.get<PoolView[]>(`${PATH}/pool`)).data
  return pools.find(({ id }) => id === data.id) as PoolView
}
const seller = (managerId?: string) =>
  person(instance, {
    ...{ grants: { [PAGE]: SELLS, 'member-list': ['list', 'own'] }, scope: 'SELF' },
    ...(managerId === undefined ? {} : { managerId }),
  })
/** A lead that waits in this pool. */
async function pooled(poolId: string): Promise<string> {
  counter += 1
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
  const one = { phone: phoneAt(counter), cameBy: 'REGISTRATION', key: 'registration', ...came } as const
  const [arrived] = await instance.changing(change => arrive(change, [one]))
  const id = String(arrived?.leadId)
  await sql`update lead set pool_id = ${poolId}, pooled_at = ${clock.now()} where id = ${id}`.execute(query())
  return id
}
const disable = ({ id }: Caller) => instance.app.db.write(tx => disableStaff(tx, instance.app, id))
const read = async (id: string, by: Caller = manager) => (await by.get<Lead>(`${PATH}/${id}`)).data
const claim = (by: Caller, id: string) => by.post(`${PATH}/${id}/claim`, {})
const giveBack = (by: Caller, id: string, toPoolId: string | null = null) =>
  by.post(`${PATH}/${id}/giveBack`, { returnReason: 'NO_NEED', toPoolId, note: '' })
const runJob = (name: string) => {
  const job = jobs.find(one => one.name === name)
  if (!job) throw new Error(`no job ${name}`)
  return instance.changing(atOnce(job))
}

describe('a lead that is given back', () => {
  test('goes to the pool somebody chooses, else to where it was, else, where that is closed, to the usual one', async () => {
    const me = await seller()
    const [first, second] = [await pool({ claimerIds: [me.id], coolDownDays: 0 }), await pool({ claimerIds: [me.id] })]
    const id = await pooled(first.id)
    await claim(me, id)
    expect(await giveBack(me, id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ poolId: first.id })
    await claim(me, id)
    expect(await giveBack(me, id, second.id)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ poolId: second.id })
    const [closed, kept] = [await pool({ claimerIds: [me.id] }), await pooled(first.id)]
    await claim(me, kept)
    await sql`update lead_pool set is_open = false where id in (${closed.id}, ${first.id})`.execute(query())
    expect(await giveBack(me, kept, closed.id)).toMatchObject({ code: 4005 })
    expect(await giveBack(me, kept)).toMatchObject({ code: 0 })
    const pools = (await manager.get<PoolView[]>(`${PATH}/pool`)).data
    expect(await read(kept)).toMatchObject({ poolId: pools.find(({ isDefault }) => isDefault)?.id })
  })
})

describe('the rules of a pool', () => {
  test('are changed only by who reaches all its people: nobody is let in, left out or bound by a colleague elsewhere', async () => {
    const [other, orgId] = [await seller(), await org(instance)]
    const leader = await person(instance, { grants: { [PAGE]: [...SELLS, 'assign'] }, scope: 'DEPARTMENT', orgId })
    const mine = await person(instance, { grants: { [PAGE]: SELLS, 'member-list': ['own'] }, scope: 'SELF', orgId })
    const put = ({ id, isDefault: _, mayChange: __, waiting: ___, ...rules }: PoolView, more: Partial<PoolBody>) =>
      leader.put(`${PATH}/pool/${id}`, { ...rules, ...more })
    const refused = { code: 4006, msg: expect.stringContaining('Some people of this pool are beyond your reach') }
    const both = await pool({ claimerIds: [mine.id, other.id] })
    expect(await put(both, { claimsADay: 1 })).toMatchObject(refused)
    expect(await put(both, { claimerIds: [mine.id] })).toMatchObject(refused)
    const own = await pool({ claimerIds: [mine.id] })
    const seen = (await leader.get<PoolView[]>(`${PATH}/pool`)).data
    expect([both, own].map(({ id }) => seen.find(one => one.id === id)?.mayChange)).toEqual([false, true])
    expect(await put(own, { claimsADay: 1 })).toMatchObject({ code: 0 })
    // Who has left is beyond nobody's reach.
    await disable(other)
    expect(await put(both, { claimerIds: [mine.id] })).toMatchObject({ code: 0 })
  })
})

describe('looking at leads nobody has', () => {
  test('is counted: each lead once a day, so many a day, of those who may claim; what is one’s own is open', async () => {
    const [me, chief] = [await seller(), await seller()]
    const { id: poolId } = await pool({ claimerIds: [me.id], adminIds: [chief.id], viewsADay: 2 })
    const [first, second, third] = await Promise.all(Array.from({ length: 3 }, () => pooled(poolId)))
    const open = async (by: Caller, id: string | undefined) => (await by.get(`${PATH}/${id}`)).code
    expect([await open(me, first), await open(me, second), await open(me, first)]).toEqual([0, 0, 0])
    const refused = await me.get(`${PATH}/${third}`)
    expect(refused).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('You have opened 2 leads of the pool today'),
    })
    for (const part of ['timeline', 'contact', 'owners', 'decisions', 'levels'])
      expect(await me.get(`${PATH}/${third}/${part}`)).toMatchObject({ code: 4006 })
    // The list shows it all the same, masked; and whoever claims it has it.
    expect((await me.get<{ total: number }>(`${PATH}?size=100`)).data.total).toBe(3)
    expect([await open(chief, third), await open(manager, third)]).toEqual([0, 0])
    await claim(me, String(third))
    expect(await open(me, third)).toBe(0)
    await giveBack(me, String(third))
    clock.forward(DAY_MS)
    expect(await open(me, third)).toBe(0)
  })

  test('counts as it was, also of leads that were taken back since; one that was claimed is not taken back', async () => {
    const me = await seller()
    const { id: poolId } = await pool({ claimerIds: [me.id], viewsADay: 2, claimsADay: 1 })
    const [first = '', second = '', third = ''] = await Promise.all(Array.from({ length: 3 }, () => pooled(poolId)))
    for (const id of [first, second]) expect((await me.get(`${PATH}/${id}`)).code).toBe(0)
    expect(await instance.changing(change => takeBackLeads(change, [first]))).toEqual([])
    expect(await me.get(`${PATH}/${third}`)).toMatchObject({ code: 4006 })
    expect(await claim(me, second)).toMatchObject({ code: 0 })
    await giveBack(me, second)
    expect(await instance.changing(change => takeBackLeads(change, [second]))).toHaveLength(1)
    expect((await claim(me, third)).code).not.toBe(0)
  })

  test('lets nobody pass the cap by opening many at once', async () => {
    const me = await seller()
    const { id: poolId } = await pool({ claimerIds: [me.id], viewsADay: 4 })
    const ids = await Promise.all(Array.from({ length: 10 }, () => pooled(poolId)))
    const answers = await Promise.all(ids.map(id => me.get(`${PATH}/${id}`)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(4)
  })

  test('is forgotten after ninety days', async () => {
    const me = await seller()
    const id = await pooled((await pool({ claimerIds: [me.id] })).id)
    await me.get(`${PATH}/${id}`)
    const kept = async () =>
      (await query().selectFrom('lead_view').select('day').where('staff_id', '=', me.id).execute()).length
    const ago = (days: number) =>
      sql`update lead_view set day = day - ${days}::int where staff_id = ${me.id}`.execute(query())
    await ago(90)
    await runJob('forget-lead-views')
    expect(await kept()).toBe(1)
    await ago(1)
    await runJob('forget-lead-views')
    expect(await kept()).toBe(0)
  })
})

describe('what nobody takes or answers', () => {
  const told = async () =>
    (
      await sql<{ content: string; to: string }>`
        select payload->>'content' as content, payload->>'ownerId' as to from signal
        where topic = 'push' and payload->>'type' = '10' order by id`.execute(query())
    ).rows.map(({ content, to }) => ({ ...(JSON.parse(content) as object), to }))

  test('is told to who look after the pool, and to who leads the owner, once each time it is so', async () => {
    const leader = await seller()
    const me = await seller(leader.id)
    const own = await pool({ claimerIds: [me.id], adminIds: [leader.id], unclaimedHours: 48, unansweredHours: 24 })
    const [free, mine, spoken] = [await pooled(own.id), await pooled(own.id), await pooled(own.id)]
    for (const id of [mine, spoken]) await claim(me, id)
    await me.post(`${PATH}/${spoken}/contact`, {
      contactKind: 'PHONE',
      content: '说过',
      level: null,
      nextAt: null,
      picture: [],
    })
    const before = (await told()).length
    const since = async () => (await told()).slice(before).filter(({ to }) => to === leader.id)
    clock.forward(23 * HOUR_MS)
    await runJob('escalate-leads')
    expect(await since()).toEqual([])
    clock.forward(HOUR_MS)
    await runJob('escalate-leads')
    await runJob('escalate-leads')
    expect(await since()).toEqual([{ kind: 'UNANSWERED', name: own.name, count: 1, to: leader.id }])
    clock.forward(DAY_MS)
    await runJob('escalate-leads')
    expect((await since()).slice(1)).toEqual([{ kind: 'UNCLAIMED', name: own.name, count: 1, to: leader.id }])
    const found = async (id: string) =>
      (await query().selectFrom('lead').select('escalated_at').where('id', '=', id).executeTakeFirst())?.escalated_at
    expect([await found(free), await found(mine)]).toEqual([expect.anything(), expect.anything()])
    expect(await found(spoken)).toBeNull()
  })

  test('is unanswered by working hours: a rest day and a night do not count', async () => {
    clock.set('2026-12-04T07:00:00.007Z')
    manager = await managing()
    const leader = await seller()
    const me = await seller(leader.id)
    const terms = { weight: 10, dailyCap: null, openCap: null, workDays: ['FRI', 'MON'], workFrom: 9, workTo: 18 }
    const chief = await person(instance, { grants: { 'sale-list': ['list', 'create'] }, scope: 'ALL' })
    expect(await chief.post('/sales/consultant', { staffId: me.id, ...terms })).toMatchObject({ code: 0 })
    const own = await pool({ claimerIds: [me.id], adminIds: [leader.id], unansweredHours: 4 })
    await claim(me, await pooled(own.id))
    const before = (await told()).length
    const since = async () => (await told()).slice(before).filter(({ to }) => to === leader.id)
    // Friday at three in the afternoon, and Monday before ten: three hours and some.
    clock.set('2026-12-07T01:59:00.007Z')
    await runJob('escalate-leads')
    expect(await since()).toEqual([])
    clock.set('2026-12-07T02:00:00.007Z')
    await runJob('escalate-leads')
    expect(await since()).toEqual([{ kind: 'UNANSWERED', name: own.name, count: 1, to: leader.id }])
  })

  test('is told to who lead the people of a pool whose admin has left, and above those who have left as well', async () => {
    const [gone, chief, headless] = [await seller(), await seller(), await seller()]
    const led = await seller(gone.id)
    const below = await person(instance, {
      grants: { [PAGE]: SELLS },
      orgId: await org(instance, { id: headless.orgId, path: `/${headless.orgId}/` }),
    })
    await sql`update org set manager_id = ${chief.id} where id in (${led.orgId}, ${headless.orgId})`.execute(query())
    await sql`update org set manager_id = ${gone.id} where id = ${below.orgId}`.execute(query())
    const pools = [
      await pool({ claimerIds: [led.id], adminIds: [gone.id], unclaimedHours: 1, unansweredHours: 2 }),
      await pool({ claimerIds: [below.id], adminIds: [gone.id], unclaimedHours: 1 }),
    ]
    for (const { id } of pools) await pooled(id)
    await claim(led, await pooled(String(pools[0]?.id)))
    await disable(gone)
    const before = (await told()).length
    clock.forward(2 * HOUR_MS)
    await runJob('escalate-leads')
    const since = (await told()).slice(before).filter(({ to }) => to === chief.id)
    expect(since).toEqual([
      { kind: 'UNCLAIMED', name: pools[0]?.name, count: 1, to: chief.id },
      { kind: 'UNCLAIMED', name: pools[1]?.name, count: 1, to: chief.id },
      { kind: 'UNANSWERED', name: pools[0]?.name, count: 1, to: chief.id },
    ])
  })

  test('is told to who lead the people of a pool nobody looks after', async () => {
    const leader = await seller()
    const me = await seller(leader.id)
    const own = await pool({ claimerIds: [me.id], unclaimedHours: 1 })
    await pooled(own.id)
    const before = (await told()).length
    clock.forward(HOUR_MS)
    await runJob('escalate-leads')
    const since = (await told()).slice(before).filter(({ to }) => to === leader.id)
    expect(since).toEqual([{ kind: 'UNCLAIMED', name: own.name, count: 1, to: leader.id }])
  })
})
