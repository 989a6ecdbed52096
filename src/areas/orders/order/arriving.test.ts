import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import type { Source } from '#kit/server/live/event.ts'
import { enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'

const HOUR_MS = 3_600_000

describe('what senders tell of orders', () => {
  let instance: TestInstance
  let phone: string
  let productCode: string

  beforeAll(async () => {
    instance = await openTestInstance()
    const memberId = await enrol(instance)
    phone = (
      await instance.app.db.query
        .selectFrom('member')
        .select('phone')
        .$narrowType<{ phone: string }>()
        .where('id', '=', memberId)
        .executeTakeFirstOrThrow()
    ).phone
    productCode = await codeOf(await offer(instance, [grantOf('MEMBER_DAYS', 30)], { priceFen: 9_900 }))
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const codeOf = async (id: string) =>
    (await instance.app.db.query.selectFrom('product').select('code').where('id', '=', id).executeTakeFirstOrThrow())
      .code
  const newNumber = () => `7${String(randomInt(10 ** 12)).padStart(17, '0')}`
  const tell = async (source: Source, type: string, data: object) => {
    const event = { id: randomUUID(), type, data }
    expect(await sendEvent(instance, source, event as never)).toMatchObject({ code: 0 })
    await instance.inbox.sweep()
    return instance.app.db.query
      .selectFrom('inbox_event')
      .select(['outcome', 'error'])
      .where('event_key', '=', event.id)
      .executeTakeFirstOrThrow()
  }
  const place = (source: Source, orderNo: string, more: object = {}) =>
    tell(source, 'order.placed', { orderNo, phone, productCode, source: 'APP', ...more })
  const paid = (source: Source, orderNo: string, more: object = {}) =>
    tell(source, 'order.paid', {
      orderNo,
      provider: source === 'app' ? 'WECHAT' : 'PLATFORM',
      providerNo: randomUUID(),
      amountFen: 9_900,
      paidAt: instance.clock.now().toISOString(),
      ...more,
    })
  const orderOf = (orderNo: string) =>
    instance.app.db.query
      .selectFrom('sales_order')
      .select(['pay_state', 'paid_fen', 'off_sale'])
      .where('order_no', '=', orderNo)
      .executeTakeFirst()
  const refused = (code: string) => ({ outcome: 'REFUSED', error: `orders/order:${code}` })
  const APPLIED = { outcome: 'APPLIED', error: null }

  test('money that comes before its order waits for it, and pays it when it comes', async () => {
    const orderNo = newNumber()
    expect(await paid('app', orderNo)).toEqual(APPLIED)
    await place('app', orderNo)
    expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'PAID', paid_fen: '9900' })
  })

  test('of money and order that come in the same moment none misses the other', async () => {
    const numbers = Array.from({ length: 8 }, newNumber)
    const second = await openTestInstance({ url: instance.url, clock: instance.clock })
    await Promise.all(
      numbers.flatMap(orderNo => [
        sendEvent(instance, 'app', {
          id: randomUUID(),
          type: 'order.placed',
          data: { orderNo, phone, productCode, source: 'APP' },
        }),
        sendEvent(second, 'app', {
          id: randomUUID(),
          type: 'order.paid',
          data: {
            orderNo,
            provider: 'WECHAT',
            providerNo: randomUUID(),
            amountFen: 9_900,
            paidAt: instance.clock.now().toISOString(),
          },
        }),
      ]),
    )
    for (let times = 0; times < 2; times += 1) await Promise.all([instance.inbox.sweep(), second.inbox.sweep()])
    for (const orderNo of numbers) expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'PAID' })
    // It would go on taking events, and what it has under way nobody here waits for.
    await second.close()
  })

  const exceptionsOf = (orderNo: string) =>
    instance.app.db.query
      .selectFrom('payment_exception')
      .select(['kind', 'amount_fen', 'detail', 'status'])
      .where('said_order_no', '=', orderNo)
      .execute()

  test('the same payment told again changes nothing; its number told of another order or amount is work for somebody', async () => {
    const [first, second] = [newNumber(), newNumber()]
    for (const orderNo of [first, second]) await place('app', orderNo)
    const providerNo = randomUUID()
    for (let times = 0; times < 2; times += 1) expect(await paid('app', first, { providerNo })).toEqual(APPLIED)
    expect(await exceptionsOf(first)).toEqual([])
    expect(await paid('app', second, { providerNo })).toEqual(APPLIED)
    expect(await orderOf(second)).toMatchObject({ pay_state: 'UNPAID' })
    expect(await exceptionsOf(second)).toMatchObject([
      { kind: 'SAME_NUMBER', amount_fen: '9900', status: 'OPEN', detail: expect.stringContaining(first) },
    ])
    for (const amountFen of [9_800, 9_700]) await paid('app', first, { providerNo, amountFen })
    expect(await exceptionsOf(first)).toMatchObject([
      { kind: 'SAME_NUMBER', amount_fen: '9800', status: 'OPEN' },
      { kind: 'SAME_NUMBER', amount_fen: '9700', status: 'OPEN' },
    ])
  })

  test('a number is the same in other letters, and from another provider', async () => {
    const providerNo = `WX${randomUUID()}`.toUpperCase()
    const [first, ...others] = [newNumber(), newNumber(), newNumber()]
    for (const orderNo of [first, ...others]) await place('app', orderNo as string)
    await paid('app', first as string, { providerNo })
    await paid('app', others[0] as string, { providerNo: providerNo.toLowerCase() })
    await paid('app', others[1] as string, { providerNo, provider: 'ALIPAY' })
    for (const orderNo of others) {
      expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'UNPAID' })
      expect(await exceptionsOf(orderNo)).toMatchObject([{ kind: 'SAME_NUMBER' }])
    }
  })

  test('an order placed again under its number is the same order; another one cannot have that number', async () => {
    const orderNo = newNumber()
    for (let times = 0; times < 2; times += 1) expect(await place('app', orderNo)).toEqual(APPLIED)
    const other = { productCode: undefined, product: '别的课', amountFen: 100 }
    expect(await place('app', orderNo, other)).toEqual(refused('number-taken'))
  })

  test.each([
    ['douyin', 'DOUYIN'],
    ['app', 'APP'],
  ] as const)(
    'money of a coin order that was refused pays no order of %s, whatever the event is called',
    async (shop, source) => {
      const orderNo = newNumber()
      await place(shop, orderNo, { source })
      const providerNo = randomUUID()
      const wish = {
        phone,
        coinGoodsId: '999999999',
        receiver: { name: '王小明', phone, province: 'ZJ', address: '杭州市西湖区' },
        payment: { provider: 'WECHAT', providerNo, amountFen: 9_900 },
      }
      await sendEvent(instance, 'app', { id: orderNo, type: 'coin-order.placed', data: wish } as never)
      await instance.inbox.sweep()
      expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'UNPAID' })
      const { status, sender } = await instance.app.db.query
        .selectFrom('payment')
        .select(['status', 'sender'])
        .where('provider_no', '=', providerNo)
        .executeTakeFirstOrThrow()
      expect({ status, sender }).toEqual({ status: 'STRAY', sender: 'app' })
    },
  )

  test('two shops may count alike: each pays its own order', async () => {
    const shops = { DOUYIN: 'douyin', XIAOHONGSHU: 'xiaohongshu' } as const
    const providerNo = randomUUID()
    for (const [source, shop] of Object.entries(shops)) {
      const orderNo = newNumber()
      await place(shop, orderNo, { source })
      for (let times = 0; times < 2; times += 1) await paid(shop, orderNo, { providerNo })
      expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'PAID' })
      expect(await exceptionsOf(orderNo)).toEqual([])
    }
  })

  test("money waits from when we were told of it, whatever the sender's clock says", async () => {
    for (const paidAt of ['2001-01-01T00:00:00Z', '2099-01-01T00:00:00Z']) {
      const [soon, never] = [newNumber(), newNumber()]
      for (const orderNo of [soon, never]) await paid('app', orderNo, { paidAt })
      await place('app', soon)
      expect(await orderOf(soon)).toMatchObject({ pay_state: 'PAID' })
      instance.clock.forward(24 * HOUR_MS)
      await instance.house.runJobs()
      expect(await exceptionsOf(never)).toMatchObject([{ kind: 'STRAY', status: 'OPEN' }])
      const { paid_at: at } = await instance.app.db.query
        .selectFrom('sales_order')
        .select('paid_at')
        .where('order_no', '=', soon)
        .executeTakeFirstOrThrow()
      expect(new Date(String(at)) <= instance.clock.now()).toBe(true)
    }
  })

  test('an order that names what no dictionary has waits for somebody, and is placed once the entry is there', async () => {
    const orderNo = newNumber()
    expect(await place('app', orderNo, { source: 'NOWHERE' })).toMatchObject({
      outcome: 'FAILED',
      error: 'data.source: NOWHERE is not in the dictionary ORDER_SOURCE',
    })
    expect(await orderOf(orderNo)).toBeUndefined()
    const found = await instance.app.db.query
      .selectFrom('payment_exception')
      .select(['id', 'status'])
      .where('kind', '=', 'EVENT')
      .where('detail', 'like', '%NOWHERE%')
      .executeTakeFirstOrThrow()
    expect(found.status).toBe('OPEN')
    await sql`insert into dictionary_item (type_id, value, labels, sort)
      select id, 'NOWHERE', '{"en-US":"Nowhere"}', 99 from dictionary_type where code = 'ORDER_SOURCE'`.execute(
      instance.app.db.query,
    )
    const finance = await person(instance, { superAdmin: true })
    expect(
      await finance.post(`/finance/payment-exception/${found.id}/tryAgain`, { reason: 'the entry is there now' }),
    ).toMatchObject({ code: 0 })
    await instance.inbox.sweep()
    expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'UNPAID' })
  })

  test('money waits a day for its order and no longer; then somebody has to look', async () => {
    const orderNo = newNumber()
    await paid('app', orderNo)
    const found = () =>
      instance.app.db.query
        .selectFrom('payment_exception')
        .select(['cause', 'status'])
        .where('said_order_no', '=', orderNo)
        .execute()
    instance.clock.forward(24 * HOUR_MS - 1)
    await instance.house.runJobs()
    expect(await found()).toEqual([])
    instance.clock.forward(1)
    await instance.house.runJobs()
    expect(await found()).toEqual([{ cause: 'UNKNOWN', status: 'OPEN' }])
    await place('app', orderNo)
    expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'UNPAID' })
  })

  test('a sender pays only what it brought', async () => {
    const orderNo = newNumber()
    await place('app', orderNo)
    expect(await paid('xiaohongshu', orderNo)).toEqual(refused('order-of-another'))
    expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'UNPAID' })
    const shop = newNumber()
    await place('douyin', shop, { source: 'DOUYIN' })
    expect(await paid('app', shop)).toEqual(refused('order-of-another'))
    expect(await paid('douyin', shop)).toEqual(APPLIED)
    expect(await orderOf(shop)).toMatchObject({ pay_state: 'PAID' })
  })

  test("a shop's money that waits pays no order of the app's", async () => {
    const orderNo = newNumber()
    expect(await paid('xiaohongshu', orderNo)).toEqual(APPLIED)
    await place('app', orderNo)
    expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'UNPAID' })
  })

  test.each([
    ['xiaohongshu', 'APP'],
    ['douyin', 'XIAOHONGSHU'],
    ['app', 'DOUYIN'],
    ['app', 'OFFLINE'],
    ['app', 'REDEMPTION'],
  ] as const)('%s places no order in the name of %s', async (source, name) => {
    const orderNo = newNumber()
    expect(await place(source, orderNo, { source: name })).toEqual(refused('source-of-another'))
    expect(await orderOf(orderNo)).toBeUndefined()
  })

  test('a shop tells of its own till alone, and the app of none', async () => {
    expect(await paid('douyin', newNumber(), { provider: 'WECHAT' })).toEqual(refused('payment-of-another'))
    expect(await paid('app', newNumber(), { provider: 'PLATFORM' })).toEqual(refused('payment-of-another'))
  })

  test('the app sells nothing that is off sale; what a shop has sold is taken, and flagged', async () => {
    const off = await offer(instance, [grantOf('COINS', 1)], { priceFen: 9_900 })
    await instance.app.db.query.updateTable('product').set({ status: 'OFF_SALE' }).where('id', '=', off).execute()
    const gone = { productCode: await codeOf(off) }
    const [inApp, inShop] = [newNumber(), newNumber()]
    expect(await place('app', inApp, gone)).toEqual(refused('product-off-sale'))
    expect(await orderOf(inApp)).toBeUndefined()
    expect(await place('douyin', inShop, { ...gone, source: 'DOUYIN' })).toEqual(APPLIED)
    await paid('douyin', inShop)
    expect(await orderOf(inShop)).toMatchObject({ pay_state: 'PAID', off_sale: true })
  })

  test('what costs nothing is complete as it is placed', async () => {
    const free = await offer(instance, [grantOf('COINS', 3)], { priceFen: 0 })
    const orderNo = newNumber()
    await place('app', orderNo, { productCode: await codeOf(free) })
    expect(await orderOf(orderNo)).toMatchObject({ pay_state: 'PAID', paid_fen: '0' })
  })
})
