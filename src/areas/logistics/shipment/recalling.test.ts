import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { undoOrder } from '#areas/orders/order/paying.server.ts'
import { findBroken } from '#kit/server/invariants.ts'
import { ownChange } from '#kit/server/operation.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { makeKit, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'

const GRANTS = {
  'order-sendGoods': ['list', 'detail', 'send', 'merge'],
  'order-examineSend': ['list', 'approve'],
  'order-list': ['list', 'detail', 'changeAddress'],
}
const REFUNDS = '/orders/refund-application'

describe('goods that must not leave after all', () => {
  let instance: TestInstance
  let clerk: Caller
  let refunds: Caller[]
  let tracking = 0

  beforeAll(async () => {
    instance = await openTestInstance()
    clerk = await person(instance, { grants: GRANTS })
    const grants = {
      'order-list': ['list'],
      'order-refundApply': ['list', 'detail', 'create', 'approve', 'approveL2', 'pay'],
    }
    refunds = [0, 1, 2].map(() => ({})) as Caller[]
    for (const at of refunds.keys()) refunds[at] = await person(instance, { grants })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
  })

  const kit = async (): Promise<[kitId: string, id: string]> => {
    const id = await shelve(instance, 10)
    return [await makeKit(instance, [{ id, quantity: 2 }]), id]
  }
  const approve = (id: string) => clerk.post(`/logistics/shipment-approval/${id}/approve`)
  const send = (id: string) => {
    tracking += 1
    return clerk.post(`/logistics/shipment/${id}/send`, { carrier: 'ZTO', trackingNo: `Z${100_000 + tracking}` })
  }
  const stored = (id: string) =>
    instance.app.db.query.selectFrom('shipment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const refund = async (orderId: string, amountFen: number) => {
    const [asker, manager, cashier] = refunds as [Caller, Caller, Caller]
    const body = { orderId, amountFen, deviation: 'agreed', reason: 'GOODS', route: 'ORIGINAL', note: '' }
    const { data } = await asker.post<{ id: string }>(REFUNDS, body)
    await manager.post(`${REFUNDS}/${data.id}/approve`)
    expect(await cashier.post(`${REFUNDS}/${data.id}/pay`)).toMatchObject({ code: 0 })
    await instance.outbox.run()
    const { effects } = (
      await asker.get<{ effects: { name: string; status: string; outcome: object }[] }>(`${REFUNDS}/${data.id}`)
    ).data
    return effects.find(({ name }) => name === 'GOODS')
  }

  test('a whole refund cancels what has not left and gives the goods free', async () => {
    const [kitId, id] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    expect(await refund(orderId, 10_000)).toMatchObject({ status: 'DONE', outcome: { cancelled: 1, out: 0 } })
    expect(await stored(parcelId)).toMatchObject({ status: 'CANCELLED' })
    expect(await stockOf(instance, id)).toEqual([10, 0])
  })

  test('a refund of a part lets the goods go, and counts what is out', async () => {
    const [kitId, id] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    expect(await refund(orderId, 1_000)).toMatchObject({ status: 'DONE', outcome: { cancelled: 0, out: 0 } })
    await approve(parcelId)
    expect(await send(parcelId)).toMatchObject({ code: 0 })
    expect(await refund(orderId, 1_000)).toMatchObject({ outcome: { cancelled: 0, out: 2 } })
    expect(await stockOf(instance, id)).toEqual([8, 0])
  })

  test('a whole refund after sending cancels nothing and tells what is out', async () => {
    const [kitId, id] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    await send(parcelId)
    expect(await refund(orderId, 10_000)).toMatchObject({ outcome: { cancelled: 0, out: 2 } })
    expect(await stored(parcelId)).toMatchObject({ status: 'SENT' })
    expect(await stockOf(instance, id)).toEqual([8, 0])
  })

  test('a merged parcel goes on with what the others ordered', async () => {
    const [kitId, id] = await kit()
    const memberId = await enrol(instance)
    const [one, two] = [await sell(instance, { kitId, memberId }), await sell(instance, { kitId, memberId })]
    for (const { parcelId } of [one, two]) await approve(parcelId)
    await clerk.post('/logistics/shipment/merge', { ids: [one.parcelId, two.parcelId] })
    expect(await refund(one.orderId, 10_000)).toMatchObject({ outcome: { cancelled: 1, out: 0 } })
    expect(await stored(one.parcelId)).toMatchObject({ status: 'WAITING', parts: [{ quantity: 2 }] })
    expect(await stockOf(instance, id)).toEqual([10, 2])
    expect(await send(one.parcelId)).toMatchObject({ code: 0 })
  })

  test('an order that is undone takes its goods back, unless they have left', async () => {
    const [kitId, id] = await kit()
    const undo = (orderId: string) =>
      instance.app.db.write(async tx => {
        await tx.selectFrom('sales_order').select('id').where('id', '=', orderId).forUpdate().execute()
        await undoOrder(ownChange(instance.app, tx, instance.app.clock.now(), 'test'), orderId)
      })
    const early = await sell(instance, { kitId })
    // Only orders of nothing are undone: what was paid is refunded.
    const free = (orderId: string) =>
      instance.app.db.write(async tx => {
        const nothing = { amount_fen: 0, paid_fen: 0, list_fen: 0 }
        await tx.updateTable('order_line').set(nothing).where('order_id', '=', orderId).execute()
        await tx.updateTable('sales_order').set(nothing).where('id', '=', orderId).execute()
        await tx.deleteFrom('payment').where('order_id', '=', orderId).execute()
      })
    await free(early.orderId)
    await undo(early.orderId)
    expect(await stored(early.parcelId)).toMatchObject({ status: 'CANCELLED' })
    expect(await stockOf(instance, id)).toEqual([10, 0])
    const late = await sell(instance, { kitId })
    await approve(late.parcelId)
    await send(late.parcelId)
    await expect(undo(late.orderId)).rejects.toThrow('already-left')
    expect(await stored(late.parcelId)).toMatchObject({ status: 'SENT' })
  })

  test('another address reaches the parcel; a printed label must be printed again before it leaves', async () => {
    const [kitId] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    const printed = { printed_at: instance.app.clock.now() }
    await instance.app.db.query.updateTable('shipment').set(printed).where('id', '=', parcelId).execute()
    const receiver = {
      receiverName: '李雷',
      receiverPhone: '13900139000',
      receiverProvince: 'BJ',
      receiverAddress: '海淀区 2 号',
    }
    expect(await clerk.post(`/orders/order/${orderId}/changeAddress`, receiver)).toMatchObject({ code: 0 })
    expect(await stored(parcelId)).toMatchObject({
      receiver_name: '李雷',
      receiver_address: '海淀区 2 号',
      reprint: true,
    })
    expect(await send(parcelId)).toMatchObject({ code: 4006 })
    expect(await stored(parcelId)).toMatchObject({ status: 'WAITING' })
  })
})
