import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PHONES, phoneAt } from '../src/demo/builders.server.ts'
import { runRound } from '../src/engines/allocation/round.server.ts'
import { addConsultant, putInForce } from '../src/engines/allocation/server.ts'
import { arrive } from '../src/engines/lead/server.ts'
import type { Change } from '../src/kit/server/app.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import { type Caller, insist, org, person, type TestInstance } from '../tools/testing/instance.ts'
import { rounds } from './rounds.ts'
import { accepted, atOnce, naively, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

const LEADS = rounds(500)
const CONSULTANTS = 5
/** Together they may have half of what comes. */
const CAP = LEADS / CONSULTANTS / 2
const EVERY_DAY = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']

let two: TwoInstances
let consultants: (Caller & { orgId: string })[]
let claimers: Caller[]
const changing = <T>(nth: number, work: (change: Change) => Promise<T>): Promise<T> => {
  const { app } = two.at(nth)
  return insist(() => app.db.write(tx => work(ownChange(app, tx, app.clock.now(), 'test'))))
}

beforeAll(async () => {
  two = await openTwoInstances()
  const orgId = await org(two.at(0))
  const sells = { grants: { 'sale-salvage': ['list', 'claim'] }, orgId, scope: 'SELF' } as const
  consultants = await persistent(CONSULTANTS, () => person(two.at(0), sells))
  claimers = await persistent(CONSULTANTS, () => person(two.at(0), sells))
  await sql`
    insert into lead_pool_member (pool_id, staff_id)
    select p.id, s.id from lead_pool p, unnest(${claimers.map(({ id }) => id)}::bigint[]) s (id) where p.is_default`.execute(
    two.at(0).app.db.query,
  )
  const terms = { weight: 10, dailyCap: CAP, openCap: null, workDays: EVERY_DAY, workFrom: 0, workTo: 24 }
  for (const one of consultants) await changing(0, change => addConsultant(change, one, terms))
  // One of them is away: whatever happens at once, nothing comes to that person.
  await sql`update consultant set status = 'PAUSED' where staff_id = ${consultants[0]?.id}`.execute(
    two.at(0).app.db.query,
  )
  const lines = consultants.map(({ id }) => ({ staffId: id, weight: null, isFallback: false }))
  const rule = { key: 'all', name: '全部', sources: [], channels: [], products: [], validFrom: null, validUntil: null }
  await changing(0, change =>
    putInForce(change, { rules: [{ ...rule, lines }], holidays: [], warnMinutes: 15 }, '测试'),
  )
})
afterAll(async () => {
  expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
})

let counter = PHONES.test + 90_000
async function comes(nth: number): Promise<string> {
  counter += 1
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
  const one = { phone: phoneAt(counter), cameBy: 'FORM', key: `form:${counter}`, ...came } as const
  const [arrived] = await changing(nth, change => arrive(change, [one]))
  return String(arrived?.leadId)
}
type Had = { readonly owner: string | null; readonly got: string | null; readonly spans: number }
const held = async (ids: readonly string[]) =>
  (
    await sql<Had>`
      select l.owner_id as owner, min(o.got) as got, count(o.id)::int as spans from lead l
      left join lead_owner o on o.lead_id = l.id and o.until is null and o.owner_id = l.owner_id
      where l.id = any(${ids}::bigint[]) group by l.id, 1 order by l.id`.execute(two.at(1).app.db.query)
  ).rows

describe('leads that come, are given and are claimed at once on two instances', () => {
  test(`of ${LEADS} none is lost and none is had twice, nobody is given more than ${CAP}, and who is away gets none`, async () => {
    const ids = await atOnce(LEADS, comes)
    const answers = await atOnce(LEADS, async nth => {
      if (nth % 3 === 0) await changing(nth, runRound)
      return two.post(nth, claimers[nth % CONSULTANTS] as Caller, `/sales/salvage/${ids[nth]}/claim`)
    })
    await changing(1, runRound)
    const all = await held(ids)
    expect(all.every(({ owner, spans }) => spans === (owner === null ? 0 : 1))).toBe(true)
    expect(all.filter(({ got }) => got === 'CLAIMED')).toHaveLength(accepted(answers))
    const given = Map.groupBy(
      all.filter(({ got }) => got === 'ALLOCATED'),
      ({ owner }) => owner,
    )
    for (const [owner, had] of given) {
      expect(owner).not.toBe(consultants[0]?.id)
      expect(had.length).toBeLessThanOrEqual(CAP)
    }
    // Who came is accounted for: given, claimed, or waiting because all have enough.
    const { rows } = await sql<{ status: string; count: number }>`
      select status, count(*)::int as count from allocation_case where lead_id = any(${ids}::bigint[]) group by 1 order by 1`.execute(
      two.at(0).app.db.query,
    )
    const counted = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    expect(counted.GIVEN).toBe([...given.values()].flat().length)
    expect((counted.GIVEN ?? 0) + (counted.GONE ?? 0) + (counted.WAITING ?? 0)).toBe(LEADS)
  })

  test('a build that looks first and writes later gives somebody more than the cap', async () => {
    const ids = await atOnce(LEADS, comes)
    const who = await person(two.at(0), {})
    const mayHave = async ({ app }: TestInstance) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from lead_owner where owner_id = ${who.id} and got = 'ALLOCATED'`.execute(
        app.db.query,
      )
      return (rows[0]?.n ?? 0) < CAP
    }
    // Given and moved on: nothing is left behind that would not be so.
    const give = ({ app }: TestInstance, nth: number) =>
      sql`
        insert into lead_owner (lead_id, owner_id, org_id, since, until, got, end_kind, source, channel)
        select id, ${who.id}, ${who.orgId}, created_at, created_at, 'ALLOCATED', 'MOVED', source, channel from lead
        where id = ${ids[nth]}`.execute(app.db.query)
    expect(await naively(two, LEADS, mayHave, give)).toBeGreaterThan(CAP)
  })
})
