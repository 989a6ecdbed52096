import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payWithStray } from '#areas/orders/order/paying.server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { atOnce } from '#kit/server/work/job.ts'
import { enrol, grantOf, offer, pay } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { IS_LONG } from '../../../../tools/testing/long.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Link } from './model.ts'
import { jobs } from './server.ts'

const PATH = '/sales/link'
const READ = ['list', 'detail']
const SELLS = {
  'sale-link': [...READ, 'create', 'extend', 'close'],
  'sale-apply': [...READ, 'create'],
  'sale-salvage': [...READ, 'claim'],
  'order-list': READ,
}
const PRICE = 36_500
const LOWER = 33_000
const DAY_MS = 86_400_000

let instance: TestInstance
let manager: Caller
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({
    clock,
    env: { SHOP_URL: 'https://shop.example/buy', LINK_URL: 'https://s.example/' },
  })
  manager = await leader()
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const leader = () =>
  person(instance, {
    grants: { ...SELLS, 'sale-apply': [...READ, 'approve'], 'order-list': [...READ, 'close'] },
    scope: 'ALL',
  })
/** Whoever signed in yesterday signs in again. */
const nextDay = async () => {
  clock.forward(DAY_MS)
  manager = await leader()
}
const query = () => instance.app.db.query
const seller = () => person(instance, { grants: SELLS, scope: 'SELF' })
const today = () => dayOf(clock.now())
const product = () => offer(instance, [grantOf('MEMBER_DAYS', 30)], { priceFen: PRICE })
const read = async (id: string) => (await manager.get<Link>(`${PATH}/${id}`)).data
const post = (by: Caller, body: object) =>
  by.post<{ id: string }>(PATH, { discountId: null, expiresOn: addDays(today(), 7), forId: null, ...body })
async function make(by: Caller, body: object): Promise<Link> {
  const { code, data } = await post(by, body)
  expect(code).toBe(0)
  return read(data.id)
}
const step = (by: Caller, { id }: Pick<Link, 'id'>, name: string, body: object = {}) =>
  by.post(`${PATH}/${id}/${name}`, body)

/** What the night does with links. */
const tidy = () => Promise.all(jobs.map(job => instance.changing(atOnce(job))))

/** A price somebody asked for, and the manager agreed to. */
async function agreed(by: Caller, productId: string, priceFen = LOWER): Promise<string> {
  const blank = { leadPhone: null, poolId: null, quotaDay: null, extraClaims: null, giftToId: null, giftKind: null }
  const asked = {
    ...blank,
    kind: 'DISCOUNT',
    productId,
    priceFen,
    quantity: null,
    couponId: null,
    reason: '老客户介绍',
  }
  const { data } = await by.post<{ id: string }>('/sales/sales-request', asked)
  expect(await manager.post(`/sales/sales-request/${data.id}/approve`, {})).toMatchObject({ code: 0 })
  return data.id
}
async function discounted(by: Caller) {
  const productId = await product()
  return { productId, link: await make(by, { productId, discountId: await agreed(by, productId) }) }
}

const buyer = async () => {
  const row = query()
    .selectFrom('member')
    .select('phone')
    .where('id', '=', await enrol(instance))
  return String((await row.executeTakeFirstOrThrow()).phone)
}
const newNumber = () => `8${String(randomInt(10 ** 12)).padStart(17, '0')}`
const codeOf = async (id: string) =>
  (await query().selectFrom('product').select('code').where('id', '=', id).executeTakeFirstOrThrow()).code
const orderOf = (orderNo: string) =>
  query()
    .selectFrom('sales_order')
    .select(['id', 'amount_fen', 'link_id', 'pay_state'])
    .where('order_no', '=', orderNo)
    .executeTakeFirstOrThrow()
async function told(productId: string, state: string, more: object = {}) {
  const data = {
    phone: await buyer(),
    productCode: await codeOf(productId),
    source: 'LINK',
    state,
    orderNo: newNumber(),
  }
  return { type: 'order.placed', data: { ...data, ...more } }
}
/** Somebody orders by a link; gives the order. */
async function order(productId: string, { code }: Pick<Link, 'code'>, more: object = {}) {
  const event = await told(productId, code, more)
  await sendEvent(instance, 'app', event)
  await instance.inbox.sweep()
  const { orderNo } = event.data
  return { orderNo, ...(await orderOf(orderNo)) }
}
const placed = async ({ id }: { id: string }) =>
  query()
    .selectFrom('sales_link_order')
    .select(['outcome', 'amount_fen', 'told_fen', 'paid_fen'])
    .where('order_id', '=', id)
    .execute()
const payFor = ({ orderNo, amount_fen }: { orderNo: string; amount_fen: string }) =>
  pay(instance, { orderNo, amountFen: Number(amount_fen) })

describe('a link', () => {
  test('locks the price of the day: it is sold at that also when the product costs more', async () => {
    const [me, productId] = [await seller(), await product()]
    const link = await make(me, { productId })
    expect(link).toMatchObject({ ownerId: me.id, priceFen: PRICE, listFen: PRICE, status: 'ACTIVE' })
    expect(link.code).toMatch(/^[2-9a-hjkmnp-z]{8}$/)
    expect(link.handedOn.address).toBe(`https://s.example/${link.code}`)
    expect(link.handedOn.squares.length).toBeGreaterThan(20)
    await query()
      .updateTable('product')
      .set({ price_fen: PRICE + 5_000, list_fen: PRICE + 5_000 })
      .where('id', '=', productId)
      .execute()
    const bought = await order(productId, link, { quantity: 2 })
    expect(bought).toMatchObject({ amount_fen: String(2 * PRICE), link_id: link.id })
    expect(await placed(bought)).toMatchObject([{ outcome: 'LOCKED', amount_fen: String(2 * PRICE), told_fen: null }])
  })

  test('is made for oneself, or by who leads them for others; not for whom one does not reach', async () => {
    const [me, other, productId] = [await seller(), await seller(), await product()]
    expect(await make(manager, { productId, forId: me.id })).toMatchObject({ ownerId: me.id })
    expect(await post(me, { productId, forId: other.id })).toMatchObject({ code: 4005 })
    expect((await other.get<{ total: number }>(PATH)).data.total).toBe(0)
  })

  test('lasts no longer than is allowed, can be extended and closed, and is over after its last day', async () => {
    const [me, productId] = [await seller(), await product()]
    expect(await post(me, { productId, expiresOn: addDays(today(), 31) })).toMatchObject({ code: 4005 })
    expect(await post(me, { productId, expiresOn: addDays(today(), -1) })).toMatchObject({ code: 4005 })
    const link = await make(me, { productId, expiresOn: today() })
    await nextDay()
    expect(await placed(await order(productId, link))).toMatchObject([{ outcome: 'NOT_IN_FORCE' }])
    await tidy()
    expect(await read(link.id)).toMatchObject({ status: 'EXPIRED', handedOn: { squares: [] } })
    expect(await step(me, link, 'extend', { expiresOn: addDays(today(), 31) })).toMatchObject({ code: 4005 })
    expect(await step(me, link, 'extend', { expiresOn: addDays(today(), 3) })).toMatchObject({ code: 0 })
    expect(await read(link.id)).toMatchObject({ status: 'ACTIVE', expiresOn: addDays(today(), 3) })
    expect(await step(me, link, 'close')).toMatchObject({ code: 0 })
    expect(await step(me, link, 'extend', { expiresOn: addDays(today(), 3) })).toMatchObject({ code: 4006 })
    expect(await placed(await order(productId, link))).toMatchObject([{ outcome: 'NOT_IN_FORCE' }])
  })

  test('locks its price for so many days from the day it was made, however often it is extended', async () => {
    const [me, productId] = [await seller(), await product()]
    const { data } = await me.get<{ mostDays: number }>(`${PATH}/terms`)
    expect(data).toEqual({ mostDays: 30 })
    const link = await make(me, { productId, expiresOn: addDays(today(), 20) })
    const last = addDays(today(), 30)
    clock.forward(15 * DAY_MS)
    manager = await leader()
    expect(await step(manager, link, 'extend', { expiresOn: addDays(last, 1) })).toMatchObject({
      code: 4005,
      data: { fields: { expiresOn: `A price can be locked until ${last} at most` } },
    })
    expect(await step(manager, link, 'extend', { expiresOn: last })).toMatchObject({ code: 0 })
    clock.forward(16 * DAY_MS)
    manager = await leader()
    await tidy()
    expect(await step(manager, link, 'extend', { expiresOn: today() })).toMatchObject({
      code: 4006,
      msg: expect.stringContaining(`This price could be locked until ${last}`),
    })
  })

  test('is not promised for longer once its product is no longer sold', async () => {
    const [me, productId] = [await seller(), await product()]
    const link = await make(me, { productId })
    await query().updateTable('product').set({ status: 'OFF_SALE' }).where('id', '=', productId).execute()
    expect(await step(me, link, 'extend', { expiresOn: addDays(today(), 3) })).toMatchObject({ code: 4006 })
    expect(await post(me, { productId })).toMatchObject({ code: 4005 })
  })
})

describe('a discount', () => {
  test('makes one link, for whoever asked for it and the product it was asked for', async () => {
    const [me, other, productId, another] = [await seller(), await seller(), await product(), await product()]
    const discountId = await agreed(me, productId)
    const offered = async () => (await me.get<{ id: string }[]>(`${PATH}/discounts`)).data
    expect(await offered()).toMatchObject([{ id: discountId, priceFen: LOWER, productId }])
    expect((await other.get(`${PATH}/discounts?forId=${me.id}`)).data).toEqual([])
    expect(await post(me, { productId: another, discountId })).toMatchObject({ code: 4005 })
    expect(await post(other, { productId, discountId })).toMatchObject({ code: 4005 })
    expect(await post(manager, { productId, discountId })).toMatchObject({ code: 4005 })
    expect(await post(me, { productId, discountId, expiresOn: addDays(today(), 15) })).toMatchObject({ code: 4005 })
    const link = await make(me, { productId, discountId })
    expect(link).toMatchObject({ priceFen: LOWER, listFen: PRICE, discountId })
    expect(await offered()).toEqual([])
    expect(await post(me, { productId, discountId })).toMatchObject({ code: 4005 })
    // Closed unused, it may go into another link.
    await step(me, link, 'close')
    expect(await make(me, { productId, discountId })).toMatchObject({ priceFen: LOWER })
    expect(await step(me, link, 'close/undo')).not.toMatchObject({ code: 0 })
  })

  test('is sold to one order; the next pays the price of the day', async () => {
    const me = await seller()
    const { productId, link } = await discounted(me)
    const first = await order(productId, link)
    expect(first.amount_fen).toBe(String(LOWER))
    expect(await read(link.id)).toMatchObject({ status: 'USED', usedOrderId: first.id })
    const second = await order(productId, link)
    expect(second.amount_fen).toBe(String(PRICE))
    // Agreed to for one piece: whoever orders several pays for the others what everybody does.
    const several = await discounted(me)
    const three = await order(several.productId, several.link, { quantity: 3 })
    expect(three.amount_fen).toBe(String(LOWER + 2 * PRICE))
    expect(await placed(three)).toMatchObject([{ outcome: 'DISCOUNTED', amount_fen: String(LOWER + 2 * PRICE) }])
    expect(await placed(second)).toMatchObject([{ outcome: 'ALREADY_USED' }])
  })

  /** An order at the discount that was closed before its money came. */
  async function closedOrder() {
    const { productId, link } = await discounted(await seller())
    const first = await order(productId, link)
    expect(await manager.post(`/orders/order/${first.id}/close`, { reason: '不买了' })).toMatchObject({ code: 0 })
    expect(await read(link.id)).toMatchObject({ status: 'ACTIVE', usedOrderId: null })
    return { productId, link, first }
  }
  /** The money comes, and two people put it to the order after all. */
  async function paidAfterAll(closed: { id: string; orderNo: string; amount_fen: string }) {
    await payFor(closed)
    const stray = query().selectFrom('payment').select('id').where('said_order_no', '=', closed.orderNo)
    const payment = { ...(await stray.executeTakeFirstOrThrow()), amountFen: Number(closed.amount_fen) }
    await instance.changing(change => payWithStray(change, payment, closed.id))
    // Whoever put it there has worked it off, which finance does on a page of its own.
    await query().deleteFrom('payment_exception').where('payment_id', '=', payment.id).execute()
  }

  test('is used with a closed order that is paid after all', async () => {
    const { link, first } = await closedOrder()
    await paidAfterAll(first)
    expect(await read(link.id)).toMatchObject({ status: 'USED', usedOrderId: first.id, amountFen: LOWER })
  })

  test('is not used twice where another order has it by then', async () => {
    const { link, productId, first } = await closedOrder()
    const second = await order(productId, link)
    await expect(paidAfterAll(first)).rejects.toThrow()
    expect(await read(link.id)).toMatchObject({ status: 'USED', usedOrderId: second.id, orders: 0 })
  })

  test('is free again where its order is closed unpaid', async () => {
    const { productId, link } = await closedOrder()
    const second = await order(productId, link)
    expect(second.amount_fen).toBe(String(LOWER))
    await payFor(second)
    expect(await read(link.id)).toMatchObject({ status: 'USED', usedOrderId: second.id, orders: 1, amountFen: LOWER })
  })

  test('of orders that come at once for one discount, one gets it', async () => {
    const times = IS_LONG ? 20 : 1
    const second = await openTestInstance({ url: instance.url, clock })
    for (let time = 0; time < times; time += 1) {
      const { productId, link } = await discounted(await seller())
      const events = await Promise.all(Array.from({ length: 8 }, () => told(productId, link.code)))
      await Promise.all(events.map((event, nth) => sendEvent(nth % 2 === 0 ? instance : second, 'app', event)))
      for (let round = 0; round < 3; round += 1) await Promise.all([instance.inbox.sweep(), second.inbox.sweep()])
      const orders = await Promise.all(events.map(({ data }) => orderOf(data.orderNo)))
      expect(orders.map(({ amount_fen }) => Number(amount_fen)).sort()).toEqual([LOWER, ...Array(7).fill(PRICE)])
    }
  })

  test('is used once by an order that is told twice under its number', async () => {
    const me = await seller()
    const { productId, link } = await discounted(me)
    const event = await told(productId, link.code)
    for (const id of [randomUUID(), randomUUID()]) await sendEvent(instance, 'app', { id, ...event })
    await instance.inbox.sweep()
    const first = await orderOf(event.data.orderNo)
    expect(first.amount_fen).toBe(String(LOWER))
    expect(await placed(first)).toHaveLength(1)
    expect(await read(link.id)).toMatchObject({ status: 'USED', usedOrderId: first.id })
  })
})

describe('what comes by a link', () => {
  test('an order the shop sold for less is taken at our price, and the link says so', async () => {
    const [me, productId] = [await seller(), await product()]
    const link = await make(me, { productId })
    const bought = await order(productId, link, { amountFen: PRICE - 1 })
    expect(bought.amount_fen).toBe(String(PRICE))
    expect(await placed(bought)).toMatchObject([{ told_fen: String(PRICE - 1) }])
    expect(await read(link.id)).toMatchObject({ shortOrders: 1 })
    await order(productId, link, { amountFen: PRICE })
    expect(await read(link.id)).toMatchObject({ shortOrders: 1 })
  })

  test('a state nobody gave out changes nothing', async () => {
    const productId = await product()
    expect(await order(productId, { code: 'nobodys2' })).toMatchObject({ amount_fen: String(PRICE), link_id: null })
  })

  test('paid orders and their money count, and are found by the link', async () => {
    const me = await seller()
    const productId = await product()
    const link = await make(me, { productId })
    const [first] = [await order(productId, link), await order(productId, link)]
    expect(await read(link.id)).toMatchObject({ orders: 0, amountFen: 0 })
    await payFor(first)
    expect(await read(link.id)).toMatchObject({ orders: 1, amountFen: PRICE })
    const found = async (more: string) =>
      (await manager.get<{ records: { id: string }[] }>(`/orders/order?linkId=${link.id}${more}`)).data.records
    expect(await found('&payState=PAID')).toMatchObject([{ id: first.id }])
    expect(await found('')).toHaveLength(2)
    expect((await manager.get<{ total: number }>(`${PATH}/${link.id}/orders`)).data.total).toBe(2)
  })

  let phones = PHONES.test + 96_000
  const newPhone = () => {
    phones += 1
    return phoneAt(phones)
  }
  const reach = async (state: string, phone = newPhone()) => {
    const data = { phone, step: 'PROFILE', source: 'APP', channel: 'STORE', state }
    await sendEvent(instance, 'app', { type: 'registration.reached', data })
    await instance.inbox.sweep()
    const lead = query()
      .selectFrom('lead')
      .select(['id', 'owner_id', 'link_id', 'product_id', 'status'])
      .where('phone', '=', phone)
    return { phone, ...(await lead.executeTakeFirstOrThrow()) }
  }

  test('a new lead is of whoever made the link, and keeps the first link it came by', async () => {
    const [me, other] = [await seller(), await seller()]
    const [link, later] = [
      await make(me, { productId: await product() }),
      await make(other, { productId: await product() }),
    ]
    const lead = await reach(link.code)
    expect(lead).toMatchObject({ owner_id: me.id, link_id: link.id, status: 'ASSIGNED' })
    expect(await reach(later.code, lead.phone)).toMatchObject({ owner_id: me.id, link_id: link.id })
    expect(await read(link.id)).toMatchObject({ leads: 1 })
    expect(await read(later.id)).toMatchObject({ leads: 0 })
    const found = await manager.get<{ records: { id: string }[] }>(`/sales/salvage?linkId=${link.id}`)
    expect(found.data.records).toMatchObject([{ id: lead.id }])
  })

  test('by a link that is over a lead is nobody’s, and by one nobody gave out it is as any other', async () => {
    const me = await seller()
    const link = await make(me, { productId: await product() })
    await step(me, link, 'close')
    // Who asks for a product by it still does: the rules of allocation know.
    expect(await reach(link.code)).toMatchObject({ owner_id: null, link_id: link.id, product_id: link.productId })
    expect(await reach('nobodys3')).toMatchObject({ owner_id: null, link_id: null })
  })
})

describe('whoever opens a link', () => {
  const open = async (code: string, from: { address?: string; agent?: string } = {}) => {
    const { address = '10.0.0.1', agent = 'phone' } = from
    const answer = await instance.http.inject({
      ...{ method: 'GET', url: `/api/go/${code}?from=singlemessage`, remoteAddress: address },
      headers: { 'user-agent': agent },
    })
    return { status: answer.statusCode, to: answer.headers.location }
  }
  const SHOP = 'https://shop.example/buy'

  test('is led to the shop with its state; by any other code to the shop alone', async () => {
    const [me, productId] = [await seller(), await product()]
    const link = await make(me, { productId })
    const to = `${SHOP}?product=${await codeOf(productId)}&state=${link.code}`
    expect(await open(link.code)).toEqual({ status: 302, to })
    expect(await open('nobodys4')).toEqual({ status: 302, to: SHOP })
    await step(me, link, 'close')
    expect(await open(link.code)).toEqual({ status: 302, to: SHOP })
  })

  test('counts once a day, and no more is kept than tells visitors apart on that day', async () => {
    const link = await make(await seller(), { productId: await product() })
    for (const agent of ['phone', 'phone', 'tablet']) await open(link.code, { address: '10.0.0.2', agent })
    await open(link.code, { address: '10.0.0.3' })
    expect(await read(link.id)).toMatchObject({ visits: 3 })
    await nextDay()
    await open(link.code, { address: '10.0.0.2' })
    expect(await read(link.id)).toMatchObject({ visits: 4 })
    const days = await manager.get<{ records: { day: string; visits: number }[] }>(`${PATH}/${link.id}/days`)
    expect(days.data.records.map(({ visits }) => visits)).toEqual([1, 3])
    await tidy()
    const kept = query().selectFrom('sales_link_visitor').select('day').where('link_id', '=', link.id)
    expect(await kept.execute()).toHaveLength(1)
  })

  test('sixty times a minute from one address; then the shop alone, and nobody can try codes', async () => {
    const link = await make(await seller(), { productId: await product() })
    const answers = []
    for (let time = 0; time < 62; time += 1) answers.push((await open(link.code, { address: '10.0.0.9' })).to)
    expect(answers.filter(to => to === SHOP)).toHaveLength(2)
    expect((await open(link.code, { address: '10.0.0.10' })).to).toContain(link.code)
    clock.forward(61_000)
    expect((await open(link.code, { address: '10.0.0.9' })).to).toContain(link.code)
  })

  test('is told so where no shop is set', async () => {
    const bare = await openTestInstance({ url: instance.url, clock })
    const link = await make(await seller(), { productId: await product() })
    const said = await caller(bare).get(`/go/${link.code}`)
    expect(said).toMatchObject({ status: 200, body: expect.stringContaining('SHOP_URL') })
  })
})
