import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol, grantOf, offer, order, RECEIVER, takeOffline } from '../../../../tools/testing/commerce.ts'
import { makeKit, parcelsOf, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import type { Examination } from './model.ts'

const PATH = '/orders/examination'
const READ = ['list', 'detail']

describe('an examination', () => {
  let instance: TestInstance
  let seller: Caller
  let examiner: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    seller = await person(instance, {
      grants: { 'order-list': [...READ, 'create', 'changePrice'], 'order-examine': [...READ, 'approve', 'reject'] },
    })
    examiner = await person(instance, {
      grants: { 'order-list': READ, 'order-examine': [...READ, 'approve', 'reject'] },
    })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const openOne = async (orderId: string): Promise<Examination> => {
    const { data } = await examiner.get<{ records: Examination[] }>(`${PATH}?orderId=${orderId}&status=WAITING`)
    expect(data.records).toHaveLength(1)
    return data.records[0] as Examination
  }
  const state = (orderId: string) =>
    instance.app.db.query
      .selectFrom('sales_order')
      .select(['pay_state', 'amount_fen', 'paid_fen'])
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
  const askPrice = async (amountFen: number) => {
    const { orderId } = await order(
      instance,
      await enrol(instance),
      await offer(instance, [grantOf('MEMBER_DAYS', 365)]),
    )
    await seller.post(`/orders/order/${orderId}/changePrice`, { amountFen, reason: 'old customer' })
    return orderId
  }

  test('of a price tells what was asked, by whom and why; who asked cannot decide', async () => {
    const orderId = await askPrice(20_000)
    const { id, ...asked } = await openOne(orderId)
    expect(asked).toMatchObject({ kind: 'PRICE', amountFen: 20_000, beforeFen: 36_500, applicantId: seller.id })
    for (const verdict of ['approve', 'reject'])
      expect(await seller.post(`${PATH}/${id}/${verdict}`, { reason: 'x' })).toMatchObject({ code: 4006 })
    expect(await openOne(orderId)).toMatchObject({ status: 'WAITING' })
  })

  test('of a price that is rejected leaves the order at its old price, waiting for its money', async () => {
    const orderId = await askPrice(20_000)
    const { id } = await openOne(orderId)
    expect(await examiner.post(`${PATH}/${id}/reject`, { reason: 'too cheap' })).toMatchObject({ code: 0 })
    expect(await state(orderId)).toEqual({ pay_state: 'UNPAID', amount_fen: '36500', paid_fen: '0' })
    expect((await examiner.get<Examination>(`${PATH}/${id}`)).data).toMatchObject({
      status: 'REJECTED',
      decidedBy: examiner.id,
    })
  })

  test('decided on stays decided', async () => {
    const { id } = await openOne(await askPrice(30_000))
    expect(await examiner.post(`${PATH}/${id}/approve`)).toMatchObject({ code: 0 })
    for (const verdict of ['approve', 'reject'])
      expect(await examiner.post(`${PATH}/${id}/${verdict}`, { reason: 'x' })).toMatchObject({ code: 4006 })
  })

  test('of money for goods that are gone is refused, and changes nothing until they are there', async () => {
    const pen = await shelve(instance, 0)
    const kitId = await makeKit(instance, [{ id: pen, quantity: 1 }])
    const productId = await offer(instance, [grantOf('GOODS', 1, 1_000, { kitId })])
    const { data } = await takeOffline(
      instance,
      seller,
      { memberId: await enrol(instance), productId },
      {
        amountFen: 36_500,
        receiverName: RECEIVER.name,
        receiverPhone: RECEIVER.phone,
        receiverProvince: RECEIVER.province,
        receiverAddress: RECEIVER.address,
      },
    )
    const { id } = await openOne(data.id)
    expect(await examiner.post(`${PATH}/${id}/approve`)).toMatchObject({ code: 4006 })
    expect(await state(data.id)).toMatchObject({ pay_state: 'EXAMINING', paid_fen: '0' })
    expect(await openOne(data.id)).toMatchObject({ status: 'WAITING' })
    const money = await instance.app.db.query
      .selectFrom('payment')
      .select('id')
      .where('order_id', '=', data.id)
      .execute()
    expect(money).toEqual([])
    const keeper = await person(instance, { grants: { 'base-product': ['stockIn'] } })
    await keeper.post(`/logistics/base-product/${pen}/stockIn`, { quantity: 1, note: '' })
    expect(await examiner.post(`${PATH}/${id}/approve`)).toMatchObject({ code: 0 })
    expect(await state(data.id)).toMatchObject({ pay_state: 'PAID', paid_fen: '36500' })
    expect(await parcelsOf(instance, data.id)).toHaveLength(1)
    expect(await stockOf(instance, pen)).toEqual([1, 1])
  })
})
