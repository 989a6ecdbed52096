import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer, order, pay, takeOffline } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { type Order, shareOut } from './model.ts'

const HOUR_MS = 3_600_000

describe('the shares of an amount', () => {
  test.each([
    [100, [1, 1, 1], [33, 33, 34]],
    [1, [1, 1], [0, 1]],
    [0, [5, 5], [0, 0]],
    [99, [0, 0], [99, 0]],
    [9_999_999_999, [1, 2], [3_333_333_333, 6_666_666_666]],
  ])('%i over %j', (total, weights, expected) => {
    expect(shareOut(total, weights)).toEqual(expected)
  })
})

describe('an order', () => {
  let instance: TestInstance
  let seller: Caller
  let examiner: Caller
  let memberId: string
  let productId: string

  beforeAll(async () => {
    instance = await openTestInstance()
    const list = ['list', 'detail']
    seller = await person(instance, {
      grants: {
        'order-list': [...list, 'create', 'changePrice', 'changeAddress', 'close'],
        'order-examine': [...list, 'approve'],
      },
    })
    examiner = await person(instance, {
      grants: { 'order-list': list, 'order-examine': [...list, 'approve', 'reject'] },
    })
    memberId = await enrol(instance)
    productId = await offer(instance, [grantOf('MEMBER_DAYS', 365)])
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const read = async (id: string) => (await examiner.get<Order>(`/orders/order/${id}`)).data
  const offline = (given: object = {}) => takeOffline(instance, seller, { memberId, productId }, given)
  const examinationOf = async (orderId: string) =>
    (
      await instance.app.db.query
        .selectFrom('order_examination')
        .select('id')
        .where('order_id', '=', orderId)
        .where('status', '=', 'WAITING')
        .executeTakeFirstOrThrow()
    ).id
  const level = async (id = memberId) =>
    (await instance.app.db.query.selectFrom('member').select('level').where('id', '=', id).executeTakeFirstOrThrow())
      .level
  const payments = (orderId: string) =>
    instance.app.db.query
      .selectFrom('payment')
      .select(['status', 'stray_reason'])
      .where('order_id', '=', orderId)
      .orderBy('id')
      .execute()

  test('paid offline counts only when a second person has examined it', async () => {
    const { data } = await offline()
    expect(await read(data.id)).toMatchObject({
      payState: 'EXAMINING',
      paidFen: 0,
      amountFen: 30_000,
      discountFen: 6_500,
    })
    const examination = await examinationOf(data.id)
    expect(await seller.post(`/orders/examination/${examination}/approve`)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: You cannot review an order you submitted',
    })
    expect(await level()).toBe('TRIAL')
    expect(await examiner.post(`/orders/examination/${examination}/approve`)).toMatchObject({ code: 0 })
    const paid = await read(data.id)
    expect(paid).toMatchObject({ payState: 'PAID', paidFen: 30_000 })
    expect(paid.lines).toMatchObject([{ paidFen: 30_000, amountFen: 30_000, listFen: 36_500 }])
    expect(await level()).toBe('MEMBER')
  })

  test('rejected by the examiner it is closed, and gives nothing', async () => {
    const other = await enrol(instance)
    const { data } = await offline({ memberId: other })
    const examination = await examinationOf(data.id)
    expect(await examiner.post(`/orders/examination/${examination}/reject`)).toMatchObject({ code: 4005 })
    expect(
      await examiner.post(`/orders/examination/${examination}/reject`, { reason: 'no such transfer' }),
    ).toMatchObject({ code: 0 })
    expect(await read(data.id)).toMatchObject({ payState: 'CLOSED', paidFen: 0 })
    expect(await level(other)).toBe('TRIAL')
  })

  test('a product off sale cannot be ordered by hand', async () => {
    const off = await offer(instance, [grantOf('MEMBER_DAYS', 30)])
    await instance.app.db.query.updateTable('product').set({ status: 'OFF_SALE' }).where('id', '=', off).execute()
    expect(await offline({ products: [{ productId: off, quantity: 1 }] })).toMatchObject({
      code: 4005,
      data: { fields: { 'products.0.productId': expect.any(String) } },
    })
  })

  test('half an address is refused, field by field', async () => {
    expect(await offline({ receiverName: '王女士' })).toMatchObject({
      code: 4005,
      data: {
        fields: {
          receiverPhone: expect.any(String),
          receiverProvince: expect.any(String),
          receiverAddress: expect.any(String),
        },
      },
    })
  })

  test('each part of an address is told what is wrong with it: only a phone number is told of digits', async () => {
    const { data } = await offline({ receiverName: '王女士', receiverPhone: '1380000' })
    expect((data as unknown as { fields: object }).fields).toEqual({
      receiverPhone: 'Enter the full 11-digit phone number',
      receiverProvince: 'Required',
      receiverAddress: 'Required',
    })
  })

  test('a changed price blocks payment until it is examined, then the new price is paid', async () => {
    const placed = await order(instance, memberId, productId)
    const path = `/orders/order/${placed.orderId}`
    expect(await seller.post(`${path}/changePrice`, { amountFen: 20_000, reason: 'old customer' })).toMatchObject({
      code: 0,
    })
    expect(await read(placed.orderId)).toMatchObject({ payState: 'EXAMINING', amountFen: 36_500 })
    await pay(instance, placed)
    expect(await payments(placed.orderId)).toEqual([{ status: 'STRAY', stray_reason: 'EXAMINING' }])
    await examiner.post(`/orders/examination/${await examinationOf(placed.orderId)}/approve`)
    expect(await read(placed.orderId)).toMatchObject({ payState: 'UNPAID', amountFen: 20_000, discountFen: 16_500 })
    await pay(instance, { ...placed, amountFen: 20_000 })
    expect(await read(placed.orderId)).toMatchObject({ payState: 'PAID', paidFen: 20_000 })
  })

  test('the same notice of payment twice pays once', async () => {
    const placed = await order(instance, memberId, productId)
    await pay(instance, placed, 'WX-SAME')
    await pay(instance, placed, 'WX-SAME')
    expect(await payments(placed.orderId)).toEqual([{ status: 'RECEIVED', stray_reason: null }])
  })

  test('unpaid it closes after two hours, under examination never', async () => {
    const waiting = await order(instance, memberId, productId)
    const { data: examined } = await offline()
    instance.clock.forward(2 * HOUR_MS - 1)
    await instance.house.runJobs()
    expect(await read(waiting.orderId)).toMatchObject({ payState: 'UNPAID' })
    instance.clock.forward(1)
    await instance.house.runJobs()
    expect(await read(waiting.orderId)).toMatchObject({ payState: 'CLOSED' })
    expect(await read(examined.id)).toMatchObject({ payState: 'EXAMINING' })
  })

  test('the address can change while nothing is sent, and is masked to whoever reads it', async () => {
    const placed = await buy(instance, memberId, productId)
    const path = `/orders/order/${placed.orderId}`
    const receiver = {
      receiverName: '李女士',
      receiverPhone: '139-0000-1234',
      receiverProvince: 'ZJ',
      receiverAddress: '浙江省杭州市西湖区文三路 1 号',
    }
    expect(await seller.post(`${path}/changeAddress`, receiver)).toMatchObject({ code: 0 })
    expect(await read(placed.orderId)).toMatchObject({ receiverName: '李*', receiverPhone: '139****1234' })
    await instance.app.db.query
      .updateTable('sales_order')
      .set({ fulfil_state: 'SENT' })
      .where('id', '=', placed.orderId)
      .execute()
    expect(await seller.post(`${path}/changeAddress`, receiver)).toMatchObject({ code: 4006 })
  })

  test('an order whose money went back whole has no address to change any more, and says so', async () => {
    const placed = await buy(instance, memberId, productId)
    await pay(instance, placed)
    await instance.app.db.query
      .updateTable('sales_order')
      .set({ refund_state: 'FULL' })
      .where('id', '=', placed.orderId)
      .execute()
    const { data: order } = await seller.get<{ steps: Record<string, { code: string } | null> }>(
      `/orders/order/${placed.orderId}`,
    )
    expect(order.steps.changeAddress).toMatchObject({ code: expect.stringMatching('fully-refunded') })
    const receiver = {
      receiverName: '李女士',
      receiverPhone: '13900001234',
      receiverProvince: 'ZJ',
      receiverAddress: '文三路 1 号',
    }
    expect(await seller.post(`/orders/order/${placed.orderId}/changeAddress`, receiver)).toMatchObject({ code: 4006 })
    await instance.app.db.query
      .updateTable('sales_order')
      .set({ refund_state: 'NONE' })
      .where('id', '=', placed.orderId)
      .execute()
  })

  test('money that comes twice, for a closed order or in another amount stays aside and goes back after a week', async () => {
    const twice = await buy(instance, memberId, productId)
    await pay(instance, twice)
    const wrong = await order(instance, memberId, productId)
    await pay(instance, { ...wrong, amountFen: 1 })
    const closed = await order(instance, memberId, productId)
    await seller.post(`/orders/order/${closed.orderId}/close`, { reason: 'ordered twice' })
    await pay(instance, closed)
    expect(await payments(twice.orderId)).toEqual([
      { status: 'RECEIVED', stray_reason: null },
      { status: 'STRAY', stray_reason: 'TWICE' },
    ])
    expect(await payments(wrong.orderId)).toEqual([{ status: 'STRAY', stray_reason: 'AMOUNT' }])
    expect(await payments(closed.orderId)).toEqual([{ status: 'STRAY', stray_reason: 'CLOSED' }])
    instance.clock.forward(7 * 24 * HOUR_MS - 1)
    await instance.house.runJobs()
    expect(await payments(wrong.orderId)).toMatchObject([{ status: 'STRAY' }])
    instance.clock.forward(1)
    await instance.house.runJobs()
    await instance.outbox.run()
    for (const { orderId } of [wrong, closed]) expect(await payments(orderId)).toMatchObject([{ status: 'GIVEN_BACK' }])
    expect(await payments(twice.orderId)).toMatchObject([{ status: 'RECEIVED' }, { status: 'GIVEN_BACK' }])
  })
})
