import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol, grantOf, offer, order, pay, takeOffline } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'

const READ = ['list', 'detail']
const SELLER = { 'order-list': [...READ, 'create'] }

describe('the number of a transfer', () => {
  let instance: TestInstance
  let seller: Caller
  let examiner: Caller
  let productId: string

  beforeAll(async () => {
    instance = await openTestInstance()
    seller = await person(instance, { grants: SELLER })
    examiner = await person(instance, {
      grants: { 'order-list': READ, 'order-examine': [...READ, 'approve', 'reject'] },
    })
    productId = await offer(instance, [grantOf('MEMBER_DAYS', 365)])
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const offline = async (given: object = {}, who = seller) =>
    takeOffline(instance, who, { memberId: await enrol(instance), productId }, given)
  const taken = (msg: unknown = expect.any(String)) => ({ code: 4005, data: { fields: { transactionNo: msg } } })
  const orderNo = async (id: string) =>
    (
      await instance.app.db.query
        .selectFrom('sales_order')
        .select('order_no')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).order_no
  const decide = async (orderId: string, verdict: 'approve' | 'reject') => {
    const { id } = await instance.app.db.query
      .selectFrom('order_examination')
      .select('id')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    return examiner.post(
      `/orders/examination/${id}/${verdict}`,
      verdict === 'reject' ? { reason: 'no such money' } : {},
    )
  }
  const paymentsOf = (orderId: string) =>
    instance.app.db.query
      .selectFrom('payment')
      .select(['provider', 'status', 'stray_reason', 'amount_fen'])
      .where('order_id', '=', orderId)
      .execute()

  test('pays one order, however it is written and by whatever channel it is said to have come', async () => {
    const first = await offline({ transactionNo: 'ab-2026 0001' })
    expect(first).toMatchObject({ code: 0 })
    const said = `This number is already used for order ${await orderNo(first.data.id)}`
    for (const [transactionNo, payChannel] of [
      ['AB20260001', 'BANK'],
      ['ａｂ２０２６０００１', 'CASH'],
      ['ab_2026/00.01', 'WECHAT'],
    ])
      expect(await offline({ transactionNo, payChannel }), transactionNo).toMatchObject(taken(said))
    expect(await decide(first.data.id, 'approve')).toMatchObject({ code: 0 })
    expect(await offline({ transactionNo: 'AB20260001' })).toMatchObject(taken(said))
  })

  test('must have something to it besides separators', async () => {
    expect(await offline({ transactionNo: '--- ///' })).toMatchObject(taken())
  })

  test('is free again once the examiner has rejected what it was to prove', async () => {
    const transactionNo = randomUUID()
    const { data } = await offline({ transactionNo })
    await decide(data.id, 'reject')
    expect(await offline({ transactionNo })).toMatchObject({ code: 0 })
  })

  test('that a provider told us of proves nothing more by hand', async () => {
    const placed = await order(instance, await enrol(instance), productId)
    await pay(instance, placed, 'WX4200-77')
    expect(await offline({ transactionNo: 'wx420077' })).toMatchObject(
      taken(`This number is already used for order ${placed.orderNo}`),
    )
  })

  test('that stands for an order by hand pays no second one when the provider tells of it', async () => {
    await offline({ transactionNo: 'wx 4200 88', payChannel: 'WECHAT' })
    const placed = await order(instance, await enrol(instance), productId)
    await pay(instance, placed, 'WX420088')
    expect(await paymentsOf(placed.orderId)).toEqual([
      { provider: 'WECHAT', status: 'STRAY', stray_reason: 'RECORDED', amount_fen: '36500' },
    ])
  })

  test('that stands for an order by hand is put to no other order and does not go back, until that entry is rejected', async () => {
    const byHand = await offline({ transactionNo: 'wx 4200 99', payChannel: 'WECHAT' })
    const placed = await order(instance, await enrol(instance), productId)
    await pay(instance, placed, 'WX420099')
    const path = '/finance/payment-exception'
    const grants = { 'order-list': READ, orderPay: [...READ, 'proposeOrder', 'proposeReturn', 'confirm'] }
    const [finance, cashier] = [await person(instance, { grants }), await person(instance, { grants })]
    const [found] = (await finance.get<{ records: { id: string }[] }>(`${path}?query=WX420099`)).data.records
    const toOrder = { proposedOrderId: placed.orderId, reason: 'it names this order' }
    const step = (who: Caller, name: string, body: object = {}) => who.post(`${path}/${found?.id}/${name}`, body)
    const refused = { code: 4006, msg: expect.stringContaining('recorded for an order by hand') }
    expect(await step(finance, 'proposeOrder', toOrder)).toMatchObject(refused)
    expect(await step(finance, 'proposeReturn', { reason: 'twice' })).toMatchObject(refused)
    await decide(byHand.data.id, 'reject')
    expect(await step(finance, 'proposeOrder', toOrder)).toMatchObject({ code: 0 })
    expect(await step(cashier, 'confirm')).toMatchObject({ code: 0 })
    expect(await paymentsOf(placed.orderId)).toMatchObject([{ status: 'RECEIVED' }])
  })

  test('is written in letters and digits of a bank, and in nothing that only looks like them', async () => {
    for (const transactionNo of ['٠٠١', '工AB1', 'ΕΝΕΜΥ1'])
      expect(await offline({ transactionNo }), transactionNo).toMatchObject(taken())
  })

  test('names the other order only to whoever may see it', async () => {
    const transactionNo = randomUUID()
    await offline({ transactionNo })
    const stranger = await person(instance, { grants: SELLER, scope: 'SELF' })
    const memberId = await enrol(instance, { ownerId: stranger.id, orgId: stranger.orgId })
    expect(await takeOffline(instance, stranger, { memberId, productId }, { transactionNo })).toMatchObject(
      taken('This number is already used for another order'),
    )
  })

  test('pays several orders entered together, up to what was transferred', async () => {
    const transfer = { transactionNo: randomUUID(), transferFen: 80_000 }
    const together = [await offline(transfer), await offline(transfer)]
    for (const { code } of together) expect(code).toBe(0)
    expect(await offline(transfer)).toMatchObject({
      code: 4005,
      data: { fields: { transferFen: 'Only ¥200.00 of this transfer is left' } },
    })
    expect(await offline({ ...transfer, amountFen: 20_000 })).toMatchObject({ code: 0 })
    for (const { data } of together) {
      expect(await decide(data.id, 'approve')).toMatchObject({ code: 0 })
      expect(await paymentsOf(data.id)).toMatchObject([
        { provider: 'OFFLINE', status: 'RECEIVED', amount_fen: '30000' },
      ])
    }
  })

  test('covers no order of somebody else, of another day, or when its whole amount was not named alike', async () => {
    const transfer = { transactionNo: randomUUID(), transferFen: 90_000 }
    await offline(transfer)
    const colleague = await person(instance, { grants: SELLER })
    expect(await offline(transfer, colleague)).toMatchObject(taken())
    expect(await offline({ ...transfer, transferFen: 120_000 })).toMatchObject(taken())
    expect(await offline({ ...transfer, transferFen: null })).toMatchObject(taken())
    expect(await offline({ ...transfer, payChannel: 'CASH' })).toMatchObject(taken())
    instance.clock.forward(24 * 3_600_000)
    expect(await offline(transfer)).toMatchObject(taken())
  })

  test('is never stretched by many who enter it at once', async () => {
    const transfer = { transactionNo: randomUUID(), transferFen: 90_000 }
    const answers = await Promise.all(Array.from({ length: 8 }, () => offline(transfer)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(3)
  })

  test('is worth at least what it is to pay', async () => {
    expect(await offline({ transferFen: 29_999 })).toMatchObject({
      code: 4005,
      data: { fields: { transferFen: expect.any(String) } },
    })
  })

  test('is proved by a picture', async () => {
    expect(await offline({ proof: [] })).toMatchObject({ code: 4005, data: { fields: { proof: expect.any(String) } } })
  })

  test('without a picture, from an older day, is not approved', async () => {
    const { data } = await offline()
    await instance.app.db.query
      .updateTable('order_examination')
      .set({ proof: [] })
      .where('order_id', '=', data.id)
      .execute()
    expect(await decide(data.id, 'approve')).toMatchObject({
      code: 4006,
      msg: 'This could not be done: No proof of payment is attached',
    })
    expect(await decide(data.id, 'reject')).toMatchObject({ code: 0 })
  })
})
