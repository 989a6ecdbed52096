import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RuleSet } from '#engines/allocation/rule.model.ts'
import { jobs as engineJobs } from '#engines/allocation/server.ts'
import { takeBackLeads } from '#engines/lead/ending.server.ts'
import { giveLeads } from '#engines/lead/owning.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { atOnce } from '#kit/server/work/job.ts'
import { grantOf, offer } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { IS_LONG } from '../../../../tools/testing/long.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Consultant } from './model.ts'
import type { AllocationView, Left, Simulated } from './rules.model.ts'
import { jobs } from './server.ts'

const PAGE = 'sale-list'
const PATH = '/sales/consultant'
const MANAGES = ['list', 'detail', 'create', 'update', 'pause', 'resume', 'setTarget', 'handOver']
const TERMS = {
  weight: 10,
  dailyCap: null as number | null,
  openCap: null as number | null,
  workDays: ['MON', 'TUE', 'WED', 'THU', 'FRI'],
  workFrom: 9,
  workTo: 21,
}
const HOUR_MS = 3_600_000

let instance: TestInstance
let manager: Caller
// Monday, ten o'clock.
const clock = stoppedClock(new Date('2026-11-16T02:00:00.007Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock, isSending: false })
})
/** Somebody who leads those who sell, from this time on: no session lasts for days. */
const begin = (at: string) =>
  beforeAll(async () => {
    clock.set(at)
    const grants = { [PAGE]: MANAGES, 'sale-salvage': ['list', 'detail', 'claim'], 'member-list': ['list'] }
    manager = await person(instance, { grants, scope: 'ALL' })
  })
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const tick = async () => {
  for (const job of [...jobs, ...engineJobs.slice(0, 1)]) await instance.changing(atOnce(job))
}
async function seller(terms: Partial<typeof TERMS> = {}) {
  const grants = { [PAGE]: ['list', 'detail'], 'sale-salvage': ['list', 'detail', 'claim'], 'member-list': ['own'] }
  const made = await person(instance, { grants, scope: 'SELF', managerId: manager.id })
  const { data } = await manager.post<{ id: string }>(PATH, { staffId: made.id, ...TERMS, ...terms })
  return { ...made, consultantId: data.id }
}
type Seller = Awaited<ReturnType<typeof seller>>
const read = async ({ consultantId }: Seller) => (await manager.get<Consultant>(`${PATH}/${consultantId}`)).data

const view = async () => (await manager.get<AllocationView>(`${PATH}/allocation`)).data
let keys = 0
function rules(lines: readonly (readonly [Seller, number?])[], fallback: readonly Seller[] = []): RuleSet {
  keys += 1
  const all = [
    ...lines.map(([{ id }, weight = null]) => ({ staffId: id, weight, isFallback: false })),
    ...fallback.map(({ id }) => ({ staffId: id, weight: null, isFallback: true })),
  ]
  const rule = {
    key: `rule-${keys}`,
    name: `规则 ${keys}`,
    sources: [],
    channels: [],
    products: [],
    validFrom: null,
    validUntil: null,
  }
  return { rules: [{ ...rule, lines: all }], holidays: [], warnMinutes: 15 }
}
const narrowed = (set: RuleSet, products: string[]): RuleSet => ({
  ...set,
  rules: set.rules.map(rule => ({ ...rule, products })),
})
async function put(set: RuleSet): Promise<void> {
  const { edition } = await view()
  expect(await manager.post(`${PATH}/allocation`, { set, note: '测试', edition })).toMatchObject({ code: 0 })
}
const simulate = async (set: RuleSet, day = dayOf(clock.now())) =>
  (await manager.post<Simulated>(`${PATH}/allocation/simulate`, { set, day })).data

let counter = PHONES.test + 80_000
const product = () => offer(instance, [grantOf('MEMBER_DAYS', 30)])
/** Numbers nobody knew, brought without an owner, who want this; gives the leads. */
async function come(count: number, productId: string | null = null): Promise<string[]> {
  const came = { name: null, channel: 'XIAOHONGSHU_NOTE', consent: 'FORM', owner: null, cameBy: 'IMPORT' } as const
  const arrivals = Array.from({ length: count }, () => {
    counter += 1
    return { phone: phoneAt(counter), source: 'XIAOHONGSHU', key: `test:${counter}`, productId, ...came }
  })
  const arrived = await instance.changing(change => arrive(change, arrivals))
  await instance.outbox.run()
  return arrived.map(({ leadId }) => String(leadId))
}
const ownersOf = async (leadIds: readonly string[]) => {
  const { rows } = await sql<{ id: string; owner: string | null }>`
    select id, owner_id as owner from lead where id = any(${leadIds}::bigint[])`.execute(instance.app.db.query)
  return leadIds.map(id => rows.find(row => row.id === id)?.owner ?? null)
}
const shares = (owners: readonly (string | null)[], ...people: Seller[]) =>
  people.map(({ id }) => owners.filter(owner => owner === id).length)

describe('leads without an owner', () => {
  begin('2026-11-16T02:00:00.007Z')

  test('stay in the pool while no rules are in force', async () => {
    expect(await ownersOf(await come(2))).toEqual([null, null])
    expect(await view()).toMatchObject({ edition: null, waiting: [] })
  })

  test('are spread by weight, however many come at once, and each says why', async () => {
    const [a, b, c] = [await seller(), await seller(), await seller()]
    await put(
      rules([
        [a, 5],
        [b, 3],
        [c, 2],
      ]),
    )
    expect(shares(await ownersOf(await come(1_000)), a, b, c)).toEqual([500, 300, 200])
    expect(await read(a)).toMatchObject({ received: 500, unspoken: 500, openLeads: 500 })
    const told = await manager.get<{ total: number; records: { passed: unknown[] }[] }>(
      `${PATH}/${a.consultantId}/decisions`,
    )
    expect(told.data).toMatchObject({ total: 500 })
    expect(told.data.records[0]).toMatchObject({ ruleName: expect.stringMatching(/^规则/), passed: [] })
  })

  test('that name a product go by the rule for it; what no rule takes is told, and given once one does', async () => {
    const [annual, rest] = [await seller(), await seller()]
    const [wanted, other] = [await product(), await product()]
    const general = rules([[rest]])
    const narrow = narrowed(rules([[annual]]), [wanted])
    await put({ ...narrow, rules: [...narrow.rules, ...general.rules] })
    expect(shares(await ownersOf(await come(3, wanted)), annual, rest)).toEqual([3, 0])
    expect(shares(await ownersOf([...(await come(1, other)), ...(await come(1))]), annual, rest)).toEqual([0, 2])
    const decided = await manager.get<{ records: object[] }>(`${PATH}/${annual.consultantId}/decisions`)
    expect(decided.data.records[0]).toMatchObject({ productId: wanted })
    await put(narrow)
    const left = [...(await come(2, other)), ...(await come(1))]
    expect(await ownersOf(left)).toEqual([null, null, null])
    const told = async () => (await manager.get<Left>(`${PATH}/allocation/left`)).data
    const came = { source: 'XIAOHONGSHU', channel: 'XIAOHONGSHU_NOTE' }
    expect(await told()).toEqual({
      count: 3,
      since: clock.now().toISOString(),
      came: [
        { ...came, product: '年度会员', count: 2 },
        { ...came, product: null, count: 1 },
      ],
    })
    await put({ ...narrow, rules: [...narrow.rules, ...general.rules] })
    expect(shares(await ownersOf(left), annual, rest)).toEqual([0, 3])
    expect(await told()).toEqual({ count: 0, since: null, came: [] })
  })

  test('never go to somebody paused, full, off work, disabled or gone: they wait, and are given once somebody can have them', async () => {
    const [paused, full, late, disabled] = [
      await seller(),
      await seller({ dailyCap: 1 }),
      await seller({ workFrom: 12 }),
      await seller(),
    ]
    await manager.post(`${PATH}/${paused.consultantId}/pause`, { reason: '请假', pausedUntil: null })
    await sql`update staff set status = 'DISABLED' where id = ${disabled.id}`.execute(instance.app.db.query)
    await put(rules([[paused], [full], [late], [disabled]]))
    const leads = await come(3)
    expect(shares(await ownersOf(leads), full, late)).toEqual([1, 0])
    const [group] = (await view()).waiting
    expect(group).toMatchObject({ count: 2 })
    expect(group?.passed.map(({ why }) => why).sort()).toEqual(['DAY_FULL', 'NOT_HERE', 'OFF_HOURS', 'PAUSED'])
    clock.forward(2 * HOUR_MS)
    await tick()
    expect(shares(await ownersOf(leads), full, late)).toEqual([1, 2])
    await sql`update staff set status = 'ENABLED' where id = ${disabled.id}`.execute(instance.app.db.query)
  })

  test('go to the fallback where nobody else can have one', async () => {
    const [first, other] = [await seller({ openCap: 1 }), await seller()]
    await put(rules([[first]], [other]))
    const leads = await come(3)
    expect(shares(await ownersOf(leads), first, other)).toEqual([1, 2])
  })

  test('are given to nobody once they were taken back, and nobody’s turn goes by for them', async () => {
    const one = await seller()
    await manager.post(`${PATH}/${one.consultantId}/pause`, { reason: '请假', pausedUntil: null })
    await put(rules([[one]]))
    const leads = await come(2)
    expect((await view()).waiting).toMatchObject([{ count: 2 }])
    expect(await instance.changing(change => takeBackLeads(change, leads))).toEqual([])
    await manager.post(`${PATH}/${one.consultantId}/resume`, {})
    await tick()
    expect((await view()).waiting).toEqual([])
    const told = await manager.get<{ records: object[] }>(`${PATH}/${one.consultantId}/decisions`)
    expect(told.data.records).toEqual([])
  })

  test('that were given out and taken back count against the day of whoever had them, as they were given', async () => {
    const one = await seller({ dailyCap: 2 })
    await put(rules([[one]]))
    const leads = await come(2)
    expect(await instance.changing(change => takeBackLeads(change, leads))).toEqual([])
    await tick()
    expect(await read(one)).toMatchObject({ received: 2, unspoken: 0, openLeads: 0 })
    const [lead = ''] = await come(1)
    expect(await ownersOf([lead])).toEqual([null])
    expect((await view()).waiting[0]?.passed).toEqual([expect.objectContaining({ id: one.id, why: 'DAY_FULL' })])
    expect(await instance.changing(change => takeBackLeads(change, [lead]))).toEqual([])
    await tick()
  })

  test('are whoever’s took them before', async () => {
    const one = await seller({ workFrom: 20 })
    await put(rules([[one]]))
    const [lead = ''] = await come(1)
    await instance.changing(change => giveLeads(change, [lead], { id: manager.id, orgId: one.orgId }, 'CLAIMED'))
    clock.forward(9 * HOUR_MS)
    await tick()
    expect(await ownersOf([lead])).toEqual([manager.id])
    expect((await view()).waiting).toEqual([])
  })
})

describe('a day that is past', () => {
  begin('2026-11-18T01:10:00.007Z')

  test('is reproduced by its own rules, and goes otherwise by others; those are put in force from there', async () => {
    const [a, b, c] = [await seller({ dailyCap: 3 }), await seller(), await seller({ openCap: 2 })]
    const first = rules([[a], [b]], [c])
    await put(first)
    for (let nth = 0; nth < 5; nth += 1) {
      await come(2)
      clock.forward(20 * 60_000)
    }
    await manager.post(`${PATH}/${b.consultantId}/pause`, { reason: '开会', pausedUntil: null })
    await come(3)
    clock.forward(HOUR_MS)
    await manager.post(`${PATH}/${b.consultantId}/resume`, {})
    await tick()
    const same = await simulate(first)
    expect(same).toMatchObject({ leads: 13, moved: 0, isReproduced: true })
    // A had three and saw eight more pass, C two nobody had spoken to and saw one: so it went, and so it goes again.
    const fullOf = (told: Simulated, one: Seller) => told.people.find(({ id }) => id === one.id)?.full
    for (const of of ['real', 'would'] as const) {
      expect(fullOf(same, a)?.[of]).toEqual({ day: 8, open: 0 })
      expect(fullOf(same, c)?.[of]).toEqual({ day: 0, open: 1 })
      expect(same[of]).toMatchObject({ dayFull: 8, openFull: 1 })
    }
    const changed = rules([
      [a, 1],
      [b, 1],
      [c, 1],
    ])
    const would = await simulate(changed)
    expect(would).toMatchObject({ leads: 13, isReproduced: true, real: same.real })
    expect(would.moved).toBeGreaterThan(0)
    expect(would.people.reduce((sum, one) => sum + one.would, 0)).toBe(would.would.given)
    expect(would.people.find(({ id }) => id === a.id)?.would).toBeLessThanOrEqual(3)
    await put(changed)
    expect(await simulate(changed)).toMatchObject({ isReproduced: true })
  })

  test('cannot be one that is to come, nor one of which nothing is kept', async () => {
    const set = (await view()).set
    const ask = (day: string) => manager.post(`${PATH}/allocation/simulate`, { set, day })
    expect(await ask('2026-11-30')).toMatchObject({ code: 4005 })
    expect(await ask('2026-10-01')).toMatchObject({ code: 4005 })
  })
})

describe('rules', () => {
  begin('2026-11-18T05:10:00.007Z')

  test('that name nobody who sells, somebody twice or end before they begin are refused', async () => {
    const one = await seller()
    const stranger = await person(instance, {})
    const { edition } = await view()
    const good = rules([[one]])
    const tried = (change: (rule: RuleSet['rules'][number]) => Partial<RuleSet['rules'][number]>) =>
      manager.post(`${PATH}/allocation`, {
        set: { ...good, rules: good.rules.map(rule => ({ ...rule, ...change(rule) })) },
        note: '',
        edition,
      })
    for (const change of [
      (rule: RuleSet['rules'][number]) => ({ lines: [...rule.lines, ...rule.lines] }),
      () => ({ lines: [{ staffId: stranger.id, weight: null, isFallback: false }] }),
      (rule: RuleSet['rules'][number]) => ({ lines: rule.lines.map(line => ({ ...line, isFallback: true })) }),
      () => ({ validFrom: '2026-12-02', validUntil: '2026-12-01' }),
      () => ({ products: ['999999999'] }),
    ])
      expect(await tried(change)).toMatchObject({ code: 4005 })
    expect((await view()).edition).toBe(edition)
  })

  test('put in force by somebody else meanwhile are not written over', async () => {
    const { edition } = await view()
    const set = rules([[await seller()]])
    await put(set)
    expect(await manager.post(`${PATH}/allocation`, { set, note: '', edition })).toMatchObject({ code: 4009 })
  })
})

describe('what waits too long', () => {
  begin('2026-11-19T02:00:00.007Z')

  const told = async () =>
    (
      await sql<{ content: string }>`
        select payload->>'content' as content from signal where topic = 'push' and payload->>'type' = '10' order by id`.execute(
        instance.app.db.query,
      )
    ).rows.map(({ content }) => JSON.parse(content))

  test('is told to whoever leads the group, once', async () => {
    const one = await seller({ workFrom: 20 })
    await put(rules([[one]]))
    await come(2)
    const before = (await told()).length
    await tick()
    expect(await told()).toHaveLength(before)
    clock.forward(16 * 60_000)
    await tick()
    await tick()
    expect((await told()).slice(before)).toEqual([{ rule: expect.any(String), count: 2 }])
  })

  test('because no rule takes it is told to who lead the people of the rules, each once', async () => {
    const [one, two] = [await seller(), await seller()]
    const both = [rules([[one]]), rules([[two]])].flatMap(set => set.rules)
    await put(narrowed({ ...rules([]), rules: both }, [await product()]))
    await come(3)
    const before = (await told()).length
    clock.forward(16 * 60_000)
    await tick()
    await tick()
    expect((await told()).slice(before)).toEqual([{ rule: '', count: 3 }])
  })
})

describe('a consultant', () => {
  begin('2026-11-20T02:00:00.007Z')

  test('is paused until a time, and gets leads again after it', async () => {
    const one = await seller()
    const pausedUntil = new Date(clock.now().getTime() + HOUR_MS).toISOString()
    expect(
      await manager.post(`${PATH}/${one.consultantId}/pause`, {
        reason: '培训',
        pausedUntil: clock.now().toISOString(),
      }),
    ).toMatchObject({ code: 4005 })
    await manager.post(`${PATH}/${one.consultantId}/pause`, { reason: '培训', pausedUntil })
    expect(await read(one)).toMatchObject({ status: 'PAUSED', pausedUntil })
    clock.forward(HOUR_MS)
    await tick()
    expect(await read(one)).toMatchObject({ status: 'ON', pausedUntil: null })
  })

  test('hands all open leads over to somebody else', async () => {
    const [one, other] = [await seller(), await seller()]
    await put(rules([[one]]))
    const leads = await come(3)
    expect(shares(await ownersOf(leads), one)).toEqual([3])
    const { openLeads: had } = await read(one)
    expect(await manager.post(`${PATH}/${one.consultantId}/handOver`, { newOwnerId: other.id })).toMatchObject({
      code: 0,
    })
    expect(shares(await ownersOf(leads), one, other)).toEqual([0, 3])
    await tick()
    expect(await read(one)).toMatchObject({ openLeads: 0 })
    expect(await read(other)).toMatchObject({ openLeads: had })
  })

  test('has a target for this month and one for the next', async () => {
    const one = await seller()
    await manager.post(`${PATH}/${one.consultantId}/setTarget`, { targetMonth: 'THIS', targetFen: 5_000_000 })
    await manager.post(`${PATH}/${one.consultantId}/setTarget`, { targetMonth: 'NEXT', targetFen: 6_000_000 })
    await tick()
    expect(await read(one)).toMatchObject({ targetFen: 5_000_000 })
    const { data } = await manager.get<{ records: unknown[] }>(`${PATH}/${one.consultantId}/targets`)
    expect(data.records).toMatchObject([
      { month: '2026-12-01', targetFen: 6_000_000 },
      { month: '2026-11-01', targetFen: 5_000_000 },
    ])
  })

  test('is somebody once, with hours that end after they begin', async () => {
    const one = await seller()
    expect(await manager.post(PATH, { staffId: one.id, ...TERMS })).toMatchObject({ code: 4005 })
    const { version } = await read(one)
    const { weight, dailyCap, openCap, workDays } = TERMS
    const body = { weight, dailyCap, openCap, workDays, workFrom: 18, workTo: 9, version }
    expect(await manager.put(`${PATH}/${one.consultantId}`, body)).toMatchObject({ code: 4005 })
  })
})

describe('the rules leads are given by', () => {
  begin('2026-11-23T02:00:00.007Z')

  test('are put in force only by who reaches everybody they name, or have named', async () => {
    const [mine, other] = [await seller(), await seller()]
    const { orgId } = mine
    const leader = await person(instance, { grants: { [PAGE]: MANAGES }, scope: 'DEPARTMENT', orgId })
    const puts = async (set: RuleSet) =>
      leader.post(`${PATH}/allocation`, { set, note: '测试', edition: (await view()).edition })
    const refused = { code: 4006, msg: expect.stringContaining('name people beyond your reach') }
    await put(rules([[mine]]))
    expect(await puts(rules([[mine], [other]]))).toMatchObject(refused)
    expect(await puts(rules([[mine, 3]]))).toMatchObject({ code: 0 })
    await put(rules([[mine], [other]]))
    expect(await puts(rules([[mine]]))).toMatchObject(refused)
  })
})

describe('a lead behind many that nobody may have', () => {
  begin('2026-11-23T03:00:00.007Z')

  test('is given all the same, and the day is replayed so', async () => {
    const [asleep, awake] = [await seller({ workFrom: 22, workTo: 23 }), await seller()]
    const wanted = await product()
    const set = rules([[awake]])
    await put({ ...set, rules: [...narrowed(rules([[asleep]]), [wanted]).rules, ...set.rules] })
    expect(new Set(await ownersOf(await come(1_001, wanted)))).toEqual(new Set([null]))
    clock.forward(60_000)
    await tick()
    expect(shares(await ownersOf(await come(1)), awake)).toEqual([1])
    expect(await simulate((await view()).set)).toMatchObject({ isReproduced: true })
  })
})

describe('a day on which much happens', () => {
  begin('2026-11-24T01:10:00.007Z')

  test('is reproduced whatever happened on it: pauses, terms, claims, leads that changed hands, and other rules', async () => {
    const sellers = [await seller({ dailyCap: 9 }), await seller(), await seller({ openCap: 4 }), await seller()]
    const wanted = await product()
    const weights = (...of: number[]) => rules(sellers.map((one, nth) => [one, of[nth] ?? 1] as const))
    const of = <T>(all: readonly T[], nth: number) => all[nth % all.length] as T
    const owner = ({ id, orgId }: Seller) => ({ id, orgId })
    await put(weights(1, 2, 3, 4))
    const leads: string[] = []
    const deeds = [
      async (nth: number) => leads.push(...(await come(1 + (nth % 3), nth % 4 === 0 ? wanted : null))),
      (nth: number) =>
        manager.post(`${PATH}/${of(sellers, nth).consultantId}/pause`, { reason: '开会', pausedUntil: null }),
      async (nth: number) => leads.push(...(await come(2, nth % 2 === 0 ? wanted : null))),
      (nth: number) => manager.post(`${PATH}/${of(sellers, nth + 1).consultantId}/resume`, {}),
      (nth: number) =>
        instance.changing(change => giveLeads(change, [of(leads, nth * 7)], owner(of(sellers, nth)), 'ASSIGNED')),
      async (nth: number) => {
        const one = of(sellers, nth)
        const { version } = await read(one)
        const body = { ...TERMS, dailyCap: (nth % 6) + 4, version }
        expect(await manager.put(`${PATH}/${one.consultantId}`, body)).toMatchObject({ code: 0 })
      },
      (nth: number) => (nth % 5 === 0 ? put(weights(nth % 7 || 1, 2, (nth % 3) + 1, 1)) : Promise.resolve()),
      async (nth: number) => {
        const came = await come(1)
        await instance.changing(change => giveLeads(change, came, owner(of(sellers, nth)), 'CLAIMED'))
      },
      (nth: number) => {
        const set = narrowed(weights(1, 1, 1, 1), [wanted])
        return nth % 2 === 0 ? put({ ...set, rules: [...set.rules, ...weights(2, 1, 2, 1).rules] }) : Promise.resolve()
      },
    ]
    for (let nth = 0; nth < (IS_LONG ? 300 : 30); nth += 1) {
      // A course of its own through the deeds, the same at every run.
      await of(deeds, (nth * nth + 3 * nth) >> 1)(nth)
      clock.forward(((nth % 5) + 1) * (IS_LONG ? 10_000 : 60_000))
      await tick()
    }
    const { set } = await view()
    expect(await simulate(set)).toMatchObject({ isReproduced: true })
  })
})
