import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settleRefund } from '#engines/payment/refund.server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import {
  type Bought,
  buy,
  enrol,
  grantOf,
  offer,
  order,
  pay,
  proof,
  takeOffline,
} from '../../../../tools/testing/commerce.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import { putInForce } from '../../../../tools/testing/settings.ts'
import type { PaymentException } from './model.ts'

const PATH = '/finance/payment-exception'
const READ = ['list', 'detail']
const DAY_MS = 24 * 3_600_000

describe('money no record explains', () => {
  let instance: TestInstance
  let finance: Caller
  let cashier: Caller
  let clerk: Caller
  let productId: string

  beforeAll(async () => {
    instance = await openTestInstance()
    const orders = { 'order-list': [...READ, 'close'] }
    finance = await person(instance, {
      grants: {
        ...orders,
        orderPay: [...READ, 'proposeOrder', 'proposeReturn', 'proposeSettled', 'tryAgain', 'confirm', 'decline'],
        'order-refundApply': [...READ, 'create'],
      },
    })
    cashier = await person(instance, {
      grants: {
        ...orders,
        orderPay: [...READ, 'confirm', 'decline'],
        'order-refundApply': [...READ, 'pay', 'recordPaid'],
      },
    })
    clerk = await person(instance, { grants: { 'order-refundApply': [...READ, 'approve'] } })
    productId = await offer(instance, [grantOf('MEMBER_DAYS', 365)])
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const ordered = async (): Promise<Bought> => order(instance, await enrol(instance), productId)
  const openOnes = async (subject: string) =>
    (await finance.get<{ records: PaymentException[] }>(`${PATH}?query=${subject}&status=OPEN`)).data.records
  const paymentOf = (providerNo: string) =>
    instance.app.db.query
      .selectFrom('payment')
      .selectAll()
      .where('provider_no', '=', providerNo)
      .executeTakeFirstOrThrow()
  /** Money that fits nothing, and the exception it is. */
  const stray = async (paid: Pick<Bought, 'orderNo' | 'amountFen'>) => {
    const providerNo = randomUUID()
    await pay(instance, paid, providerNo)
    const [found] = await openOnes(providerNo)
    return { providerNo, found: found as PaymentException }
  }
  const stateOf = async ({ orderId }: Bought) =>
    (
      await instance.app.db.query
        .selectFrom('sales_order')
        .select('pay_state')
        .where('id', '=', orderId)
        .executeTakeFirstOrThrow()
    ).pay_state
  const step = (who: Caller, { id }: Pick<PaymentException, 'id'>, name: string, body: object = {}) =>
    who.post(`${PATH}/${id}/${name}`, body)
  // Sessions end after a week as well.
  const statusOf = async ({ id }: PaymentException) =>
    (
      await instance.app.db.query
        .selectFrom('payment_exception')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).status
  const reason = 'the parent paid twice'

  test('is an exception at once, with what it was for and why it does not fit', async () => {
    const twice = await ordered()
    await pay(instance, twice)
    const { found } = await stray(twice)
    expect(found).toMatchObject({
      kind: 'STRAY',
      cause: 'TWICE',
      amountFen: 36_500,
      orderId: twice.orderId,
      status: 'OPEN',
    })
  })

  test('is put to an order by one person and confirmed by another; then the order is paid', async () => {
    const { found, providerNo } = await stray({ ...(await ordered()), amountFen: 40_000 })
    const right = await order(
      instance,
      await enrol(instance),
      await offer(instance, [grantOf('COINS', 5)], { priceFen: 40_000 }),
    )
    expect(await step(finance, found, 'proposeOrder', { proposedOrderId: right.orderId })).toMatchObject({ code: 4005 })
    expect(await step(finance, found, 'proposeOrder', { proposedOrderId: right.orderId, reason })).toMatchObject({
      code: 0,
    })
    expect(await step(finance, found, 'confirm')).toMatchObject({
      code: 4006,
      msg: 'This could not be done: You cannot confirm your own proposal',
    })
    expect(await stateOf(right)).toBe('UNPAID')
    expect(await step(cashier, found, 'confirm')).toMatchObject({ code: 0 })
    expect(await stateOf(right)).toBe('PAID')
    expect(await paymentOf(providerNo)).toMatchObject({
      status: 'RECEIVED',
      order_id: right.orderId,
      stray_reason: null,
    })
    const { data } = await finance.get<PaymentException>(`${PATH}/${found.id}`)
    expect(data).toMatchObject({
      status: 'DONE',
      proposedBy: finance.id,
      confirmedBy: cashier.id,
      proposalNote: reason,
    })
    const timeline = await finance.get<{ records: { action: string }[] }>(`${PATH}/${found.id}/timeline`)
    expect(JSON.stringify(timeline.data)).toContain(reason)
  })

  test('names the member it came from, the one it is proposed for, and the first again when that is taken back', async () => {
    const [payer, other] = [await enrol(instance), await enrol(instance)]
    const said = await order(instance, payer, productId)
    const bought = await order(instance, other, productId)
    const { found } = await stray({ ...said, amountFen: 40_000 })
    expect(found.memberId).toBe(payer)
    const shown = async () => (await finance.get<PaymentException>(`${PATH}/${found.id}`)).data
    const proposal = { proposedOrderId: bought.orderId, reason: 'the same amount' }
    expect(await step(finance, found, 'proposeOrder', proposal)).toMatchObject({ code: 0 })
    expect(await shown()).toMatchObject({ status: 'PROPOSED', memberId: other })
    expect(await step(finance, found, 'proposeOrder/undo')).toMatchObject({ code: 0 })
    expect(await shown()).toMatchObject({ status: 'OPEN', memberId: payer, proposedBy: null, proposalNote: '' })
  })

  test('that is dealt with stands below all that is still to be dealt with', async () => {
    const { found: open } = await stray({ ...(await ordered()), amountFen: 41_000 })
    const { found: over } = await stray({ ...(await ordered()), amountFen: 42_000 })
    await step(finance, over, 'proposeSettled', { reason })
    expect(await step(cashier, over, 'confirm')).toMatchObject({ code: 0 })
    const { data } = await finance.get<{ records: PaymentException[] }>(`${PATH}?size=100`)
    const states = data.records.map(({ status }) => status)
    expect(states.indexOf('DONE')).toBeGreaterThan(states.lastIndexOf('OPEN'))
    expect(data.records.map(({ id }) => id)).toEqual(expect.arrayContaining([open.id, over.id]))
  })

  test('that came after its order was closed pays that order, if two people say so', async () => {
    const late = await ordered()
    await finance.post(`/orders/order/${late.orderId}/close`, { reason: 'nobody paid' })
    const { found } = await stray(late)
    await step(finance, found, 'proposeOrder', { proposedOrderId: late.orderId, reason })
    expect(await step(cashier, found, 'confirm')).toMatchObject({ code: 0 })
    expect(await stateOf(late)).toBe('PAID')
  })

  test('pays no order of another price, and none that is paid', async () => {
    const { found } = await stray({ ...(await ordered()), amountFen: 1 })
    const cheap = await ordered()
    await step(finance, found, 'proposeOrder', { proposedOrderId: cheap.orderId, reason })
    expect(await step(cashier, found, 'confirm')).toMatchObject({ code: 4006 })
    expect(await step(cashier, found, 'decline', { reason: 'another price' })).toMatchObject({ code: 0 })
    const paid = await buy(instance, await enrol(instance), productId)
    const again = await stray(paid)
    await step(finance, again.found, 'proposeOrder', { proposedOrderId: paid.orderId, reason })
    expect(await step(cashier, again.found, 'confirm')).toMatchObject({
      code: 4006,
      msg: 'This could not be done: The order can no longer be paid: Paid',
    })
    expect(await paymentOf(again.providerNo)).toMatchObject({ status: 'STRAY' })
  })

  test('is given back once, the way it came, by two people', async () => {
    const { found, providerNo } = await stray({ ...(await ordered()), amountFen: 5 })
    await step(finance, found, 'proposeReturn', { reason })
    const answers = await Promise.all([1, 2, 3].map(() => step(cashier, found, 'confirm')))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    await instance.outbox.run()
    expect(await paymentOf(providerNo)).toMatchObject({ status: 'GIVEN_BACK', refunded_fen: '5' })
  })

  test('that the provider does not take back is work again', async () => {
    // The simulated provider fails amounts that end in 13 the first time.
    const { found, providerNo } = await stray({ ...(await ordered()), amountFen: 113 })
    await step(finance, found, 'proposeReturn', { reason })
    await step(cashier, found, 'confirm')
    await instance.outbox.run()
    expect(await paymentOf(providerNo)).toMatchObject({ status: 'STRAY' })
    expect(await openOnes(providerNo)).toMatchObject([
      { detail: expect.stringContaining('NOT_ENOUGH'), proposedBy: null },
    ])
    await step(finance, found, 'proposeReturn', { reason })
    await step(cashier, found, 'confirm')
    await instance.outbox.run()
    expect(await paymentOf(providerNo)).toMatchObject({ status: 'GIVEN_BACK' })
  })

  test('a refund paid by hand that the provider pays as well is told, once', async () => {
    const { orderId } = await buy(instance, await enrol(instance), productId)
    const body = refundBody(orderId, 10_014)
    const { data } = await finance.post<{ id: string }>('/orders/refund-application', body)
    await clerk.post(`/orders/refund-application/${data.id}/approve`)
    await cashier.post(`/orders/refund-application/${data.id}/pay`)
    await instance.outbox.run()
    const byHand = { transactionNo: randomUUID(), proof: [await proof(instance, cashier.id)] }
    expect(await cashier.post(`/orders/refund-application/${data.id}/recordPaid`, byHand)).toMatchObject({ code: 0 })
    const { refund_no: refundNo } = await instance.app.db.query
      .selectFrom('refund_application')
      .select('refund_no')
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow()
    for (let times = 0; times < 2; times += 1)
      await instance.app.db.write(tx =>
        settleRefund(ownChange(instance.app, tx, instance.clock.now(), 'test'), refundNo, {
          status: 'SUCCESS',
          providerNo: 'W-LATE',
          error: '',
        }),
      )
    const [found] = await openOnes(refundNo)
    expect(found).toMatchObject({ kind: 'REFUND_TWICE', amountFen: 10_014, orderId, provider: 'WECHAT' })
    expect(await step(finance, found as PaymentException, 'proposeReturn', { reason })).toMatchObject({ code: 4006 })
    await step(finance, found as PaymentException, 'proposeSettled', { reason: 'the parent paid it back' })
    expect(await step(cashier, found as PaymentException, 'confirm')).toMatchObject({ code: 0 })
  })

  test('an event that was given up is tried again when somebody says so', async () => {
    const phone = '13700009999'
    const event = {
      id: randomUUID(),
      type: 'order.placed',
      data: { phone, product: '季度会员', amountFen: 9_900, source: 'APP' },
    }
    await sendEvent(instance, 'app', event)
    await instance.inbox.sweep()
    await instance.app.db.query
      .updateTable('inbox_event')
      .set({ attempts: 35, awaits: null })
      .where('event_key', '=', event.id)
      .execute()
    await instance.app.db.read.pool.query('alter table order_line rename to order_line_away')
    await instance.app.db.query.insertInto('member').values({ name: '新', phone, source: 'APP' }).execute()
    instance.clock.forward(3_600_000)
    await instance.inbox.sweep()
    await instance.app.db.read.pool.query('alter table order_line_away rename to order_line')
    const [found] = await openOnes(`app:${event.id}`)
    expect(found).toMatchObject({ kind: 'EVENT' })
    // The first that can be done is what somebody is offered first.
    const { data } = await finance.get<{ steps: Record<string, unknown> }>(`/finance/payment-exception/${found?.id}`)
    const open = Object.keys(data.steps).filter(name => data.steps[name] === null)
    expect(open).toEqual(['tryAgain', 'proposeSettled'])
    expect(await step(finance, found as PaymentException, 'tryAgain', { reason: 'mended' })).toMatchObject({ code: 0 })
    await instance.inbox.sweep()
    const placed = await instance.app.db.query
      .selectFrom('sales_order as o')
      .innerJoin('member as m', 'm.id', 'o.member_id')
      .select('o.id')
      .where('m.phone', '=', phone)
      .execute()
    expect(placed).toHaveLength(1)
  })

  test('goes back when it was to go back the day it was found, whatever is set later', async () => {
    const before = await stray({ ...(await ordered()), amountFen: 8 })
    await putInForce(instance, 'stray.returnDays', 2)
    const after = await stray({ ...(await ordered()), amountFen: 9 })
    instance.clock.forward(2 * DAY_MS)
    await instance.house.runJobs()
    await instance.outbox.run()
    expect(await paymentOf(before.providerNo)).toMatchObject({ status: 'STRAY' })
    expect(await paymentOf(after.providerNo)).toMatchObject({ status: 'GIVEN_BACK' })
    await putInForce(instance, 'stray.returnDays', 7)
  })

  test('when it goes back by itself is set by two people', async () => {
    const proposer = await person(instance, { grants: { 'operate-config': [...READ, 'create', 'withdraw'] } })
    const { query } = instance.app.db
    const inForce = await query
      .selectFrom('setting_change')
      .select('id')
      .where('key', '=', 'stray.returnDays')
      .where('status', '=', 'IN_FORCE')
      .executeTakeFirst()
    const entered = { key: 'stray.returnDays', value: 1, reason: 'sooner', basedOn: inForce?.id ?? null }
    const { data } = await proposer.post<{ id: string }>('/operations/config', entered)
    expect((await proposer.get(`/operations/config/${data.id}`)).data).toMatchObject({ status: 'PROPOSED' })
    await proposer.post(`/operations/config/${data.id}/withdraw`)
  })

  test('goes back by itself after a week when nobody decided, and stays while somebody is at it', async () => {
    const left = await stray({ ...(await ordered()), amountFen: 6 })
    const proposed = await stray({ ...(await ordered()), amountFen: 7 })
    await step(finance, proposed.found, 'proposeSettled', { reason })
    instance.clock.forward(7 * DAY_MS)
    await instance.house.runJobs()
    await instance.outbox.run()
    expect(await paymentOf(left.providerNo)).toMatchObject({ status: 'GIVEN_BACK' })
    expect(await statusOf(left.found)).toBe('DONE')
    expect(await statusOf(proposed.found)).toBe('PROPOSED')
    expect(await paymentOf(proposed.providerNo)).toMatchObject({ status: 'STRAY' })
  })

  test('that stands entered by hand does not go back by itself, though nobody knows the order it names', async () => {
    const seller = await person(instance, { grants: { 'order-list': [...READ, 'create'] } })
    const entered = { memberId: await enrol(instance), productId }
    const [byHand, unknown] = [randomUUID(), randomUUID()]
    expect(await takeOffline(instance, seller, entered, { transactionNo: byHand })).toMatchObject({ code: 0 })
    for (const providerNo of [byHand, unknown])
      await pay(instance, { orderNo: `SO-${providerNo}`, amountFen: 10 }, providerNo)
    const jobsAfter = async (days: number) => {
      instance.clock.forward(days * DAY_MS)
      await instance.house.runJobs()
      await instance.outbox.run()
    }
    await jobsAfter(1)
    const { rows } = await instance.app.db.read.pool.query(
      `select cause, returns_at is not null as returns from payment_exception where provider_no in ($1, $2) order by provider_no = $2`,
      [byHand, unknown],
    )
    expect(rows).toEqual([
      { cause: 'RECORDED', returns: false },
      { cause: 'UNKNOWN', returns: true },
    ])
    await jobsAfter(7)
    expect(await paymentOf(byHand)).toMatchObject({ status: 'STRAY' })
    expect(await paymentOf(unknown)).toMatchObject({ status: 'GIVEN_BACK' })
  })
})
