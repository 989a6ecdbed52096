import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findMember } from '../src/areas/members/member/known.server.ts'
import { tryCoinOrder } from '../src/areas/orders/coin-order/placing.server.ts'
import { placeWithCoupon } from '../src/areas/orders/order/coupons.server.ts'
import { offeredLine } from '../src/areas/orders/order/placing.server.ts'
import { findProduct } from '../src/areas/products/product/server.ts'
import { freeze } from '../src/engines/entitlement/server.ts'
import { Refused } from '../src/kit/model/refusal.ts'
import type { Change } from '../src/kit/server/app.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import { codeBatch } from '../tools/testing/codes.ts'
import { coinGoods, giveCoins } from '../tools/testing/coins.ts'
import { buy, enrol, grantOf, offer, RECEIVER } from '../tools/testing/commerce.ts'
import { newCoupon } from '../tools/testing/coupons.ts'
import { type Caller, person, type TestInstance } from '../tools/testing/instance.ts'
import { refundBody } from '../tools/testing/refunds.ts'
import { meanwhile, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

let two: TwoInstances
let clerk: Caller
let product: string
beforeAll(async () => {
  two = await openTwoInstances()
  clerk = await person(two.at(0), {
    grants: {
      'coupon-list': ['list', 'detail', 'create', 'issue', 'recall'],
      'order-exchange': ['list', 'redeem'],
      'order-list': ['list', 'detail'],
      'order-refundApply': ['list', 'detail', 'create'],
    },
  })
  product = await offer(two.at(0), [grantOf('MEMBER_DAYS', 30)], { priceFen: 10_000 })
})
// After each: what was broken by one must not be blamed on the next.
afterEach(async () => {
  two.at(1).clock.set(two.at(0).clock.now())
  expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
})

const write = <T>({ app }: TestInstance, work: (change: Change) => Promise<T>): Promise<T> =>
  app.db.write(tx => work(ownChange(app, tx, app.clock.now(), 'test')))
const said = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    error => (error instanceof Refused ? error.refusal.code : String(error)),
  )

describe('a coupon that is used while it is recalled', () => {
  async function heldCoupon() {
    const memberId = await enrol(two.at(0))
    const couponId = await newCoupon(clerk, { total: 5 })
    await clerk.post(`/products/coupon/${couponId}/issue`, { memberIds: [memberId] })
    const { id } = await two
      .at(0)
      .app.db.query.selectFrom('member_coupon')
      .select('id')
      .where('coupon_id', '=', couponId)
      .executeTakeFirstOrThrow()
    return { memberId, couponId, id }
  }
  async function use(change: Change, { memberId, id }: { memberId: string; id: string }) {
    const [member, sold] = [await findMember(change.tx, { memberId }), await findProduct(change.tx, { id: product })]
    if (!member || !sold) throw new Error('no such member or product')
    const order = { member, lines: [offeredLine(sold, 1)], source: 'APP', receiver: undefined }
    return placeWithCoupon(change, order, id)
  }
  const recall = (couponId: string) =>
    two.post(1, clerk, `/products/coupon/${couponId}/recall`, { memberId: null, reason: 'test' })

  test('is not recalled when it was used first', async () => {
    const held = await heldCoupon()
    const answer = await meanwhile(
      two,
      change => use(change, held),
      () => recall(held.couponId),
    )
    expect(answer).toMatchObject({ code: 4006 })
  })

  test('is not recalled with those of others, who have not used theirs, when it was used first', async () => {
    const held = await heldCoupon()
    const other = await enrol(two.at(0))
    await clerk.post(`/products/coupon/${held.couponId}/issue`, { memberIds: [other] })
    const answer = await meanwhile(
      two,
      change => use(change, held),
      () => recall(held.couponId),
    )
    expect(answer).toMatchObject({ code: 0 })
    const holders = two
      .at(0)
      .app.db.query.selectFrom('member_coupon')
      .select(['member_id', 'status'])
      .where('coupon_id', '=', held.couponId)
      .orderBy('id')
    expect(await holders.execute()).toEqual([
      { member_id: held.memberId, status: 'USED' },
      { member_id: other, status: 'RECALLED' },
    ])
  })

  test('is not used when it was recalled first', async () => {
    const held = await heldCoupon()
    const recallIt = async ({ tx }: Change) => {
      await tx
        .updateTable('coupon')
        .set(eb => ({ taken: eb('taken', '-', 1) }))
        .where('id', '=', held.couponId)
        .execute()
      await tx.updateTable('member_coupon').set({ status: 'RECALLED' }).where('id', '=', held.id).execute()
    }
    const answer = await meanwhile(two, recallIt, () => said(write(two.at(1), change => use(change, held))))
    expect(answer).toBe('products/coupon:held-RECALLED')
  })
})

describe('a code that is redeemed while its batch is paused', () => {
  const newBatch = async () => {
    const approver = await person(two.at(0))
    return codeBatch(two.at(0), { applicantId: clerk.id, approvedBy: approver.id })
  }

  test('is not redeemed when the batch was paused first', async () => {
    const { id, codes } = await newBatch()
    const memberId = await enrol(two.at(0))
    const answer = await meanwhile(
      two,
      ({ tx }) => tx.updateTable('code_batch').set({ status: 'PAUSED' }).where('id', '=', id).execute(),
      () => two.post(1, clerk, '/orders/redemption/redeem', { code: codes[0], memberId }),
    )
    expect(answer).toMatchObject({ code: 4006 })
  })
})

describe('what an open refund holds', () => {
  /** A member with a hundred coins that are good for thirty days. */
  async function coinLot(validDays: number | null) {
    const memberId = await enrol(two.at(0))
    await giveCoins(two.at(0), memberId, 100, { validDays })
    const lot = await two
      .at(0)
      .app.db.query.selectFrom('entitlement_lot')
      .select('id')
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow()
    return { memberId, parts: (units: number) => [{ lotId: lot.id, units, debt: 0 }] }
  }
  const left = async (memberId: string) =>
    two
      .at(0)
      .app.db.query.selectFrom('entitlement_lot')
      .select(['remaining', 'frozen'])
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow()
  const spend = async (nth: number, memberId: string, coinGoodsId: string) =>
    write(two.at(nth), async change => {
      const member = await findMember(change.tx, { memberId })
      if (!member) throw new Error('no such member')
      return tryCoinOrder(change, { member, coinGoodsId, receiver: RECEIVER })
    })

  test('does not expire, also when it was only just asked for as the day ended', async () => {
    const { memberId, parts } = await coinLot(30)
    two.at(1).clock.forward(31 * 86_400_000)
    await meanwhile(
      two,
      change => freeze(change, memberId, parts(40), 1),
      () => two.at(1).house.runJobs(),
    )
    expect(await left(memberId)).toEqual({ remaining: 100, frozen: 40 })
    await write(two.at(0), change => freeze(change, memberId, parts(40), -1))
    await two.at(1).house.runJobs()
    expect(await left(memberId)).toEqual({ remaining: 0, frozen: 0 })
  })

  test('is not spent: of forty who want ten of the hundred coins, of which seventy are held, three get them', async () => {
    const { memberId, parts } = await coinLot(null)
    const goods = await coinGoods(two.at(0), { coins: 10 })
    await write(two.at(0), change => freeze(change, memberId, parts(70), 1))
    const placed = await persistent(40, nth => spend(nth, memberId, goods))
    expect(placed.filter(one => !(one instanceof Refused))).toHaveLength(3)
    expect(await left(memberId)).toEqual({ remaining: 70, frozen: 70 })
    await write(two.at(0), change => freeze(change, memberId, parts(70), -1))
  })

  test('is not spent by whoever comes while it is being held', async () => {
    const { memberId, parts } = await coinLot(null)
    const goods = await coinGoods(two.at(0), { coins: 10 })
    const placed = await meanwhile(
      two,
      change => freeze(change, memberId, parts(100), 1),
      () => spend(1, memberId, goods),
    )
    expect(placed).toBeInstanceOf(Refused)
    await write(two.at(0), change => freeze(change, memberId, parts(100), -1))
  })

  test('is there to be held: spent while the refund is asked for, it is owed and not held', async () => {
    const memberId = await enrol(two.at(0))
    const sold = await offer(two.at(0), [grantOf('COINS', 100)], { priceFen: 10_000 })
    const { orderId } = await buy(two.at(0), memberId, sold)
    const goods = await coinGoods(two.at(0), { coins: 60 })
    const ask = refundBody(orderId, 10_000)
    const asked = await meanwhile(
      two,
      async change => {
        const member = await findMember(change.tx, { memberId })
        if (!member) throw new Error('no such member')
        return tryCoinOrder(change, { member, coinGoodsId: goods, receiver: RECEIVER })
      },
      () => two.post(1, clerk, '/orders/refund-application', ask),
    )
    expect(asked).toMatchObject({ code: 0 })
    expect(await left(memberId)).toEqual({ remaining: 40, frozen: 40 })
  })
})
