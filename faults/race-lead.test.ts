import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobs } from '../src/areas/sales/salvage/server.ts'
import { PHONES, phoneAt } from '../src/demo/builders.server.ts'
import { arrive } from '../src/engines/lead/server.ts'
import { CODES } from '../src/kit/model/contract.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import { type Caller, insist, org, person, type TestInstance } from '../tools/testing/instance.ts'
import { CALLERS, ROUNDS, rounds } from './rounds.ts'
import { accepted, atOnce, naively, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

const LEADS = rounds(500)
const CAP = 3

let two: TwoInstances
let people: Caller[]
let manager: Caller
beforeAll(async () => {
  two = await openTwoInstances()
  const orgId = await org(two.at(0))
  const sells = { grants: { 'sale-salvage': ['list', 'claim', 'giveBack'] }, orgId }
  people = await persistent(CALLERS, () => person(two.at(0), { ...sells, scope: 'SELF' }))
  manager = await person(two.at(0), { grants: { 'sale-salvage': ['list', 'claim', 'assign'] }, scope: 'ALL' })
  await sql`
    insert into lead_pool_member (pool_id, staff_id)
    select p.id, s.id from lead_pool p, unnest(${people.map(({ id }) => id)}::bigint[]) s (id) where p.is_default`.execute(
    two.at(0).app.db.query,
  )
})
afterAll(async () => {
  expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
})

let counter = PHONES.test + 80_000
async function pooled(count: number): Promise<string[]> {
  const { app } = two.at(0)
  const came = { name: null, source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'FORM', owner: null } as const
  const arrivals = Array.from({ length: count }, () => {
    counter += 1
    return { phone: phoneAt(counter), cameBy: 'REGISTRATION', key: 'registration', ...came } as const
  })
  const made = await insist(() => app.db.write(tx => arrive(ownChange(app, tx, app.clock.now(), 'test'), arrivals)))
  return made.map(({ leadId }) => String(leadId))
}
const capped = (claims: number) =>
  sql`update lead_pool set claims_a_day = ${claims}, cool_down_days = 0, no_contact_days = null where is_default`.execute(
    two.at(0).app.db.query,
  )
const claim = (nth: number, who: Caller, id: string) => two.post(nth, who, `/sales/salvage/${id}/claim`)
/** How many open spans each of these leads has, and whether the lead names the same owner. */
const held = async (ids: readonly string[]) =>
  (
    await sql<{ id: string; owner: string | null; spans: number }>`
      select l.id, l.owner_id as owner, count(o.id)::int as spans from lead l
      left join lead_owner o on o.lead_id = l.id and o.until is null and o.owner_id = l.owner_id
      where l.id = any(${ids}::bigint[]) group by 1, 2 order by 1`.execute(two.at(1).app.db.query)
  ).rows

describe('one lead of the open pool', () => {
  test.each(ROUNDS)('is one of the 200 who claim it at once (round %i)', async () => {
    await capped(1_000)
    const [id = ''] = await pooled(1)
    const answers = await atOnce(CALLERS, nth => claim(nth, people[nth] as Caller, id))
    expect(accepted(answers)).toBe(1)
    // Whoever came too late is told so, and not that there never was such a lead.
    expect(answers.filter(({ code }) => code === CODES.rule)).toHaveLength(CALLERS - 1)
    expect(await held([id])).toMatchObject([{ owner: expect.anything(), spans: 1 }])
  })

  test('is in one pair of hands, or in none, after claims, returns by rule and assignments at once', async () => {
    await capped(1_000)
    const ids = await pooled(rounds(100))
    const { app } = two.at(0)
    const takeBack = async () => {
      await sql`update lead_pool set no_contact_days = 1, warn_days = 0 where is_default`.execute(app.db.query)
      await sql`update lead set owner_since = owner_since - interval '2 days' where id = any(${ids}::bigint[]) and owner_id is not null`.execute(
        app.db.query,
      )
      await insist(() =>
        app.db.write(
          tx => jobs[0]?.work(ownChange(app, tx, app.clock.now(), 'test'), {} as never) ?? Promise.resolve(0),
        ),
      )
    }
    await atOnce(ids.length * 3, async nth => {
      const id = ids[nth % ids.length] as string
      const other = people[(nth * 7) % CALLERS] as Caller
      if (nth % 3 === 0) await claim(nth, people[nth % CALLERS] as Caller, id)
      else if (nth % 3 === 1) await two.post(nth, manager, `/sales/salvage/${id}/assign`, { newOwnerId: other.id })
      else if (nth % 30 === 2) await takeBack()
    })
    for (const { owner, spans } of await held(ids)) expect(spans).toBe(owner === null ? 0 : 1)
  })
})

describe('many leads and many who want them', () => {
  test(`of ${LEADS} leads nobody gets more than ${CAP}, none is lost and none is had twice`, async () => {
    const ids = await pooled(LEADS)
    await capped(CAP)
    await sql`update lead_owner set since = since - interval '2 days', until = until - interval '1 day' where got = 'CLAIMED'`.execute(
      two.at(0).app.db.query,
    )
    // Everybody tries more than may be had, in an order of one's own.
    const tries = rounds(20) + CAP
    const answers = await atOnce(CALLERS * tries, nth => {
      const who = nth % CALLERS
      return claim(nth, people[who] as Caller, ids[(who * 31 + Math.floor(nth / CALLERS) * 17) % LEADS] as string)
    })
    const owners = (await held(ids)).filter(({ owner }) => owner !== null)
    expect(owners).toHaveLength(accepted(answers))
    expect(owners.every(({ spans }) => spans === 1)).toBe(true)
    const most = Object.values(Object.groupBy(owners, ({ owner }) => String(owner))).map(had => had?.length ?? 0)
    expect(Math.max(...most)).toBeLessThanOrEqual(CAP)
  })
})

describe('a build that looks first and writes later', () => {
  test('gives one lead to many', async () => {
    const [id = ''] = await pooled(1)
    const isFree = async ({ app }: TestInstance) =>
      (await app.db.query.selectFrom('lead').select('owner_id').where('id', '=', id).executeTakeFirstOrThrow())
        .owner_id === null
    const note = ({ app }: TestInstance, nth: number) =>
      app.db.query.updateTable('lead').set({ times_returned: nth }).where('id', '=', id).execute()
    expect(await naively(two, CALLERS, isFree, note)).toBeGreaterThan(1)
  })

  test('lets somebody claim more than the cap', async () => {
    const ids = await pooled(CALLERS)
    const who = await person(two.at(0), {})
    const isLeft = async ({ app }: TestInstance) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from lead_owner where owner_id = ${who.id} and got = 'CLAIMED'`.execute(app.db.query)
      return (rows[0]?.n ?? 0) < CAP
    }
    // Claimed and given back has been claimed: nothing else is left behind that would not be so.
    const note = ({ app }: TestInstance, nth: number) =>
      sql`
        insert into lead_owner (lead_id, owner_id, org_id, since, until, got, end_kind, source, channel)
        select id, ${who.id}, ${who.orgId}, now(), now(), 'CLAIMED', 'RETURNED', source, channel from lead where id = ${ids[nth]}`.execute(
        app.db.query,
      )
    expect(await naively(two, CALLERS, isLeft, note)).toBeGreaterThan(CAP)
  })

  test('lets several move a lead away from where one of them already has: claimed, taken back and assigned at once', async () => {
    const [id = ''] = await pooled(1)
    const versionOf = async ({ app }: TestInstance) =>
      (await app.db.query.selectFrom('lead').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
    const was = await versionOf(two.at(0))
    const isAsSeen = async (instance: TestInstance) => (await versionOf(instance)) === was
    const move = ({ app }: TestInstance) =>
      sql`update lead set version = version + 1 where id = ${id}`.execute(app.db.query)
    expect(await naively(two, CALLERS, isAsSeen, move)).toBeGreaterThan(1)
  })
})
