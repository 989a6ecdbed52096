import { beforeAll, describe, expect, test } from 'vitest'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import { putInForce } from '../../../../tools/testing/settings.ts'
import type { RefundApplication } from './model.ts'
import type { Suggestion } from './suggestion.page.tsx'

const PATH = '/orders/refund-application'
const DAY_MS = 86_400_000

describe('a refund keeps the terms it was asked for under', () => {
  let instance: TestInstance
  let asker: Caller
  let manager: Caller
  let cashier: Caller
  const clock = stoppedClock(new Date('2026-03-10T02:00:00Z'))

  beforeAll(async () => {
    instance = await openTestInstance({ clock })
    const hold = (...actions: string[]) =>
      person(instance, { grants: { 'order-list': ['list'], 'order-refundApply': ['list', 'detail', ...actions] } })
    asker = await hold('create')
    manager = await hold('approve')
    cashier = await hold('pay')
  })

  const bought = async () => {
    const year = await offer(instance, [grantOf('MEMBER_DAYS', 365)], { priceFen: 36_500 })
    return (await buy(instance, await enrol(instance), year)).orderId
  }
  const ask = async (amountFen: number) =>
    (await asker.post<{ id: string }>(PATH, refundBody(await bought(), amountFen))).data.id
  const read = async (id: string) =>
    (await cashier.get<RefundApplication & { steps: Record<string, unknown> }>(`${PATH}/${id}`)).data

  test('they are stored with it', async () => {
    expect((await read(await ask(100))).terms).toEqual({
      windowDays: 7,
      windowUsedPercent: 10,
      l2Fen: 100_000,
      l2Days: 30,
    })
  })

  test('a lower sum set later asks nobody else to approve it, only what is asked for from then on', async () => {
    const before = await ask(30_000)
    await putInForce(instance, 'refund.l2Fen', 20_000)
    expect(await manager.post(`${PATH}/${before}/approve`)).toMatchObject({ code: 0 })
    expect(await read(before)).toMatchObject({ needsL2: false, l2Reasons: [], steps: { pay: null } })
    expect(await read(await ask(30_000))).toMatchObject({ needsL2: true, terms: { l2Fen: 20_000 } })
    await putInForce(instance, 'refund.l2Fen', 100_000)
  })

  test('a higher sum set later takes nobody out who had to approve it', async () => {
    await putInForce(instance, 'refund.l2Fen', 20_000)
    const before = await ask(30_000)
    await putInForce(instance, 'refund.l2Fen', 100_000)
    await manager.post(`${PATH}/${before}/approve`)
    expect(await cashier.post(`${PATH}/${before}/pay`)).toMatchObject({ code: 4006 })
  })

  test('what is suggested goes by what is set now', async () => {
    const orderId = await bought()
    clock.forward(3 * DAY_MS)
    const suggest = async () => (await asker.get<Suggestion>(`${PATH}/suggestion?orderId=${orderId}`)).data.suggestedFen
    expect(await suggest()).toBe(36_500)
    await putInForce(instance, 'refund.windowDays', 2)
    expect(await suggest()).toBe(36_100)
    await putInForce(instance, 'refund.windowDays', 7)
    clock.forward(-3 * DAY_MS)
  })
})
