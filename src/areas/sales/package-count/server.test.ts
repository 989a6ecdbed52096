import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsBehind, type StatisticAnswer, type Values } from '#kit/model/statistic.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { buy, enrol, grantOf, offer, order } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { payNothing } from '../../orders/order/coupons.server.ts'
import { statistic } from './model.ts'

const PATH = '/sales/package-count'
const SEES = { 'sale-packageCount': ['list', 'detail', 'export'], 'member-list': ['own'] }
const MONTH = 'from=2026-06-01&to=2026-06-30'
const HOUR_MS = 3_600_000

let instance: TestInstance
let boss: Caller & { orgId: string }
let an: Caller & { orgId: string }
let bo: Caller & { orgId: string }
let basics: string
const clock = stoppedClock(new Date('2026-06-10T02:00:00Z'))

beforeAll(async () => {
  instance = await openTestInstance({ clock })
  boss = await person(instance, { superAdmin: true })
  an = await person(instance, { grants: SEES, scope: 'SELF', name: 'An' })
  bo = await person(instance, { grants: SEES, scope: 'SELF', name: 'Bo' })
  basics = await course('控笔', ['a1', 'a2', 'a3', 'a4'])
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

/** A course package with these lessons, as it is published. */
async function course(name: string, lessons: readonly string[]): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into course_package (name, stage, days, edition, status, lessons)
    values (${name}, 'CONTROL', 30, 0, 'PUBLISHED', '[]') returning id`.execute(instance.app.db.query)
  const id = String(rows[0]?.id)
  await publish(id, 1, name, lessons)
  return id
}
async function publish(id: string, edition: number, name: string, lessons: readonly string[]): Promise<void> {
  const { query } = instance.app.db
  const body = { name, stage: 'CONTROL', days: 30, lessons: lessons.map(each => lessonOf(each)) }
  await sql`update course_edition set state = 'SUPERSEDED' where package_id = ${id}`.execute(query)
  await sql`
    insert into course_edition (package_id, state, base, body, drafted_by, drafted_at, edition, published_by, published_at)
    values (${id}, 'PUBLISHED', ${edition - 1}, ${JSON.stringify(body)}::jsonb, ${boss.id}, ${clock.now()}, ${edition}, ${boss.id}, ${clock.now()})`.execute(
    query,
  )
  await sql`
    update course_package set edition = ${edition}, lessons = ${JSON.stringify(body.lessons)}::jsonb where id = ${id}`.execute(
    query,
  )
}
const lessonOf = (id: string) => ({ id, title: id, day: 1, material: '', homework: '' })

/** The app says how far somebody came in a lesson of a course. */
async function watch(memberId: string, packageId: string, lesson: string, percent = 100): Promise<void> {
  clock.forward(HOUR_MS)
  const data = { memberId, lesson, title: lesson, percent, coursePackage: packageId }
  expect(await sendEvent(instance, 'app', { type: 'lesson.progressed', data })).toMatchObject({ code: 0 })
  await instance.inbox.sweep()
}
const pay = async (memberId: string, priceFen: number) => {
  clock.forward(HOUR_MS)
  const product = await offer(instance, [grantOf('MEMBER_DAYS', 30)], { priceFen })
  if (priceFen > 0) return buy(instance, memberId, product)
  const { orderId } = await order(instance, memberId, product)
  await instance.app.db.write(tx => payNothing(ownChange(instance.app, tx, clock.now(), 'test'), orderId))
}
const reached = async (memberId: string) =>
  (
    await sql<{ reached: string; percent: number }>`
      select reached, percent from course_taken where member_id = ${memberId} order by id`.execute(
      instance.app.db.query,
    )
  ).rows.map(row => `${row.reached} ${row.percent}`)
const ask = async (by: Caller, query = ''): Promise<StatisticAnswer> => {
  const { code, data } = await by.get<StatisticAnswer>(`${PATH}/numbers?${MONTH}${query}`)
  expect(code).toBe(0)
  return data
}
const now = ({ totals }: StatisticAnswer): Values => totals.begun?.now ?? {}

describe('a course', () => {
  test('is begun with its first lesson, half way with half of them watched to the end, finished with all of them', async () => {
    const pupil = await enrol(instance, { ownerId: an.id })
    await watch(pupil, basics, 'a1', 40)
    expect(await reached(pupil)).toEqual(['BEGUN 0'])
    await watch(pupil, basics, 'a1')
    await watch(pupil, basics, 'a2')
    expect(await reached(pupil)).toEqual(['HALF 50'])
    await watch(pupil, basics, 'a2', 30)
    await watch(pupil, basics, 'a4')
    await watch(pupil, basics, 'not of this course')
    expect(await reached(pupil)).toEqual(['HALF 75'])
    await watch(pupil, basics, 'a3')
    expect(await reached(pupil)).toEqual(['FINISHED 100'])
  })

  test('counts as paid after it only by an order that cost something and came once it was finished', async () => {
    const pupil = await enrol(instance, { ownerId: an.id })
    await pay(pupil, 99_00)
    for (const lesson of ['a1', 'a2', 'a3', 'a4']) await watch(pupil, basics, lesson)
    expect(await reached(pupil)).toEqual(['FINISHED 100'])
    await pay(pupil, 0)
    expect(await reached(pupil)).toEqual(['FINISHED 100'])
    await pay(pupil, 1_299_00)
    await pay(pupil, 10_00)
    const { data } = await an.get<{ records: { memberId: string; paidFen: number }[] }>(`${PATH}?reached=PAID`)
    expect(data.records).toMatchObject([{ memberId: pupil, paidFen: 1_299_00 }])
  })

  test('is followed in the edition it was begun with, whatever is published later', async () => {
    const growing = await course('结构', ['b1', 'b2'])
    const [early, late] = [await enrol(instance), await enrol(instance)]
    await watch(early, growing, 'b1')
    await publish(growing, 2, '结构', ['b1', 'b2', 'b3', 'b4'])
    await watch(early, growing, 'b2')
    for (const lesson of ['b1', 'b2']) await watch(late, growing, lesson)
    expect(await reached(early)).toEqual(['FINISHED 100'])
    expect(await reached(late)).toEqual(['HALF 50'])
  })

  test('nobody here knows is no course, and its lesson is kept all the same', async () => {
    const pupil = await enrol(instance)
    for (const named of ['999999', 'BASIC', '-1']) await watch(pupil, named, `of ${named}`)
    expect(await reached(pupil)).toEqual([])
    const { rows } = await sql`select id from lesson_taken where member_id = ${pupil}`.execute(instance.app.db.query)
    expect(rows).toHaveLength(3)
  })
})

describe('courses in numbers', () => {
  test('stay with whoever had the member at the start, and are seen by whoever has the member now', async () => {
    const [before, bosBefore] = [await ask(boss, '&dimension=owner'), now(await ask(bo))]
    const pupil = await enrol(instance, { ownerId: an.id })
    await watch(pupil, basics, 'a1')
    expect(
      await boss.post(`/members/member/${pupil}/assignOwner`, { newOwnerId: bo.id, reason: '换人' }),
    ).toMatchObject({
      code: 0,
    })
    const begunBy = ({ rows }: StatisticAnswer, name: string) =>
      rows.find(({ label }) => label === name)?.values.begun?.begun ?? 0
    const after = await ask(boss, '&dimension=owner')
    expect(begunBy(after, 'An')).toBe(begunBy(before, 'An') + 1)
    expect(begunBy(after, 'Bo')).toBe(begunBy(before, 'Bo'))
    expect(now(await ask(bo)).begun).toBe((bosBefore.begun ?? 0) + 1)
  })

  test('are what lessons and orders say when somebody counts them another way', async () => {
    let dice = 7
    const roll = (below: number) => {
      dice = (dice * 16_807) % 2_147_483_647
      return dice % below
    }
    const second = await course('章法', ['c1', 'c2', 'c3'])
    for (let nth = 0; nth < 12; nth += 1) {
      const pupil = await enrol(instance, { ownerId: [an.id, bo.id, null][roll(3)] ?? null })
      for (const [id, lessons] of [
        [basics, 'a1 a2 a3 a4'],
        [second, 'c1 c2 c3'],
      ] as const)
        for (const lesson of lessons.split(' ')) {
          if (roll(8) === 0) break
          await watch(pupil, id, lesson, roll(12) === 0 ? 50 : 100)
        }
      if (roll(2) === 0) await pay(pupil, roll(3) * 100)
    }
    for (const [id, size] of [
      [basics, 4],
      [second, 3],
    ] as const) {
      const { rows } = await sql<Record<'begun' | 'half' | 'finished' | 'paid', number>>`
        with way as (
          select member_id, count(*) filter (where percent = 100 and lesson <> 'not of this course') as n, max(last_at) as at
          from lesson_taken where package_id = ${id} group by 1
        )
        select count(*)::int as begun, count(*) filter (where n * 2 >= ${size})::int as half, count(*) filter (where n = ${size})::int as finished,
          count(*) filter (where n = ${size} and (select max(paid_at) from sales_order o where o.member_id = way.member_id and paid_fen > 0) >= at)::int as paid
        from way`.execute(instance.app.db.query)
      expect(now(await ask(boss, `&packageId=${id}`))).toMatchObject(rows[0] ?? {})
      expect(rows[0]?.paid).toBeGreaterThan(0)
    }
  })

  test('open exactly as many rows as they tell, for everybody who looks', async () => {
    let looked = 0
    for (const by of [boss, an, bo])
      for (const dimension of ['package', 'owner', 'time']) {
        const answer = await ask(by, `&dimension=${dimension}`)
        for (const row of answer.rows)
          for (const name of ['begun', 'half', 'finished', 'paid']) {
            const filters = rowsBehind(statistic, answer, name, row)
            if (!filters) continue
            const search = new URLSearchParams(Object.entries(filters).flatMap(([f, all]) => all.map(v => [f, v])))
            const { data } = await by.get<{ total: number }>(`${PATH}?${search}`)
            expect(data.total, `${dimension} ${row.label} ${name}`).toBe(row.values.begun?.[name])
            looked += data.total
          }
      }
    expect(looked).toBeGreaterThan(30)
  })
})
