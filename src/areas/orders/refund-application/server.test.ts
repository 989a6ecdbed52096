import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { whyNot } from '#kit/model/workflow.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import {
  type Caller,
  openTestInstance,
  patiently,
  person,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import { type RefundApplication, workflow } from './model.ts'

const PAGE = 'order-refundApply'
const SUBMIT = { 'order-list': ['list', 'detail'], [PAGE]: ['list', 'detail', 'create', 'withdraw'] }
const DECIDE = { 'order-list': ['list', 'detail'], [PAGE]: ['list', 'detail', 'approve', 'reject'] }

describe('who may take which step in which state', () => {
  const refund = (given: Partial<RefundApplication>) =>
    ({
      applicantId: '1',
      l1By: null,
      l2By: null,
      needsL2: false,
      route: 'ORIGINAL',
      payFailed: false,
      effectsOpen: 0,
      ...given,
    }) as RefundApplication
  const PEOPLE = { applicant: '1', manager: '2', finance: '3', cashier: '4' } as const
  const open = (given: Partial<RefundApplication>) =>
    Object.entries(PEOPLE).map(([who, id]) => {
      const steps = Object.keys(workflow.steps).filter(
        step => !whyNot(workflow, step, refund(given), { id }, undefined),
      )
      return `${who}: ${steps.join(', ') || 'nothing'}`
    })

  test.each([
    ['asked for', { status: 'SUBMITTED' }, ['withdraw', 'approve, reject', 'approve, reject', 'approve, reject']],
    [
      'approved, small and recent',
      { status: 'L1_APPROVED', l1By: '2' },
      ['withdraw', 'reject', 'pay, reject', 'pay, reject'],
    ],
    [
      'approved, and finance has to decide',
      { status: 'L1_APPROVED', l1By: '2', needsL2: true },
      ['withdraw', 'reject', 'approveL2, reject', 'approveL2, reject'],
    ],
    [
      'approved by finance too',
      { status: 'L2_APPROVED', l1By: '2', l2By: '3', needsL2: true },
      ['withdraw', 'reject', 'reject', 'pay, reject'],
    ],
    [
      'approved, to be paid by hand',
      { status: 'L1_APPROVED', l1By: '2', route: 'OFFLINE' },
      ['withdraw', 'reject', 'recordPaid, reject', 'recordPaid, reject'],
    ],
    ['being paid', { status: 'PAYING', l1By: '2' }, ['nothing', 'nothing', 'nothing', 'nothing']],
    [
      'refused by the provider',
      { status: 'FAILED', l1By: '2', payFailed: true },
      ['nothing', 'reject', 'retry, recordPaid, reject', 'retry, recordPaid, reject'],
    ],
    [
      'stuck at the provider',
      { status: 'ABNORMAL', l1By: '2', payFailed: true },
      ['nothing', 'nothing', 'retry, recordPaid', 'retry, recordPaid'],
    ],
    [
      'stuck at the provider, and finance has to decide',
      { status: 'ABNORMAL', l1By: '2', payFailed: true, needsL2: true },
      ['nothing', 'nothing', 'approveL2', 'approveL2'],
    ],
    [
      'approved by finance after it was sent',
      { status: 'L2_APPROVED', l1By: '2', l2By: '3', payFailed: true, needsL2: true },
      ['nothing', 'nothing', 'nothing', 'pay, recordPaid'],
    ],
    [
      'paid with steps left',
      { status: 'PAID', effectsOpen: 1 },
      ['repeatEffects', 'repeatEffects', 'repeatEffects', 'repeatEffects'],
    ],
    ['paid and done', { status: 'PAID' }, ['nothing', 'nothing', 'nothing', 'nothing']],
    ['rejected', { status: 'REJECTED' }, ['nothing', 'nothing', 'nothing', 'nothing']],
    ['withdrawn', { status: 'WITHDRAWN' }, ['nothing', 'nothing', 'nothing', 'nothing']],
  ] as const)('a refund that is %s', (_name, given, expected) => {
    expect(open(given)).toEqual(Object.keys(PEOPLE).map((who, index) => `${who}: ${expected[index]}`))
  })
})

describe('a refund application', () => {
  let instance: TestInstance
  let asker: Caller & { orgId: string }
  let decider: Caller

  beforeAll(async () => {
    instance = await openTestInstance()
    asker = await person(instance, { grants: SUBMIT, scope: 'SELF' })
    decider = await person(instance, { grants: DECIDE })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const paidOrder = (paidFen = 10_000) => placeOrder(instance, { paidFen, ownerId: asker.id, orgId: asker.orgId })
  const submit = (orderId: string, amountFen: number, by = asker, key: string = randomUUID()) =>
    by.post<{ id: string }>('/orders/refund-application', refundBody(orderId, amountFen), { 'idempotency-key': key })
  const stored = async (id: string) =>
    instance.app.db.query
      .selectFrom('refund_application')
      .select(['status', 'version'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const reserved = async (id: string) =>
    Number(
      (
        await instance.app.db.query
          .selectFrom('sales_order')
          .select('reserved_fen')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).reserved_fen,
    )

  test('asking sets the money aside', async () => {
    const order = await paidOrder()
    const answer = await submit(order, 3_000)
    expect(answer.code).toBe(0)
    expect(await reserved(order)).toBe(3_000)
    expect(await stored(answer.data.id)).toMatchObject({ status: 'SUBMITTED' })
  })

  test('open applications together never pass what was paid', async () => {
    const order = await paidOrder()
    await submit(order, 9_000)
    const answer = await submit(order, 1_001)
    expect(answer).toMatchObject({
      code: 4005,
      data: { fields: { amountFen: 'This is more than can still be refunded on this order' } },
    })
    expect(await reserved(order)).toBe(9_000)
  })

  test('of 200 who ask 3 yuan each on 100 yuan at once, 33 are accepted', async () => {
    const order = await paidOrder(10_000)
    const answers = await Promise.all(Array.from({ length: 200 }, () => patiently(() => submit(order, 300))))
    const told = Map.groupBy(answers, ({ code }) => code)
    expect([...told].map(([code, those]) => [code, those.length]).toSorted()).toEqual([
      [0, 33],
      [4005, 167],
    ])
    expect(await reserved(order)).toBe(9_900)
  })

  test('a form sent twenty times with one key has one effect and one answer', async () => {
    const order = await paidOrder()
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(order, 500, asker, key)))
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    expect(await reserved(order)).toBe(500)
  })

  test('a key used again for another form is refused, and changes nothing', async () => {
    const order = await paidOrder()
    const key = randomUUID()
    await submit(order, 500, asker, key)
    expect(await submit(order, 600, asker, key)).toMatchObject({ status: 409, code: 4009 })
    expect(await reserved(order)).toBe(500)
  })

  test('a key used again for another record is refused, and changes nothing', async () => {
    const order = await paidOrder()
    const [first, second] = [await submit(order, 500), await submit(order, 600)]
    const keyed = { 'idempotency-key': randomUUID() }
    const withdraw = (id: string) => asker.post(`/orders/refund-application/${id}/withdraw`, {}, keyed)
    expect(await withdraw(first.data.id)).toMatchObject({ code: 0 })
    expect(await withdraw(second.data.id)).toMatchObject({ status: 409, code: 4009 })
    expect(await stored(second.data.id)).toMatchObject({ status: 'SUBMITTED' })
  })

  test('nobody approves their own refund', async () => {
    const both = await person(instance, { grants: { ...SUBMIT, [PAGE]: [...SUBMIT[PAGE], ...DECIDE[PAGE]] } })
    const { data } = await submit(await paidOrder(), 100, { ...both, orgId: '' })
    const answer = await both.post(`/orders/refund-application/${data.id}/approve`)
    expect(answer).toMatchObject({
      code: 4006,
      msg: 'This could not be done: You cannot approve or pay your own refund',
    })
    expect(await stored(data.id)).toEqual({ status: 'SUBMITTED', version: 1 })
    const row = await both.get<{ steps: Record<string, unknown> }>(`/orders/refund-application/${data.id}`)
    expect(row.data.steps.approve).toEqual({
      code: 'refund-own-application',
      msg: 'You cannot approve or pay your own refund',
    })
  })

  test('a colleague approves, and the timeline tells who and when', async () => {
    const { data } = await submit(await paidOrder(), 100)
    expect(await decider.post(`/orders/refund-application/${data.id}/approve`)).toMatchObject({ code: 0 })
    expect(await stored(data.id)).toEqual({ status: 'L1_APPROVED', version: 2 })
    const timeline = await decider.get<{ action: string; diff: unknown }[]>(
      `/orders/refund-application/${data.id}/timeline`,
    )
    expect(timeline.data.map(({ action }) => action)).toEqual(['approve', 'create'])
    expect(timeline.data[0]?.diff).toMatchObject({ status: ['SUBMITTED', 'L1_APPROVED'] })
  })

  test('whoever decides on what has changed since they looked is told so, and decides nothing', async () => {
    const { data } = await submit(await paidOrder(), 100)
    const path = `/orders/refund-application/${data.id}`
    expect(await decider.post(`${path}/approve`, { version: 1 })).toMatchObject({ code: 0 })
    const late = await decider.post(`${path}/reject`, { version: 1, reason: 'lesson was given' })
    expect(late).toMatchObject({ status: 409, code: 4009 })
    expect(await stored(data.id)).toEqual({ status: 'L1_APPROVED', version: 2 })
    expect(await decider.post(`${path}/reject`, { version: 2, reason: 'lesson was given' })).toMatchObject({ code: 0 })
  })

  test('two who approve at once: one does it, the other is told the state', async () => {
    const { data } = await submit(await paidOrder(), 100)
    const answers = await Promise.all([1, 2].map(() => decider.post(`/orders/refund-application/${data.id}/approve`)))
    expect(answers.map(({ code }) => code).sort()).toEqual([0, 4006])
    expect(await stored(data.id)).toEqual({ status: 'L1_APPROVED', version: 2 })
  })

  test('a rejection needs a reason and gives the money free', async () => {
    const order = await paidOrder()
    const { data } = await submit(order, 4_000)
    expect(await decider.post(`/orders/refund-application/${data.id}/reject`)).toMatchObject({
      code: 4005,
      data: { fields: { reason: 'Enter a reason' } },
    })
    expect(await reserved(order)).toBe(4_000)
    expect(
      await decider.post(`/orders/refund-application/${data.id}/reject`, { reason: 'lesson was given' }),
    ).toMatchObject({ code: 0 })
    expect(await reserved(order)).toBe(0)
  })

  test('only the applicant withdraws, and then the money is free again', async () => {
    const order = await paidOrder()
    const { data } = await submit(order, 4_000)
    const other = await person(instance, { grants: { [PAGE]: ['list', 'withdraw'] } })
    expect(await other.post(`/orders/refund-application/${data.id}/withdraw`)).toMatchObject({ code: 4006 })
    expect(await asker.post(`/orders/refund-application/${data.id}/withdraw`)).toMatchObject({ code: 0 })
    expect(await reserved(order)).toBe(0)
  })

  test('an unpaid order has nothing to refund', async () => {
    const order = await placeOrder(instance, { paidFen: 0, ownerId: asker.id, orgId: asker.orgId })
    expect(await submit(order, 100)).toMatchObject({ code: 4006 })
  })

  test('nobody asks a refund on an order outside their scope', async () => {
    const stranger = await person(instance, { grants: SUBMIT, scope: 'SELF' })
    const order = await paidOrder()
    const said = 'This does not exist or is not available to you'
    expect(await submit(order, 100, stranger)).toMatchObject({ code: 4005, data: { fields: { orderId: said } } })
    expect(await reserved(order)).toBe(0)
  })

  test('many are rejected in one go, with a result for each', async () => {
    const order = await paidOrder()
    const first = (await submit(order, 100)).data.id
    const second = (await submit(order, 100)).data.id
    await asker.post(`/orders/refund-application/${second}/withdraw`)
    const answer = await decider.post<{ id: string; result: string }[]>('/orders/refund-application/steps/reject', {
      ids: [first, second],
      reason: 'no',
    })
    expect(answer.data.map(({ id, result }) => [id, result])).toEqual([
      [first, 'done'],
      [second, 'refused'],
    ])
  })
})
