import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { download, readSheet } from '../../../../tools/testing/sheet.ts'
import type { Shop } from './platforms.server.ts'

/** The two shops whose orders need no voucher to be verified: what is true of one is true of the other. */
const SCREENS = [
  ['wechat-shop', 'channel-order'],
  ['xiaohongshu', 'xhs-order'],
] as const
const ACTIONS = ['list', 'detail', 'export', 'bindMember', 'regrant', 'freeze', 'handle', 'sync']

type Shown = {
  readonly id: string
  readonly orderNo: string
  readonly status: string
  readonly memberId: string | null
  readonly exception: string
}

let instance: TestInstance
let desk: Caller
let productCode: string
beforeAll(async () => {
  instance = await openTestInstance()
  desk = await person(instance, { grants: { 'channel-order': ACTIONS, 'xhs-order': ACTIONS, 'dy-code': ['list'] } })
  const productId = await offer(instance, [grantOf('COINS', 100)], { priceFen: 1_990 })
  const { query } = instance.app.db
  productCode = (await query.selectFrom('product').select('code').where('id', '=', productId).executeTakeFirstOrThrow())
    .code
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let counter = 0
const newOrderNo = () => {
  counter += 1
  return `P76829111206242${counter}`
}
const minutesAgo = (minutes: number) => new Date(instance.clock.now().getTime() - minutes * 60_000).toISOString()
const tell = async (source: Shop, type: string, data: object) => {
  expect(await sendEvent(instance, source, { id: randomUUID(), type, data: data as never })).toMatchObject({ code: 0 })
  await instance.inbox.sweep()
}
const buy = (source: Shop, orderNo: string, more: object = {}) =>
  tell(source, 'platform-order.told', {
    orderNo,
    at: minutesAgo(30),
    paidAt: minutesAgo(30),
    product: '体验课',
    productCode,
    amountFen: 1_990,
    ...more,
  })
const rows = async (screen: string, search: string) =>
  (await desk.get<{ records: Shown[] }>(`/live/${screen}?${search}`)).data.records
const shown = async (screen: string, orderNo: string) => (await rows(screen, `query=${orderNo}`))[0] as Shown
const oldMember = async () => {
  const id = await enrol(instance)
  const { query } = instance.app.db
  await query
    .updateTable('member')
    .set({ created_at: minutesAgo(600) })
    .where('id', '=', id)
    .execute()
  return query.selectFrom('member').select(['id', 'phone']).where('id', '=', id).executeTakeFirstOrThrow()
}

describe.each(SCREENS)('orders of %s', (source, screen) => {
  test('stand on their own screen and on no other, with totals of their own', async () => {
    const orderNo = newOrderNo()
    await buy(source, orderNo, { status: '10' })
    expect(await shown(screen, orderNo)).toMatchObject({ orderNo, platformStatus: '10', status: 'BOUGHT' })
    for (const [, other] of [...SCREENS, ['douyin', 'dy-code'] as const])
      if (other !== screen) expect(await rows(other, `query=${orderNo}`)).toEqual([])
    const { data } = await desk.get<Record<string, number>>(`/live/${screen}/counts`)
    const { n } = await instance.app.db.query
      .selectFrom('platform_order')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('platform', '=', source === 'wechat-shop' ? 'WECHAT_SHOP' : 'XIAOHONGSHU')
      .executeTakeFirstOrThrow()
    expect(Object.values(data).reduce((sum, one) => sum + one, 0)).toBe(Number(n))
  })

  test('are the member’s of the number, and a refund freezes what they gave and raises a notice without push 8', async () => {
    const [{ id, phone }, orderNo] = [await oldMember(), newOrderNo()]
    await buy(source, orderNo, { buyerMobile: phone })
    expect(await shown(screen, orderNo)).toMatchObject({ status: 'REGISTERED', memberId: id })
    await tell(source, 'voucher.refunded', { orderNo, at: minutesAgo(1), amountFen: 1_990 })
    expect(await shown(screen, orderNo)).toMatchObject({ status: 'REFUNDED', frozen: true, exception: 'NONE' })
    const { query } = instance.app.db
    const lots = await query.selectFrom('entitlement_lot').select('held').where('member_id', '=', id).execute()
    expect(lots).toEqual([{ held: true }])
    const notices = await query.selectFrom('refund_notice').selectAll().where('order_no', '=', orderNo).execute()
    expect(notices).toMatchObject([{ source, member_id: id, lead_phone: phone }])
    const pushed = await instance.app.db.read.rows(
      `select 1 from signal where topic = 'push' and payload ->> 'type' = '8'`,
      [],
    )
    expect(pushed).toEqual([])
  })

  test('under a virtual number are nobody’s, and no number leaves whole in an export', async () => {
    const [{ phone }, orderNo] = [await oldMember(), newOrderNo()]
    await buy(source, orderNo, { buyerMobile: phone, isVirtual: true })
    expect(await shown(screen, orderNo)).toMatchObject({ memberId: null, phoneKind: 'VIRTUAL' })
    const { bytes } = await download(instance, desk, `/live/${screen}/download`)
    const lines = JSON.stringify(await readSheet(bytes))
    expect(lines).toContain(orderNo)
    expect(lines).not.toContain(phone)
  })

  test('that nobody claims, or that come twice from one number, stand under exceptions until somebody has handled them', async () => {
    const [late, first, second] = [newOrderNo(), newOrderNo(), newOrderNo()]
    await buy(source, late, { at: minutesAgo(1_600), paidAt: minutesAgo(1_600) })
    for (const orderNo of [first, second]) await buy(source, orderNo, { buyerMobile: '19911110078' })
    const wrong = 'exception=UNCLAIMED&exception=SAME_PHONE'
    expect((await rows(screen, wrong)).map(({ orderNo }) => orderNo)).toEqual([second, first, late])
    // The person's own number is another one: the other order is alone under its number again.
    await tell(source, 'voucher.claimed', { orderNo: second, product: '体验课', phone: '19911110079' })
    expect((await rows(screen, wrong)).map(({ orderNo }) => orderNo)).toEqual([late])
    const { id } = await shown(screen, late)
    expect(await desk.post(`/live/${screen}/${id}/handle`, { reason: '已电话联系' })).toMatchObject({ code: 0 })
    expect(await rows(screen, wrong)).toEqual([])
  })

  test('are bound by hand, and the course is issued again once', async () => {
    const [{ id: memberId }, orderNo] = [await oldMember(), newOrderNo()]
    await buy(source, orderNo)
    const { id } = await shown(screen, orderNo)
    const step = (name: string, body: object = {}) => desk.post(`/live/${screen}/${id}/${name}`, body)
    expect(await step('bindMember', { memberId, leadId: null, reason: '家长提供订单号' })).toMatchObject({ code: 0 })
    expect(await shown(screen, orderNo)).toMatchObject({ status: 'REGISTERED', memberId })
    expect(await step('regrant', { reason: '误删', productId: null })).toMatchObject({ code: 0 })
    expect(await step('regrant', { reason: '误删', productId: null })).toMatchObject({ code: 4006 })
    expect(await step('sync')).toMatchObject({ code: 0 })
  })

  test('whose amount is not told yet open no course, until it is', async () => {
    const [{ phone }, orderNo] = [await oldMember(), newOrderNo()]
    await buy(source, orderNo, { buyerMobile: phone, amountFen: undefined })
    expect(await shown(screen, orderNo)).toMatchObject({ orderId: null, exception: 'PRODUCT_UNKNOWN' })
    await buy(source, orderNo, { at: minutesAgo(20) })
    expect(await shown(screen, orderNo)).toMatchObject({ exception: 'NONE', amountFen: 1_990 })
    expect((await shown(screen, orderNo)) as object).not.toMatchObject({ orderId: null })
  })
})

test('an order of Xiaohongshu tells whether its buyer was added in the chat tool, whenever that is told', async () => {
  const orderNo = newOrderNo()
  const claim = { orderNo, product: '体验课', phone: '19911110080' }
  await tell('xiaohongshu', 'voucher.claimed', { ...claim, isChatAdded: true, at: minutesAgo(1) })
  await tell('xiaohongshu', 'voucher.claimed', { ...claim, at: minutesAgo(5) })
  await buy('xiaohongshu', orderNo)
  expect(await shown('xhs-order', orderNo)).toMatchObject({ chatAdded: true, status: 'CLAIMED' })
  expect((await rows('xhs-order', 'chatAdded=true')).map(row => row.orderNo)).toEqual([orderNo])
})
