import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { receivePayment } from '#engines/payment/server.ts'
import { whyNot } from '#kit/model/workflow.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { atOnce, type DeclaredJob } from '#kit/server/work/job.ts'
import { coinGoods, type GoodsOptions, giveCoins } from '../../../../tools/testing/coins.ts'
import { enrol, RECEIVER } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { type CoinOrder, workflow } from './model.ts'
import { jobs, setCoinOrderProgress } from './server.ts'

const CALL = '/orders/coin-order'
const GRANTS = { 'coin-order-list': ['list', 'detail', 'approve', 'cancel', 'repeatCashBack'] }
const HOUR_MS = 3_600_000

test.each([
  ['waits', { status: 'WAITING' }, 'NONE', 'approve, cancel'],
  ['waits for its cash', { status: 'WAITING', cashFen: 500 }, 'NONE', 'cancel'],
  ['waits and is paid', { status: 'WAITING', cashFen: 500, paidFen: 500 }, 'NONE', 'approve, cancel'],
  ['is approved', { status: 'APPROVED' }, 'NONE', 'cancel'],
  ['is sent', { status: 'SENT' }, 'NONE', 'nothing'],
  ['is done', { status: 'DONE' }, 'NONE', 'nothing'],
  ['is cancelled', { status: 'CANCELLED' }, 'DONE', 'nothing'],
  ['is cancelled, its cash stuck', { status: 'CANCELLED', cashFen: 500 }, 'FAILED', 'repeatCashBack'],
] as const)('what may be done with a coin order that %s', (_name, given, cashBack, expected) => {
  const row = { cashFen: 0, paidFen: 0, ...given } as CoinOrder
  const open = Object.keys(workflow.steps).filter(step => !whyNot(workflow, step, row, { id: '1' }, { cashBack }))
  expect(open.join(', ') || 'nothing').toBe(expected)
})

describe('a coin order', () => {
  let instance: TestInstance
  let desk: Caller

  beforeAll(async () => {
    instance = await openTestInstance()
    desk = await person(instance, { grants: GRANTS })
  })

  const goods = (options: GoodsOptions = {}) => coinGoods(instance, options)
  const rich = async (coins = 100) => {
    const memberId = await enrol(instance)
    if (coins > 0) await giveCoins(instance, memberId, coins)
    return memberId
  }
  const place = async (memberId: string, coinGoodsId: string, more: object = {}, id: string = randomUUID()) => {
    const receiver = { ...RECEIVER }
    const answer = await sendEvent(instance, 'app', {
      id,
      type: 'coin-order.placed',
      data: { memberId, coinGoodsId, receiver, ...more },
    })
    await instance.inbox.sweep()
    return answer
  }
  const ordersOf = (memberId: string) =>
    instance.app.db.query
      .selectFrom('coin_order')
      .select(['id', 'order_no', 'status', 'coins', 'paid_fen'])
      .where('member_id', '=', memberId)
      .orderBy('id')
      .execute()
  const ordered = async (memberId: string, coinGoodsId: string, more: object = {}) => {
    await place(memberId, coinGoodsId, more)
    const order = (await ordersOf(memberId)).at(-1)
    if (!order) throw new Error('not ordered')
    return order
  }
  const coinsOf = async (memberId: string) =>
    (
      await instance.app.db.query
        .selectFrom('member')
        .select('coins')
        .where('id', '=', memberId)
        .executeTakeFirstOrThrow()
    ).coins
  const lotsOf = async (memberId: string) =>
    (
      await instance.app.db.query
        .selectFrom('entitlement_lot')
        .select('remaining')
        .where('member_id', '=', memberId)
        .orderBy('id')
        .execute()
    ).map(({ remaining }) => remaining)
  const soldOf = async (id: string) =>
    (await instance.app.db.query.selectFrom('coin_goods').select('sold').where('id', '=', id).executeTakeFirstOrThrow())
      .sold
  const payments = (providerNo: string) =>
    instance.app.db.query
      .selectFrom('payment')
      .select(['status', 'stray_reason', 'refunded_fen'])
      .where('provider_no', '=', providerNo)
      .execute()
  const change = <T>(work: (given: ReturnType<typeof ownChange>) => Promise<T>) =>
    instance.app.db.write(tx => work(ownChange(instance.app, tx, instance.app.clock.now(), 'test')))

  test('placed in the app takes the coins that end first', async () => {
    const memberId = await rich(0)
    await giveCoins(instance, memberId, 20)
    await giveCoins(instance, memberId, 20, { validDays: 30 })
    await giveCoins(instance, memberId, 20, { validDays: 7 })
    const id = await goods({ coins: 30 })
    const key = randomUUID()
    await place(memberId, id, {}, key)
    await place(memberId, id, {}, key)
    expect(await ordersOf(memberId)).toMatchObject([{ status: 'WAITING', coins: 30 }])
    expect(await lotsOf(memberId)).toEqual([20, 10, 0])
    expect(await coinsOf(memberId)).toBe(30)
    expect(await soldOf(id)).toBe(1)
  })

  test.each([
    ['without enough coins', 29, {}],
    ['beyond the quota', 100, { quota: 0 }],
    ['when the shelf is empty', 100, { onHand: 0 }],
    ['of goods not on offer', 100, { status: 'OFF' }],
    ['beyond what one member may have', 100, { perPerson: 1, before: 1 }],
  ] as const)('%s is not placed, and takes nothing', async (_name, coins, given) => {
    const memberId = await rich(coins)
    const id = await goods(given)
    if ('before' in given) await place(memberId, id)
    const [before, sold] = [await coinsOf(memberId), await soldOf(id)]
    await place(memberId, id)
    expect(await ordersOf(memberId)).toHaveLength(sold)
    expect(await coinsOf(memberId)).toBe(before)
    expect(await soldOf(id)).toBe(sold)
  })

  test('cancelled gives the coins back to the lots they came from, and the piece to the quota', async () => {
    const memberId = await rich(0)
    await giveCoins(instance, memberId, 20, { validDays: 7 })
    await giveCoins(instance, memberId, 20)
    const id = await goods({ coins: 30, quota: 1 })
    const order = await ordered(memberId, id)
    expect(await desk.post(`${CALL}/${order.id}/cancel`)).toMatchObject({ code: 4005 })
    expect(await lotsOf(memberId)).toEqual([0, 10])
    expect(await desk.post(`${CALL}/${order.id}/cancel`, { reason: 'out of ink' })).toMatchObject({ code: 0 })
    expect(await lotsOf(memberId)).toEqual([20, 20])
    expect(await soldOf(id)).toBe(0)
    expect(await ordered(memberId, id)).toMatchObject({ status: 'WAITING' })
  })

  test('goes to the send desk, is sent and done as logistics says, and then cannot be cancelled', async () => {
    const memberId = await rich()
    const order = await ordered(memberId, await goods())
    await change(given => setCoinOrderProgress(given, order.id, 'SENT'))
    expect(await ordersOf(memberId)).toMatchObject([{ status: 'WAITING' }])
    expect(await desk.post(`${CALL}/${order.id}/approve`)).toMatchObject({ code: 0 })
    await change(given => setCoinOrderProgress(given, order.id, 'SENT'))
    expect(await desk.post(`${CALL}/${order.id}/cancel`, { reason: 'too late' })).toMatchObject({ code: 4006 })
    expect(await coinsOf(memberId)).toBe(70)
    await change(given => setCoinOrderProgress(given, order.id, 'DONE'))
    expect(await ordersOf(memberId)).toMatchObject([{ status: 'DONE' }])
  })

  test('with cash is sent only when that is paid, and cancelled gives it back by the way it came', async () => {
    const memberId = await rich()
    const id = await goods({ cashFen: 990 })
    const unpaid = await ordered(memberId, id)
    expect(await desk.post(`${CALL}/${unpaid.id}/approve`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: The cash part has not been paid yet',
    })
    const providerNo = randomUUID()
    const paid = await ordered(memberId, id, { payment: { provider: 'WECHAT', providerNo, amountFen: 990 } })
    expect(paid).toMatchObject({ paid_fen: '990' })
    expect(await desk.post(`${CALL}/${paid.id}/approve`)).toMatchObject({ code: 0 })
    const parcels = () =>
      instance.app.db.query.selectFrom('shipment').select('status').where('coin_order_id', '=', paid.id).execute()
    expect(await parcels()).toHaveLength(1)
    expect(await desk.post(`${CALL}/${paid.id}/cancel`, { reason: 'out of ink' })).toMatchObject({ code: 0 })
    expect(await parcels()).toEqual([{ status: 'CANCELLED' }])
    await instance.outbox.run()
    expect(await payments(providerNo)).toMatchObject([{ status: 'RECEIVED', refunded_fen: '990' }])
    expect((await desk.get<CoinOrder>(`${CALL}/${paid.id}`)).data.cashBack).toBe('DONE')
  })

  test('whose cash the provider refused to give back can be tried again', async () => {
    const memberId = await rich()
    // The simulated provider refuses amounts that end in 13 once.
    const payment = { provider: 'WECHAT', providerNo: randomUUID(), amountFen: 1_013 }
    const order = await ordered(memberId, await goods({ cashFen: 1_013 }), { payment })
    await desk.post(`${CALL}/${order.id}/cancel`, { reason: 'out of ink' })
    await instance.outbox.run()
    expect((await desk.get<CoinOrder>(`${CALL}/${order.id}`)).data.cashBack).toBe('FAILED')
    expect(await desk.post(`${CALL}/${order.id}/repeatCashBack`)).toMatchObject({ code: 0 })
    await instance.outbox.run()
    expect(await payments(payment.providerNo)).toMatchObject([{ refunded_fen: '1013' }])
  })

  test.each([
    ['of another amount', 990, 989, 'AMOUNT'],
    ['for an order that could not be placed', 990, 990, 'UNKNOWN'],
  ])('money %s is set aside as a stray', async (_name, cashFen, amountFen, reason) => {
    const memberId = await rich(reason === 'UNKNOWN' ? 0 : 100)
    const payment = { provider: 'ALIPAY', providerNo: randomUUID(), amountFen }
    await place(memberId, await goods({ cashFen }), { payment })
    expect(await payments(payment.providerNo)).toMatchObject([{ status: 'STRAY', stray_reason: reason }])
    expect((await ordersOf(memberId)).map(({ paid_fen }) => paid_fen)).toEqual(reason === 'UNKNOWN' ? [] : ['0'])
  })

  test('whose cash does not come is cancelled after two hours; money that comes later is a stray', async () => {
    const memberId = await rich()
    const order = await ordered(memberId, await goods({ cashFen: 990 }))
    const run = () => change(async given => void (await atOnce(jobs[0] as DeclaredJob)(given)))
    instance.clock.forward(2 * HOUR_MS - 1)
    await run()
    expect((await ordersOf(memberId)).at(-1)).toMatchObject({ status: 'WAITING' })
    instance.clock.forward(1)
    await run()
    expect((await ordersOf(memberId)).at(-1)).toMatchObject({ status: 'CANCELLED' })
    expect(await coinsOf(memberId)).toBe(100)
    const providerNo = randomUUID()
    const late = { provider: 'WECHAT', providerNo, orderNo: order.order_no, amountFen: 990 } as const
    await change(given => receivePayment(given, { ...late, paidAt: given.now }))
    expect(await payments(providerNo)).toMatchObject([{ status: 'STRAY', stray_reason: 'CLOSED' }])
  })

  test('shows a receiver to nobody in full', async () => {
    const order = await ordered(await rich(), await goods())
    const { data } = await desk.get<CoinOrder>(`${CALL}/${order.id}`)
    expect([data.receiverPhone, data.receiverName]).toEqual(['139****1234', '王*'])
  })

  test('everything adds up', async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
