import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { atOnce } from '#kit/server/work/job.ts'
import { enrol, pay, RECEIVER } from '../../../../tools/testing/commerce.ts'
import { makeKit, orderKit, parcelsOf, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import { serveWaiting } from './waiting.server.ts'

const DESK = ['list', 'detail', 'update', 'send', 'hold', 'release', 'split', 'merge', 'print']
const GRANTS = {
  'order-sendGoods': DESK,
  'order-examineSend': ['list', 'detail', 'approve', 'reject'],
  'order-list': ['list', 'detail', 'changeAddress'],
  'order-refundApply': ['list', 'detail', 'create', 'withdraw'],
}
const desk = '/logistics/shipment'
const approval = '/logistics/shipment-approval'

let instance: TestInstance
let clerk: Caller
let tracking = 100_000
const nextTracking = () => {
  tracking += 1
  return `SF${tracking}`
}
beforeAll(async () => {
  instance = await openTestInstance()
  clerk = await person(instance, { grants: GRANTS })
})

const approve = (id: string) => clerk.post(`${approval}/${id}/approve`)
const send = (id: string, trackingNo = nextTracking()) =>
  clerk.post(`${desk}/${id}/send`, { carrier: 'SF', trackingNo })
const stored = (id: string) =>
  instance.app.db.query.selectFrom('shipment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const fulfilment = async (orderId: string) =>
  (
    await instance.app.db.query
      .selectFrom('sales_order')
      .select('fulfil_state')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
  ).fulfil_state
const kitOf = async (onHand: number, quantity = 1): Promise<[kitId: string, baseProductId: string]> => {
  const id = await shelve(instance, onHand)
  return [await makeKit(instance, [{ id, quantity }]), id]
}
const askRefund = async (orderId: string) => {
  const answer = await clerk.post<{ id: string }>('/orders/refund-application', refundBody(orderId, 10_000))
  expect(answer.code).toBe(0)
  return answer.data.id
}

describe('a paid order with goods', () => {
  const serve = () =>
    instance.app.db.write(tx => atOnce(serveWaiting)(ownChange(instance.app, tx, instance.app.clock.now(), 'test')))
  const stockIn = async (id: string, quantity: number) => {
    const keeper = await person(instance, { grants: { 'base-product': ['stockIn'] } })
    expect(await keeper.post(`/logistics/base-product/${id}/stockIn`, { quantity, note: '' })).toMatchObject({
      code: 0,
    })
  }

  test('has its kit taken apart and promised, and waits for approval', async () => {
    const [pen, book] = [await shelve(instance, 10), await shelve(instance, 10)]
    const kitId = await makeKit(instance, [
      { id: pen, quantity: 1 },
      { id: book, quantity: 2 },
    ])
    const { orderId, parcelId } = await sell(instance, { kitId, quantity: 3 })
    expect(await parcelsOf(instance, orderId)).toEqual([parcelId])
    expect(await stored(parcelId)).toMatchObject({
      status: 'TO_APPROVE',
      source: 'ORDER',
      receiver_name: RECEIVER.name,
      parts: [
        { baseProductId: pen, quantity: 3 },
        { baseProductId: book, quantity: 6 },
      ],
    })
    expect([await stockOf(instance, pen), await stockOf(instance, book)]).toEqual([
      [10, 3],
      [10, 6],
    ])
    expect(await fulfilment(orderId)).toBe('WAITING')
  })

  test('is not paid when the goods are gone and nobody may wait for them; its money is kept as a stray', async () => {
    const [kitId, id] = await kitOf(2, 3)
    const bought = await orderKit(instance, { kitId })
    await pay(instance, bought)
    expect(await stockOf(instance, id)).toEqual([2, 0])
    expect(await parcelsOf(instance, bought.orderId)).toEqual([])
    const { rows } = await sql`
      select o.pay_state, o.paid_fen::int, p.status, p.stray_reason from payment p join sales_order o on o.id = p.order_id
      where o.id = ${bought.orderId}`.execute(instance.app.db.query)
    expect(rows).toEqual([{ pay_state: 'UNPAID', paid_fen: 0, status: 'STRAY', stray_reason: 'UNAVAILABLE' }])
  })

  test('waits for goods where its product allows it; the oldest gets what comes in', async () => {
    const [kitId, id] = await kitOf(1, 2)
    const old = await sell(instance, { kitId, mayWait: true })
    const young = await sell(instance, { kitId, mayWait: true })
    expect(await stored(old.parcelId)).toMatchObject({ waits_for_stock: true })
    expect(await stockOf(instance, id)).toEqual([1, 0])
    expect(await approve(old.parcelId)).toMatchObject({ code: 0 })
    expect(await send(old.parcelId)).toMatchObject({ code: 4006 })
    await stockIn(id, 2)
    await serve()
    expect(await stored(old.parcelId)).toMatchObject({ waits_for_stock: false })
    expect(await stored(young.parcelId)).toMatchObject({ waits_for_stock: true })
    expect(await stockOf(instance, id)).toEqual([3, 2])
    expect(await send(old.parcelId)).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([1, 0])
  })

  test('nobody younger takes what an older one waits for', async () => {
    const [kitId, id] = await kitOf(0)
    const old = await sell(instance, { kitId, quantity: 5, mayWait: true })
    const young = await sell(instance, { kitId, mayWait: true })
    await stockIn(id, 3)
    await serve()
    expect(await stockOf(instance, id)).toEqual([3, 0])
    await stockIn(id, 3)
    await serve()
    for (const { parcelId } of [old, young]) expect((await stored(parcelId)).waits_for_stock).toBe(false)
    expect(await stockOf(instance, id)).toEqual([6, 6])
  })

  test('hundreds who wait for what never comes hold up nobody who waits for something else', async () => {
    const [[gone, goneId], [kitId, id]] = [await kitOf(0), await kitOf(0)]
    const { parcelId } = await sell(instance, { kitId: gone, mayWait: true })
    await instance.app.db.read.pool.query(
      `with given as (
         update number_sequence set last = last + 300 where kind = 'S' returning to_char(day, 'YYYYMMDD') as day, last - 300 as before
       ), made as (
         insert into shipment (shipment_no, source, member_id, goods_name, parts, waits_for_stock, created_at)
         select 'S' || day || lpad((before + n)::text, 5, '0'), 'GIFT', member_id, goods_name, parts, true, created_at
         from given, shipment, generate_series(1, 300) n where id = $1 and shipment_no like 'S' || day || '%' returning id
       ) insert into shipment_line (shipment_id, base_product_id, quantity, locked) select id, $2, 1, 0 from made`,
      [parcelId, goneId],
    )
    const young = await sell(instance, { kitId, mayWait: true })
    await stockIn(id, 1)
    await serve()
    expect(await stored(young.parcelId)).toMatchObject({ waits_for_stock: false })
    expect(await stockOf(instance, id)).toEqual([1, 1])
  })

  test('the same goods for the same member within 30 days are flagged, by another order', async () => {
    const [kitId] = await kitOf(10)
    const memberId = await enrol(instance)
    const once = await sell(instance, { kitId, memberId })
    const again = await sell(instance, { kitId, memberId })
    expect((await stored(once.parcelId)).is_repeat).toBe(false)
    expect((await stored(again.parcelId)).is_repeat).toBe(true)
  })

  test('without an address it is not approved, until the order gets one', async () => {
    const [kitId] = await kitOf(10)
    const { orderId, parcelId } = await sell(instance, { kitId, hasAddress: false })
    expect(await approve(parcelId)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: There is no address yet; add it to the order first',
    })
    const given = {
      receiverName: '李雷',
      receiverPhone: '13900139000',
      receiverProvince: 'BJ',
      receiverAddress: '海淀区 2 号',
    }
    expect(await clerk.post(`/orders/order/${orderId}/changeAddress`, given)).toMatchObject({ code: 0 })
    expect(await approve(parcelId)).toMatchObject({ code: 0 })
    expect(await stored(parcelId)).toMatchObject({ receiver_name: '李雷', province: 'BJ', reprint: false })
  })
})

describe('letting a parcel go', () => {
  test('a rejection needs a reason, and gives the goods free', async () => {
    const [kitId, id] = await kitOf(10, 4)
    const { orderId, parcelId } = await sell(instance, { kitId })
    expect(await clerk.post(`${approval}/${parcelId}/reject`)).toMatchObject({ code: 4005 })
    expect(await stockOf(instance, id)).toEqual([10, 4])
    expect(await clerk.post(`${approval}/${parcelId}/reject`, { reason: '地址不详' })).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([10, 0])
    expect(await fulfilment(orderId)).toBe('WAITING')
  })

  test('nothing is approved or sent while a refund is open, and both go on when it is withdrawn', async () => {
    const [kitId, id] = await kitOf(10)
    const one = await sell(instance, { kitId })
    const two = await sell(instance, { kitId })
    await approve(two.parcelId)
    const refunds = [await askRefund(one.orderId), await askRefund(two.orderId)]
    expect((await approve(one.parcelId)).msg).toMatch(/^This could not be done: The order has an open refund/)
    expect((await send(two.parcelId)).msg).toMatch(/^This could not be done: The order has an open refund/)
    expect(await stockOf(instance, id)).toEqual([10, 2])
    for (const refund of refunds)
      expect(await clerk.post(`/orders/refund-application/${refund}/withdraw`)).toMatchObject({ code: 0 })
    expect(await approve(one.parcelId)).toMatchObject({ code: 0 })
    expect(await send(two.parcelId)).toMatchObject({ code: 0 })
  })

  test('nobody lets go what he asked for', async () => {
    const [kitId] = await kitOf(10)
    const { parcelId } = await sell(instance, { kitId })
    await instance.app.db.query
      .updateTable('shipment')
      .set({ applicant_id: clerk.id })
      .where('id', '=', parcelId)
      .execute()
    expect(await approve(parcelId)).toMatchObject({ code: 4006 })
    expect(await stored(parcelId)).toMatchObject({ status: 'TO_APPROVE' })
  })
})

describe('sending', () => {
  test('the goods leave the shelf with the parcel, and the order tells it', async () => {
    const [kitId, id] = await kitOf(10, 4)
    const { orderId, parcelId } = await sell(instance, { kitId })
    expect(await send(parcelId)).toMatchObject({ status: 404 })
    await approve(parcelId)
    expect(await send(parcelId)).toMatchObject({ code: 0 })
    expect(await stockOf(instance, id)).toEqual([6, 0])
    expect(await stored(parcelId)).toMatchObject({ status: 'SENT', tracking_status: 'SHIPPED' })
    expect(await fulfilment(orderId)).toBe('SENT')
  })

  test('one tracking number is used once, and a second use changes nothing', async () => {
    const [kitId, id] = await kitOf(10)
    const [one, two] = [await sell(instance, { kitId }), await sell(instance, { kitId })]
    for (const { parcelId } of [one, two]) await approve(parcelId)
    await send(one.parcelId, 'SF7777777')
    expect(await send(two.parcelId, 'SF7777777')).toMatchObject({
      code: 4005,
      data: { fields: { trackingNo: 'This tracking number is already used for another shipment' } },
    })
    expect(await stockOf(instance, id)).toEqual([9, 1])
  })

  test('a held parcel stays, with its goods, and has waited all the while', async () => {
    const [kitId, id] = await kitOf(10)
    const { parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    const since = async () => (await clerk.get<{ stateSince: string }>(`${desk}/${parcelId}`)).data.stateSince
    const before = await since()
    await clerk.post(`${desk}/${parcelId}/hold`, { reason: '等家长确认' })
    expect(await send(parcelId)).toMatchObject({ code: 4006 })
    expect(await stockOf(instance, id)).toEqual([10, 1])
    await clerk.post(`${desk}/${parcelId}/release`)
    expect(await since()).toBe(before)
    expect(await send(parcelId)).toMatchObject({ code: 0 })
  })

  test('a parcel whose goods a stock check did not find is not sent', async () => {
    const [kitId, id] = await kitOf(10, 8)
    const { parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    const grants = { 'base-product': ['detail', 'check', 'approveCheck'] }
    const [counter, other] = [await person(instance, { grants }), await person(instance, { grants })]
    await counter.post(`/logistics/base-product/${id}/check`, { counted: 5, note: '' })
    const { data } = await other.get<{ askedId: string }>(`/logistics/base-product/${id}`)
    await other.post(`/logistics/base-product/${id}/approveCheck`, { askedId: data.askedId })
    expect(await send(parcelId)).toMatchObject({ code: 4006 })
    expect(await stockOf(instance, id)).toEqual([5, 8])
    expect(await stored(parcelId)).toMatchObject({ status: 'WAITING' })
  })

  test('of two who send one parcel at once, one does it', async () => {
    const [kitId, id] = await kitOf(10)
    const { parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    const answers = await Promise.all([1, 2].map(() => send(parcelId)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await stockOf(instance, id)).toEqual([9, 0])
  })
})

describe('packing', () => {
  const waiting = async (memberId: string, kitId: string) => {
    const sold = await sell(instance, { kitId, memberId })
    await approve(sold.parcelId)
    return { ...sold, id: sold.parcelId }
  }
  const merge = (ids: string[]) => clerk.post<{ id: string }>(`${desk}/merge`, { ids })

  test('a parcel is split in two; the order is partly sent, then sent', async () => {
    const [kitId, baseProductId] = await kitOf(10, 5)
    const { orderId, parcelId } = await sell(instance, { kitId })
    await approve(parcelId)
    const some = (quantity: number) => ({ parts: [{ baseProductId, sku: '', name: '', quantity }] })
    for (const wrong of [0, 5, 6])
      expect(await clerk.post(`${desk}/${parcelId}/split`, some(wrong))).toMatchObject({ code: 4005 })
    expect(await clerk.post(`${desk}/${parcelId}/split`, some(2))).toMatchObject({ code: 0 })
    const [left = '', moved = ''] = await parcelsOf(instance, orderId)
    expect((await stored(left)).parts).toMatchObject([{ quantity: 3 }])
    expect(await stored(moved)).toMatchObject({ status: 'WAITING', parts: [{ quantity: 2 }] })
    expect(await stockOf(instance, baseProductId)).toEqual([10, 5])
    await send(moved)
    expect([await fulfilment(orderId), await stockOf(instance, baseProductId)]).toEqual(['PARTIAL', [8, 3]])
    await send(left)
    expect([await fulfilment(orderId), await stockOf(instance, baseProductId)]).toEqual(['SENT', [5, 0]])
  })

  test('parcels for one door become one, and all their orders are sent with it', async () => {
    const [kitId, id] = await kitOf(10)
    const memberId = await enrol(instance)
    const [one, two] = [await waiting(memberId, kitId), await waiting(memberId, kitId)]
    expect(await merge([two.id, one.id])).toMatchObject({ code: 0, data: { id: one.id } })
    expect(await stored(two.id)).toMatchObject({ status: 'MERGED', merged_into: one.id })
    expect(await stored(one.id)).toMatchObject({ parts: [{ quantity: 2 }] })
    expect(await stockOf(instance, id)).toEqual([10, 2])
    await send(one.id)
    expect([await fulfilment(one.orderId), await fulfilment(two.orderId)]).toEqual(['SENT', 'SENT'])
    expect(await stockOf(instance, id)).toEqual([8, 0])
  })

  test('a refund on any of the orders keeps a merged parcel back', async () => {
    const [kitId] = await kitOf(10)
    const memberId = await enrol(instance)
    const [one, two] = [await waiting(memberId, kitId), await waiting(memberId, kitId)]
    await merge([one.id, two.id])
    await askRefund(two.orderId)
    expect((await send(one.id)).msg).toMatch(/^This could not be done: The order has an open refund/)
  })

  test('what goes elsewhere, is held or waits is not merged', async () => {
    const [kitId] = await kitOf(10)
    const [memberId, other] = [await enrol(instance), await enrol(instance)]
    const [one, two, stranger] = [
      await waiting(memberId, kitId),
      await waiting(memberId, kitId),
      await waiting(other, kitId),
    ]
    expect(await merge([one.id, stranger.id])).toMatchObject({ code: 4006 })
    await clerk.post(`${desk}/${two.id}/hold`, { reason: '等' })
    expect(await merge([one.id, two.id])).toMatchObject({ code: 4006 })
    expect(await stored(one.id)).toMatchObject({ status: 'WAITING', parts: [{ quantity: 1 }] })
  })
})

test('what is promised is what open parcels hold, and every book is in order after all of this', async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})
