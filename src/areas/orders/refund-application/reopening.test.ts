import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { makeKit, sell, shelve } from '../../../../tools/testing/goods.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { BY_BANK, refundBody } from '../../../../tools/testing/refunds.ts'
import type { RefundApplication } from './model.ts'

const PATH = '/orders/refund-application'
const AGAIN =
  'This could not be done: By what has been refunded or applied for since, it would need a reason or a second approval it has not; apply for the refund again'

describe('a refund that was ended and is to stand again', () => {
  let instance: TestInstance
  let people: Record<'asker' | 'manager' | 'cashier' | 'clerk', Caller>
  const clock = stoppedClock(new Date('2026-03-10T02:00:00Z'))

  beforeAll(async () => {
    instance = await openTestInstance({ clock })
    const hold = (...actions: string[]) =>
      person(instance, { grants: { 'order-list': ['list'], 'order-refundApply': ['list', 'detail', ...actions] } })
    people = {
      asker: await hold('create', 'withdraw'),
      manager: await hold('approve', 'reject'),
      cashier: await hold('pay'),
      clerk: await person(instance, {
        grants: { 'order-examineSend': ['list', 'approve'], 'order-sendGoods': ['list', 'send'] },
      }),
    }
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const asked = async (orderId: string, amountFen: number, more: object = {}) => {
    const answer = await people.asker.post<{ id: string }>(PATH, refundBody(orderId, amountFen, more))
    expect(answer).toMatchObject({ code: 0 })
    return answer.data.id
  }
  const take = async (who: keyof typeof people, id: string, step: string) =>
    expect(await people[who].post(`${PATH}/${id}/${step}`, { reason: 'by mistake' }), step).toMatchObject({ code: 0 })
  const undo = (who: keyof typeof people, id: string, step: string) => people[who].post(`${PATH}/${id}/${step}/undo`)
  const read = async (id: string) => (await people.cashier.get<RefundApplication>(`${PATH}/${id}`)).data

  let tracking = 0
  /** Paid ¥100, and goods of ¥75 have left: ¥25 are suggested. */
  const sent = async () => {
    const { orderId, parcelId } = await sell(instance, {
      kitId: await makeKit(instance, [{ id: await shelve(instance, 5), quantity: 5 }]),
    })
    await people.clerk.post(`/logistics/shipment-approval/${parcelId}/approve`)
    tracking += 1
    const body = { carrier: 'ZTO', trackingNo: `Z${100_000 + tracking}` }
    expect(await people.clerk.post(`/logistics/shipment/${parcelId}/send`, body)).toMatchObject({ code: 0 })
    return orderId
  }

  test('does not when what it asks for has been asked for again, withdrawn or rejected', async () => {
    const orderId = await sent()
    for (const [who, step] of [['asker', 'withdraw'] as const, ['manager', 'reject'] as const]) {
      const first = await asked(orderId, 2_500, { deviation: '' })
      await take(who, first, step)
      const second = await asked(orderId, 2_500, { deviation: '' })
      expect(await undo(who, first, step)).toMatchObject({ code: 4006, msg: AGAIN })
      expect(await read(first)).toMatchObject({ status: step === 'withdraw' ? 'WITHDRAWN' : 'REJECTED' })
      await take('asker', second, 'withdraw')
    }
  })

  test('does not when it was paid meanwhile under another number, whatever was said about the amount', async () => {
    const orderId = await sent()
    const first = await asked(orderId, 2_500)
    await take('asker', first, 'withdraw')
    const second = await asked(orderId, 2_500)
    await take('manager', second, 'approve')
    await take('cashier', second, 'pay')
    await instance.outbox.run()
    expect(await read(second)).toMatchObject({ status: 'PAID' })
    expect(await undo('asker', first, 'withdraw')).toMatchObject({ code: 4006, msg: AGAIN })
  })

  test('does not when finance would have to agree by what the member was given meanwhile', async () => {
    const memberId = await enrol(instance)
    const year = () => offer(instance, [grantOf('MEMBER_DAYS', 365)], { priceFen: 60_000 })
    const { orderId } = await buy(instance, memberId, await year())
    const other = await buy(instance, memberId, await year())
    const first = await asked(orderId, 60_000)
    await take('asker', first, 'withdraw')
    await asked(other.orderId, 60_000)
    expect(await undo('asker', first, 'withdraw')).toMatchObject({ code: 4006, msg: AGAIN })
  })

  test('stands when finance decides on it anyhow, judged by what is true now', async () => {
    const orderId = await sent()
    const beyond = await asked(orderId, 3_000, BY_BANK)
    await take('manager', beyond, 'reject')
    const other = await asked(orderId, 500)
    expect(await undo('manager', beyond, 'reject')).toMatchObject({ code: 4006, msg: AGAIN })
    await take('asker', other, 'withdraw')
    expect(await undo('manager', beyond, 'reject')).toMatchObject({ code: 0 })
    expect(await read(beyond)).toMatchObject({
      status: 'SUBMITTED',
      needsL2: true,
      suggestedFen: 2_500,
      l2Reasons: [{ why: 'BEYOND', value: 500 }],
    })
  })

  test('shows what would be suggested now, beside what else was asked for', async () => {
    const { orderId } = await buy(
      instance,
      await enrol(instance),
      await offer(instance, [grantOf('MEMBER_DAYS', 365)], { priceFen: 36_500 }),
    )
    const first = await asked(orderId, 10_000)
    await take('asker', first, 'withdraw')
    await asked(orderId, 5_000)
    expect(await undo('asker', first, 'withdraw')).toMatchObject({ code: 0 })
    expect(await read(first)).toMatchObject({
      suggestedFen: 31_500,
      calculation: [{ amountFen: 10_000, takenFen: 5_000, suggestedFen: 31_500 }],
    })
  })
})
