import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Issued } from '../src/areas/products/coupon/issuing.model.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { enrol } from '../tools/testing/commerce.ts'
import { newCoupon } from '../tools/testing/coupons.ts'
import { type Caller, person, type TestInstance } from '../tools/testing/instance.ts'
import { CALLERS, ROUNDS } from './rounds.ts'
import { atOnce, naively, openTwoInstances, type TwoInstances } from './two-instances.ts'

const TOTAL = 100

let two: TwoInstances
let clerk: Caller
const members: string[] = []

beforeAll(async () => {
  two = await openTwoInstances()
  clerk = await person(two.at(0), { grants: { 'coupon-list': ['list', 'detail', 'create', 'issue'] } })
  for (let nth = 0; nth < CALLERS; nth += 1) members.push(await enrol(two.at(0)))
})

const takenOf = async ({ app }: TestInstance, id: string) =>
  (await app.db.query.selectFrom('coupon').select('taken').where('id', '=', id).executeTakeFirstOrThrow()).taken

describe('a coupon of which there are a hundred', () => {
  afterAll(async () => {
    expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
  })

  test.each(ROUNDS)('of 200 members who are given one at once, exactly a hundred get it (round %i)', async () => {
    const id = await newCoupon(clerk, { total: TOTAL, perPerson: 1 })
    const answers = await atOnce(CALLERS, nth =>
      two.post<Issued>(nth, clerk, `/products/coupon/${id}/issue`, { memberIds: [members[nth]] }),
    )
    expect(answers.flatMap(({ data }) => data.done)).toHaveLength(TOTAL)
    expect(answers.flatMap(({ data }) => data.over.map(({ why }) => why))).toEqual(
      Array(CALLERS - TOTAL).fill('USED_UP'),
    )
    const held = two.at(1).app.db.query.selectFrom('member_coupon').select('id').where('coupon_id', '=', id)
    expect([await takenOf(two.at(1), id), (await held.execute()).length]).toEqual([TOTAL, TOTAL])
  })
})

test('a build that looks first and writes later gives too many away', async () => {
  const id = await newCoupon(clerk, { total: TOTAL, perPerson: 1 })
  await two.at(0).app.db.read.pool.query('alter table coupon drop constraint coupon_within_total')
  const isLeft = async (instance: TestInstance) => (await takenOf(instance, id)) < TOTAL
  const give = ({ app }: TestInstance) =>
    app.db.query
      .updateTable('coupon')
      .set(eb => ({ taken: eb('taken', '+', 1) }))
      .where('id', '=', id)
      .execute()
  expect(await naively(two, CALLERS, isLeft, give)).toBeGreaterThan(TOTAL)
})
