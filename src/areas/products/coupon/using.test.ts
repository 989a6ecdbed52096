import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol, grantOf, offer, pay, proof } from '../../../../tools/testing/commerce.ts'
import { newCoupon } from '../../../../tools/testing/coupons.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { BY_BANK, refundBody } from '../../../../tools/testing/refunds.ts'
import type { Issued } from './issuing.model.ts'

const TODAY = '2026-03-10T02:00:00Z'

describe('a coupon in an order', () => {
  let instance: TestInstance
  let staff: Caller
  const clock = stoppedClock(new Date(TODAY))
  const query = () => instance.app.db.query

  beforeAll(async () => {
    instance = await openTestInstance({ clock })
    staff = await person(instance, { superAdmin: true })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  /** A member who holds a coupon of this kind, and a product at 365 yuan. */
  async function given(coupon: object = {}) {
    const productId = await offer(instance, [grantOf('MEMBER_DAYS', 365)])
    const memberId = await enrol(instance)
    const couponId = await newCoupon(staff, { validDays: 3, perPerson: 2, ...coupon })
    // Others hold it too: the counts of the coupon alone would not stop a second use.
    await staff.post<Issued>(`/products/coupon/${couponId}/issue`, {
      memberIds: [memberId, await enrol(instance), await enrol(instance)],
    })
    const { id: heldId } = await query()
      .selectFrom('member_coupon')
      .select('id')
      .where('coupon_id', '=', couponId)
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow()
    return { productId, memberId, couponId, heldId }
  }
  type Given = Awaited<ReturnType<typeof given>>

  /** The app places an order with the coupon; gives it as it is stored, if it is. */
  async function place({ productId, memberId, heldId }: Given, more: object = {}) {
    const { code } = await query()
      .selectFrom('product')
      .select('code')
      .where('id', '=', productId)
      .executeTakeFirstOrThrow()
    const { phone } = await query()
      .selectFrom('member')
      .select('phone')
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow()
    const orderNo = `9${randomUUID().replace(/\D/g, '').padEnd(17, '7').slice(0, 17)}`
    const data = { orderNo, phone, productCode: code, source: 'APP', couponId: heldId, ...more }
    await sendEvent(instance, 'app', { type: 'order.placed', data })
    await instance.inbox.sweep()
    return query()
      .selectFrom('sales_order')
      .select(['id', 'order_no', 'list_fen', 'discount_fen', 'amount_fen', 'pay_state'])
      .where('order_no', '=', data.orderNo)
      .executeTakeFirst()
  }
  const held = ({ heldId }: Given) =>
    query()
      .selectFrom('member_coupon')
      .select(['status', 'order_id'])
      .where('id', '=', heldId)
      .executeTakeFirstOrThrow()
  const used = async ({ couponId }: Given) =>
    (await query().selectFrom('coupon').select('used').where('id', '=', couponId).executeTakeFirstOrThrow()).used
  /** Events about an order that are kept to be tried again. */
  const unapplied = async (orderNo: string) =>
    (
      await instance.app.db.read.pool.query(
        `select 1 from inbox_event where applied_at is null and payload::text like '%' || $1 || '%'`,
        [orderNo],
      )
    ).rowCount
  const recalled = async ({ couponId, memberId }: Given) => {
    await staff.post(`/products/coupon/${couponId}/recall`, { reason: 'x', memberId })
    return {}
  }
  const bought = ({ order_no: orderNo, amount_fen: fen }: { order_no: string; amount_fen: string }) => ({
    orderNo,
    amountFen: Number(fen),
  })

  test('takes its part off the price, and is used with the order', async () => {
    const it = await given()
    const order = await place(it)
    expect(order).toMatchObject({ list_fen: '36500', discount_fen: '2000', amount_fen: '34500', pay_state: 'UNPAID' })
    expect(await held(it)).toEqual({ status: 'USED', order_id: order?.id })
    expect(await used(it)).toBe(1)
  })

  test('covers two of a product as one line, and the line is what is left to pay', async () => {
    const it = await given({ kind: 'DISCOUNT', permille: 880, amountFen: 100_000 })
    const order = await place(it, { quantity: 2 })
    expect(order).toMatchObject({ list_fen: '73000', discount_fen: '8760', amount_fen: '64240' })
    const lines = await query()
      .selectFrom('order_line')
      .select(['list_fen', 'amount_fen'])
      .where('order_id', '=', String(order?.id))
      .execute()
    expect(lines).toEqual([{ list_fen: '73000', amount_fen: '64240' }])
  })

  test.each([
    ['somebody else holds it', async () => ({ memberId: await enrol(instance) })],
    [
      'it is for other products',
      async () => ({ productId: await offer(instance, [grantOf('COINS', 5)]) }),
      { scope: 'PRODUCTS' },
    ],
    ['the order does not reach its threshold', async () => ({}), { thresholdFen: 36_501 }],
    [
      'its days have not begun',
      async () => ({}),
      { validity: 'FIXED', validFrom: '2026-03-11', validTo: '2026-03-20', validDays: null },
    ],
    ['its last day is over, though no job has run', async () => ({ day: '2026-03-13T02:00:00Z' })],
    ['it was recalled', async (it: Given) => recalled(it)],
    ['it does not exist', async () => ({ heldId: '999999999' })],
  ] as [string, (it: Given) => Promise<Partial<Given> & { day?: string }>, object?][])(
    'is refused, and the order with it, when %s',
    async (_name, change, coupon = {}) => {
      const scoped = 'scope' in coupon ? { productIds: [await offer(instance, [grantOf('COINS', 1)])] } : {}
      const it = await given({ ...coupon, ...scoped })
      const before = await held(it)
      const { day = TODAY, ...other } = await change(it)
      clock.set(day)
      expect(await place({ ...it, ...other })).toBeUndefined()
      expect((await held(it)).order_id).toBe(before.order_id)
      expect(await used(it)).toBe(0)
      clock.set(TODAY)
    },
  )

  test('is good on its last day', async () => {
    const it = await given()
    clock.set('2026-03-12T15:59:59Z')
    expect(await place(it)).toBeDefined()
    clock.set(TODAY)
  })

  test('of two orders that come with one coupon, one is placed', async () => {
    const it = await given()
    const orders = await Promise.all([place(it), place(it), place(it)])
    expect(orders.filter(order => order !== undefined)).toHaveLength(1)
    expect(await used(it)).toBe(1)
  })

  test('the same order told twice is one order with one coupon', async () => {
    const it = await given()
    const order = await place(it)
    const again = await place(it, { orderNo: order?.order_no })
    expect(again?.id).toBe(order?.id)
    expect(await unapplied(String(order?.order_no))).toBe(0)
    expect(await used(it)).toBe(1)
  })

  test('an order it covers wholly is paid as it is placed, and the member has what was bought', async () => {
    const it = await given({ amountFen: 100_000 })
    expect(await place(it)).toMatchObject({ amount_fen: '0', discount_fen: '36500', pay_state: 'PAID' })
    const { level } = await query()
      .selectFrom('member')
      .select('level')
      .where('id', '=', it.memberId)
      .executeTakeFirstOrThrow()
    expect(level).toBe('MEMBER')
  })

  describe('comes back', () => {
    test('unused, when the order is closed', async () => {
      const it = await given()
      const order = await place(it)
      await staff.post(`/orders/order/${order?.id}/close`, { reason: 'changed their mind' })
      expect(await held(it)).toEqual({ status: 'UNUSED', order_id: null })
      expect(await used(it)).toBe(0)
      expect(await place(it)).toBeDefined()
    })

    test('unused, when the order waited too long for its money', async () => {
      const it = await given()
      await place(it)
      clock.forward(3 * 3_600_000)
      await instance.house.runJobs()
      expect(await held(it)).toEqual({ status: 'UNUSED', order_id: null })
      clock.set(TODAY)
    })

    test('expired, when its last day is over by then', async () => {
      const it = await given({ validDays: 1 })
      const order = await place(it)
      clock.set('2026-03-11T01:00:00Z')
      await staff.post(`/orders/order/${order?.id}/close`, { reason: 'too late' })
      expect(await held(it)).toEqual({ status: 'EXPIRED', order_id: null })
      clock.set(TODAY)
    })

    test('once all that was paid is refunded, and not for a part of it', async () => {
      const it = await given()
      const order = await place(it)
      if (!order) throw new Error('not placed')
      await pay(instance, bought(order))
      const [asker, approver, payer] = [
        staff,
        await person(instance, { superAdmin: true }),
        await person(instance, { superAdmin: true }),
      ]
      const refund = async (amountFen: number) => {
        const path = '/orders/refund-application'
        const { data } = await asker.post<{ id: string }>(path, refundBody(order.id, amountFen, BY_BANK))
        expect(await approver.post(`${path}/${data.id}/approve`)).toMatchObject({ code: 0 })
        expect(
          await payer.post(`${path}/${data.id}/recordPaid`, {
            transactionNo: randomUUID(),
            proof: [await proof(instance, payer.id)],
          }),
        ).toMatchObject({ code: 0 })
        await instance.outbox.run()
      }
      await refund(10_000)
      expect(await held(it)).toEqual({ status: 'USED', order_id: order.id })
      await refund(24_500)
      expect(await held(it)).toEqual({ status: 'UNUSED', order_id: null })
    })
  })

  test('unused ones expire the day after their last', async () => {
    const it = await given({ validDays: 2 })
    clock.set('2026-03-11T15:00:00Z')
    await instance.house.runJobs()
    expect((await held(it)).status).toBe('UNUSED')
    clock.set('2026-03-11T16:00:00Z')
    await instance.house.runJobs()
    expect((await held(it)).status).toBe('EXPIRED')
    clock.set(TODAY)
  })

  describe('whose order was closed, and is paid after all', () => {
    /** The order is closed, its money comes late, and two people put it to the order. */
    async function late(it: Given) {
      const order = await place(it)
      if (!order) throw new Error('the order was not placed')
      await staff.post(`/orders/order/${order.id}/close`, { reason: 'nobody paid' })
      expect(await held(it)).toEqual({ status: 'UNUSED', order_id: null })
      return order
    }
    async function putToOrder(order: NonNullable<Awaited<ReturnType<typeof place>>>) {
      await pay(instance, bought(order))
      const { data } = await staff.get<{ records: { id: string }[] }>(`/finance/payment-exception?orderId=${order.id}`)
      const path = `/finance/payment-exception/${data.records[0]?.id}`
      await staff.post(`${path}/proposeOrder`, { proposedOrderId: order.id, reason: 'it came late' })
      return (await person(instance, { superAdmin: true })).post(`${path}/confirm`)
    }
    const stateOf = async (id: string) =>
      (await query().selectFrom('sales_order').select('pay_state').where('id', '=', id).executeTakeFirstOrThrow())
        .pay_state

    test('is used with it again: its price was the one with the coupon', async () => {
      const it = await given()
      const order = await late(it)
      expect(await putToOrder(order)).toMatchObject({ code: 0 })
      expect(await held(it)).toEqual({ status: 'USED', order_id: order.id })
      expect(await used(it)).toBe(1)
    })

    test('is used with it again though its days are over by now', async () => {
      const it = await given()
      const order = await late(it)
      await query().updateTable('member_coupon').set({ status: 'EXPIRED' }).where('id', '=', it.heldId).execute()
      expect(await putToOrder(order)).toMatchObject({ code: 0 })
      expect(await held(it)).toEqual({ status: 'USED', order_id: order.id })
    })

    test('but was used for another order meanwhile, keeps the money from it: nobody gets its price twice', async () => {
      const it = await given()
      const order = await late(it)
      const other = await place(it)
      // Freed and used once more: what it was freed from is not forgotten.
      await staff.post(`/orders/order/${other?.id}/close`, { reason: 'nobody paid' })
      const third = await place(it)
      expect(await putToOrder(order)).toMatchObject({
        code: 4006,
        msg: 'This could not be done: The coupon of this order has since been used for another. Return the money to the payer.',
      })
      expect(await stateOf(order.id)).toBe('CLOSED')
      expect(await held(it)).toEqual({ status: 'USED', order_id: third?.id })
    })
  })
})
