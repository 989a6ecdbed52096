import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Desk } from '../src/areas/members/work/desk.model.ts'
import type { Work } from '../src/areas/members/work/fields.model.ts'
import { jobs } from '../src/areas/members/work/server.ts'
import { CODES } from '../src/kit/model/contract.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import { type DeclaredJob, atOnce as underLock } from '../src/kit/server/work/job.ts'
import { enrol } from '../tools/testing/commerce.ts'
import { type Caller, insist, org, person } from '../tools/testing/instance.ts'
import { rounds } from './rounds.ts'
import { atOnce, naively, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

const TEACHERS = rounds(50)
const WORKS = rounds(500)
const PATH = '/members/work'
const GOOD = { marks: [], scores: { strokes: 8, structure: 8, layout: 8 }, words: '写得好' }
const LEASE_IS_OVER_MS = 31 * 60_000

let two: TwoInstances
let teachers: Caller[]
beforeAll(async () => {
  two = await openTwoInstances()
  const orgId = await org(two.at(0))
  const takes = { grants: { 'opus-list': ['list', 'detail', 'take'] }, orgId }
  teachers = await persistent(TEACHERS, () => person(two.at(0), takes))
})
afterAll(async () => {
  expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
})

/** Of a day whose numbers were all given out. */
let numbered = 0
/** Works that wait, each with a picture nobody looks at. */
async function waiting(count: number): Promise<void> {
  const { app } = two.at(0)
  const memberId = await enrol(two.at(0))
  const given = app.db.query.insertInto('number_sequence').values({ kind: 'W', day: '2026-03-01', last: 99_999 })
  await given.onConflict(conflict => conflict.doNothing()).execute()
  await sql`
    insert into work (no, opus_id, member_id, kind, lesson, picture, submitted_at)
    select w.no, w.no, ${memberId}::bigint, 'HOMEWORK', '横画', array[gen_random_uuid()], ${app.clock.now()}::timestamptz
    from (select 'W20260301' || lpad(n::text, 5, '0') as no from generate_series(${numbered + 1}::int, ${numbered + count}::int) n) w`.execute(
    app.db.query,
  )
  numbered += count
}
const inState = async (...states: Work['status'][]): Promise<{ id: string; holder: string | null }[]> =>
  two
    .at(1)
    .app.db.query.selectFrom('work')
    .select(['id', 'holder_id as holder'])
    .where('status', 'in', states)
    .execute()
const take = (nth: number, who: Caller) => two.post<Desk>(nth, who, `${PATH}/take-next`)
const comment = (nth: number, who: Caller, id: string) => two.post<Desk>(nth, who, `${PATH}/${id}/comment`, GOOD)

/** On both at once, as where each has a clock of its own. */
async function leasesEnd(): Promise<number> {
  for (const nth of [0, 1]) two.at(nth).clock.forward(LEASE_IS_OVER_MS)
  const job = jobs.find(({ name }) => name === 'work-leases') as DeclaredJob
  const freed = await persistent(2, nth => {
    const { app } = two.at(nth)
    return app.db.write(tx => underLock(job)(ownChange(app, tx, app.clock.now(), 'job:work-leases')))
  })
  return Math.max(...freed)
}

describe(`${TEACHERS} teachers and ${WORKS} works on two instances`, () => {
  test('no work is on two desks, none is lost, and what nobody renewed comes back; a comment that comes too late is refused', async () => {
    await waiting(WORKS)
    const said = new Map<string, string>()
    let late = 0
    for (let round = 0; said.size < WORKS; round += 1) {
      expect(round, 'rounds until all are done').toBeLessThan(60)
      // Each presses twice at the same moment, some of them on both instances.
      const answers = await atOnce(TEACHERS * 2, nth => take(nth, teachers[nth % TEACHERS] as Caller))
      expect(answers.filter(({ code }) => code !== CODES.ok && code !== CODES.rule)).toEqual([])
      const desks = await atOnce(TEACHERS, async nth => {
        const mine = answers.filter((_, at) => at % TEACHERS === nth).flatMap(({ data }) => data?.held ?? [])
        return [...new Set(mine.map(({ id }) => id))]
      })
      const all = desks.flat()
      expect(new Set(all).size, 'works on one desk each').toBe(all.length)
      expect((await inState('LEASED')).length, 'works on any desk').toBe(all.length)
      expect(Math.max(...desks.map(({ length }) => length))).toBeLessThanOrEqual(2)
      const left = desks.flatMap((ids, nth) => ids.map(id => ({ id, nth, isLeft: (Number(id) + round) % 4 === 0 })))
      const done = await Promise.all(
        left
          .filter(({ isLeft }) => !isLeft)
          .map(async one => ({ ...one, ...(await comment(one.nth, teachers[one.nth] as Caller, one.id)) })),
      )
      for (const { id, nth, code } of done) {
        expect(code).toBe(CODES.ok)
        expect(said.has(id), 'said twice').toBe(false)
        said.set(id, (teachers[nth] as Caller).id)
      }
      // Whoever went away finds the work gone; somebody else is given it.
      const gone = left.filter(({ isLeft }) => isLeft)
      expect(await leasesEnd()).toBe(gone.length)
      const tooLate = await Promise.all(gone.map(({ id, nth }) => comment(nth, teachers[nth] as Caller, id)))
      expect(tooLate.map(({ code }) => code)).toEqual(gone.map(() => CODES.rule))
      late += tooLate.length
      expect((await inState('SUBMITTED')).length + said.size, 'none is lost').toBe(WORKS)
    }
    expect(late).toBeGreaterThan(0)
    const comments = await two
      .at(0)
      .app.db.query.selectFrom('work_comment')
      .select(['work_id as id', 'staff_id as by'])
      .execute()
    expect(comments).toHaveLength(WORKS)
    expect(new Map(comments.map(({ id, by }) => [id, by]))).toEqual(said)
  }, 900_000)

  test('a build that looks first and writes later gives one work to several', async () => {
    await waiting(1)
    const [free] = await inState('SUBMITTED')
    const given = await naively(
      two,
      TEACHERS,
      async ({ app }) => {
        const seen = app.db.query.selectFrom('work').select('status').where('id', '=', String(free?.id))
        return (await seen.executeTakeFirstOrThrow()).status === 'SUBMITTED'
      },
      ({ app }, nth) =>
        insist(() =>
          app.db.query
            .updateTable('work')
            .set({ status: 'LEASED', holder_id: teachers[nth]?.id ?? null, leased_until: app.clock.now() })
            .where('id', '=', String(free?.id))
            .execute(),
        ),
    )
    expect(given).toBeGreaterThan(1)
  })
})
