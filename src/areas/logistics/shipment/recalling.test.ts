import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeTrack } from '#areas/logistics/tracking/following.server.ts'
import { undoOrder } from '#areas/orders/order/paying.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import { makeKit, parcelsOf, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'

const GRANTS = {
  'order-sendGoods': ['list', 'detail', 'send', 'merge'],
  'order-examineSend': ['list', 'approve', 'reject'],
  'order-list': ['list', 'detail', 'changeAddress', 'sendAgain'],
  'order-logistics': ['list', 'detail', 'receiveBack', 'markLost', 'resend'],
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
      'order-refundApply': ['list', 'detail', 'create', 'withdraw', 'approve', 'approveL2', 'pay'],
    }
    refunds = [0, 1, 2, 3].map(() => ({})) as Caller[]
    for (const at of refunds.keys()) refunds[at] = await person(instance, { grants })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
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
  const payRefund = async (orderId: string, amountFen: number, unsent: readonly object[] = []) => {
    const [asker, manager, finance, cashier] = refunds as [Caller, Caller, Caller, Caller]
    const body = refundBody(orderId, amountFen, { reason: 'GOODS', unsent })
    const { data } = await asker.post<{ id: string }>(REFUNDS, body)
    await manager.post(`${REFUNDS}/${data.id}/approve`)
    // What is more than suggested needs finance; what is not refuses it.
    await finance.post(`${REFUNDS}/${data.id}/approveL2`)
    expect(await cashier.post(`${REFUNDS}/${data.id}/pay`)).toMatchObject({ code: 0 })
    return data.id
  }
  const refund = async (...asked: Parameters<typeof payRefund>) => {
    const [asker] = refunds as [Caller]
    const data = { id: await payRefund(...asked) }
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

  const suggested = async (orderId: string, more = '') =>
    (
      await (refunds[0] as Caller).get<{ suggestedFen: number; lines: { lineId: string; unsent: string | null }[] }>(
        `${REFUNDS}/suggestion?orderId=${orderId}${more}`,
      )
    ).data
  const lineOf = async (orderId: string) => (await suggested(orderId)).lines[0]?.lineId ?? ''

  test('nothing leaves after the money went back, until it is settled what becomes of the goods', async () => {
    const [kitId, id] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    await payRefund(orderId, 10_000)
    // The provider has paid, and the step that keeps the goods here cannot be taken yet.
    const { query } = instance.app.db
    await sql`alter table shipment add constraint stuck check (status <> 'CANCELLED') not valid`.execute(query)
    await instance.outbox.run()
    expect(await stored(parcelId)).toMatchObject({ status: 'WAITING' })
    expect((await send(parcelId)).msg).toMatch(/^This could not be done: The order has an open refund/)
    await sql`alter table shipment drop constraint stuck`.execute(query)
    await query
      .updateTable('outbox')
      .set({ due_at: new Date(0) })
      .where('status', '=', 'WAITING')
      .execute()
    await instance.outbox.run()
    expect(await stored(parcelId)).toMatchObject({ status: 'CANCELLED' })
    expect(await stockOf(instance, id)).toEqual([10, 0])
  })

  test('a refund of the suggested amount keeps the goods here though the order keeps some of the money', async () => {
    const [kitId, id] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    expect(await refund(orderId, 1_000, [{ lineId: await lineOf(orderId), choice: 'CANCEL' }])).toMatchObject({
      status: 'DONE',
      outcome: { cancelled: 1, out: 0 },
    })
    expect(await stored(parcelId)).toMatchObject({ status: 'CANCELLED' })
    expect(await stockOf(instance, id)).toEqual([10, 0])
  })

  test('goods that shall be sent all the same are deducted at the value of that day, and leave after the refund', async () => {
    const [kitId, id] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    const line = await lineOf(orderId)
    expect(await suggested(orderId)).toMatchObject({ suggestedFen: 10_000, lines: [{ unsent: 'CANCEL' }] })
    expect(await suggested(orderId, `&send=${line}`)).toMatchObject({ suggestedFen: 7_000 })
    expect(await refund(orderId, 10_000, [{ lineId: line, choice: 'SEND' }])).toMatchObject({
      outcome: { cancelled: 0 },
    })
    await approve(parcelId)
    expect(await send(parcelId)).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([8, 0])
  })

  test('goods are deducted at what they were worth on the day they were sent, as long as they are out', async () => {
    const [kitId, id] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    await send(parcelId)
    await instance.app.db.query.updateTable('base_product').set({ value_fen: 9_000 }).where('id', '=', id).execute()
    expect((await suggested(orderId)).suggestedFen).toBe(7_000)
    const set = (fields: object) =>
      instance.app.db.query.updateTable('shipment').set(fields).where('id', '=', parcelId).execute()
    for (const status of ['SIGNED', 'RETURNED']) {
      await set({ status })
      expect((await suggested(orderId)).suggestedFen, status).toBe(7_000)
    }
    await set({ status: 'LOST' })
    expect((await suggested(orderId)).suggestedFen).toBe(10_000)
    await set({ status: 'SENT' })
    const back = { parts: [{ baseProductId: id, sku: '', name: '', quantity: 1 }] }
    expect(await clerk.post(`/logistics/tracking/${parcelId}/receiveBack`, back)).toMatchObject({ code: 0 })
    expect((await suggested(orderId)).suggestedFen).toBe(8_500)
    expect(await clerk.post(`/logistics/tracking/${parcelId}/receiveBack`, back)).toMatchObject({ code: 0 })
    expect((await suggested(orderId)).suggestedFen).toBe(10_000)
    await set({ status: 'RETURNED' })
    await set({ tracking_status: 'RETURNED' })
  })

  test('what another open refund asks for is not suggested again', async () => {
    const [kitId] = await kit()
    const { orderId } = await sell(instance, { kitId })
    const body = refundBody(orderId, 4_000, { reason: 'GOODS' })
    await (refunds[0] as Caller).post(REFUNDS, body)
    expect((await suggested(orderId)).suggestedFen).toBe(6_000)
  })

  test('what is missing of a lost parcel is waited for no longer once its money went back', async () => {
    const [kitId, baseProductId] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    await send(parcelId)
    await clerk.post(`/logistics/tracking/${parcelId}/markLost`, { reason: '七天无动态' })
    const parts = [{ baseProductId, sku: '', name: '', quantity: 1 }]
    await clerk.post(`/logistics/tracking/${parcelId}/resend`, { parts, reason: '丢件' })
    const again = (await parcelsOf(instance, orderId)).find(id => id !== parcelId) as string
    await (await person(instance, { grants: GRANTS })).post(`/logistics/shipment-approval/${again}/approve`)
    await send(again)
    const { app } = instance
    const now = app.clock.now()
    await app.db.write(tx =>
      storeTrack(ownChange(app, tx, now, 'test'), again, [{ at: now, status: 'SIGNED', content: '已签收' }]),
    )
    const state = async () =>
      (
        await app.db.query
          .selectFrom('sales_order')
          .select('fulfil_state')
          .where('id', '=', orderId)
          .executeTakeFirstOrThrow()
      ).fulfil_state
    expect(await state()).toBe('SENT')
    await refund(orderId, 1_000)
    expect(await state()).toBe('DONE')
  })

  test('goods are not sent again once their money went back', async () => {
    const [kitId, id] = await kit()
    const { orderId, parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    await send(parcelId)
    await clerk.post(`/logistics/tracking/${parcelId}/markLost`, { reason: '丢件' })
    await refund(orderId, 10_000)
    const parts = [{ baseProductId: id, sku: '', name: '', quantity: 1 }]
    expect(await clerk.post(`/logistics/tracking/${parcelId}/resend`, { parts, reason: '丢件' })).toMatchObject({
      code: 4006,
      msg: expect.stringContaining('Money has gone back for these goods, in whole or in part'),
    })
  })

  describe('a parcel that was not let go', () => {
    const order = async (orderId: string) =>
      (
        await clerk.get<{ fulfilState: string; goodsRejected: boolean; steps: Record<string, unknown> }>(
          `/orders/order/${orderId}`,
        )
      ).data
    const rejected = async () => {
      const [kitId, id] = await kit()
      const sold = await sell(instance, { kitId })
      await clerk.post(`/logistics/shipment-approval/${sold.parcelId}/reject`, { reason: '地址不详' })
      return { ...sold, id }
    }
    const again = (orderId: string) => clerk.post(`/orders/order/${orderId}/sendAgain`)

    test('shows on its order, and is made again from there once, for somebody else to let go', async () => {
      const { orderId, parcelId, id } = await rejected()
      expect(await order(orderId)).toMatchObject({
        fulfilState: 'WAITING',
        goodsRejected: true,
        steps: { sendAgain: null },
      })
      expect(await again(orderId)).toMatchObject({ code: 0 })
      expect(await order(orderId)).toMatchObject({ fulfilState: 'WAITING', goodsRejected: false })
      expect(await again(orderId)).toMatchObject({
        code: 4006,
        msg: 'This could not be done: This order has no rejected shipment',
      })
      const [, made = ''] = await parcelsOf(instance, orderId)
      expect(await stored(made)).toMatchObject({ status: 'TO_APPROVE', resend_of: parcelId, is_repeat: false })
      expect(await stockOf(instance, id)).toEqual([10, 2])
      expect(await approve(made)).toMatchObject({ code: 4006 })
      const other = await person(instance, { grants: GRANTS })
      expect(await other.post(`/logistics/shipment-approval/${made}/approve`)).toMatchObject({ code: 0 })
    })

    test('is not made again while its money is asked back, nor after it went back', async () => {
      const { orderId, parcelId } = await rejected()
      const { data } = await (refunds[0] as Caller).post<{ id: string }>(REFUNDS, refundBody(orderId, 10_000))
      expect(await again(orderId)).toMatchObject({ code: 4006 })
      await (refunds[0] as Caller).post(`${REFUNDS}/${data.id}/withdraw`)
      await refund(orderId, 10_000)
      expect(await stored(parcelId)).toMatchObject({ status: 'CANCELLED' })
      expect(await order(orderId)).toMatchObject({ fulfilState: 'NOT_NEEDED', goodsRejected: false })
      expect(await again(orderId)).toMatchObject({ code: 4006 })
    })
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
