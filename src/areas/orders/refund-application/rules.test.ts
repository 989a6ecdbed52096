import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spend } from '#engines/entitlement/server.ts'
import { settleRefund } from '#engines/payment/refund.server.ts'
import { receivePayment } from '#engines/payment/server.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { buy, enrol, grantOf, offer, order, proof } from '../../../../tools/testing/commerce.ts'
import {
  type Answer,
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { BY_BANK, refundBody } from '../../../../tools/testing/refunds.ts'
import type { RefundApplication } from './model.ts'
import type { Suggestion } from './suggestion.page.tsx'

const PATH = '/orders/refund-application'
const TODAY = '2026-03-10T02:00:00Z'

describe('the money rules of a refund', () => {
  let instance: TestInstance
  let people: Record<'asker' | 'manager' | 'finance' | 'cashier', Caller>
  const clock = stoppedClock(new Date(TODAY))

  beforeAll(async () => {
    instance = await openTestInstance({ clock })
    const hold = (...actions: string[]) =>
      person(instance, { grants: { 'order-list': ['list'], 'order-refundApply': ['list', 'detail', ...actions] } })
    people = {
      asker: await hold('create', 'withdraw'),
      manager: await hold('approve', 'reject'),
      finance: await hold('approveL2'),
      cashier: await hold('pay', 'retry', 'recordPaid', 'reveal'),
    }
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const ask = (orderId: string, amountFen: number, more: object = {}) =>
    people.asker.post<{ id: string }>(PATH, refundBody(orderId, amountFen, more))
  const asked = async (...given: Parameters<typeof ask>) => {
    const answer = await ask(...given)
    expect(answer).toMatchObject({ code: 0 })
    return answer.data.id
  }
  const take = (who: keyof typeof people, id: string, step: string, body: object = {}): Promise<Answer<unknown>> =>
    people[who].post(`${PATH}/${id}/${step}`, body)
  const read = async (id: string) =>
    (await people.cashier.get<RefundApplication & { steps: object }>(`${PATH}/${id}`)).data
  const pay = async (id: string) => {
    await take('manager', id, 'approve')
    await take('finance', id, 'approveL2')
    expect(await take('cashier', id, 'pay')).toMatchObject({ code: 0 })
    await instance.outbox.run()
    expect(await read(id)).toMatchObject({ status: 'PAID', effectsOpen: 0 })
  }
  const proved = async () => ({ transactionNo: randomUUID(), proof: [await proof(instance, people.cashier.id)] })
  const suggest = async (orderId: string, more = '') =>
    (await people.asker.get<Suggestion>(`${PATH}/suggestion?orderId=${orderId}${more}`)).data
  const whys = ({ l2Reasons }: Pick<RefundApplication, 'l2Reasons'>) => l2Reasons.map(({ why }) => why)
  const year = (priceFen = 36_500) => offer(instance, [grantOf('MEMBER_DAYS', 365)], { priceFen })
  const bought = async (priceFen?: number, memberId?: string) =>
    (await buy(instance, memberId ?? (await enrol(instance)), await year(priceFen))).orderId

  describe('what is taken back', () => {
    test('is told before it is asked for, as it is then stored', async () => {
      const orderId = await bought()
      const { taken } = await suggest(orderId, '&amountFen=18250')
      expect(taken).toMatchObject([{ amountFen: 18_250, parts: [{ units: 182, debt: 0 }] }])
      expect((await read(await asked(orderId, 18_250))).calculation).toEqual(taken)
    })

    test('more than is left is told too', async () => {
      expect(await suggest(await bought(), '&amountFen=36501')).toMatchObject({ taken: null, leftFen: 36_500 })
    })

    test('nothing for money needs finance', async () => {
      const orderId = await bought()
      expect(whys(await suggest(orderId, '&amountFen=99'))).toEqual(['NOTHING'])
      expect(await read(await asked(orderId, 99))).toMatchObject({ needsL2: true, l2Reasons: [{ why: 'NOTHING' }] })
    })

    test('small refunds of one line take as many days as one would have', async () => {
      const orderId = await bought()
      for (const _ of Array.from({ length: 10 })) await asked(orderId, 150)
      const lots = await instance.app.db.query
        .selectFrom('entitlement_lot as l')
        .innerJoin('order_line as o', 'o.id', 'l.order_line_id')
        .select('l.frozen')
        .where('o.order_id', '=', orderId)
        .execute()
      // Of 364 days, as much as ¥15 are of ¥365.
      expect(lots).toEqual([{ frozen: 14 }])
    })

    test('coins spent within the window are owed by the member once their money is back', async () => {
      const memberId = await enrol(instance)
      const product = await offer(instance, [grantOf('MEMBER_DAYS', 365, 900), grantOf('COINS', 100, 100)])
      const { orderId } = await buy(instance, memberId, product)
      await instance.app.db.write(tx =>
        spend(ownChange(instance.app, tx, clock.now(), 'test'), { memberId, kind: 'COINS', units: 60 }),
      )
      expect(await suggest(orderId)).toMatchObject({ suggestedFen: 36_500, lines: [{ inWindow: true }] })
      await pay(await asked(orderId, 36_500, { deviation: '' }))
      const member = instance.app.db.query.selectFrom('member').select('coins').where('id', '=', memberId)
      expect(await member.executeTakeFirstOrThrow()).toEqual({ coins: -60 })
    })

    test('commission goes back in parts that make the whole', async () => {
      const memberId = await enrol(instance, { ownerId: people.asker.id })
      const product = await offer(instance, [grantOf('COINS', 100)], { priceFen: 1_000, commissionPermille: 37 })
      const { orderId } = await buy(instance, memberId, product)
      for (const amountFen of [333, 333, 333, 1]) await pay(await asked(orderId, amountFen))
      const entries = await instance.app.db.query
        .selectFrom('commission_entry as c')
        .innerJoin('order_line as l', 'l.id', 'c.order_line_id')
        .select('c.amount_fen')
        .where('l.order_id', '=', orderId)
        .orderBy('c.id')
        .execute()
      expect(entries.map(entry => Number(entry.amount_fen))).toEqual([37, -12, -12, -12, -1])
    })
  })

  describe('days are those of Shanghai', () => {
    /** Bought half past midnight of the first of March there; in Greenwich it is still February. */
    const at = async (instant: string, of: (orderId: string) => Promise<unknown>, paidAt = '2026-02-28T16:30:00Z') => {
      clock.set(paidAt)
      const orderId = await bought()
      clock.set(instant)
      try {
        return await of(orderId)
      } finally {
        clock.set(TODAY)
      }
    }

    test('at half past midnight a new day has been used', async () => {
      const usedAt = (instant: string) => at(instant, async orderId => (await suggest(orderId)).lines[0]?.usedFen)
      expect(await usedAt('2026-03-10T15:59:00Z')).toBe(1_000)
      expect(await usedAt('2026-03-10T16:30:00Z')).toBe(1_100)
    })

    test('the window closes at midnight there', async () => {
      const isIn = (instant: string) => at(instant, async orderId => (await suggest(orderId)).lines[0]?.inWindow)
      expect(await isIn('2026-03-08T15:59:00Z')).toBe(true)
      expect(await isIn('2026-03-08T16:30:00Z')).toBe(false)
    })

    test('finance is needed from the midnight after the thirtieth day', async () => {
      const why = (instant: string) =>
        at(instant, async orderId => whys(await suggest(orderId)), '2026-02-07T16:30:00Z')
      expect(await why('2026-03-10T15:59:00Z')).toEqual([])
      expect(await why('2026-03-10T16:30:00Z')).toEqual(['LATE'])
    })

    test('what is asked for before that midnight and approved after it needs finance as well', async () => {
      const askAround = async (orderId: string) => {
        const before = await asked(orderId, 10_000)
        expect(await read(before)).toMatchObject({ daysSincePaid: 30, l2Reasons: [] })
        clock.set('2026-03-10T16:30:00Z')
        await take('manager', before, 'approve')
        expect(await read(before)).toMatchObject({ needsL2: true, l2Reasons: [{ why: 'LATE', value: 31 }] })
        expect(await read(await asked(orderId, 10_000))).toMatchObject({ daysSincePaid: 31 })
      }
      await at('2026-03-10T15:59:00Z', askAround, '2026-02-07T16:30:00Z')
    })
  })

  describe('finance decides too', () => {
    test('about what is asked, not about what is suggested', async () => {
      expect(whys(await read(await asked(await bought(200_000), 90_000)))).toEqual([])
      const { orderId } = await buy(
        instance,
        await enrol(instance),
        await offer(instance, [grantOf('COINS', 100)], { priceFen: 120_000 }),
      )
      expect(whys(await read(await asked(orderId, 100_001)))).toEqual(['SUM'])
    })

    test('when a sum is split into parts that are small each', async () => {
      const memberId = await enrol(instance)
      const orders = [await bought(99_967, memberId), await bought(99_967, memberId), await bought(99_966, memberId)]
      const ids: string[] = []
      for (const [index, orderId] of orders.entries()) ids.push(await asked(orderId, index === 2 ? 99_966 : 99_967))
      expect(whys(await read(ids[0] as string))).toEqual([])
      expect(await read(ids[2] as string)).toMatchObject({ needsL2: true, l2Reasons: [{ why: 'SUM', value: 299_900 }] })
      // The first was small when it was asked for, and is not when it is approved.
      await take('manager', ids[0] as string, 'approve')
      expect(await read(ids[0] as string)).toMatchObject({ needsL2: true, l2Reasons: [{ why: 'SUM', value: 299_900 }] })
      expect(await take('cashier', ids[0] as string, 'pay')).toMatchObject({ code: 4006 })
    })

    test('when others were asked for after the manager had agreed', async () => {
      const memberId = await enrol(instance)
      const first = await asked(await bought(99_000, memberId), 99_000)
      await take('manager', first, 'approve')
      expect(await read(first)).toMatchObject({ needsL2: false, steps: { pay: null } })
      await asked(await bought(99_000, memberId), 99_000)
      expect(await take('cashier', first, 'pay')).toMatchObject({
        code: 4006,
        msg: 'This could not be done: Finance must approve this refund first',
      })
      expect(await take('finance', first, 'approveL2')).toMatchObject({ code: 0 })
      expect(await read(first)).toMatchObject({ needsL2: true, l2Reasons: [{ why: 'SUM', value: 198_000 }] })
      expect(await take('cashier', first, 'pay')).toMatchObject({ code: 0 })
      await instance.outbox.run()
    })

    test('when what was paid in the last thirty days is part of the sum, and not what was paid before', async () => {
      const memberId = await enrol(instance)
      clock.set('2026-02-09T02:00:00Z')
      await pay(await asked(await bought(60_000, memberId), 60_000))
      clock.set('2026-03-10T15:59:00Z')
      const orderId = await bought(60_000, memberId)
      expect(whys(await suggest(orderId, '&amountFen=60000'))).toEqual(['SUM'])
      clock.set('2026-03-10T16:01:00Z')
      expect(whys(await suggest(orderId, '&amountFen=60000'))).toEqual([])
      clock.set(TODAY)
    })

    test('when a failed payment is tried again and has become too much', async () => {
      const memberId = await enrol(instance)
      const id = await asked(await bought(99_013, memberId), 99_013)
      await take('manager', id, 'approve')
      await take('cashier', id, 'pay')
      await instance.outbox.run()
      expect(await read(id)).toMatchObject({ status: 'FAILED' })
      await asked(await bought(99_000, memberId), 99_000)
      expect(await take('cashier', id, 'retry')).toMatchObject({ code: 4006 })
      expect(await take('finance', id, 'approveL2')).toMatchObject({ code: 0 })
      expect(await take('cashier', id, 'pay')).toMatchObject({ code: 0 })
      await instance.outbox.run()
      expect(await read(id)).toMatchObject({ status: 'PAID' })
    })
  })

  describe('a payment stuck at the provider that has become too much', () => {
    const stuck = async () => {
      const memberId = await enrol(instance)
      const id = await asked(await bought(99_014, memberId), 99_014)
      await take('manager', id, 'approve')
      await take('cashier', id, 'pay')
      await instance.outbox.run()
      expect(await read(id)).toMatchObject({ status: 'ABNORMAL' })
      await asked(await bought(99_000, memberId), 99_000)
      return id
    }

    test('is neither tried again nor recorded before finance has agreed', async () => {
      const id = await stuck()
      const told = { code: 4006, msg: 'This could not be done: Finance must approve this refund first' }
      expect(await take('cashier', id, 'retry')).toMatchObject(told)
      expect(await take('cashier', id, 'recordPaid', await proved())).toMatchObject(told)
      expect(await take('finance', id, 'approveL2')).toMatchObject({ code: 0 })
      expect(await take('cashier', id, 'pay')).toMatchObject({ code: 0 })
      await instance.outbox.run()
      expect(await read(id)).toMatchObject({ status: 'PAID', l2Reasons: [{ why: 'SUM', value: 198_014 }] })
    })

    test('cannot be rejected or withdrawn then, for the money may be on its way; it may be recorded', async () => {
      const id = await stuck()
      await take('finance', id, 'approveL2')
      const sent = { code: 4006, msg: expect.stringContaining('already sent to the payment provider') }
      expect(await take('manager', id, 'reject', { reason: 'no' })).toMatchObject(sent)
      expect(await take('asker', id, 'withdraw')).toMatchObject(sent)
      expect(await take('cashier', id, 'recordPaid', await proved())).toMatchObject({ code: 0 })
      await instance.outbox.run()
    })

    test('is paid when the provider says so after all, whoever has agreed meanwhile', async () => {
      const id = await stuck()
      expect(await take('finance', id, 'approveL2')).toMatchObject({ code: 0 })
      const { refundNo } = await read(id)
      const late = { status: 'SUCCESS', providerNo: 'late', error: '' } as const
      await instance.app.db.write(tx => settleRefund(ownChange(instance.app, tx, clock.now(), 'test'), refundNo, late))
      expect(await read(id)).toMatchObject({ status: 'PAID' })
      await instance.outbox.run()
    })
  })

  describe('where the money goes', () => {
    test('by bank says to whom, and finance decides when that is not the payer', async () => {
      const orderId = await bought()
      for (const field of ['payee', 'payeeName', 'payeeAccount'])
        expect(await ask(orderId, 100, { ...BY_BANK, [field]: null })).toMatchObject({
          code: 4005,
          data: { fields: { [field]: 'Enter the payee of the bank transfer' } },
        })
      expect(await ask(orderId, 100, { ...BY_BANK, route: 'ORIGINAL' })).toMatchObject({ code: 4005 })
      expect(whys(await read(await asked(orderId, 1_000, BY_BANK)))).toEqual([])
      const other = await asked(orderId, 1_000, { ...BY_BANK, payee: 'OTHER' })
      expect(await read(other)).toMatchObject({
        needsL2: true,
        l2Reasons: [{ why: 'PAYEE' }],
        payeeName: '王*',
        payeeAccount: '***0123',
      })
      await take('manager', other, 'approve')
      expect(await take('cashier', other, 'recordPaid', await proved())).toMatchObject({ code: 4006 })
      await take('finance', other, 'approveL2')
      expect(await take('cashier', other, 'recordPaid', await proved())).toMatchObject({ code: 0 })
      await instance.outbox.run()
    })

    test('what is recorded by hand is shown in a picture', async () => {
      const id = await asked(await bought(), 36_500, { ...BY_BANK, deviation: '' })
      await take('manager', id, 'approve')
      const none = { transactionNo: randomUUID(), proof: [] }
      expect(await take('cashier', id, 'recordPaid', none)).toMatchObject({ code: 4005 })
      expect(await read(id)).toMatchObject({ status: 'L1_APPROVED' })
      expect(await take('cashier', id, 'recordPaid', await proved())).toMatchObject({ code: 0 })
      await instance.outbox.run()
    })

    test('a platform gives back only what a platform took', async () => {
      const own = await bought()
      expect(await suggest(own)).toMatchObject({ routes: ['ORIGINAL', 'OFFLINE'] })
      expect(await ask(own, 100, { route: 'PLATFORM' })).toMatchObject({
        code: 4005,
        data: {
          fields: {
            route: 'No platform collected the money for this order, so it cannot be recorded as a platform refund',
          },
        },
      })
      const told = await order(instance, await enrol(instance), await year())
      await instance.app.db.write(tx =>
        receivePayment(ownChange(instance.app, tx, clock.now(), 'test'), {
          provider: 'PLATFORM',
          providerNo: randomUUID(),
          orderNo: told.orderNo,
          amountFen: told.amountFen,
          paidAt: clock.now(),
        }),
      )
      expect(await suggest(told.orderId)).toMatchObject({ routes: ['PLATFORM', 'OFFLINE'] })
      await asked(told.orderId, 1_000, { route: 'PLATFORM' })
    })

    test('what the channel could not give back is recorded as given to whoever paid', async () => {
      const id = await asked(await bought(), 10_013)
      await take('manager', id, 'approve')
      await take('cashier', id, 'pay')
      await instance.outbox.run()
      expect(await take('cashier', id, 'recordPaid', await proved())).toMatchObject({ code: 0 })
      expect(await read(id)).toMatchObject({ status: 'PAID', payee: 'PAYER' })
      await instance.outbox.run()
    })
  })
})
