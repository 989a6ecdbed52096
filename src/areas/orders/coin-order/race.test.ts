import { beforeAll, describe, expect, test } from 'vitest'
import { Refused } from '#kit/model/refusal.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { coinGoods, giveCoins } from '../../../../tools/testing/coins.ts'
import { enrol, RECEIVER } from '../../../../tools/testing/commerce.ts'
import { cloneDatabase, insist, openTestInstance, type TestInstance } from '../../../../tools/testing/instance.ts'
import { lockKnownMember, placeCoinOrder } from './placing.server.ts'

const CALLERS = 200

describe('coins, two instances', () => {
  let first: TestInstance
  let second: TestInstance

  beforeAll(async () => {
    const { url } = await cloneDatabase()
    first = await openTestInstance({ url })
    second = await openTestInstance({ url })
  })

  const place = async ({ app }: TestInstance, memberId: string, coinGoodsId: string): Promise<string> => {
    try {
      await app.db.write(async tx => {
        const member = await lockKnownMember(tx, { memberId, phone: undefined })
        if (!member) throw new Error('no member')
        await placeCoinOrder(ownChange(app, tx, app.clock.now(), 'test'), { member, coinGoodsId, receiver: RECEIVER })
      })
      return 'placed'
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return error.refusal.code
    }
  }
  const all = (work: (instance: TestInstance, n: number) => Promise<string>) =>
    Promise.all(Array.from({ length: CALLERS }, (_, n) => insist(() => work(n % 2 ? first : second, n))))
  const coinsOf = async (memberId: string) =>
    (await first.app.db.query.selectFrom('member').select('coins').where('id', '=', memberId).executeTakeFirstOrThrow())
      .coins

  test(`of ${CALLERS} orders of 30 coins on 1000 at once, 33 are placed and 10 coins are left`, async () => {
    const memberId = await enrol(first)
    await giveCoins(first, memberId, 600)
    await giveCoins(first, memberId, 400, { validDays: 30 })
    const goods = await coinGoods(first, { coins: 30 })
    const answers = await all(instance => place(instance, memberId, goods))
    expect(answers.filter(answer => answer === 'placed')).toHaveLength(33)
    expect(new Set(answers)).toEqual(new Set(['placed', 'engines/entitlement:not-enough']))
    expect(await coinsOf(memberId)).toBe(10)
  })

  test('of 20 members who want the last 7 pieces at once, 7 get one', async () => {
    const goods = await coinGoods(first, { coins: 1, quota: 7 })
    const members = await Promise.all(Array.from({ length: 20 }, () => enrol(first)))
    for (const memberId of members) await giveCoins(first, memberId, 100)
    const answers = await all((instance, n) => place(instance, members[n % members.length] ?? '', goods))
    expect(answers.filter(answer => answer === 'placed')).toHaveLength(7)
    expect(await findBroken(first.app.db, first.catalogue)).toEqual([])
  })

  test('reading the coins first and taking them later would spend more than there are', async () => {
    const memberId = await enrol(first)
    await giveCoins(first, memberId, 1_000)
    const naive = async ({ app }: TestInstance): Promise<string> => {
      const { coins } = await app.db.query
        .selectFrom('member')
        .select('coins')
        .where('id', '=', memberId)
        .executeTakeFirstOrThrow()
      if (coins < 30) return 'refused'
      await app.db.query
        .updateTable('member')
        .set(eb => ({ coins: eb('coins', '-', 30) }))
        .where('id', '=', memberId)
        .execute()
      return 'placed'
    }
    const answers = await all(naive)
    expect(answers.filter(answer => answer === 'placed').length).toBeGreaterThan(33)
    expect(await coinsOf(memberId)).toBeLessThan(0)
  })
})
