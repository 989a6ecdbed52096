import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TrackEvent } from '#engines/carrier/port.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { atOnce } from '#kit/server/work/job.ts'
import { enrol, grantOf, offer, order, pay, RECEIVER } from '../../../../tools/testing/commerce.ts'
import { makeKit, parcelsOf, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { followParcels, storeTrack } from './following.server.ts'
import type { Tracked } from './model.ts'

const GRANTS = {
  'order-sendGoods': ['list', 'send'],
  'order-examineSend': ['list', 'approve', 'reject'],
  'order-list': ['list'],
  'order-refundApply': ['list', 'create'],
  'order-logistics': ['list', 'detail', 'update', 'refresh', 'resend', 'markLost', 'receiveBack'],
}
const PATH = '/logistics/tracking'
const HOUR_MS = 3_600_000
const UPGRADE = new URL('../../../../migrations/20261117T0752-lost-and-resent-in-part.sql', import.meta.url)

describe('parcels under way', () => {
  let instance: TestInstance
  let clerk: Caller
  let manager: Caller
  let counter = 0
  const clock = stoppedClock(new Date('2026-03-10T02:00:00Z'))

  beforeAll(async () => {
    instance = await openTestInstance({ clock })
    clerk = await person(instance, { grants: GRANTS })
    manager = await person(instance, { grants: GRANTS })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const sent = async (quantity = 3) => {
    const id = await shelve(instance, 10)
    const sold = await sell(instance, { kitId: await makeKit(instance, [{ id, quantity }]) })
    counter += 1
    const trackingNo = `YT${100_000 + counter}`
    await clerk.post(`/logistics/shipment-approval/${sold.parcelId}/approve`)
    await clerk.post(`/logistics/shipment/${sold.parcelId}/send`, { carrier: 'YTO', trackingNo })
    return { ...sold, id: sold.parcelId, baseProductId: id, trackingNo }
  }
  const tell = (id: string, ...events: [hours: number, status: TrackEvent['status'], content: string][]) =>
    instance.app.db.write(tx =>
      storeTrack(
        ownChange(instance.app, tx, clock.now(), 'test'),
        id,
        events.map(([hours, status, content]) => ({
          at: new Date(Date.parse('2026-03-10T02:00:00Z') + hours * HOUR_MS),
          status,
          content,
        })),
      ),
    )
  const read = async (id: string) =>
    (await clerk.get<Tracked & { steps: Record<string, unknown> }>(`${PATH}/${id}`)).data
  const fulfilment = async (orderId: string) =>
    (
      await instance.app.db.query
        .selectFrom('sales_order')
        .select('fulfil_state')
        .where('id', '=', orderId)
        .executeTakeFirstOrThrow()
    ).fulfil_state
  const piecesOf = (baseProductId: string, quantity: number) => ({
    parts: [{ baseProductId, sku: '', name: '', quantity }],
  })

  test('whoever ordered is told once that the parcel is on its way, when the carrier has it and not before', async () => {
    const { id, trackingNo } = await sent()
    const told = () =>
      instance.app.db.query
        .selectFrom('message')
        .select(['channel', 'status', 'body'])
        .where('about', '=', `parcel-sent:${id}:${trackingNo}`)
        .execute()
    expect(await told()).toEqual([])
    await tell(id, [1, 'PICKED', '已揽收'])
    await tell(id, [9, 'TRANSIT', '到达杭州'])
    expect(await told()).toMatchObject([{ channel: 'SMS', body: expect.stringContaining(trackingNo) }])
  })

  test('what a carrier tells is stored once, and the newest says where the parcel is', async () => {
    const { id } = await sent()
    await tell(id, [1, 'PICKED', '已揽收'], [9, 'TRANSIT', '到达杭州'])
    await tell(id, [1, 'PICKED', '已揽收'], [9, 'TRANSIT', '到达杭州'])
    await tell(id, [5, 'TRANSIT', '离开上海'])
    const row = await read(id)
    expect(row.events.map(({ content }) => content)).toEqual(['到达杭州', '离开上海', '已揽收'])
    expect(row).toMatchObject({ status: 'SENT', trackingStatus: 'TRANSIT', lastEvent: '到达杭州' })
  })

  test('a signature ends the way, and the order is done when all its parcels are', async () => {
    const { id, orderId } = await sent()
    await tell(id, [30, 'SIGNED', '已签收'])
    expect(await read(id)).toMatchObject({ status: 'SIGNED', trackingStatus: 'SIGNED' })
    expect(await fulfilment(orderId)).toBe('DONE')
    await tell(id, [31, 'TRANSIT', '补录'])
    expect(await read(id)).toMatchObject({ status: 'SIGNED' })
  })

  test('goods that come back lie on the shelf again; when all are back, so is the parcel', async () => {
    const { id, orderId, baseProductId } = await sent(3)
    const back = (quantity: number) => clerk.post(`${PATH}/${id}/receiveBack`, piecesOf(baseProductId, quantity))
    for (const wrong of [0, 4]) expect(await back(wrong)).toMatchObject({ code: 4005 })
    expect(await stockOf(instance, baseProductId)).toEqual([7, 0])
    expect(await back(2)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'SENT', returns: [{ quantity: 3, returned: 2 }] })
    expect(await back(2)).toMatchObject({ code: 4005 })
    expect(await back(1)).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'RETURNED' })
    expect(await stockOf(instance, baseProductId)).toEqual([10, 0])
    expect(await fulfilment(orderId)).toBe('DONE')
  })

  test('a lost parcel is sent again, after somebody else has agreed', async () => {
    const { id, orderId, baseProductId } = await sent(3)
    expect(await clerk.post(`${PATH}/${id}/resend`, { ...piecesOf(baseProductId, 3), reason: '丢件' })).toMatchObject({
      code: 4006,
    })
    await clerk.post(`${PATH}/${id}/markLost`, { reason: '七天无动态' })
    expect(await fulfilment(orderId)).toBe('SENT')
    const again = { ...piecesOf(baseProductId, 3), reason: '丢件' }
    expect(await clerk.post(`${PATH}/${id}/resend`, again)).toMatchObject({ code: 0 })
    expect(await clerk.post(`${PATH}/${id}/resend`, again)).toMatchObject({ code: 4006 })
    expect([await fulfilment(orderId), await stockOf(instance, baseProductId)]).toEqual(['WAITING', [7, 3]])
    const made = await instance.app.db.query
      .selectFrom('shipment')
      .selectAll()
      .where('resend_of', '=', id)
      .executeTakeFirstOrThrow()
    expect(made).toMatchObject({ source: 'RESEND', status: 'TO_APPROVE', applicant_id: clerk.id, is_repeat: true })
    // It is packed by the edition the first one was packed by.
    const packedBy = async (shipmentId: string) =>
      instance.app.db.query
        .selectFrom('shipment_line')
        .select('kit_edition_id')
        .where('shipment_id', '=', shipmentId)
        .execute()
    expect(await packedBy(made.id)).toEqual(await packedBy(id))
    expect(await packedBy(id)).toEqual([{ kit_edition_id: expect.any(String) }])
    expect(await clerk.post(`/logistics/shipment-approval/${made.id}/approve`)).toMatchObject({ code: 4006 })
    expect(await manager.post(`/logistics/shipment-approval/${made.id}/approve`)).toMatchObject({ code: 0 })
    await clerk.post(`/logistics/shipment/${made.id}/send`, { carrier: 'SF', trackingNo: `SF${id}00000` })
    await tell(made.id, [60, 'SIGNED', '已签收'])
    expect(await fulfilment(orderId)).toBe('DONE')
  })

  const lost = async (quantity: number) => {
    const parcel = await sent(quantity)
    await clerk.post(`${PATH}/${parcel.id}/markLost`, { reason: '七天无动态' })
    const resend = (pieces: number, id = parcel.id) =>
      clerk.post(`${PATH}/${id}/resend`, { ...piecesOf(parcel.baseProductId, pieces), reason: '丢件' })
    return { ...parcel, resend }
  }
  const newest = async (id: string) =>
    (
      await instance.app.db.query
        .selectFrom('shipment')
        .select('id')
        .where('resend_of', '=', id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
    ).id
  const leave = async (id: string) => {
    await manager.post(`/logistics/shipment-approval/${id}/approve`)
    await clerk.post(`/logistics/shipment/${id}/send`, { carrier: 'SF', trackingNo: `SF${id}00000` })
  }

  test('a resend that was rejected is not counted as goods yet to leave beside the one that follows it', async () => {
    const { id, orderId, resend } = await lost(3)
    const toSend = async () => {
      const path = `/orders/refund-application/suggestion?orderId=${orderId}`
      const { data } = await clerk.get<{ lines: { lineId: string; unsentPieces: number }[] }>(path)
      return data.lines.map(({ unsentPieces }) => unsentPieces)
    }
    await resend(3)
    expect(await toSend()).toEqual([3])
    await manager.post(`/logistics/shipment-approval/${await newest(id)}/reject`, { reason: '地址不详' })
    expect(await toSend()).toEqual([0])
    expect(await resend(3)).toMatchObject({ code: 0 })
    expect(await toSend()).toEqual([3])
  })

  test('each piece of a lost parcel is sent again once; what is lost again goes out from the parcel that replaced it', async () => {
    const { id, baseProductId, resend } = await lost(3)
    const why = async () => (await read(id)).steps.resend
    expect(await resend(2)).toMatchObject({ code: 0 })
    expect(await why()).toMatchObject({ code: 'resend-open' })
    const first = await newest(id)
    await leave(first)
    expect(await why()).toBeNull()
    expect(await resend(2)).toMatchObject({ code: 4005 })
    expect(await resend(1)).toMatchObject({ code: 0 })
    await leave(await newest(id))
    expect(await why()).toMatchObject({ code: 'resend-whole' })
    expect(await resend(1)).toMatchObject({ code: 4006 })
    expect(await stockOf(instance, baseProductId)).toEqual([4, 0])
    await clerk.post(`${PATH}/${first}/markLost`, { reason: '又丢了' })
    expect(await resend(2, first)).toMatchObject({ code: 0 })
  })

  test('an order whose lost parcel was sent again in part is done when the rest has arrived too', async () => {
    const { id, orderId, resend } = await lost(3)
    const arrive = async (pieces: number) => {
      await resend(pieces)
      const made = await newest(id)
      const before = await fulfilment(orderId)
      await leave(made)
      await tell(made, [60, 'SIGNED', '已签收'])
      return [before, await fulfilment(orderId)]
    }
    expect(await arrive(2)).toEqual(['PARTIAL', 'SENT'])
    // As it was told before that was so: an upgrade puts it right, and leaves what is right.
    for (const [before, after] of [
      ['DONE', 'SENT'],
      ['WAITING', 'PARTIAL'],
      ['SENT', 'SENT'],
    ]) {
      await sql`update sales_order set fulfil_state = ${before} where id = ${orderId}`.execute(instance.app.db.query)
      await instance.app.db.read.pool.query(await readFile(UPGRADE, 'utf8'))
      expect(await fulfilment(orderId)).toBe(after)
    }
    expect(await arrive(1)).toEqual(['PARTIAL', 'DONE'])
    await instance.app.db.read.pool.query(await readFile(UPGRADE, 'utf8'))
    expect(await fulfilment(orderId)).toBe('DONE')
  })

  test.each([
    ['lost', 'first'],
    ['lost', 'second'],
    ['signed', 'first'],
    ['signed', 'second'],
  ])(
    'of two lines with the same goods, %s, the one whose money did not go back is sent again once (%s refunded)',
    async (end, which) => {
      const baseProductId = await shelve(instance, 10)
      const kitId = await makeKit(instance, [{ id: baseProductId, quantity: 1 }])
      const goods = () => offer(instance, [grantOf('GOODS', 1, 1_000, { kitId })], { priceFen: 10_000 })
      const bought = await order(instance, await enrol(instance), [await goods(), await goods()], {
        receiver: RECEIVER,
      })
      await pay(instance, bought)
      const [id = ''] = await parcelsOf(instance, bought.orderId)
      await clerk.post(`/logistics/shipment-approval/${id}/approve`)
      await clerk.post(`/logistics/shipment/${id}/send`, { carrier: 'YTO', trackingNo: `YT${id}77777` })
      if (end === 'lost') await clerk.post(`${PATH}/${id}/markLost`, { reason: '七天无动态' })
      else await tell(id, [30, 'SIGNED', '已签收'])
      const giveBack = (fen: number) =>
        sql`update order_line set refunded_fen = ${fen} where id = (
        select ${sql.raw(which === 'first' ? 'min' : 'max')}(id) from order_line where order_id = ${bought.orderId})`.execute(
          instance.app.db.query,
        )
      await giveBack(100)
      const resend = () => clerk.post(`${PATH}/${id}/resend`, { ...piecesOf(baseProductId, 1), reason: '丢件' })
      expect(await resend()).toMatchObject({ code: 0 })
      await leave(await newest(id))
      expect(await resend()).toMatchObject({ code: 4006, msg: expect.stringContaining('Money has gone back') })
      expect(await stockOf(instance, baseProductId)).toEqual([7, 0])
      await giveBack(0)
    },
  )

  test('goods sent again go free when the first ones arrived', async () => {
    const { id, baseProductId } = await sent(3)
    await tell(id, [30, 'SIGNED', '已签收'])
    await clerk.post(`${PATH}/${id}/resend`, { ...piecesOf(baseProductId, 1), reason: '破损一件' })
    const lines = await instance.app.db.query
      .selectFrom('shipment_line as l')
      .innerJoin('shipment as s', 's.id', 'l.shipment_id')
      .select(['l.order_line_id', 'l.quantity'])
      .where('s.resend_of', '=', id)
      .execute()
    expect(lines).toEqual([{ order_line_id: null, quantity: 1 }])
  })

  test('a carrier is asked once in half an hour, and parcels are asked after by themselves', async () => {
    const { id } = await sent()
    expect(await clerk.post(`${PATH}/${id}/refresh`)).toMatchObject({ code: 0 })
    expect(await clerk.post(`${PATH}/${id}/refresh`)).toMatchObject({ code: 4006 })
    const asked = () =>
      instance.app.db.query
        .selectFrom('outbox')
        .select('due_at')
        .where('kind', '=', 'parcel-track')
        .where('key', '=', id)
        .executeTakeFirstOrThrow()
    const before = await asked()
    clock.forward(7 * HOUR_MS)
    await instance.app.db.write(tx => atOnce(followParcels)(ownChange(instance.app, tx, clock.now(), 'test')))
    expect((await asked()).due_at).not.toBe(before.due_at)
  })

  test('each screen shows its part of the parcels, and no other', async () => {
    const { id } = await sent()
    const counts = (await clerk.get<Record<string, number>>(`${PATH}/counts`)).data
    expect(Object.keys(counts)).toEqual(['SENT', 'SIGNED', 'RETURNED', 'LOST'])
    const { data } = await clerk.get<{ total: number; records: { id: string; status: string }[] }>(`${PATH}?size=100`)
    expect(data.total).toBe(Object.values(counts).reduce((sum, n) => sum + n, 0))
    expect(data.records.map(row => row.status)).not.toContain('TO_APPROVE')
    expect(data.records.map(row => row.id)).toContain(id)
    const desk = await clerk.get<{ records: { id: string }[] }>('/logistics/shipment?size=100')
    expect(desk.data.records.map(row => row.id)).not.toContain(id)
    expect(
      await clerk.post(`/logistics/shipment/${id}/send`, { carrier: 'SF', trackingNo: 'SF99999999' }),
    ).toMatchObject({ status: 404 })
  })

  test('its story is told whole, from approval to the door', async () => {
    const { id } = await sent()
    await tell(id, [30, 'SIGNED', '已签收'])
    const { data } = await clerk.get<{ action: string }[]>(`${PATH}/${id}/timeline`)
    expect(data.map(({ action }) => action)).toEqual(['track', 'send', 'approve', 'create'])
  })
})
