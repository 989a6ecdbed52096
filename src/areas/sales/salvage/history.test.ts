import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobs as allocationJobs } from '#engines/allocation/server.ts'
import { leadGivenUp, reopenLead } from '#engines/lead/ending.server.ts'
import { giveLeads } from '#engines/lead/owning.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { atOnce } from '#kit/server/work/job.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { somebodyWaits } from '../../../../tools/testing/locks.ts'
import { POOL_RULES } from '../../../../tools/testing/pools.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { events } from '../../members/member/server.ts'
import type { Lead } from './model.ts'
import type { PoolBody } from './pools.model.ts'
import { jobs } from './server.ts'

const PAGE = 'sale-salvage'
const PATH = '/sales/salvage'
const SELLS = ['list', 'detail', 'claim', 'contact', 'followUp', 'markIntent', 'giveBack', 'lose']
const HOUR_MS = 3_600_000

let instance: TestInstance
let manager: Caller
const clock = stoppedClock(new Date('2026-11-16T02:00:00.007Z'))
const managing = () => person(instance, { grants: { [PAGE]: [...SELLS, 'assign'] }, scope: 'ALL' })
beforeAll(async () => {
  instance = await openTestInstance({ clock, isSending: false })
  manager = await managing()
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const query = () => instance.app.db.query
let counter = PHONES.test + 1_200_000
const newPhone = () => {
  counter += 1
  return phoneAt(counter)
}
async function pool(rules: Partial<PoolBody>): Promise<string> {
  const name = `公海 ${newPhone().slice(-5)}`
  return (
    await manager.post<{ id: string }>(`${PATH}/pool`, { ...POOL_RULES, name, coolDownDays: 0, warnDays: 0, ...rules })
  ).data.id
}
const seller = (more: { managerId?: string; name?: string } = {}) =>
  person(instance, { grants: { [PAGE]: SELLS, 'member-list': ['list', 'detail', 'own'] }, scope: 'SELF', ...more })
async function come(phone = newPhone()): Promise<string> {
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
  const [arrived] = await instance.changing(change => arrive(change, [{ phone, cameBy: 'FORM', key: 'form', ...came }]))
  return String(arrived?.leadId)
}
async function pooled(poolId: string, phone?: string): Promise<string> {
  const id = await come(phone)
  await sql`update lead set pool_id = ${poolId}, pooled_at = ${clock.now()} where id = ${id}`.execute(query())
  return id
}
const claim = async (by: Caller, id: string) =>
  expect(await by.post(`${PATH}/${id}/claim`, {})).toMatchObject({ code: 0 })
const assign = async (id: string, to: Caller) =>
  expect(await manager.post(`${PATH}/${id}/assign`, { newOwnerId: to.id })).toMatchObject({ code: 0 })
const below = async (id: string, what: string, by = manager) =>
  (await by.get<{ records: Record<string, unknown>[] }>(`${PATH}/${id}/${what}`)).data.records
const said = (level: string | null) => ({ contactKind: 'PHONE', content: '说过', level, nextAt: null, picture: [] })
const read = async (id: string) => (await manager.get<Lead>(`${PATH}/${id}`)).data
const ownerOf = async (id: string) =>
  (await query().selectFrom('lead').select('owner_id').where('id', '=', id).executeTakeFirstOrThrow()).owner_id
const register = (phone: string) =>
  instance.changing(async ({ app, tx, now }) => {
    const event = events.find(({ type }) => type === 'member.registered')
    const data = event?.data.parse({ phone, name: '林小满', source: 'APP', channel: 'STORE' })
    await event?.apply({ app, tx, now, source: 'app', key: `register-${phone}` }, data)
  })
const age = (ids: readonly string[], days: number) =>
  sql`update lead set owner_since = owner_since - make_interval(days => ${days}) where id = any(${ids}::bigint[])`.execute(
    query(),
  )
const runJob = (name: string, of = jobs) => {
  const job = of.find(one => one.name === name)
  if (!job) throw new Error(`no job ${name}`)
  return instance.changing(atOnce(job))
}
const told = async (to: string) =>
  (
    await sql<{ content: string }>`
      select payload->>'content' as content from signal
      where topic = 'push' and payload->>'type' = '10' and payload->>'ownerId' = ${to} order by id`.execute(query())
  ).rows.map(({ content }) => JSON.parse(content) as object)

describe('beside a lead stands', () => {
  test('whose it was: how each got it, how it left them, why, and by whom', async () => {
    const [me, other] = [await seller(), await seller()]
    const id = await pooled(await pool({ claimerIds: [me.id] }))
    await claim(me, id)
    clock.forward(HOUR_MS)
    await me.post(`${PATH}/${id}/giveBack`, { returnReason: 'NO_NEED', toPoolId: null, note: '' })
    clock.forward(HOUR_MS)
    await assign(id, other)
    await other.post(`${PATH}/${id}/contact`, said(null))
    expect(await other.post(`${PATH}/${id}/lose`, { endReason: 'TOO_DEAR' })).toMatchObject({ code: 0 })
    expect(await below(id, 'owners')).toMatchObject([
      {
        ...{ ownerId: other.id, got: 'ASSIGNED', byId: manager.id, contactedAt: expect.anything() },
        ...{ endKind: 'LOST', endReason: 'TOO_DEAR', endedById: other.id },
      },
      {
        ...{ ownerId: me.id, got: 'CLAIMED', byId: me.id, contactedAt: null },
        ...{ endKind: 'RETURNED', endReason: 'NO_NEED', endedById: me.id },
      },
    ])
  })

  test('each judgement of how likely it looks, with what was said before it', async () => {
    const me = await seller()
    const id = await pooled(await pool({ claimerIds: [me.id] }))
    await claim(me, id)
    for (const level of ['B', 'D'])
      await me.post(`${PATH}/${id}/${level === 'B' ? 'contact' : 'followUp'}`, said(level))
    expect(await me.post(`${PATH}/${id}/markIntent`, { level: 'A' })).toMatchObject({ code: 0 })
    expect(await below(id, 'levels')).toMatchObject([
      { was: 'D', level: 'A', turn: 'RAISED', ownerId: me.id },
      { was: 'B', level: 'D', turn: 'LOWERED' },
      { was: 'NONE', level: 'B', turn: 'FIRST' },
    ])
  })

  test('what the rules decided: by which rule, whose it became, and who was passed over and why', async () => {
    const [away, there] = [await seller({ name: '顾问休假' }), await seller({ name: '顾问在岗' })]
    for (const [{ id, orgId }, status] of [
      [away, 'PAUSED'],
      [there, 'ON'],
    ] as const) {
      const terms = { work_days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], work_from: 0, work_to: 24 }
      await query()
        .insertInto('consultant')
        .values({ staff_id: id, owner_id: id, org_id: orgId, status, ...terms })
        .execute()
    }
    const lines = [away, there].map(({ id: staffId }) => ({ staffId, weight: null, isFallback: false }))
    const all = { sources: [], channels: [], products: [], validFrom: null, validUntil: null }
    const rules = { rules: [{ key: 'all', name: '全部线索', ...all, lines }], holidays: [], warnMinutes: 15 }
    const { id: edition } = await query()
      .insertInto('allocation_edition')
      .values({ rules: JSON.stringify(rules), note: '', created_at: clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    const id = await come()
    clock.forward(3 * 60_000)
    await runJob('allocate-leads', allocationJobs)
    expect(await ownerOf(id)).toBe(there.id)
    expect(await below(id, 'decisions')).toMatchObject([
      {
        ...{ ruleName: '全部线索', staffId: there.id, waited: 3, isFallback: false },
        passed: [{ id: away.id, why: 'PAUSED', name: '顾问休假' }],
      },
    ])
    // The same, for whoever it is now, and nobody else's.
    expect(await below(id, 'decisions', there)).toHaveLength(1)
    expect(await away.get(`${PATH}/${id}/decisions`)).toMatchObject({ code: 4004 })
    await sql`update allocation_edition set rules = jsonb_set(rules, '{rules}', '[]') where id = ${edition}`.execute(
      query(),
    )
  })
})

describe('a lead whose time is up', () => {
  test('stays with whoever was just given it, also where its return was decided a moment before', async () => {
    const [slow, next] = [await seller(), await seller()]
    const id = await pooled(await pool({ claimerIds: [slow.id, next.id], noContactDays: 2 }))
    await claim(slow, id)
    await age([id], 3)
    const moved = Promise.withResolvers<void>()
    const stored = Promise.withResolvers<void>()
    const giving = instance.app.db.write(async tx => {
      await giveLeads(
        ownChange(instance.app, tx, clock.now(), 'test'),
        [id],
        { id: next.id, orgId: next.orgId },
        'ASSIGNED',
      )
      moved.resolve()
      await somebodyWaits(text => sql.raw(text).execute(tx) as never)
      stored.resolve()
    })
    await moved.promise
    const returning = runJob('return-leads')
    await stored.promise
    await Promise.all([giving, returning])
    expect(await ownerOf(id)).toBe(next.id)
    expect((await below(id, 'owners')).map(({ endKind }) => endKind)).toEqual([null, 'MOVED'])
  })

  test('goes by the rules of the pool it was claimed from, of several its owner claims from', async () => {
    const me = await seller()
    const [strict, patient] = [
      await pool({ claimerIds: [me.id], noContactDays: 2 }),
      await pool({ claimerIds: [me.id], noContactDays: 30 }),
    ]
    const [soon, late] = [await pooled(strict), await pooled(patient)]
    for (const id of [soon, late]) await claim(me, id)
    await age([soon, late], 3)
    await runJob('return-leads')
    expect([await ownerOf(soon), await ownerOf(late)]).toEqual([null, me.id])
  })

  test('goes to the pool its rules name for that, and not to one that is closed', async () => {
    const me = await seller()
    const aside = await pool({ claimerIds: [me.id] })
    const poolId = await pool({ claimerIds: [me.id], noContactDays: 5, returnsToId: aside })
    const [one, two] = [await pooled(poolId), await pooled(poolId)]
    await claim(me, one)
    await age([one], 6)
    await runJob('return-leads')
    expect(await read(one)).toMatchObject({ status: 'RETURNED', poolId: aside })
    await claim(me, two)
    await age([two], 6)
    await sql`update lead_pool set is_open = false where id = ${aside}`.execute(query())
    await runJob('return-leads')
    expect(await read(two)).toMatchObject({ status: 'RETURNED', poolId })
  })

  test('is told to its owner before it goes back, however late that is seen', async () => {
    const me = await seller()
    const poolId = await pool({ claimerIds: [me.id], noContactDays: 5, warnDays: 2 })
    const id = await pooled(poolId)
    await claim(me, id)
    await age([id], 30)
    const warnings = () => query().selectFrom('message').select('id').where('staff_id', '=', me.id).execute()
    await runJob('return-leads')
    expect([(await warnings()).length, await ownerOf(id)]).toEqual([1, me.id])
    clock.forward(48 * HOUR_MS - 1)
    manager = await managing()
    await runJob('return-leads')
    expect([(await warnings()).length, await ownerOf(id)]).toEqual([1, me.id])
    clock.forward(1)
    await runJob('return-leads')
    expect([(await warnings()).length, await ownerOf(id)]).toEqual([1, null])
  })

  test('goes back without a deal in time, whoever was spoken to after the warning', async () => {
    const me = await seller()
    const id = await pooled(await pool({ claimerIds: [me.id], noDealDays: 5, warnDays: 1 }))
    await claim(me, id)
    await age([id], 4)
    await runJob('return-leads')
    expect(await me.post(`${PATH}/${id}/contact`, said(null))).toMatchObject({ code: 0 })
    clock.forward(24 * HOUR_MS)
    manager = await managing()
    await runJob('return-leads')
    expect(await read(id)).toMatchObject({ status: 'RETURNED', returnReason: 'NO_DEAL' })
  })

  test('goes back, and is warned of, after the days of its level where the pool has others for it than for the rest', async () => {
    const me = await seller()
    const poolId = await pool({
      ...{ claimerIds: [me.id], noContactDays: 5, noContactDaysA: 20, noContactDaysD: 2 },
      warnDays: 1,
    })
    const ids = [await pooled(poolId), await pooled(poolId), await pooled(poolId)]
    for (const [nth, level] of ['A', 'B', 'D'].entries()) {
      await claim(me, String(ids[nth]))
      expect(await me.post(`${PATH}/${ids[nth]}/contact`, said(level))).toMatchObject({ code: 0 })
    }
    const pass = async (days: number) => {
      await sql`
        update lead set owner_since = owner_since - make_interval(days => ${days}), last_contact_at = last_contact_at - make_interval(days => ${days}),
          warned_at = warned_at - make_interval(days => ${days})
        where id = any(${ids}::bigint[])`.execute(query())
      await runJob('return-leads')
      const warned = await query()
        .selectFrom('lead')
        .select('id')
        .where('id', 'in', ids)
        .where('warned_at', 'is not', null)
        .execute()
      return {
        warned: warned.length,
        held: (await Promise.all(ids.map(ownerOf))).filter(owner => owner === me.id).length,
      }
    }
    expect(await pass(1)).toEqual({ warned: 1, held: 3 })
    expect(await pass(1)).toEqual({ warned: 1, held: 2 })
    expect(await pass(2)).toEqual({ warned: 2, held: 2 })
    expect(await pass(1)).toEqual({ warned: 2, held: 1 })
    expect(await pass(14)).toEqual({ warned: 3, held: 1 })
    expect(await pass(1)).toEqual({ warned: 3, held: 0 })
  })

  test('stays where its own pool takes nothing back, whatever another pool of its owner says', async () => {
    const me = await seller()
    await pool({ claimerIds: [me.id], noContactDays: 5 })
    const id = await pooled(await pool({ claimerIds: [me.id] }))
    await claim(me, id)
    await age([id], 30)
    await runJob('return-leads')
    expect(await read(id)).toMatchObject({ status: 'ASSIGNED', ownerId: me.id })
  })
})

describe('a lead that was given up', () => {
  test('where its registration led nowhere, and did after all, stands as far as it had come, with what was agreed next', async () => {
    const me = await seller()
    const id = await pooled(await pool({ claimerIds: [me.id] }))
    await claim(me, id)
    const nextAt = new Date(clock.now().getTime() + 48 * HOUR_MS).toISOString()
    expect(await me.post(`${PATH}/${id}/contact`, { ...said('B'), nextAt })).toMatchObject({ code: 0 })
    expect(await me.post(`${PATH}/${id}/markIntent`, { level: 'A' })).toMatchObject({ code: 0 })
    await instance.changing(change => leadGivenUp(change, id, 'INVALID'))
    expect(await read(id)).toMatchObject({ status: 'INVALID', nextAt: null })
    expect(await instance.changing(change => reopenLead(change, id))).toBe(true)
    expect(await read(id)).toMatchObject({ status: 'INTENT', level: 'A', nextAt, ownerId: me.id })
  })

  test('is had back by a colleague only after what its owner is claiming in that moment', async () => {
    const me = await seller()
    const poolId = await pool({ claimerIds: [me.id], capacity: 1 })
    const [first, second] = [await pooled(poolId), await pooled(poolId)]
    await claim(me, first)
    expect(await manager.post(`${PATH}/${first}/lose`, { endReason: 'TOO_DEAR' })).toMatchObject({ code: 0 })
    const { app } = instance
    let undone: Promise<unknown> | undefined
    await app.db.write(async tx => {
      await sql`select pg_advisory_xact_lock(hashtextextended('lead-claim ' || ${me.id}, 0))`.execute(tx)
      undone = manager.post(`${PATH}/${first}/lose/undo`, {})
      await somebodyWaits(text => sql.raw(text).execute(tx))
      await giveLeads(ownChange(app, tx, clock.now(), 'test'), [second], me, 'CLAIMED')
    })
    expect(await undone).toMatchObject({ code: 4006, msg: expect.stringContaining('You have 1 open leads') })
    expect(await read(first)).toMatchObject({ status: 'LOST' })
  })
})

describe('whom nobody has spoken to', () => {
  test('is told of by the usual pool’s hours where its owner claims from none', async () => {
    const leader = await seller()
    const me = await seller({ managerId: leader.id })
    await sql`update lead_pool set unanswered_hours = 2 where is_default`.execute(query())
    const id = await come()
    await assign(id, me)
    clock.forward(HOUR_MS)
    await runJob('escalate-leads')
    expect(await told(leader.id)).toEqual([])
    clock.forward(HOUR_MS)
    await runJob('escalate-leads')
    expect(await told(leader.id)).toMatchObject([{ kind: 'UNANSWERED', count: 1 }])
    await sql`update lead_pool set unanswered_hours = null where is_default`.execute(query())
  })

  test('and has registered in other hands waits for a word all the same: it is told of, and counts against the cap', async () => {
    const leader = await seller()
    const [first, me] = [await seller(), await seller({ managerId: leader.id })]
    await pool({ claimerIds: [me.id], unansweredHours: 2 })
    await query().insertInto('consultant').values({ staff_id: me.id, owner_id: me.id, org_id: me.orgId }).execute()
    const phone = newPhone()
    const id = await come(phone)
    await assign(id, first)
    await register(phone)
    await assign(id, me)
    const unspoken = async () => {
      await runJob('allocate-leads', allocationJobs)
      const found = query().selectFrom('consultant').select('unspoken').where('staff_id', '=', me.id)
      return (await found.executeTakeFirstOrThrow()).unspoken
    }
    expect(await unspoken()).toBe(1)
    clock.forward(2 * HOUR_MS)
    await runJob('escalate-leads')
    expect(await told(leader.id)).toMatchObject([{ kind: 'UNANSWERED', count: 1 }])
    expect(await me.post(`${PATH}/${id}/followUp`, said(null))).toMatchObject({ code: 0 })
    expect(await unspoken()).toBe(0)
  })
})
