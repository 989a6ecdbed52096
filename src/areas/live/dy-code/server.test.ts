import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CANCEL_MS } from '#areas/live/platform-order/facts.model.ts'
import { allowanceOf } from '#areas/members/member/giving.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import type { Source } from '#kit/server/live/event.ts'
import { enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import type { DyCode } from './model.ts'

const STEPS = ['verify', 'cancelVerify', 'bindMember', 'regrant', 'freeze', 'handle', 'sync']
const PATH = '/live/dy-code'

let instance: TestInstance
let desk: Caller
let productId: string
let productCode: string
beforeAll(async () => {
  instance = await openTestInstance()
  desk = await person(instance, { grants: { 'dy-code': ['list', 'detail', ...STEPS] } })
  productId = await offer(instance, [grantOf('COINS', 100)], { priceFen: 1_990 })
  const product = await instance.app.db.query
    .selectFrom('product')
    .select('code')
    .where('id', '=', productId)
    .executeTakeFirstOrThrow()
  productCode = product.code
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const tell = async (type: string, data: object, source: Source = 'douyin') => {
  expect(await sendEvent(instance, source, { id: randomUUID(), type, data: data as never })).toMatchObject({ code: 0 })
  await instance.inbox.sweep()
}
let counter = 0
const newOrderNo = () => {
  counter += 1
  return `69000000000${counter}`
}
/** One that fits our own pattern, as shops give them that also tell of orders of ours. */
const newSharedNo = () => newOrderNo().padStart(18, '7')
const minutesAgo = (minutes: number) => new Date(instance.clock.now().getTime() - minutes * 60_000).toISOString()
const buy = (orderNo: string, more: object = {}) =>
  tell('platform-order.told', {
    orderNo,
    at: minutesAgo(30),
    paidAt: minutesAgo(30),
    product: '体验课',
    productCode,
    amountFen: 1_990,
    certificate: { id: `C${orderNo}`, code: 'sealed', last4: '4321' },
    ...more,
  })
const shown = async (orderNo: string) =>
  (await desk.get<{ records: DyCode[] }>(`${PATH}?query=${orderNo}`)).data.records[0] as DyCode
const step = (id: string, name: string, body: object = {}) => desk.post(`${PATH}/${id}/${name}`, body)
const phoneOf = async (id: string) =>
  (await instance.app.db.query.selectFrom('member').select('phone').where('id', '=', id).executeTakeFirstOrThrow())
    .phone
const coinsOf = async (id: string) =>
  (await instance.app.db.query.selectFrom('member').select('coins').where('id', '=', id).executeTakeFirstOrThrow())
    .coins
const heldOf = async (memberId: string) =>
  (
    await instance.app.db.query.selectFrom('entitlement_lot').select('held').where('member_id', '=', memberId).execute()
  ).map(({ held }) => held)
const noticesOf = async (orderNo: string) =>
  instance.app.db.query.selectFrom('refund_notice').selectAll().where('order_no', '=', orderNo).execute()

describe('an order a platform tells of', () => {
  test('is one row however often it is told, and opens the course once for the member of its number', async () => {
    const [memberId, orderNo] = [await enrol(instance), newOrderNo()]
    for (let n = 0; n < 2; n += 1) await buy(orderNo, { buyerMobile: await phoneOf(memberId) })
    expect(await shown(orderNo)).toMatchObject({ status: 'REGISTERED', memberId, registered: true, amountFen: 1_990 })
    expect((await shown(orderNo)).orderId).not.toBeNull()
    expect(await coinsOf(memberId)).toBe(100)
  })

  test('waits for its person, who is found by registering under the number, or by what the app knows', async () => {
    const [byNumber, byState] = [newOrderNo(), newOrderNo()]
    await buy(byNumber)
    await tell('voucher.claimed', { orderNo: byNumber, product: '体验课', phone: '19911110001' })
    expect(await shown(byNumber)).toMatchObject({ status: 'CLAIMED', memberId: null, leadPhone: '199****0001' })
    const registration = { phone: '19911110001', name: '小明', source: 'DOUYIN', channel: 'DOUYIN_LIVE' }
    await tell('member.registered', registration, 'app')
    expect(await shown(byNumber)).toMatchObject({ status: 'REGISTERED', exception: 'NONE' })
    const memberId = await enrol(instance)
    await buy(byState, { state: 'link-77' })
    await tell('voucher.registered', { memberId, product: '体验课', state: 'link-77' }, 'app')
    expect(await shown(byState)).toMatchObject({ status: 'REGISTERED', memberId })
  })

  test('waits for its person too where the app names the order before it tells of the registration, and is bound once', async () => {
    const [phone, orderNo] = ['19911110021', newOrderNo()]
    await buy(orderNo)
    const said = { phone, product: '体验课', platform: 'douyin', orderNo }
    await tell('voucher.registered', said, 'app')
    expect(await shown(orderNo)).toMatchObject({ memberId: null })
    await tell('member.registered', { phone, name: '小明', source: 'DOUYIN', channel: 'DOUYIN_LIVE' }, 'app')
    instance.clock.forward(2_000)
    await instance.inbox.sweep()
    expect(await shown(orderNo)).toMatchObject({ status: 'REGISTERED' })
    const pushes = await instance.app.db.read.rows(
      `select payload from signal where topic = 'push' and payload ->> 'type' = '7' and payload::text like '%0021%'`,
      [],
    )
    expect(pushes).toHaveLength(1)
  })

  test('of a buyer nobody knows makes a lead by the one door, whether payment or number is told first; registering ties it', async () => {
    const leadOf = async (phone: string) =>
      instance.app.db.query
        .selectFrom('lead')
        .select(['id', 'source', 'channel', 'came_by', 'consent', 'product_id', 'member_id', 'unionid'])
        .where('phone', '=', phone)
        .execute()
    const came = { source: 'DOUYIN', channel: 'DOUYIN_LIVE', came_by: 'PLATFORM_ORDER', consent: 'PLATFORM_ORDER' }
    const [paidFirst, numberFirst] = ['19911110011', '19911110012']
    const [one, other] = [newOrderNo(), newOrderNo()]
    await buy(one, { room: 'R1' })
    for (let n = 0; n < 2; n += 1) await tell('voucher.claimed', { orderNo: one, product: '体验课', phone: paidFirst })
    await tell('platform-order.told', { orderNo: other, at: minutesAgo(40), buyerMobile: numberFirst, productCode })
    expect(await leadOf(numberFirst)).toEqual([])
    await buy(other, { room: 'R1', buyerMobile: numberFirst, unionid: 'o-lead-of-buyer' })
    expect(await leadOf(paidFirst)).toMatchObject([{ ...came, product_id: productId, member_id: null }])
    expect(await leadOf(numberFirst)).toMatchObject([{ ...came, unionid: 'o-lead-of-buyer' }])

    const registration = { phone: paidFirst, name: '小明', source: 'APP', channel: 'STORE' }
    await tell('member.registered', registration, 'app')
    const { memberId } = await shown(one)
    expect(await leadOf(paidFirst)).toMatchObject([{ member_id: memberId }])
    const member = instance.app.db.query
      .selectFrom('member')
      .select(['source', 'channel'])
      .where('phone', '=', paidFirst)
    expect(await member.executeTakeFirst()).toEqual({ source: 'DOUYIN', channel: 'DOUYIN_LIVE' })
  })

  test('makes no lead by a number that only forwards, nor once its money went back', async () => {
    const [virtual, refunded] = ['19911110013', '19911110014']
    await buy(newOrderNo(), { buyerMobile: virtual, isVirtual: true })
    const orderNo = newOrderNo()
    await tell('voucher.refunded', { orderNo, amountFen: 1_990 })
    await buy(orderNo, { buyerMobile: refunded })
    const leads = instance.app.db.query.selectFrom('lead').select('id').where('phone', 'in', [virtual, refunded])
    expect(await leads.execute()).toEqual([])
  })

  test('is found by the end of its voucher', async () => {
    const orderNo = newOrderNo()
    await buy(orderNo, { certificate: { id: 'C-end', last4: '8642' } })
    const { data } = await desk.get<{ records: DyCode[] }>(`${PATH}?query=8642`)
    expect(data.records.map(row => row.orderNo)).toEqual([orderNo])
  })

  test('under a virtual number is nobody’s, though a member has that number', async () => {
    const [memberId, orderNo] = [await enrol(instance), newOrderNo()]
    await buy(orderNo, { buyerMobile: await phoneOf(memberId), isVirtual: true })
    expect(await shown(orderNo)).toMatchObject({ status: 'BOUGHT', memberId: null, phoneKind: 'VIRTUAL' })
  })

  test('whose product nobody knows is an exception until somebody opens the course, once', async () => {
    const [memberId, orderNo] = [await enrol(instance), newOrderNo()]
    await buy(orderNo, { buyerMobile: await phoneOf(memberId), productCode: 'NONE' })
    const { id, exception } = await shown(orderNo)
    expect(exception).toBe('PRODUCT_UNKNOWN')
    expect(await step(id, 'regrant', { reason: '开课', productId: null })).toMatchObject({ code: 4005 })
    expect(await step(id, 'regrant', { reason: '开课', productId })).toMatchObject({ code: 0 })
    expect(await shown(orderNo)).toMatchObject({ exception: 'NONE' })
    expect(await coinsOf(memberId)).toBe(100)
    expect(await step(id, 'regrant', { reason: '再来', productId: null })).toMatchObject({ code: 4006 })
  })

  test('is bound by hand where the platform says nothing of its buyer', async () => {
    const [memberId, orderNo] = [await enrol(instance), newOrderNo()]
    await buy(orderNo)
    const { id } = await shown(orderNo)
    expect(await step(id, 'bindMember', { memberId, leadId: null, reason: '家长提供订单号' })).toMatchObject({
      code: 0,
    })
    expect(await shown(orderNo)).toMatchObject({ status: 'REGISTERED', memberId, boundBy: desk.id })
    expect(await coinsOf(memberId)).toBe(100)
  })

  test('and is not claimed in a day becomes an exception by itself, which somebody can mark as handled', async () => {
    const orderNo = newOrderNo()
    await buy(orderNo, { at: minutesAgo(1_600), paidAt: minutesAgo(1_600) })
    const { id, exception } = await shown(orderNo)
    expect(exception).toBe('UNCLAIMED')
    expect(await step(id, 'handle', { reason: '已电话联系' })).toMatchObject({ code: 0 })
    await buy(orderNo, { author: '达人', at: minutesAgo(1) })
    expect(await shown(orderNo)).toMatchObject({ exception: 'NONE', author: '达人' })
  })
})

describe('an order nobody has paid', () => {
  test('is not registered though its person is known, and nothing is opened for it', async () => {
    const [memberId, orderNo] = [await enrol(instance), newOrderNo()]
    await buy(orderNo, { paidAt: undefined, productCode: 'NONE', buyerMobile: await phoneOf(memberId) })
    expect(await shown(orderNo)).toMatchObject({ status: 'UNPAID', memberId })
    await tell('voucher.verified', { orderNo, at: minutesAgo(1), verifyId: 'V-unpaid' })
    const { id, status } = await shown(orderNo)
    expect(status).toBe('VERIFIED')
    expect(await step(id, 'regrant', { reason: '开课', productId })).toMatchObject({ code: 4006 })
    expect(await coinsOf(memberId)).toBe(0)
  })
})

describe('two exceptions of one order', () => {
  test('are handled one after the other, and taking one back brings that one back alone', async () => {
    const [first, second] = [newOrderNo(), newOrderNo()]
    const late = { at: minutesAgo(1_600), paidAt: minutesAgo(1_600), buyerMobile: '19911110077' }
    for (const orderNo of [first, second]) await buy(orderNo, late)
    const { id, exception } = await shown(first)
    expect(exception).toBe('SAME_PHONE')
    expect(await step(id, 'handle', { reason: '同一家长' })).toMatchObject({ code: 0 })
    expect(await shown(first)).toMatchObject({ exception: 'UNCLAIMED' })
    expect(await step(id, 'handle', { reason: '已联系' })).toMatchObject({ code: 0 })
    await buy(first, { author: '达人', at: minutesAgo(2) })
    expect(await shown(first)).toMatchObject({ exception: 'NONE' })
    await buy(second, { author: '达人', at: minutesAgo(2) })
    const other = await shown(second)
    for (const reason of ['同一家长', '已联系']) await step(other.id, 'handle', { reason })
    expect(await step(other.id, 'handle/undo')).toMatchObject({ code: 0 })
    await buy(second, { at: minutesAgo(1) })
    expect(await shown(second)).toMatchObject({ exception: 'UNCLAIMED' })
  })
})

describe('one purchase told of as a platform’s order and as an order of ours', () => {
  const placed = async (orderNo: string, memberId: string) => ({
    orderNo,
    phone: await phoneOf(memberId),
    productCode,
    source: 'DOUYIN',
  })
  const paid = (orderNo: string) => ({
    orderNo,
    provider: 'PLATFORM',
    providerNo: orderNo,
    amountFen: 1_990,
    paidAt: minutesAgo(30),
  })
  const oldMember = async () => {
    const memberId = await enrol(instance)
    await instance.app.db.query
      .updateTable('member')
      .set({ created_at: minutesAgo(600) })
      .where('id', '=', memberId)
      .execute()
    return memberId
  }

  test('opens the course once, whichever comes first', async () => {
    for (const isMoneyFirst of [false, true]) {
      const [memberId, orderNo] = [await oldMember(), newSharedNo()]
      if (isMoneyFirst) await tell('order.paid', paid(orderNo))
      await buy(orderNo, { buyerMobile: await phoneOf(memberId) })
      await tell('order.placed', await placed(orderNo, memberId))
      await tell('order.paid', paid(orderNo))
      expect(await coinsOf(memberId)).toBe(100)
      const orders = await instance.app.db.query
        .selectFrom('sales_order')
        .select(['order_no', 'pay_state'])
        .where('member_id', '=', memberId)
        .execute()
      expect(orders).toEqual([{ order_no: orderNo, pay_state: 'PAID' }])
    }
  })

  test('and refunded before our order is paid holds what that gives, and can be frozen while anything is free', async () => {
    const [memberId, orderNo] = [await oldMember(), newSharedNo()]
    await tell('order.placed', await placed(orderNo, memberId))
    await buy(orderNo, { buyerMobile: await phoneOf(memberId) })
    await tell('voucher.refunded', { orderNo, at: minutesAgo(1), amountFen: 1_990 })
    expect(await shown(orderNo)).toMatchObject({ frozen: true })
    await tell('order.paid', paid(orderNo))
    expect(await heldOf(memberId)).toEqual([true])
    const { id, exception } = await shown(orderNo)
    expect(exception).toBe('NONE')
    expect(await step(id, 'freeze', { reason: '核对' })).toMatchObject({ code: 4006 })
    await instance.app.db.query
      .updateTable('entitlement_lot')
      .set({ held: false })
      .where('member_id', '=', memberId)
      .execute()
    expect(await step(id, 'freeze', { reason: '核对' })).toMatchObject({ code: 0 })
    expect(await heldOf(memberId)).toEqual([true])
    // Held by the refund before somebody froze it too.
    await step(id, 'freeze/undo')
    expect(await heldOf(memberId)).toEqual([true])
  })
})

describe('a refund', () => {
  test('holds what was issued again too, which is no gift of whoever issued it', async () => {
    const [memberId, orderNo] = [await enrol(instance), newOrderNo()]
    await buy(orderNo, { buyerMobile: await phoneOf(memberId) })
    const { id } = await shown(orderNo)
    expect(await step(id, 'regrant', { reason: '误删', productId: null })).toMatchObject({ code: 0 })
    expect(await coinsOf(memberId)).toBe(200)
    const { app, clock } = instance
    const { cap, left } = await app.db.write(tx =>
      allowanceOf({ app, tx, now: clock.now(), actor: { id: desk.id } } as never, 'COINS'),
    )
    expect(left).toBe(cap)
    instance.clock.forward(60_000)
    await tell('voucher.refunded', { orderNo, amountFen: 1_990 })
    expect(await heldOf(memberId)).toEqual([true, true])
  })

  test('holds what the order gave, and raises one notice, however often and early it is told', async () => {
    for (const isEarly of [false, true]) {
      const [memberId, orderNo] = [await enrol(instance), newOrderNo()]
      await instance.app.db.query
        .updateTable('member')
        .set({ created_at: minutesAgo(600) })
        .where('id', '=', memberId)
        .execute()
      const buying = { buyerMobile: await phoneOf(memberId) }
      const refund = () => tell('voucher.refunded', { orderNo, at: minutesAgo(1), amountFen: 1_990 })
      if (isEarly) await refund()
      await buy(orderNo, buying)
      for (let n = 0; n < 2; n += 1) await refund()
      expect(await shown(orderNo)).toMatchObject({ status: 'REFUNDED', refundedFen: 1_990, frozen: true })
      expect(await heldOf(memberId)).toEqual([true])
      expect(await noticesOf(orderNo)).toMatchObject([{ member_id: memberId, lead_phone: buying.buyerMobile }])
    }
  })
})

describe('a voucher', () => {
  const verified = async () => {
    const orderNo = newOrderNo()
    // Of the simulated platform's certificates one in sixteen is refused.
    await buy(orderNo, { certificate: { id: 'C-fine', last4: '4321' } })
    const { id } = await shown(orderNo)
    expect(await step(id, 'verify')).toMatchObject({ code: 0 })
    expect(await shown(orderNo)).toMatchObject({ verifyState: 'ASKED' })
    await instance.outbox.run()
    return { id, orderNo }
  }

  test('is verified by the platform, and the verification cancelled within the hour', async () => {
    const { id, orderNo } = await verified()
    expect(await shown(orderNo)).toMatchObject({ status: 'VERIFIED', verifyState: 'VERIFIED' })
    instance.clock.forward(1_000)
    expect(await step(id, 'cancelVerify', { reason: '核错了' })).toMatchObject({ code: 0 })
    await instance.outbox.run()
    expect(await shown(orderNo)).toMatchObject({ status: 'BOUGHT', verifyState: 'NONE', verifiedAt: null })
  })

  test('stays verified once the hour is over', async () => {
    const { id } = await verified()
    instance.clock.forward(CANCEL_MS + 1_000)
    expect(await step(id, 'cancelVerify', { reason: '核错了' })).toMatchObject({ code: 4006 })
  })

  test('is not verified once its refund is told', async () => {
    const orderNo = newOrderNo()
    await buy(orderNo)
    await tell('platform-order.told', { orderNo, at: minutesAgo(1), isRefundAsked: true })
    const { id } = await shown(orderNo)
    expect(await step(id, 'verify')).toMatchObject({ code: 4006 })
  })

  test('keeps the number it was verified under, by which it is taken back, whoever tells later without one', async () => {
    const orderNo = newOrderNo()
    await buy(orderNo)
    const numberOf = async () =>
      instance.app.db.query
        .selectFrom('platform_order')
        .select(['status', 'verify_id'])
        .where('order_no', '=', orderNo)
        .executeTakeFirst()
    await tell('voucher.verified', { orderNo, at: minutesAgo(9), verifyId: 'V-own' })
    await tell('voucher.verified', { orderNo, at: minutesAgo(8) })
    expect(await numberOf()).toEqual({ status: 'VERIFIED', verify_id: 'V-own' })
    const late = newOrderNo()
    await buy(late)
    await tell('voucher.verified', { orderNo: late, at: minutesAgo(8) })
    await tell('voucher.verified', { orderNo: late, at: minutesAgo(9), verifyId: 'V-late' })
    const row = instance.app.db.query.selectFrom('platform_order').select('verify_id').where('order_no', '=', late)
    expect(await row.executeTakeFirst()).toEqual({ verify_id: 'V-late' })
  })
})
