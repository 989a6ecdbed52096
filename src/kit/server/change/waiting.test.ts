import { beforeAll, describe, expect, test } from 'vitest'
import type { Paged } from '#kit/model/contract.ts'
import type { ToDo } from '#kit/model/to-do.ts'
import { paceOf, type Waiting } from '#kit/model/waiting.ts'
import { type Caller, caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { refunded, sold } from '../../../../tools/testing/refunds.ts'

const PATH = '/orders/refund-application'
type Row = { id: string; waiting: Waiting | null; stateSince: string }

describe('whom a refund waits for', () => {
  let instance: TestInstance
  let manager: Caller
  let reader: Caller
  beforeAll(async () => {
    instance = await openTestInstance()
    manager = await person(instance, { grants: { 'order-refundApply': ['list', 'detail', 'approve'] } })
    reader = await person(instance, { grants: { 'order-refundApply': ['list', 'detail'] } })
  })

  const asked = async (): Promise<string> => {
    const seller = await person(instance, { grants: {} })
    const orderId = await sold(instance, { paidAt: '2026-03-01T02:00:00Z', paidFen: 10_000, seller })
    await refunded(instance, orderId, { askedAt: '2026-03-02T02:00:00Z', status: 'SUBMITTED', amounts: [1_000] })
    const made = instance.app.db.query.selectFrom('refund_application').select('id').where('order_id', '=', orderId)
    return (await made.executeTakeFirstOrThrow()).id
  }
  const inState = async (set: object): Promise<Row> => {
    const id = await asked()
    await instance.app.db.query.updateTable('refund_application').set(set).where('id', '=', id).execute()
    return (await reader.get<Row>(`${PATH}/${id}`)).data
  }

  test('is told by its state and by what is still to be done, in list and detail, to whoever sees it', async () => {
    const id = await asked()
    const { data } = await reader.get<Paged<Row>>(`${PATH}?status=SUBMITTED`)
    const waiting = { field: 'status', step: 'approve', who: 'a manager', since: '2026-03-02T02:00:00Z' }
    expect(data.records.find(row => row.id === id)?.waiting).toEqual({ ...waiting, dueAt: '2026-03-03T02:00:00.000Z' })
    expect((await reader.get<Row>(`${PATH}/${id}`)).data.waiting).toMatchObject(waiting)
    const whom = async (set: object) => (await inState(set)).waiting?.who ?? null
    expect(await whom({ status: 'L1_APPROVED', needs_l2: true })).toBe('finance')
    expect(await whom({ status: 'L2_APPROVED', l2_by: manager.id })).toBe('the cashier')
    expect(await whom({ status: 'PAYING' })).toBe('the payment provider')
    expect(await whom({ status: 'FAILED', l2_by: manager.id })).toBe('the cashier')
    for (const status of ['PAID', 'REJECTED', 'WITHDRAWN']) expect(await whom({ status })).toBeNull()
  })

  test('too long can be asked for: in which state something may wait how long is declared, and counted with the list', async () => {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const late = [
      (await inState({ status: 'SUBMITTED', state_since: hoursAgo(25) })).id,
      (await inState({ status: 'PAYING', state_since: hoursAgo(73) })).id,
    ]
    const others = [
      (await inState({ status: 'SUBMITTED', state_since: hoursAgo(23) })).id,
      (await inState({ status: 'PAYING', state_since: hoursAgo(71) })).id,
      (await inState({ status: 'PAID', state_since: hoursAgo(999) })).id,
    ]
    const { data } = await reader.get<Paged<Row>>(`${PATH}?overdue=1&size=100`)
    const found = data.records.map(row => row.id)
    expect(found).toEqual(expect.arrayContaining(late))
    expect(found.filter(id => others.includes(id))).toEqual([])
    for (const row of data.records) expect(paceOf(row.waiting as Waiting, new Date())).toBe('overdue')
    const counts = (await reader.get<Record<string, number>>(`${PATH}/counts?overdue=1`)).data
    expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(data.total)
    expect(await reader.get(`${PATH}?overdue=yes`)).toMatchObject({
      code: 4000,
      data: { fields: { overdue: expect.any(String) } },
    })
    const seller = await person(instance, { grants: { 'order-list': ['list'] } })
    expect(await seller.get('/orders/order?overdue=1')).toMatchObject({ code: 4000 })
  })

  test('is said in the language of the reader', async () => {
    const id = await asked()
    const answer = await instance.http.inject({
      url: `/api${PATH}/${id}`,
      headers: { authtoken: reader.token, 'accept-language': 'zh-TW' },
    })
    expect(answer.json().data.waiting.who).toBe('主管審批')
  })

  test('begins anew with each state, whoever changes it', async () => {
    const id = await asked()
    const before = Date.now() - 60_000
    await caller(instance, manager.id, manager.token).post(`${PATH}/${id}/approve`)
    const { data } = await reader.get<Row>(`${PATH}/${id}`)
    expect(Date.parse(data.waiting?.since ?? '')).toBeGreaterThan(before)
    await instance.app.db.query
      .updateTable('refund_application')
      .set({ note: 'nothing of its state' })
      .where('id', '=', id)
      .execute()
    expect((await reader.get<Row>(`${PATH}/${id}`)).data.stateSince).toBe(data.stateSince)
  })

  test('and for how long stands on the workbench: since when the most urgent one waits, and until when that was in order', async () => {
    const { data } = await manager.get<ToDo[]>(`${PATH}/to-do`)
    expect(data).toMatchObject([
      { step: 'approve', oldestAt: '2026-03-02T02:00:00Z', dueAt: '2026-03-03T02:00:00.000Z' },
    ])
  })
})

describe('what waits for one person', () => {
  test('says who that is', async () => {
    const instance = await openTestInstance()
    const owner = await person(instance, { name: '张三', grants: {} })
    const reader = await person(instance, { grants: { 'order-browse': ['list'] } })
    const orderId = await placeOrder(instance)
    await instance.app.db.read.pool.query(
      `insert into browse_record (key, member_id, product_name, owner_id, times, last_seen_at, status)
       select 'k', member_id, 'x', $2, 1, now(), 'OPEN' from sales_order where id = $1`,
      [orderId, owner.id],
    )
    const { data } = await reader.get<Paged<Row>>('/orders/browse-record')
    expect(data.records[0]?.waiting).toMatchObject({ step: 'contacted', who: expect.stringContaining('张三 (') })
  })
})
