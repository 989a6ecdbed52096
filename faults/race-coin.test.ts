import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMember } from '../src/areas/members/member/known.server.ts'
import { tryCoinOrder } from '../src/areas/orders/coin-order/placing.server.ts'
import { Refused } from '../src/kit/model/refusal.ts'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import { coinGoods, giveCoins } from '../tools/testing/coins.ts'
import { enrol, RECEIVER } from '../tools/testing/commerce.ts'
import { type Caller, person } from '../tools/testing/instance.ts'
import { IS_LONG } from '../tools/testing/long.ts'
import { CALLERS, ROUNDS } from './rounds.ts'
import { accepted, atOnce, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

/** Twice as many want it as there are. */
const WISHES = IS_LONG ? CALLERS : 40
const LEFT = WISHES / 2

let two: TwoInstances
let desk: Caller
/** One each: those of one member would wait for one another. */
let members: string[]
beforeAll(async () => {
  two = await openTwoInstances()
  desk = await person(two.at(0), { grants: { 'coin-order-list': ['list', 'detail', 'approve'] } })
  members = await persistent(WISHES, async nth => {
    const memberId = await enrol(two.at(nth))
    await giveCoins(two.at(nth), memberId, 10_000)
    return memberId
  })
})

const place = (nth: number, coinGoodsId: string) => {
  const { app } = two.at(nth)
  return app.db.write(async tx => {
    const member = await findMember(tx, { memberId: members[nth] as string })
    if (!member) throw new Error('no such member')
    return tryCoinOrder(ownChange(app, tx, app.clock.now(), 'test'), { member, coinGoodsId, receiver: RECEIVER })
  })
}

describe(`the last ${LEFT} for coins`, () => {
  afterAll(async () => {
    expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
  })

  test.each(ROUNDS)('of twice as many orders approved at once, those go out that lie there (round %i)', async () => {
    const goods = await coinGoods(two.at(0), { onHand: LEFT, quota: WISHES })
    const placed = await persistent(WISHES, nth => place(nth, goods))
    const ids = placed.flatMap(one => (one instanceof Refused ? [] : [one.id]))
    expect(ids).toHaveLength(WISHES)
    const answers = await atOnce(WISHES, nth => two.post(nth, desk, `/orders/coin-order/${ids[nth]}/approve`))
    expect(accepted(answers)).toBe(LEFT)
    expect(answers.filter(({ code }) => code === 4006)).toHaveLength(WISHES - LEFT)
    const [shelf] = await two.at(1).app.db.read.rows(
      `select b.on_hand, b.locked, (select count(*)::int from shipment_line l where l.base_product_id = b.id) as parcels
         from base_product b join coin_goods g on g.base_product_id = b.id where g.id = $1`,
      [goods],
    )
    expect(shelf).toEqual({ on_hand: LEFT, locked: LEFT, parcels: LEFT })
  })

  test.each(ROUNDS)('of twice as many orders placed at once, the quota is ordered (round %i)', async () => {
    const goods = await coinGoods(two.at(0), { onHand: WISHES, quota: LEFT })
    const placed = await persistent(WISHES, nth => place(nth, goods))
    expect(placed.filter(one => one instanceof Refused)).toHaveLength(WISHES - LEFT)
    const { sold } = await two
      .at(1)
      .app.db.query.selectFrom('coin_goods')
      .select('sold')
      .where('id', '=', goods)
      .executeTakeFirstOrThrow()
    expect(sold).toBe(LEFT)
  })
})
