import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { newCoupon } from '../../../../tools/testing/coupons.ts'
import {
  type Caller,
  caller,
  cloneDatabase,
  openTestInstance,
  patiently,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import type { Issued } from './issuing.model.ts'

/** Each race also runs on a build that reads first and writes later, to show that the test would see the fault. */
describe('a coupon issued on two instances at once', () => {
  let first: TestInstance
  let second: TestInstance
  let here: Caller
  let there: Caller
  let members: string[]

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    first = await openTestInstance({ url })
    second = await openTestInstance({ url })
    here = await person(first, { grants: { 'coupon-list': ['list', 'detail', 'create', 'issue', 'recall'] } })
    there = caller(second, here.id, here.token)
    members = []
    for (let n = 0; n < 200; n += 1) members.push(await enrol(first))
  })

  const add = (total: number, perPerson: number) => newCoupon(here, { total, perPerson })
  const issue = (id: string, memberIds: readonly string[], n: number) =>
    patiently(() => (n % 2 ? here : there).post<Issued>(`/products/coupon/${id}/issue`, { memberIds }))
  const done = (answers: readonly { data: Issued }[]) => answers.reduce((sum, { data }) => sum + data.done.length, 0)
  const over = (answers: readonly { data: Issued }[]) => answers.flatMap(({ data }) => data.over.map(({ why }) => why))
  const stored = async (id: string) => ({
    taken: (
      await first.app.db.query.selectFrom('coupon').select('taken').where('id', '=', id).executeTakeFirstOrThrow()
    ).taken,
    held: (await first.app.db.query.selectFrom('member_coupon').select('id').where('coupon_id', '=', id).execute())
      .length,
  })

  test('in batches that overlap nobody is skipped or served twice', async () => {
    const id = await add(150, 1)
    const batch = (n: number) => Array.from({ length: 20 }, (_, at) => members[(n * 13 + at * 7) % 200] as string)
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => issue(id, batch(n), n)))
    expect(done(answers)).toBe(150)
    expect(done(answers) + over(answers).length).toBe(800)
    expect(await stored(id)).toEqual({ taken: 150, held: 150 })
  })

  test('one member who is given one 60 times at once has as many as one person may', async () => {
    const id = await add(1_000, 2)
    const [one] = members as [string]
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => issue(id, [one], n)))
    expect(done(answers)).toBe(2)
    expect(over(answers)).toEqual(Array(58).fill('LIMIT'))
    expect(await stored(id)).toEqual({ taken: 2, held: 2 })
  })

  test('recalling while others issue keeps the count', async () => {
    const id = await add(50, 1)
    await Promise.all(
      members
        .slice(0, 80)
        .map((memberId, n) =>
          n % 8 === 7
            ? here.post(`/products/coupon/${id}/recall`, { reason: 'race', memberId: null })
            : issue(id, [memberId], n),
        ),
    )
    expect(await findBroken(first.app.db, first.catalogue)).toEqual([])
  })

  describe('by a build that trusts what it has read', () => {
    /** As the code this one learned from: count, decide, then add. */
    const naive = async ({ app }: TestInstance, id: string, memberId: string): Promise<boolean> => {
      const coupon = await app.db.query
        .selectFrom('coupon')
        .select(['taken', 'total', 'per_person'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const held = await app.db.query
        .selectFrom('member_coupon')
        .select('id')
        .where('coupon_id', '=', id)
        .where('member_id', '=', memberId)
        .execute()
      if (coupon.taken >= coupon.total || held.length >= coupon.per_person) return false
      const day = '2026-03-10'
      await app.db.query
        .insertInto('member_coupon')
        .values({
          coupon_id: id,
          member_id: memberId,
          rule: '{}',
          taken_at: app.clock.now(),
          valid_from: day,
          valid_to: day,
        })
        .execute()
      await app.db.query
        .updateTable('coupon')
        .set(eb => ({ taken: eb('taken', '+', 1) }))
        .where('id', '=', id)
        .execute()
      return true
    }

    test('one person gets more than one may', async () => {
      const id = await add(1_000, 2)
      const [one] = members as [string]
      const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => naive(n % 2 ? first : second, id, one)))
      expect(answers.filter(accepted => accepted).length).toBeGreaterThan(2)
    })
  })
})
