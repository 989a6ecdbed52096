import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import { addDays, dayOf, startOfDay } from '#kit/model/time.ts'
import { announce } from '#kit/server/change/announce.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
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
import { memberPaid } from '../../members/member/paying.server.ts'
import { events } from '../../members/member/server.ts'
import type { Lead } from './model.ts'
import type { PoolBody, PoolView } from './pools.model.ts'
import { jobs } from './server.ts'

const PAGE = 'sale-salvage'
const PATH = '/sales/salvage'
const SELLS = [
  'list',
  'detail',
  'claim',
  'contact',
  'followUp',
  'markAdded',
  'markIntent',
  'giveBack',
  'lose',
  'markInvalid',
  'reveal',
]
const DAY_MS = 86_400_000

let instance: TestInstance
let manager: Caller
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
})
// No session lasts for the days that pass here.
const managing = () => person(instance, { grants: { [PAGE]: [...SELLS, 'assign'] }, scope: 'ALL' })
beforeEach(async () => {
  manager = await managing()
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let counter = PHONES.test + 60_000
const newPhone = () => {
  counter += 1
  return phoneAt(counter)
}
let names = 0
/** A pool of its own, so that what one test claims counts in no other. */
async function pool(rules: Partial<PoolBody>): Promise<PoolView> {
  names += 1
  const { data } = await manager.post<{ id: string }>(`${PATH}/pool`, {
    ...POOL_RULES,
    name: `测试公海 ${names}`,
    ...rules,
  })
  const pools = (await manager.get<PoolView[]>(`${PATH}/pool`)).data
  return pools.find(({ id }) => id === data.id) as PoolView
}
const seller = () =>
  person(instance, { grants: { [PAGE]: SELLS, 'member-list': ['list', 'detail', 'own'] }, scope: 'SELF' })
/** A lead that waits in this pool. */
async function pooled(poolId: string, phone = newPhone()): Promise<string> {
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
  const [arrived] = await instance.changing(change =>
    arrive(change, [{ phone, cameBy: 'REGISTRATION', key: 'registration', ...came }]),
  )
  const id = String(arrived?.leadId)
  await sql`update lead set pool_id = ${poolId}, pooled_at = ${clock.now()} where id = ${id}`.execute(
    instance.app.db.query,
  )
  return id
}
const read = async (id: string, by: Caller = manager) => (await by.get<Lead>(`${PATH}/${id}`)).data
/** What somebody is about to do with this lead waits until this is over. */
const whileItWaits = async <T>(id: string, begin: () => Promise<T>, meanwhile: () => unknown): Promise<T> => {
  let begun: Promise<T> | undefined
  await instance.app.db.write(async tx => {
    await sql`select from lead where id = ${id} for update`.execute(tx)
    begun = begin()
    await somebodyWaits(text => sql.raw(text).execute(tx))
    await meanwhile()
  })
  return begun as Promise<T>
}
const claim = (by: Caller, id: string) => by.post(`${PATH}/${id}/claim`, {})
const giveBack = (by: Caller, id: string, toPoolId: string | null = null) =>
  by.post(`${PATH}/${id}/giveBack`, { returnReason: 'NO_NEED', toPoolId, note: '' })
const register = (phone: string) =>
  instance.changing(async ({ app, tx, now }) => {
    const event = events.find(({ type }) => type === 'member.registered')
    const data = event?.data.parse({ phone, name: '林小满', source: 'APP', channel: 'STORE' })
    await event?.apply({ app, tx, now, source: 'app', key: `register-${phone}` }, data)
  })
/** As if it had happened so many days earlier. */
const age = (ids: readonly string[], days: number) =>
  sql`
    update lead set owner_since = owner_since - make_interval(days => ${days}), last_contact_at = last_contact_at - make_interval(days => ${days})
    where id = any(${ids}::bigint[])`.execute(instance.app.db.query)
const spansOf = async (leadId: string) =>
  (
    await sql<{ ownerId: string; got: string; end: string | null }>`
      select owner_id as "ownerId", got, end_kind as end from lead_owner where lead_id = ${leadId} order by id`.execute(
      instance.app.db.query,
    )
  ).rows
const work = () => instance.changing(change => jobs[0]?.work(change, {} as never) ?? Promise.resolve(0))

describe('the open pool', () => {
  test('is seen by those who may claim from it, without the number; claimed, the number can be seen', async () => {
    const [me, stranger] = [await seller(), await seller()]
    const id = await pooled((await pool({ claimerIds: [me.id] })).id)
    const listed = async (by: Caller) => (await by.get<{ records: Lead[]; total: number }>(`${PATH}?size=100`)).data
    expect((await listed(me)).records).toMatchObject([
      { id, status: 'UNASSIGNED', phone: expect.stringMatching(/\*{4}/) },
    ])
    expect(await listed(me)).toMatchObject({ total: 1 })
    expect(await listed(stranger)).toMatchObject({ records: [], total: 0 })
    expect(await claim(stranger, id)).toMatchObject({ code: 4004 })
    const asked = { field: 'phone', reason: '联系家长' }
    expect(await me.post(`${PATH}/${id}/reveal`, asked)).toMatchObject({ code: 4004 })
    expect(await claim(me, id)).toMatchObject({ code: 0 })
    expect(await read(id, me)).toMatchObject({ status: 'ASSIGNED', ownerId: me.id, poolId: null })
    expect((await me.post<{ value: string }>(`${PATH}/${id}/reveal`, asked)).data.value).toMatch(/^1\d{10}$/)
  })

  test('gives a lead to one of all who claim it at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, seller))
    const id = await pooled((await pool({ claimerIds: all.map(one => one.id) })).id)
    const answers = await Promise.all(all.map(one => claim(one, id)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    const told = new Set(answers.flatMap(({ code, msg }) => (code === 0 ? [] : [`${code} ${msg}`])))
    expect([...told]).toEqual([expect.stringMatching(/^4006 .*A colleague already has it/)])
  })

  test('answers who claims many with what became of each: won, a colleague’s, cooling down, over the cap', async () => {
    const [me, other, stranger] = [await seller(), await seller(), await seller()]
    const { id: poolId } = await pool({ claimerIds: [me.id, other.id], claimsADay: 2 })
    const [mine, taken, cooling, won, over] = await Promise.all(Array.from({ length: 5 }, () => pooled(poolId)))
    await claim(other, String(taken))
    await claim(me, String(cooling))
    await giveBack(me, String(cooling))
    const ids = [taken, won, over, mine, cooling]
    const { data } = await me.post<{ id: string; result: string; msg: string | null }[]>(`${PATH}/steps/claim`, { ids })
    expect(data.map(({ id, result, msg }) => [id, result, msg?.replace(/^.*?: /, '') ?? null])).toEqual([
      [taken, 'refused', 'A colleague already has it'],
      [won, 'done', null],
      [over, 'refused', 'You have claimed 2 today; come back tomorrow'],
      [mine, 'refused', 'You have claimed 2 today; come back tomorrow'],
      // Tomorrow would not help.
      [cooling, 'refused', expect.stringMatching(/^You returned this lead lately/)],
    ])
    // Who never saw the pool learns nothing of what was in it.
    expect(await claim(stranger, String(taken))).toMatchObject({ code: 4004 })
  })

  test('counts claims as they happen: what was claimed and given back has been claimed', async () => {
    const me = await seller()
    const { id: poolId } = await pool({ claimerIds: [me.id], claimsADay: 2, coolDownDays: 0 })
    const ids = [await pooled(poolId), await pooled(poolId), await pooled(poolId)] as const
    await claim(me, ids[0])
    expect(await giveBack(me, ids[0])).toMatchObject({ code: 0 })
    expect(await claim(me, ids[1])).toMatchObject({ code: 0 })
    expect(await claim(me, ids[2])).toMatchObject({ code: 4006 })
    clock.forward(DAY_MS)
    expect(await claim(me, ids[2])).toMatchObject({ code: 0 })
  })

  test('counts a claim that has to wait past midnight for the day it is made on', async () => {
    const me = await seller()
    const { id: poolId } = await pool({ claimerIds: [me.id], claimsADay: 1 })
    const [first, second, third] = [await pooled(poolId), await pooled(poolId), await pooled(poolId)]
    clock.set(new Date(startOfDay(addDays(dayOf(clock.now()), 1)).getTime() - 1_000))
    expect(await claim(me, first)).toMatchObject({ code: 0 })
    const waited = await whileItWaits(
      second,
      () => claim(me, second),
      () => clock.forward(2_000),
    )
    expect(waited).toMatchObject({ code: 0 })
    expect(await claim(me, third)).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('You have claimed 1 today'),
    })
  })

  test('answers who assigns many with each of them, also where one is claimed while they are on their way', async () => {
    const [me, other] = [await seller(), await seller()]
    const { id: poolId } = await pool({ claimerIds: [me.id] })
    const [first, second] = [await pooled(poolId), await pooled(poolId)]
    const answer = await whileItWaits(
      first,
      () => manager.post(`${PATH}/steps/assign`, { ids: [first, second], newOwnerId: other.id }),
      async () => {
        clock.forward(1_000)
        expect(await claim(me, second)).toMatchObject({ code: 0 })
      },
    )
    expect(answer).toMatchObject({ code: 0, data: [{ result: 'done' }, { result: 'done' }] })
    expect(await spansOf(second)).toEqual([
      { ownerId: me.id, got: 'CLAIMED', end: 'MOVED' },
      { ownerId: other.id, got: 'ASSIGNED', end: null },
    ])
  })

  test('lets nobody pass a cap by claiming many at once', async () => {
    const me = await seller()
    const { id: poolId } = await pool({ claimerIds: [me.id], claimsADay: 5 })
    const ids = await Promise.all(Array.from({ length: 12 }, () => pooled(poolId)))
    const answers = await Promise.all(ids.map(id => claim(me, id)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(5)
  })

  test('counts who has registered as held, unless it says that they do not count', async () => {
    for (const [sparesTrial, answer] of [
      [false, { code: 4006, msg: expect.stringContaining('You have 1 open leads') }],
      [true, { code: 0 }],
    ] as const) {
      const [me, phone] = [await seller(), newPhone()]
      const { id: poolId } = await pool({ claimerIds: [me.id], capacity: 1, sparesTrial })
      const [first, second, third] = [await pooled(poolId, phone), await pooled(poolId), await pooled(poolId)]
      expect(await claim(me, first)).toMatchObject({ code: 0 })
      expect(await claim(me, second)).toMatchObject({ code: 4006 })
      await register(phone)
      expect(await claim(me, second), String(sparesTrial)).toMatchObject(answer)
      expect(await claim(me, third)).toMatchObject({ code: 4006 })
    }
  })

  test('counts what is of a level that counts', async () => {
    const me = await seller()
    const { id: poolId } = await pool({ claimerIds: [me.id], capacity: 1, uncountedLevels: ['D'] })
    const [first, second, third] = [await pooled(poolId), await pooled(poolId), await pooled(poolId)]
    expect(await claim(me, first)).toMatchObject({ code: 0 })
    expect(await claim(me, second)).toMatchObject({ code: 4006 })
    const said = { contactKind: 'PHONE', content: '暂时不考虑', nextAt: null, picture: [] }
    expect(await me.post(`${PATH}/${first}/contact`, { ...said, level: 'D' })).toMatchObject({ code: 0 })
    expect(await claim(me, second)).toMatchObject({ code: 0 })
    expect(await claim(me, third)).toMatchObject({ code: 4006 })
  })

  test('knows whose a returned lead was and why it is no longer; that person waits until it has cooled down', async () => {
    const [me, other] = [await seller(), await seller()]
    const { id: poolId } = await pool({ claimerIds: [me.id, other.id] })
    const id = await pooled(poolId)
    await claim(me, id)
    await giveBack(me, id)
    expect(await read(id)).toMatchObject({
      status: 'RETURNED',
      timesReturned: 1,
      returnReason: 'NO_NEED',
      previousOwnerId: me.id,
    })
    expect(await claim(me, id)).toMatchObject({ code: 4006 })
    expect(await claim(other, id)).toMatchObject({ code: 0 })
  })
})

describe('a lead that is followed', () => {
  test('is contacted when somebody notes what was said; the member it becomes has the note', async () => {
    const me = await seller()
    const phone = newPhone()
    const id = await pooled((await pool({ claimerIds: [me.id] })).id, phone)
    await claim(me, id)
    const said = {
      contactKind: 'PHONE',
      content: '周末试听',
      level: 'B',
      nextAt: '2026-11-20T10:00:00+08:00',
      picture: [],
    }
    expect(await me.post(`${PATH}/${id}/contact`, said)).toMatchObject({ code: 0 })
    expect(await read(id, me)).toMatchObject({ status: 'CONTACTED', level: 'B', lastContactAt: expect.anything() })
    expect((await me.get(`${PATH}/${id}/contact`)).data).toMatchObject([{ content: '周末试听', staffId: me.id }])
    await register(phone)
    const lead = await read(id, me)
    expect(lead).toMatchObject({ status: 'TRIAL', memberId: expect.anything() })
    expect((await me.get(`/members/member/${lead.memberId}/follow-up`)).data).toMatchObject([{ content: '周末试听' }])
  })

  test('is not to be called at a time that is past: nothing is noted then', async () => {
    const me = await seller()
    const id = await pooled((await pool({ claimerIds: [me.id] })).id)
    await claim(me, id)
    const said = {
      contactKind: 'PHONE',
      content: '改天再说',
      level: null,
      nextAt: '2025-01-06T10:00:00+08:00',
      picture: [],
    }
    expect(await me.post(`${PATH}/${id}/contact`, said)).toMatchObject({
      code: 4005,
      data: { fields: { nextAt: expect.anything() } },
    })
    expect(await read(id, me)).toMatchObject({ status: 'ASSIGNED', nextAt: null })
    expect((await me.get(`${PATH}/${id}/contact`)).data).toEqual([])
  })

  test('and its member go to whoever claims it, and are a deal when the member pays, never by hand', async () => {
    const [me, other] = [await seller(), await seller()]
    const phone = newPhone()
    const { id: poolId } = await pool({ claimerIds: [me.id, other.id] })
    const id = await pooled(poolId, phone)
    await register(phone)
    expect(await claim(me, id)).toMatchObject({ code: 0 })
    const { memberId } = await read(id, me)
    const owner = async () =>
      (
        await instance.app.db.query
          .selectFrom('member')
          .select('owner_id')
          .where('id', '=', String(memberId))
          .executeTakeFirstOrThrow()
      ).owner_id
    expect(await owner()).toBe(me.id)
    expect(await manager.post(`${PATH}/${id}/assign`, { newOwnerId: other.id })).toMatchObject({ code: 0 })
    expect(await owner()).toBe(other.id)
    await instance.changing(change => announce(change, memberPaid, { memberId: String(memberId), paidFen: 99_00 }))
    expect(await read(id)).toMatchObject({ status: 'DEAL', ownerId: other.id })
    expect(await manager.post(`${PATH}/${id}/assign`, { newOwnerId: me.id })).toMatchObject({ code: 4006 })
  })

  test('is not had back where somebody has claimed another in its place, and may hold no more', async () => {
    const me = await seller()
    const { id: poolId } = await pool({ claimerIds: [me.id], capacity: 1 })
    const [first, second] = [await pooled(poolId), await pooled(poolId)]
    await claim(me, first)
    expect(await me.post(`${PATH}/${first}/lose`, { endReason: 'TOO_DEAR' })).toMatchObject({ code: 0 })
    expect(await claim(me, second)).toMatchObject({ code: 0 })
    const undone = () => me.post(`${PATH}/${first}/lose/undo`, {})
    expect(await undone()).toMatchObject({ code: 4006, msg: expect.stringContaining('You have 1 open leads') })
    expect(
      await me.post(`${PATH}/${second}/giveBack`, { returnReason: 'NO_NEED', toPoolId: null, note: '' }),
    ).toMatchObject({
      code: 0,
    })
    expect(await undone()).toMatchObject({ code: 0 })
  })

  test('is not had back once its member has paid', async () => {
    const [me, phone] = [await seller(), newPhone()]
    const id = await pooled((await pool({ claimerIds: [me.id] })).id, phone)
    await claim(me, id)
    await register(phone)
    expect(await me.post(`${PATH}/${id}/lose`, { endReason: 'TOO_DEAR' })).toMatchObject({ code: 0 })
    const { memberId } = await read(id)
    await instance.changing(change => announce(change, memberPaid, { memberId: String(memberId), paidFen: 99_00 }))
    expect(await me.post(`${PATH}/${id}/lose/undo`, {})).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('This person has paid meanwhile'),
    })
  })

  test('is given up with a reason, and had back while its number has not come again', async () => {
    const me = await seller()
    const [first, second] = [newPhone(), newPhone()]
    const { id: poolId } = await pool({ claimerIds: [me.id] })
    const ids = [await pooled(poolId, first), await pooled(poolId, second)] as const
    for (const id of ids) {
      await claim(me, id)
      expect(await me.post(`${PATH}/${id}/lose`, { endReason: 'TOO_DEAR' })).toMatchObject({ code: 0 })
    }
    await pooled(poolId, second)
    const undone = (id: string) => me.post(`${PATH}/${id}/lose/undo`, {})
    expect(await undone(ids[0])).toMatchObject({ code: 0 })
    expect(await read(ids[0], me)).toMatchObject({ status: 'ASSIGNED', ownerId: me.id, endReason: null })
    // In the hands it was in: what was claimed once counts as one claim.
    expect(await spansOf(ids[0])).toEqual([{ ownerId: me.id, got: 'CLAIMED', end: null }])
    expect(await undone(ids[1])).toMatchObject({ code: 4006 })
  })
})

describe('a step that was a mistake', () => {
  test('takes nobody back behind having registered', async () => {
    const me = await seller()
    const phone = newPhone()
    const id = await pooled((await pool({ claimerIds: [me.id] })).id, phone)
    await claim(me, id)
    const said = { contactKind: 'PHONE', content: '介绍了体验课', level: 'C', nextAt: null, picture: [] }
    expect(await me.post(`${PATH}/${id}/contact`, said)).toMatchObject({ code: 0 })
    expect(await me.post(`${PATH}/${id}/markIntent`, { level: 'A' })).toMatchObject({ code: 0 })
    await register(phone)
    expect(await read(id)).toMatchObject({ status: 'INTENT', level: 'A', furthest: 'REGISTERED' })
    expect(await me.post(`${PATH}/${id}/markIntent/undo`, {})).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'TRIAL', level: 'C', furthest: 'REGISTERED' })
  })

  test('leaves a lead as far as it had come before', async () => {
    const me = await seller()
    const id = await pooled((await pool({ claimerIds: [me.id] })).id)
    await claim(me, id)
    expect(await me.post(`${PATH}/${id}/markAdded`, {})).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'ADDED', furthest: 'ADDED' })
    expect(await me.post(`${PATH}/${id}/markAdded/undo`, {})).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'ASSIGNED', furthest: 'CAME' })
  })
})

describe('a lead nobody follows', () => {
  test('is told to its owner a day before, once, and then goes back to the pool', async () => {
    const me = await seller()
    const { id: poolId } = await pool({ claimerIds: [me.id], noContactDays: 5 })
    const [silent, spoken] = [await pooled(poolId), await pooled(poolId)]
    for (const id of [silent, spoken]) await claim(me, id)
    await age([silent, spoken], 4)
    await me.post(`${PATH}/${spoken}/contact`, {
      contactKind: 'PHONE',
      content: '再联系',
      level: null,
      nextAt: null,
      picture: [],
    })
    await work()
    await work()
    const told = await instance.app.db.query.selectFrom('message').selectAll().where('staff_id', '=', me.id).execute()
    expect(told).toHaveLength(1)
    clock.forward(DAY_MS)
    manager = await managing()
    await work()
    expect(await read(silent)).toMatchObject({
      status: 'RETURNED',
      poolId,
      returnReason: 'NO_CONTACT',
      previousOwnerId: me.id,
    })
    expect(await read(spoken)).toMatchObject({ status: 'CONTACTED', ownerId: me.id })
  })

  test('stays where its level is spared, and where both rules must hold until both do', async () => {
    const me = await seller()
    const { id: poolId } = await pool({
      claimerIds: [me.id],
      noContactDays: 2,
      noDealDays: 6,
      needsBoth: true,
      sparedLevels: ['A'],
      warnDays: 0,
    })
    const [keen, cool] = [await pooled(poolId), await pooled(poolId)]
    for (const id of [keen, cool]) await claim(me, id)
    await me.post(`${PATH}/${keen}/contact`, {
      contactKind: 'PHONE',
      content: '很想买',
      level: 'A',
      nextAt: null,
      picture: [],
    })
    await age([keen, cool], 3)
    await work()
    expect(await read(cool)).toMatchObject({ ownerId: me.id })
    await age([keen, cool], 4)
    await work()
    expect(await read(cool)).toMatchObject({ ownerId: null })
    expect(await read(keen)).toMatchObject({ ownerId: me.id })
  })
})

describe('the rules of a pool', () => {
  test('are changed by who may, under one name each, and not over what somebody changed meanwhile', async () => {
    const me = await seller()
    const { id, isDefault: _, mayChange: __, waiting: ___, ...rules } = await pool({ claimerIds: [me.id] })
    expect(await me.get(`${PATH}/pool`)).toMatchObject({ code: 4003 })
    expect(await manager.put(`${PATH}/pool/${id}`, { ...rules, claimsADay: 7 })).toMatchObject({ code: 0 })
    expect(await manager.put(`${PATH}/pool/${id}`, { ...rules, claimsADay: 8 })).toMatchObject({ code: 4009 })
    expect(await manager.post(`${PATH}/pool`, { ...POOL_RULES, name: rules.name })).toMatchObject({
      code: 4005,
      data: { fields: { name: expect.anything() } },
    })
    expect(
      await manager.post(`${PATH}/pool`, { ...POOL_RULES, name: '两者', needsBoth: true, noDealDays: 3 }),
    ).toMatchObject({
      code: 4005,
      data: { fields: { noContactDays: expect.anything() } },
    })
  })
})
