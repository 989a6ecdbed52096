import { beforeAll, describe, expect, test } from 'vitest'
import type { Paged } from '#kit/model/contract.ts'
import type { ToDo } from '#kit/model/to-do.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { refunded, sold } from '../../../../tools/testing/refunds.ts'

const PAGE = 'order-refundApply'
const PATH = '/orders/refund-application'

describe('what waits for a person', () => {
  let instance: TestInstance
  let [manager, cashier, reader]: Caller[] = []

  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(new Date('2026-03-03T02:00:00Z')) })
    manager = await person(instance, { grants: { [PAGE]: ['list', 'approve', 'pay', 'export'] } })
    cashier = await person(instance, { grants: { [PAGE]: ['list', 'pay'] } })
    reader = await person(instance, { grants: { [PAGE]: ['list'] } })
  })

  /** Asked for by the seller, approved by the manager; finance has still to agree where two must. */
  const approved = async (askedAt: string, part: { needs_l2?: boolean; route?: 'OFFLINE' } = {}) => {
    const seller = await person(instance, { grants: {} })
    const orderId = await sold(instance, { paidAt: '2026-03-01T02:00:00Z', paidFen: 10_000, seller })
    await refunded(instance, orderId, { askedAt, status: 'SUBMITTED', amounts: [1_000] })
    const { id } = await instance.app.db.query
      .updateTable('refund_application')
      .set({ status: 'L1_APPROVED', l1_by: manager?.id ?? null, state_since: approvedAt(askedAt), ...part })
      .where('order_id', '=', orderId)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  /** It waits for the next person since then. */
  const approvedAt = (askedAt: string) => new Date(Date.parse(askedAt) + 3_600_000)
  const waiting = async (who: Caller | undefined) =>
    Object.fromEntries(
      (await (who as Caller).get<ToDo[]>(`${PATH}/to-do`)).data.map(({ step, count }) => [step, count]),
    )

  test('is what that person can do now: not what another must do first, and not what he has decided himself', async () => {
    const payable = await approved('2026-03-02T02:00:00Z')
    await approved('2026-03-01T02:00:00Z', { needs_l2: true })
    await approved('2026-03-01T02:00:00Z', { route: 'OFFLINE' })
    expect(await waiting(cashier)).toEqual({ pay: 1 })
    // Who approved does not pay; nothing is left to approve.
    expect(await waiting(manager)).toEqual({ approve: 0, pay: 0 })
    expect(await waiting(reader)).toEqual({})
    const [pay] = (await (cashier as Caller).get<ToDo[]>(`${PATH}/to-do`)).data
    expect(pay).toMatchObject({
      oldestAt: '2026-03-02T03:00:00Z',
      dueAt: '2026-03-03T03:00:00.000Z',
      path: '/order/refundApply?todo=pay',
      isMore: false,
    })
    const list = await (cashier as Caller).get<Paged<{ id: string }>>(`${PATH}?todo=pay`)
    expect(list.data).toMatchObject({ total: 1, records: [{ id: payable }] })
  })

  test('is asked for by step and within other filters, and is no way to ask for the work of others', async () => {
    const asked = (who: Caller | undefined, search: string) => (who as Caller).get(`${PATH}?${search}`)
    expect(await asked(cashier, 'todo=pay&amountFenBegin=5000')).toMatchObject({ code: 0, data: { total: 0 } })
    for (const search of ['todo=approve', 'todo=withdraw', 'todo=nope', 'todo=', 'todo=pay&todo=pay'])
      expect(await asked(cashier, search), search).toMatchObject({ code: 4000 })
    expect(await asked(reader, 'todo=pay')).toMatchObject({ code: 4000 })
    const download = await (manager as Caller).get(`${PATH}/download?todo=nope`)
    expect(download).toMatchObject({ code: 4000 })
  })

  test('stands on the workbench, of every list at once', async () => {
    const { data } = await (cashier as Caller).get<{ toDos: ToDo[] }>('/workbench/workbench')
    expect(data.toDos.map(({ title, count }) => [title, count])).toEqual([['Refunds to pay', 1]])
  })
})
