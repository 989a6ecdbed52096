import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spend } from '#engines/entitlement/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { buy, enrol, grantOf, offer, order, proof } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { BY_BANK, refundBody } from '../../../../tools/testing/refunds.ts'
import type { RefundEffect } from './effects.model.ts'
import { effectDelivery } from './effects.server.ts'
import type { RefundApplication } from './model.ts'

const PAGE = 'order-refundApply'
const READ = { 'order-list': ['list', 'detail'] }
const PATH = '/orders/refund-application'
const TODAY = '2026-03-10T02:00:00Z'

describe('a refund from asking to the last tick', () => {
  let instance: TestInstance
  let [asker, manager, finance, cashier]: Caller[] = []
  const clock = stoppedClock(new Date(TODAY))

  beforeAll(async () => {
    instance = await openTestInstance({ clock })
    const grants = (...actions: string[]) => ({ ...READ, [PAGE]: ['list', 'detail', ...actions] })
    asker = await person(instance, { grants: grants('create', 'withdraw') })
    manager = await person(instance, { grants: grants('approve', 'reject') })
    finance = await person(instance, { grants: grants('approveL2', 'reject') })
    cashier = await person(instance, { grants: grants('pay', 'retry', 'recordPaid', 'repeatEffects') })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const ask = async (orderId: string, amountFen: number, more: object = {}) => {
    const body = refundBody(orderId, amountFen, { deviation: '', ...more })
    const answer = await (asker as Caller).post<{ id: string }>(PATH, body)
    expect(answer).toMatchObject({ code: 0 })
    return answer.data.id
  }
  const take = (who: Caller | undefined, id: string, step: string, body: object = {}) =>
    (who as Caller).post(`${PATH}/${id}/${step}`, body)
  const read = async (id: string) => (await (cashier as Caller).get<RefundApplication>(`${PATH}/${id}`)).data
  const member = (id: string) =>
    instance.app.db.query
      .selectFrom('member')
      .select(['membership_ends_on', 'coins', 'level'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const ticked = (effects: readonly RefundEffect[]) => effects.map(({ name, status }) => `${name} ${status}`)
  const ALL_DONE = ['ENTITLEMENT DONE', 'COUPON DONE', 'GOODS DONE', 'COMMISSION DONE', 'NOTICE DONE']

  test('the suggestion is asked for, approved, paid, and everything that follows is ticked', async () => {
    const memberId = await enrol(instance, { ownerId: asker?.id ?? null })
    const product = await offer(instance, [grantOf('MEMBER_DAYS', 365, 900), grantOf('COINS', 100, 100)], {
      commissionPermille: 100,
    })
    clock.set('2026-03-01T02:00:00Z')
    const { orderId } = await buy(instance, memberId, product)
    clock.set(TODAY)
    expect(await member(memberId)).toEqual({ membership_ends_on: '2027-02-28', coins: 100, level: 'MEMBER' })
    const suggestion = await (asker as Caller).get<{ suggestedFen: number }>(`${PATH}/suggestion?orderId=${orderId}`)
    // Ten of 365 days at nine tenths of ¥365.00.
    expect(suggestion.data.suggestedFen).toBe(35_600)
    const id = await ask(orderId, 35_600)
    expect(await take(manager, id, 'approve')).toMatchObject({ code: 0 })
    expect(await take(cashier, id, 'pay')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'PAYING', provider: 'WECHAT' })
    await instance.outbox.run()
    const paid = await read(id)
    expect(paid).toMatchObject({ status: 'PAID', effectsOpen: 0 })
    expect(ticked(paid.effects)).toEqual(ALL_DONE)
    expect(await member(memberId)).toEqual({ membership_ends_on: '2026-03-10', coins: 0, level: 'MEMBER' })
    const commission = await instance.app.db.query
      .selectFrom('commission_entry as c')
      .innerJoin('order_line as l', 'l.id', 'c.order_line_id')
      .select('c.amount_fen')
      .where('l.order_id', '=', orderId)
      .orderBy('c.id')
      .execute()
    expect(commission.map(entry => entry.amount_fen)).toEqual(['3650', '-3560'])
  })

  test('the suggestion waits for nobody, and is given only for a paid order one may see', async () => {
    const memberId = await enrol(instance, { ownerId: asker?.id ?? null })
    const product = await offer(instance, [grantOf('COINS', 100)])
    const paid = await buy(instance, memberId, product)
    const unpaid = await order(instance, memberId, product)
    const suggest = (who: Caller | undefined, id: string) => (who as Caller).get(`${PATH}/suggestion?orderId=${id}`)
    const elsewhere = await person(instance, { scope: 'SELF', grants: { ...READ, [PAGE]: ['create'] } })
    await instance.app.db.write(async tx => {
      await tx.selectFrom('sales_order').select('id').where('id', '=', paid.orderId).forUpdate().execute()
      await tx.selectFrom('member').select('id').where('id', '=', memberId).forUpdate().execute()
      expect(await suggest(asker, paid.orderId)).toMatchObject({ code: 0, data: { lines: [{ usedFen: 0 }] } })
    })
    expect(await suggest(asker, unpaid.orderId)).toMatchObject({
      code: 4006,
      msg: 'This could not be done: The order is not paid yet, so nothing can be refunded',
    })
    expect((await suggest(elsewhere, paid.orderId)).code).toBe(4004)
  })

  test('a payment the provider refuses is tried again under the same number, and paid once', async () => {
    const memberId = await enrol(instance)
    const { orderId } = await buy(instance, memberId, await offer(instance, [grantOf('MEMBER_DAYS', 365)]))
    const id = await ask(orderId, 10_013, { deviation: 'agreed' })
    await take(manager, id, 'approve')
    await take(cashier, id, 'pay')
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ status: 'FAILED', failure: expect.stringContaining('NOT_ENOUGH') })
    expect(await take(cashier, id, 'retry')).toMatchObject({ code: 0 })
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ status: 'PAID', failure: '' })
    const moved = await instance.app.db.query
      .selectFrom('provider_refund')
      .select(['status', 'tries', 'amount_fen'])
      .where('refund_id', '=', id)
      .execute()
    expect(moved).toEqual([{ status: 'SUCCESS', tries: 2, amount_fen: '10013' }])
  })

  test('what failed of the checklist is done when it is repeated, and only that', async () => {
    const memberId = await enrol(instance, { ownerId: asker?.id ?? null })
    const product = await offer(instance, [grantOf('MEMBER_DAYS', 365)], { commissionPermille: 100 })
    const { orderId } = await buy(instance, memberId, product)
    const id = await ask(orderId, 10_000, { deviation: 'agreed' })
    await take(manager, id, 'approve')
    await take(cashier, id, 'pay')
    expect(await take(cashier, id, 'repeatEffects')).toMatchObject({ code: 4006 })
    const { query } = instance.app.db
    await sql`alter table commission_entry add constraint broken check (amount_fen >= 0) not valid`.execute(query)
    await instance.outbox.run()
    await sql`alter table commission_entry drop constraint broken`.execute(query)
    const left = await read(id)
    expect(left).toMatchObject({ status: 'PAID', effectsOpen: 1 })
    expect(left.effects.find(({ status }) => status !== 'DONE')).toMatchObject({
      name: 'COMMISSION',
      status: 'FAILED',
      error: expect.stringContaining('broken'),
    })
    expect(await take(cashier, id, 'repeatEffects')).toMatchObject({ code: 0 })
    expect(ticked((await read(id)).effects)).toEqual(
      ALL_DONE.map(tick => tick.replace('COMMISSION DONE', 'COMMISSION WAITING')),
    )
    await instance.outbox.run()
    const done = await read(id)
    expect(done).toMatchObject({ effectsOpen: 0 })
    expect(ticked(done.effects)).toEqual(ALL_DONE)
    expect(await take(cashier, id, 'repeatEffects')).toMatchObject({ code: 4006 })
  })

  test('each consequence follows once, though many see to it at once and somebody again when it is done', async () => {
    const memberId = await enrol(instance)
    const product = await offer(instance, [grantOf('COINS', 100)], { priceFen: 10_000 })
    const { orderId } = await buy(instance, memberId, product)
    const id = await ask(orderId, 5_000, { deviation: 'half' })
    await take(manager, id, 'approve')
    await take(cashier, id, 'pay')
    const { query } = instance.app.db
    await sql`alter table entitlement_entry add constraint broken check (cause <> 'TAKEN_BACK') not valid`.execute(
      query,
    )
    await instance.outbox.run()
    await sql`alter table entitlement_entry drop constraint broken`.execute(query)
    expect(await member(memberId)).toMatchObject({ coins: 100 })
    const seeTo = () => effectDelivery.call(instance.app, { refundId: id, name: 'ENTITLEMENT' } as never, '')
    await Promise.all(Array.from({ length: 5 }, seeTo))
    await seeTo()
    expect(await member(memberId)).toMatchObject({ coins: 50 })
    expect(await read(id)).toMatchObject({ effectsOpen: 0 })
  })

  test('a large amount waits for finance, and nobody does two of the four jobs', async () => {
    const memberId = await enrol(instance)
    const product = await offer(instance, [grantOf('MEMBER_DAYS', 365)], { priceFen: 200_000 })
    const { orderId } = await buy(instance, memberId, product)
    const id = await ask(orderId, 200_000)
    await take(manager, id, 'approve')
    expect(await take(cashier, id, 'pay')).toMatchObject({
      code: 4006,
      msg: 'This could not be done: Finance must approve this refund first',
    })
    expect(await take(finance, id, 'approveL2')).toMatchObject({ code: 0 })
    expect(await take(cashier, id, 'pay')).toMatchObject({ code: 0 })
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ status: 'PAID' })
  })

  test('what an open refund would take back cannot be spent, and is free again when it is withdrawn', async () => {
    const memberId = await enrol(instance)
    const product = await offer(instance, [grantOf('COINS', 100)], { priceFen: 10_000 })
    const { orderId } = await buy(instance, memberId, product)
    const frozen = async () =>
      (
        await instance.app.db.query
          .selectFrom('entitlement_lot')
          .select('frozen')
          .where('member_id', '=', memberId)
          .executeTakeFirstOrThrow()
      ).frozen
    const spendMore = () =>
      instance.app.db.write(tx =>
        spend(ownChange(instance.app, tx, clock.now(), 'test'), { memberId, kind: 'COINS', units: 51 }),
      )
    const id = await ask(orderId, 5_000, { deviation: 'half' })
    expect(await frozen()).toBe(50)
    await expect(spendMore()).rejects.toMatchObject({ refusal: { params: { free: 50, asked: 51 } } })
    await take(asker, id, 'withdraw')
    expect(await frozen()).toBe(0)
    await spendMore()
    expect(await member(memberId)).toMatchObject({ coins: 49 })
  })

  test('money given back by bank is recorded with its number, each number once, however it is typed', async () => {
    const memberId = await enrol(instance)
    const product = await offer(instance, [grantOf('MEMBER_DAYS', 365)])
    const both = [await buy(instance, memberId, product), await buy(instance, memberId, product)]
    const ids = []
    for (const { orderId } of both) ids.push(await ask(orderId, 36_500, BY_BANK))
    for (const id of ids) await take(manager, id, 'approve')
    const paidBy = (cashier as Caller).id
    const [once, twice] = [await proof(instance, paidBy), await proof(instance, paidBy)]
    const body = { transactionNo: 'BANK-1', proof: [once] }
    expect(await take(cashier, ids[0] as string, 'pay')).toMatchObject({ code: 4006 })
    expect(await take(cashier, ids[0] as string, 'recordPaid', body)).toMatchObject({ code: 0 })
    for (const transactionNo of ['BANK-1', 'bank 1', 'ＢＡＮＫ１', '---', '٠٠', '工BANK1'])
      expect(await take(cashier, ids[1] as string, 'recordPaid', { transactionNo, proof: [twice] })).toMatchObject({
        code: 4005,
        data: { fields: { transactionNo: expect.any(String) } },
      })
    expect(await read(ids[1] as string)).toMatchObject({ status: 'L1_APPROVED' })
    await instance.outbox.run()
    expect(ticked((await read(ids[0] as string)).effects)).toEqual(ALL_DONE)
    // Nor does money that came in tell of money that went out.
    const came = await instance.app.db.query
      .selectFrom('payment')
      .select('bank_number')
      .where('bank_number', 'is not', null)
      .executeTakeFirstOrThrow()
    const income = { transactionNo: came.bank_number?.toLowerCase(), proof: [twice] }
    expect(await take(cashier, ids[1] as string, 'recordPaid', income)).toMatchObject({
      code: 4005,
      data: { fields: { transactionNo: expect.stringContaining('came in') } },
    })
  })

  test('of two refunds paid before anything followed, each is seen through', async () => {
    const memberId = await enrol(instance)
    const product = await offer(instance, [grantOf('MEMBER_DAYS', 365)])
    const ids: string[] = []
    for (const { orderId } of [await buy(instance, memberId, product), await buy(instance, memberId, product)]) {
      const id = await ask(orderId, 36_500, BY_BANK)
      await take(manager, id, 'approve')
      const body = { transactionNo: `BANK-${id}`, proof: [await proof(instance, (cashier as Caller).id)] }
      expect(await take(cashier, id, 'recordPaid', body)).toMatchObject({ code: 0 })
      ids.push(id)
    }
    await instance.outbox.run()
    for (const id of ids) expect(ticked((await read(id)).effects)).toEqual(ALL_DONE)
  })

  test('another amount than suggested needs a reason, and nothing is set aside without one', async () => {
    const memberId = await enrol(instance)
    const { orderId } = await buy(instance, memberId, await offer(instance, [grantOf('MEMBER_DAYS', 365)]))
    const body = refundBody(orderId, 100, { deviation: '' })
    expect(await (asker as Caller).post(PATH, body)).toMatchObject({
      code: 4005,
      data: { fields: { deviation: 'The amount differs from the suggested one: give a reason' } },
    })
    const order = await (asker as Caller).get<{ reservedFen: number }>(`/orders/order/${orderId}`)
    expect(order.data.reservedFen).toBe(0)
  })

  const coinsSpent = async (units: number) => {
    const memberId = await enrol(instance)
    const { orderId } = await buy(instance, memberId, await offer(instance, [grantOf('COINS', 100)]))
    await instance.app.db.write(tx =>
      spend(ownChange(instance.app, tx, clock.now(), 'test'), { memberId, kind: 'COINS', units }),
    )
    return { memberId, orderId }
  }
  const payBack = async (id: string) => {
    await take(manager, id, 'approve')
    // What is more than suggested needs finance; what is not refuses it.
    await take(finance, id, 'approveL2')
    expect(await take(cashier, id, 'pay')).toMatchObject({ code: 0 })
    await instance.outbox.run()
  }

  test('coins spent before everything is given back become a debt of the member', async () => {
    const { memberId, orderId } = await coinsSpent(60)
    await payBack(await ask(orderId, 36_500, { deviation: 'goodwill' }))
    expect(await member(memberId)).toMatchObject({ coins: -60 })
  })

  test('coins that were spent are owed once, in however many parts the money goes back', async () => {
    const { memberId, orderId } = await coinsSpent(60)
    for (const amountFen of [25_000, 6_500, 5_000])
      await payBack(await ask(orderId, amountFen, { deviation: 'agreed' }))
    expect(await member(memberId)).toMatchObject({ coins: -60 })
  })

  test('a refund that leaves a debt is seen through while another one holds coins of the same order', async () => {
    const { memberId, orderId } = await coinsSpent(60)
    const small = await ask(orderId, 7_300, { deviation: 'agreed' })
    const large = await ask(orderId, 20_000, { deviation: 'agreed' })
    await payBack(large)
    expect(ticked((await read(large)).effects)).toEqual(ALL_DONE)
    await take(asker, small, 'withdraw')
    await payBack(await ask(orderId, 16_500, { deviation: 'agreed' }))
    expect(await member(memberId)).toMatchObject({ coins: -60 })
  })
})
