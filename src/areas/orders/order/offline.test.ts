import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Examination } from '#areas/orders/examination/model.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol, grantOf, offer, order, proof, takeOffline } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { png } from '../../../../tools/testing/pictures.ts'
import type { Order } from './model.ts'
import type { Quote } from './quote.model.ts'

const READ = ['list', 'detail']

describe('an order taken by hand', () => {
  let instance: TestInstance
  let seller: Caller
  let examiner: Caller
  let productId: string
  let otherId: string

  beforeAll(async () => {
    instance = await openTestInstance()
    seller = await person(instance, { grants: { 'order-list': [...READ, 'create', 'changePrice'] } })
    examiner = await person(instance, {
      grants: { 'order-list': READ, 'order-examine': [...READ, 'approve', 'reject'] },
    })
    productId = await offer(instance, [grantOf('MEMBER_DAYS', 365)], { priceFen: 36_500 })
    otherId = await offer(instance, [grantOf('COINS', 10)], { priceFen: 1_000 })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const read = async (id: string) => (await examiner.get<Order>(`/orders/order/${id}`)).data
  const examinationOf = async (orderId: string): Promise<Examination> => {
    const { data } = await examiner.get<{ records: Examination[] }>(`/orders/examination?orderId=${orderId}`)
    return (await examiner.get<Examination>(`/orders/examination/${data.records[0]?.id}`)).data
  }
  const decide = async (orderId: string, verdict: 'approve' | 'reject') =>
    examiner.post(`/orders/examination/${(await examinationOf(orderId)).id}/${verdict}`, {
      ...(verdict === 'reject' ? { reason: 'no such money' } : {}),
    })
  const offline = async (given: object = {}, memberId?: string) =>
    takeOffline(instance, seller, { memberId: memberId ?? (await enrol(instance)), productId }, given)
  const both = () => [
    { productId, quantity: 1 },
    { productId: otherId, quantity: 3 },
  ]
  /** ¥50 off from ¥100 on, for this member. */
  const couponFor = async (memberId: string): Promise<string> => {
    const rule = {
      kind: 'CASH',
      thresholdFen: 10_000,
      amountFen: 5_000,
      percentOff: null,
      capFen: null,
      productIds: [],
    }
    const { rows } = await instance.app.db.read.pool.query(
      `with c as (insert into coupon (name, kind, threshold_fen, amount_fen, validity, valid_from, valid_to, total, per_person, taken)
         values ('五十元券', 'CASH', 10000, 5000, 'FIXED', current_date - 1, current_date + 30, 10, 10, 1) returning id)
       insert into member_coupon (coupon_id, member_id, rule, taken_at, valid_from, valid_to)
       select id, $1, $2, now(), current_date - 1, current_date + 30 from c returning id::text as id`,
      [memberId, JSON.stringify({ name: '五十元券', ...rule })],
    )
    return String(rows[0].id)
  }
  /** Somebody who has just gone through these hands, from nobody's on. */
  const ownedOfLate = async (hands: readonly (string | null)[]): Promise<string> => {
    const memberId = await enrol(instance, { ownerId: hands.at(-1) ?? null })
    const { query } = instance.app.db
    const now = instance.clock.now()
    await query.updateTable('member').set({ owner_since: now }).where('id', '=', memberId).execute()
    const moves = hands.map((to_id, nth) => ({ member_id: memberId, from_id: hands[nth - 1] ?? null, to_id }))
    await query
      .insertInto('member_owner_history')
      .values(moves.map(move => ({ ...move, created_at: now })))
      .execute()
    return memberId
  }
  const couponState = async (id: string) =>
    (
      await instance.app.db.query
        .selectFrom('member_coupon')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status

  test('holds several products, each with its part of the money, down to the last fen', async () => {
    const { data } = await offline({ products: both(), amountFen: 30_000 })
    await decide(data.id, 'approve')
    const paid = await read(data.id)
    expect(paid).toMatchObject({ listFen: 39_500, amountFen: 30_000, paidFen: 30_000, payState: 'PAID' })
    expect(paid.lines.map(({ quantity, listFen, paidFen }) => [quantity, listFen, paidFen])).toEqual([
      [1, 36_500, 27_721],
      [3, 3_000, 2_279],
    ])
  })

  test('needs a product', async () => {
    expect(await offline({ products: [] })).toMatchObject({
      code: 4005,
      data: { fields: { products: expect.any(String) } },
    })
  })

  test('uses a coupon of the member, once, and gives it back when it is rejected', async () => {
    const memberId = await enrol(instance)
    const couponId = await couponFor(memberId)
    const { data } = await offline({ products: both(), couponId, amountFen: 34_500 }, memberId)
    expect(await couponState(couponId)).toBe('USED')
    expect(await examinationOf(data.id)).toMatchObject({
      beforeFen: 34_500,
      amountFen: 34_500,
      listFen: 39_500,
      flags: [],
    })
    expect(await offline({ couponId }, memberId)).toMatchObject({
      code: 4005,
      data: { fields: { couponId: expect.any(String) } },
    })
    await decide(data.id, 'reject')
    expect(await couponState(couponId)).toBe('UNUSED')
  })

  test("takes nobody else's coupon", async () => {
    const couponId = await couponFor(await enrol(instance))
    expect(await offline({ couponId })).toMatchObject({
      code: 4005,
      data: { fields: { couponId: expect.any(String) } },
    })
    expect(await couponState(couponId)).toBe('UNUSED')
  })

  test.each([
    ['above the list price', 36_501, ['ABOVE_LIST']],
    ['at the list price', 36_500, []],
    ['below what was due', 36_499, ['BELOW_PRICE']],
    ['for nothing', 0, ['BELOW_PRICE', 'PRICE_ZERO']],
  ])('%s shows so to the examiner', async (_name, amountFen, flags) => {
    const { data } = await offline({ amountFen })
    expect((await examinationOf(data.id)).flags).toEqual(flags)
  })

  test('shows the examiner a proof seen before, a member who changed hands, and what shares the transfer', async () => {
    const memberId = await ownedOfLate([examiner.id, null, seller.id])
    const picture = png(61_000, 3)
    const transfer = { transactionNo: 'SHARED-1', transferFen: 60_000 }
    const first = await offline({ ...transfer, proof: [await proof(instance, seller.id, picture)] })
    const second = await offline({ ...transfer, proof: [await proof(instance, seller.id, picture)] }, memberId)
    const examined = await examinationOf(second.data.id)
    expect(examined.flags).toEqual(['BELOW_PRICE', 'PROOF_SEEN', 'OWNER_CHANGED', 'SHARED'])
    expect(examined.lines).toMatchObject([{ listFen: 36_500, amountFen: 30_000 }])
    expect(examined.sharing).toEqual([
      { orderNo: (await read(first.data.id)).orderNo, amountFen: 30_000, status: 'WAITING' },
    ])
  })

  test.each([
    ['the first owner', (): (string | null)[] => [seller.id]],
    ['the owner of before, after it was nobody’s,', () => [seller.id, null, seller.id]],
  ])('shows no change of hands where %s has the member since today', async (_name, hands) => {
    const { data } = await offline({}, await ownedOfLate(hands()))
    expect((await examinationOf(data.id)).flags).not.toContain('OWNER_CHANGED')
    expect((await read(data.id)).ownerChanged).toBe(false)
  })

  test('shows what is due before it is placed: the list price of each line, the coupon, and whether goods are sent', async () => {
    const memberId = await enrol(instance)
    const couponId = await couponFor(memberId)
    const asked = `memberId=${memberId}&products=${productId}x1,${otherId}x3&couponId=${couponId}`
    expect((await seller.get<Quote>(`/orders/order/quote?${asked}`)).data).toEqual({
      lines: [
        { productId, quantity: 1, listFen: 36_500, amountFen: 36_500 },
        { productId: otherId, quantity: 3, listFen: 3_000, amountFen: 3_000 },
      ],
      listFen: 39_500,
      priceFen: 39_500,
      couponFen: 5_000,
      couponRefusal: null,
      dueFen: 34_500,
      hasGoods: false,
      receivers: [],
    })
    expect(await couponState(couponId)).toBe('UNUSED')
    const few = await seller.get<Quote>(
      `/orders/order/quote?memberId=${memberId}&products=${otherId}x1&couponId=${couponId}`,
    )
    expect(few.data).toMatchObject({ couponFen: 0, dueFen: 1_000, couponRefusal: expect.stringContaining('100.00') })
  })

  test('goes where an earlier order of the same member went: the server copies the address, the browser sees it masked', async () => {
    const memberId = await enrol(instance)
    const address = {
      receiverName: '李女士',
      receiverPhone: '13900001234',
      receiverProvince: 'ZJ',
      receiverAddress: '浙江省杭州市西湖区文三路 1 号',
    }
    const first = await offline(address, memberId)
    const { data } = await seller.get<Quote>(`/orders/order/quote?memberId=${memberId}`)
    expect(data.receivers).toEqual([
      {
        orderId: first.data.id,
        name: '李*',
        phone: '139****1234',
        address: expect.stringMatching(/^浙江省杭州市\*\*\*$/),
      },
    ])
    const again = await offline({ receiverOrderId: first.data.id }, memberId)
    const stored = await instance.app.db.query
      .selectFrom('sales_order')
      .select(['receiver_name', 'receiver_phone', 'receiver_province', 'receiver_address'])
      .where('id', '=', again.data.id)
      .executeTakeFirstOrThrow()
    expect(Object.values(stored)).toEqual(Object.values(address))
    const onField = { code: 4005, data: { fields: { receiverOrderId: expect.any(String) } } }
    expect(await offline({ ...address, receiverOrderId: first.data.id }, memberId)).toMatchObject(onField)
    expect(await offline({ receiverOrderId: first.data.id })).toMatchObject(onField)
  })

  test("of somebody else's member tells neither an address nor a coupon", async () => {
    const memberId = await enrol(instance)
    const couponId = await couponFor(memberId)
    const placed = await offline(
      {
        receiverName: '李女士',
        receiverPhone: '13900001234',
        receiverProvince: 'ZJ',
        receiverAddress: '浙江省杭州市西湖区文三路 1 号',
      },
      memberId,
    )
    const stranger = await person(instance, { grants: { 'order-list': [...READ, 'create'] }, scope: 'SELF' })
    const { data } = await stranger.get<Quote>(
      `/orders/order/quote?memberId=${memberId}&products=${productId}x1&couponId=${couponId}`,
    )
    expect(data).toMatchObject({ receivers: [], couponFen: 0, dueFen: 36_500 })
    expect(placed.code).toBe(0)
  })

  test('for nothing is examined, and complete when it is approved', async () => {
    const { data } = await offline({ amountFen: 0 })
    expect(await read(data.id)).toMatchObject({ payState: 'EXAMINING' })
    expect(await decide(data.id, 'approve')).toMatchObject({ code: 0 })
    expect(await read(data.id)).toMatchObject({ payState: 'PAID', paidFen: 0 })
  })

  test('a price changed to nothing is examined, and completes the order', async () => {
    const { orderId } = await order(instance, await enrol(instance), productId)
    expect(await seller.post(`/orders/order/${orderId}/changePrice`, { amountFen: 0, reason: 'a gift' })).toMatchObject(
      {
        code: 0,
      },
    )
    expect((await examinationOf(orderId)).flags).toEqual(['BELOW_PRICE', 'PRICE_ZERO'])
    expect(await decide(orderId, 'approve')).toMatchObject({ code: 0 })
    expect(await read(orderId)).toMatchObject({ payState: 'PAID', paidFen: 0 })
  })
})
