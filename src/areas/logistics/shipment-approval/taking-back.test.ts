import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { makeKit, parcelsOf, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'

const APPROVAL = '/logistics/shipment-approval'
const TRACKING = '/logistics/tracking'
const REFUNDS = '/orders/refund-application'
const GRANTS = {
  'order-examineSend': ['list', 'detail', 'approve', 'reject'],
  'order-sendGoods': ['list', 'detail', 'send'],
  'order-list': ['list', 'detail', 'changeAddress', 'sendAgain'],
  'order-logistics': ['list', 'detail', 'markLost', 'resend'],
  'order-refundApply': ['list', 'detail', 'create', 'approve', 'approveL2', 'pay'],
}

describe('what happened to a parcel and is taken back', () => {
  let instance: TestInstance
  let people: [clerk: Caller, other: Caller, third: Caller, fourth: Caller]
  let tracking = 0

  beforeAll(async () => {
    instance = await openTestInstance()
    const one = () => person(instance, { grants: GRANTS })
    people = [await one(), await one(), await one(), await one()]
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const sold = async () => {
    const good = await shelve(instance, 10)
    const { orderId, parcelId } = await sell(instance, { kitId: await makeKit(instance, [{ id: good, quantity: 2 }]) })
    return { good, orderId, parcelId }
  }
  const done = async (path: string, body: object = {}, by = people[0]) =>
    expect(await by.post(path, body), path).toMatchObject({ code: 0 })
  const reject = (id: string) => done(`${APPROVAL}/${id}/reject`, { reason: 'by mistake' })
  const undoReject = (id: string) => people[0].post(`${APPROVAL}/${id}/reject/undo`)
  const sendAgain = (orderId: string, by = people[1]) => by.post(`/orders/order/${orderId}/sendAgain`)
  const leave = async (id: string, by = people[0]) => {
    await done(`${APPROVAL}/${id}/approve`, {}, by)
    tracking += 1
    await done(`/logistics/shipment/${id}/send`, { carrier: 'ZTO', trackingNo: `Z${200_000 + tracking}` })
  }
  const stored = (id: string) =>
    instance.app.db.query.selectFrom('shipment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  describe('a rejection', () => {
    test('stays once the goods were asked for again, also when that was rejected too: only the newest stands again', async () => {
      const { good, orderId, parcelId } = await sold()
      await reject(parcelId)
      expect(await sendAgain(orderId)).toMatchObject({ code: 0 })
      const [, second = ''] = await parcelsOf(instance, orderId)
      await reject(second)
      expect(await undoReject(parcelId)).toMatchObject({
        code: 4006,
        msg: 'This could not be done: The goods have been requested again',
      })
      expect(await undoReject(second)).toMatchObject({ code: 0 })
      expect(await undoReject(parcelId)).toMatchObject({ code: 4006 })
      expect(await stockOf(instance, good)).toEqual([10, 2])
      expect(await sendAgain(orderId)).toMatchObject({ code: 4006 })
      expect(await parcelsOf(instance, orderId)).toHaveLength(2)
    })

    test('that is taken back lets nobody ask for the goods once more', async () => {
      const { orderId, parcelId } = await sold()
      await reject(parcelId)
      expect(await undoReject(parcelId)).toMatchObject({ code: 0 })
      expect((await people[0].get(`/orders/order/${orderId}`)).data).toMatchObject({ goodsRejected: false })
      expect(await sendAgain(orderId)).toMatchObject({ code: 4006 })
    })

    test('gives the parcel the address the order has now', async () => {
      const { orderId, parcelId } = await sold()
      await reject(parcelId)
      await done(`/orders/order/${orderId}/changeAddress`, {
        receiverName: '李雷',
        receiverPhone: '13900139000',
        receiverProvince: 'BJ',
        receiverAddress: '海淀区 2 号',
      })
      expect(await undoReject(parcelId)).toMatchObject({ code: 0 })
      expect(await stored(parcelId)).toMatchObject({
        status: 'TO_APPROVE',
        receiver_name: '李雷',
        receiver_phone: '13900139000',
        province: 'BJ',
        receiver_address: '海淀区 2 号',
      })
    })
  })

  describe('a loss', () => {
    const lost = async () => {
      const { orderId, parcelId } = await sold()
      await leave(parcelId)
      await done(`${TRACKING}/${parcelId}/markLost`, { reason: 'by mistake' })
      return { orderId, parcelId }
    }
    const undoLost = (id: string) => people[0].post(`${TRACKING}/${id}/markLost/undo`)
    const refund = async (orderId: string, amountFen: number) => {
      const [asker, manager, finance, cashier] = people
      const { data } = await asker.post<{ id: string }>(REFUNDS, refundBody(orderId, amountFen, { reason: 'GOODS' }))
      await manager.post(`${REFUNDS}/${data.id}/approve`)
      await finance.post(`${REFUNDS}/${data.id}/approveL2`)
      await done(`${REFUNDS}/${data.id}/pay`, {}, cashier)
      await instance.outbox.run()
    }

    test('stays once the money for it went back', async () => {
      const { orderId, parcelId } = await lost()
      await refund(orderId, 10_000)
      expect(await undoLost(parcelId)).toMatchObject({
        code: 4006,
        msg: 'This could not be done: Money has been refunded for these goods since',
      })
      expect(await stored(parcelId)).toMatchObject({ status: 'LOST' })
    })

    test('is taken back when money went back only before it', async () => {
      const { orderId, parcelId } = await sold()
      await leave(parcelId)
      await refund(orderId, 1_000)
      instance.clock.forward(1_000)
      await done(`${TRACKING}/${parcelId}/markLost`, { reason: 'by mistake' })
      expect(await undoLost(parcelId)).toMatchObject({ code: 0 })
      expect(await stored(parcelId)).toMatchObject({ status: 'SENT' })
    })
  })
})
