import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeTrack } from '#areas/logistics/tracking/following.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { coinGoods, giveCoins } from '../../../../tools/testing/coins.ts'
import { enrol, RECEIVER } from '../../../../tools/testing/commerce.ts'
import { makeKit, sell, shelve } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'

const GRANTS = {
  'coin-order-list': ['list', 'detail', 'approve', 'cancel'],
  'order-examineSend': ['list', 'approve'],
  'order-sendGoods': ['list', 'detail', 'send', 'merge'],
}

describe('goods for coins', () => {
  let instance: TestInstance
  let clerk: Caller
  let manager: Caller
  let memberId: string
  let goods: string
  beforeAll(async () => {
    instance = await openTestInstance()
    clerk = await person(instance, { grants: GRANTS })
    manager = await person(instance, { grants: GRANTS })
    memberId = await enrol(instance)
    await giveCoins(instance, memberId, 10_000)
    goods = await coinGoods(instance, {})
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const ordered = async () => {
    const data = { memberId, coinGoodsId: goods, receiver: { ...RECEIVER } }
    await sendEvent(instance, 'app', { id: randomUUID(), type: 'coin-order.placed', data })
    await instance.inbox.sweep()
    const { id } = await instance.app.db.query
      .selectFrom('coin_order')
      .select('id')
      .where('member_id', '=', memberId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return id
  }
  const parcelOf = (coinOrderId: string) =>
    instance.app.db.query
      .selectFrom('shipment')
      .selectAll()
      .where('coin_order_id', '=', coinOrderId)
      .executeTakeFirstOrThrow()
  const state = async (id: string) =>
    (
      await instance.app.db.query
        .selectFrom('coin_order')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status
  const approved = async () => {
    const id = await ordered()
    expect(await clerk.post(`/orders/coin-order/${id}/approve`)).toMatchObject({ code: 0 })
    return { id, parcel: await parcelOf(id) }
  }
  const letGo = (parcelId: string, by = manager) => by.post(`/logistics/shipment-approval/${parcelId}/approve`)
  const send = (parcelId: string) =>
    clerk.post(`/logistics/shipment/${parcelId}/send`, { carrier: 'SF', trackingNo: `SFC${parcelId}000` })

  test('a parcel names the coin order it is for, and one without its goods says in the list what it waits for', async () => {
    const id = await ordered()
    await clerk.post(`/orders/coin-order/${id}/approve`, {})
    const parcel = await parcelOf(id)
    await manager.post(`/logistics/shipment-approval/${parcel.id}/approve`, {})
    type Seen = {
      coinOrderId: string
      labels: Record<string, { name: string }>
      waiting: { why?: string; since: string | null } | null
    }
    const seen = async () => (await clerk.get<Seen>(`/logistics/shipment/${parcel.id}`)).data
    expect(await seen()).toMatchObject({
      coinOrderId: id,
      labels: { coinOrderId: { name: expect.stringMatching(/^C\d+/) } },
    })
    expect((await seen()).waiting?.why).toBeUndefined()
    const missing = (waits: boolean) =>
      instance.app.db.query
        .updateTable('shipment')
        .set({ waits_for_stock: waits })
        .where('id', '=', parcel.id)
        .execute()
    await missing(true)
    expect((await seen()).waiting).toMatchObject({ why: expect.stringMatching(/stock/i), since: expect.any(String) })
    await missing(false)
  })

  test('wait for somebody else than who approved the coin order', async () => {
    const { parcel } = await approved()
    expect(parcel).toMatchObject({ source: 'COIN_ORDER', status: 'TO_APPROVE', applicant_id: clerk.id })
    expect(await letGo(parcel.id, clerk)).toMatchObject({ code: 4006 })
    expect(await letGo(parcel.id)).toMatchObject({ code: 0 })
  })

  test('tell the coin order when they have left, and when they arrived', async () => {
    const { id, parcel } = await approved()
    await letGo(parcel.id)
    await send(parcel.id)
    expect(await state(id)).toBe('SENT')
    const arrived = { at: instance.clock.now(), status: 'SIGNED' as const, content: '已签收' }
    await instance.app.db.write(tx =>
      storeTrack(ownChange(instance.app, tx, instance.clock.now(), 'test'), parcel.id, [arrived]),
    )
    expect(await state(id)).toBe('DONE')
  })

  test('are free again when the coin order is cancelled before they leave', async () => {
    const { id, parcel } = await approved()
    expect(await clerk.post(`/orders/coin-order/${id}/cancel`, { reason: '不要了' })).toMatchObject({ code: 0 })
    expect((await parcelOf(id)).status).toBe('CANCELLED')
    expect(await letGo(parcel.id)).toMatchObject({ code: 4006 })
  })

  test('travel with an order of the same member, and leave its parcel when they are cancelled', async () => {
    const shelf = await shelve(instance, 5)
    const sold = await sell(instance, { kitId: await makeKit(instance, [{ id: shelf, quantity: 1 }]), memberId })
    const { id, parcel } = await approved()
    for (const one of [sold.parcelId, parcel.id]) await letGo(one)
    const merged = await clerk.post<{ id: string }>('/logistics/shipment/merge', { ids: [sold.parcelId, parcel.id] })
    expect(merged).toMatchObject({ code: 0, data: { id: sold.parcelId } })
    await clerk.post(`/orders/coin-order/${id}/cancel`, { reason: '不要了' })
    const left = await instance.app.db.query
      .selectFrom('shipment')
      .select(['status', 'parts'])
      .where('id', '=', sold.parcelId)
      .executeTakeFirstOrThrow()
    expect(left).toMatchObject({ status: 'WAITING', parts: [{ baseProductId: shelf, quantity: 1 }] })
    expect(left.parts).toHaveLength(1)
  })
})
