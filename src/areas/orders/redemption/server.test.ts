import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { spend } from '#engines/entitlement/server.ts'
import { leadRegistered } from '#engines/lead/ending.server.ts'
import { arrive } from '#engines/lead/server.ts'
import { nextNumber } from '#engines/sequence/server.ts'
import { whyNot } from '#kit/model/workflow.ts'
import type { Change } from '#kit/server/app.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { type BatchOptions, codeBatch } from '../../../../tools/testing/codes.ts'
import { enrol, grantOf, RECEIVER } from '../../../../tools/testing/commerce.ts'
import { makeKit, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import { type Caller, openTestInstance, person, type TestInstance } from '../../../../tools/testing/instance.ts'
import { SLOW_MS } from './attempts.server.ts'
import { type Redemption, type UndoFacts, workflow } from './model.ts'
import { whyNotRedeem } from './redeeming.server.ts'

const PAGE = 'order-exchange'
const CALL = '/orders/redemption'
const GRANTS = { [PAGE]: ['list', 'detail', 'redeem', 'undo', 'void'] }
const WRONG = 'ABCD-EFGH-JKLM-NPQR-STUV'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test.each([
  ['on its first day', { validFrom: '2026-03-02' }, {}, undefined],
  ['on its last day', { validTo: '2026-03-02' }, {}, undefined],
  ['the day before its first', { validFrom: '2026-03-03' }, {}, 'not-yet-valid'],
  ['the day after its last', { validTo: '2026-03-01' }, {}, 'expired'],
  ['before it is activated', { status: 'APPROVED' }, {}, 'batch-not-active'],
  ['while it is paused', { status: 'PAUSED' }, {}, 'batch-paused'],
  ['after it was closed', { status: 'CLOSED' }, {}, 'batch-closed'],
  ['that was redeemed', {}, { status: 'REDEEMED' }, 'code-redeemed'],
  ['that is void', {}, { status: 'VOID' }, 'code-void'],
] as const)('a code of a batch %s', (_name, batch, code, refusal) => {
  const open = { status: 'ACTIVE', validFrom: '2026-01-01', validTo: '2026-12-31', ...batch }
  expect(whyNotRedeem(open, { status: 'UNUSED', ...code }, '2026-03-02')?.code).toBe(refusal)
})

test.each([
  ['fresh and untouched', {}, undefined],
  ['too old', { late: true }, 'undo-late'],
  ['used', { used: true }, 'undo-used'],
  ['sent', { sent: true }, 'undo-sent'],
] as const)('whether a redemption that is %s can be undone', (_name, given, refusal) => {
  const facts: UndoFacts = { late: false, used: false, sent: false, ...given }
  expect(whyNot(workflow, 'undo', { status: 'DONE' } as Redemption, { id: '1' }, facts)?.code).toBe(refusal)
})

describe('at the desk', () => {
  let instance: TestInstance
  let clerk: Caller & { orgId: string }
  let people: { applicantId: string; approvedBy: string }

  beforeAll(async () => {
    instance = await openTestInstance()
    clerk = await person(instance, { grants: GRANTS, scope: 'SELF' })
    people = { applicantId: clerk.id, approvedBy: (await person(instance)).id }
  })

  test('a code is redeemed for members one owns or cares for, and for nobody else', async () => {
    const teacher = await person(instance, { grants: { ...GRANTS, 'member-list': ['list'] }, scope: 'SELF' })
    const { codes } = await newBatch({ quantity: 2 })
    const [theirs, strangers] = [await member(), await member()]
    await instance.app.db.query.updateTable('member').set({ teacher_id: teacher.id }).where('id', '=', theirs).execute()
    expect(await redeem(codes[0], strangers, {}, teacher)).toMatchObject({
      code: 4005,
      data: { fields: { memberId: 'This does not exist or is not available to you' } },
    })
    expect(await redeem(codes[0], theirs, {}, teacher)).toMatchObject({ code: 0 })
  })

  const newBatch = (options: BatchOptions = {}) => codeBatch(instance, people, options)
  const member = (by: { id: string; orgId: string } = clerk) => enrol(instance, { ownerId: by.id, orgId: by.orgId })
  const redeem = (code: string | undefined, memberId: string, given: object = {}, by: Caller = clerk) =>
    by.post<{ id: string }>(`${CALL}/redeem`, { code, memberId, ...given }, { 'idempotency-key': randomUUID() })
  const look = (code: string | undefined, by: Caller = clerk) =>
    by.post<Record<string, never>>(`${CALL}/look`, { code })
  const batchState = (id: string) =>
    instance.app.db.query
      .selectFrom('code_batch')
      .select(['used', 'voided'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const orderOf = (redemptionId: string) =>
    instance.app.db.query
      .selectFrom('redemption as r')
      .innerJoin('sales_order as o', 'o.id', 'r.order_id')
      .select(['o.id', 'o.pay_state', 'o.amount_fen', 'o.source', 'r.status'])
      .where('r.id', '=', redemptionId)
      .executeTakeFirstOrThrow()
  const held = (memberId: string) =>
    instance.app.db.query
      .selectFrom('entitlement_lot')
      .select(['kind', 'source', 'redemption_id', 'remaining'])
      .where('member_id', '=', memberId)
      .execute()
  const nothingHappened = async (batchId: string, memberId: string) => {
    expect(await batchState(batchId)).toEqual({ used: 0, voided: 0 })
    expect(await held(memberId)).toEqual([])
  }

  test('a code shows its batch and what it gives, then gives it by way of a paid order of nothing', async () => {
    const { id: batchId, codes } = await newBatch({
      grants: [grantOf('MEMBER_DAYS', 30, 500), grantOf('COINS', 50, 500)],
    })
    const memberId = await member()
    expect((await look(codes[0])).data).toMatchObject({
      batchName: '学校合作',
      status: 'UNUSED',
      grants: [{ kind: 'MEMBER_DAYS' }, { kind: 'COINS' }],
      holder: null,
      whyNot: null,
    })
    const { code, data } = await redeem(codes[0]?.toLowerCase(), memberId)
    expect(code).toBe(0)
    expect(await orderOf(data.id)).toMatchObject({
      pay_state: 'PAID',
      amount_fen: '0',
      source: 'REDEMPTION',
      status: 'DONE',
    })
    expect(await held(memberId)).toEqual([
      { kind: 'MEMBER_DAYS', source: 'CODE', redemption_id: data.id, remaining: 30 },
      { kind: 'COINS', source: 'CODE', redemption_id: data.id, remaining: 50 },
    ])
    expect(await batchState(batchId)).toEqual({ used: 1, voided: 0 })
    expect((await look(codes[0])).data).toMatchObject({
      status: 'REDEEMED',
      holder: { name: '测试学员', note: expect.stringMatching(/^\d{3}\*{4}\d{4}$/) },
      whyNot: 'This code has already been redeemed',
    })
  })

  test('a code is no payment: the lead of whoever has it is followed on, and nobody is credited', async () => {
    const { codes } = await newBatch()
    const { app, clock } = instance
    const changing = <T>(work: (change: Change) => Promise<T>) =>
      app.db.write(tx => work(ownChange(app, tx, clock.now(), 'test')))
    const [owner, phone] = [{ id: clerk.id, orgId: clerk.orgId }, '13712340089']
    const came = { source: 'DOUYIN', channel: 'DOUYIN_LIVE', consent: 'APP', cameBy: 'FORM', key: 'form:89' } as const
    const [arrived] = await changing(change => arrive(change, [{ ...came, phone, name: null, owner }]))
    const leadId = String(arrived?.leadId)
    const memberId = await member()
    await changing(change => leadRegistered(change, leadId, { id: memberId, owner }))
    expect((await redeem(codes[0], memberId)).code).toBe(0)
    const follows = app.db.query.selectFrom('lead').select(['status', 'furthest']).where('id', '=', leadId)
    const credited = app.db.query.selectFrom('member').select('first_paid_at').where('id', '=', memberId)
    expect(await follows.executeTakeFirst()).toEqual({ status: 'TRIAL', furthest: 'REGISTERED' })
    expect(await credited.executeTakeFirst()).toEqual({ first_paid_at: null })
  })

  test.each([
    ['paused', { status: 'PAUSED' }, 'These codes are paused'],
    ['closed', { status: 'CLOSED' }, 'These codes are closed'],
    ['not active yet', { status: 'APPROVED' }, 'These codes are not active yet'],
    ['not valid yet', { validFrom: '2098-01-01' }, 'It can be redeemed from 2098-01-01 on'],
    ['expired', { validTo: '2021-01-01' }, 'It expired on 2021-01-01'],
  ] as const)('nothing is given for a code of a batch that is %s', async (_name, given, words) => {
    const { id, codes } = await newBatch(given)
    const memberId = await member()
    expect(await redeem(codes[0], memberId)).toMatchObject({ code: 4006, msg: `This could not be done: ${words}` })
    expect((await look(codes[0])).data.whyNot).toBe(words)
    await nothingHappened(id, memberId)
  })

  test('a second redemption of one code is refused', async () => {
    const { id, codes } = await newBatch()
    await redeem(codes[0], await member())
    expect(await redeem(codes[0], await member())).toMatchObject({ code: 4006 })
    expect(await batchState(id)).toEqual({ used: 1, voided: 0 })
  })

  test('nobody gets more of a batch than it allows, several at once or not', async () => {
    const { id, codes } = await newBatch({ quantity: 12, perPerson: 2 })
    const memberId = await member()
    const answers = await Promise.all(codes.map(code => redeem(code, memberId)))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(2)
    expect(answers.find(({ code }) => code !== 0)?.msg).toBe(
      'This could not be done: Each member can redeem at most 2 codes of this batch',
    )
    expect(await batchState(id)).toEqual({ used: 2, voided: 0 })
  })

  test('a member of somebody else’s, and one who is frozen, get nothing', async () => {
    const { id, codes } = await newBatch()
    const stranger = await member(await person(instance))
    expect(await redeem(codes[0], stranger)).toMatchObject({ code: 4005 })
    await nothingHappened(id, stranger)
    const frozen = await member()
    await instance.app.db.query.updateTable('member').set({ status: 'FROZEN' }).where('id', '=', frozen).execute()
    expect(await redeem(codes[0], frozen)).toMatchObject({ code: 4006 })
    await nothingHappened(id, frozen)
  })

  test('a code that holds goods is not redeemed without an address', async () => {
    const kitId = await makeKit(instance, [{ id: await shelve(instance, 5), quantity: 1 }])
    const { id, codes } = await newBatch({ grants: [grantOf('GOODS', 1, 1_000, { kitId })] })
    const memberId = await member()
    expect(await redeem(codes[0], memberId)).toMatchObject({
      code: 4005,
      data: { fields: { receiverName: expect.any(String) } },
    })
    expect(await redeem(codes[0], memberId, { receiverName: RECEIVER.name, receiverPhone: '12' })).toMatchObject({
      code: 4005,
    })
    await nothingHappened(id, memberId)
  })

  test('undone, everything is as it was, and the code can be redeemed again', async () => {
    const { id: batchId, codes } = await newBatch({ grants: [grantOf('COINS', 50)] })
    const memberId = await member()
    const { data } = await redeem(codes[0], memberId)
    expect(await clerk.post(`${CALL}/${data.id}/undo`)).toMatchObject({ code: 4005 })
    expect(await clerk.post(`${CALL}/${data.id}/undo`, { reason: 'wrong child' })).toMatchObject({ code: 0 })
    expect(await orderOf(data.id)).toMatchObject({ pay_state: 'CLOSED', status: 'UNDONE' })
    expect((await held(memberId)).map(({ remaining }) => remaining)).toEqual([0])
    expect(await batchState(batchId)).toEqual({ used: 0, voided: 0 })
    expect(await redeem(codes[0], await member())).toMatchObject({ code: 0 })
  })

  test('goods of a code go to the send desk, also when there are none yet; undone, they stay here', async () => {
    const shelf = await shelve(instance, 1)
    const kitId = await makeKit(instance, [{ id: shelf, quantity: 1 }])
    const { codes } = await newBatch({ quantity: 2, grants: [grantOf('GOODS', 1, 1_000, { kitId })] })
    const place = {
      receiverName: RECEIVER.name,
      receiverPhone: RECEIVER.phone,
      receiverProvince: RECEIVER.province,
      receiverAddress: RECEIVER.address,
    }
    const [first, second] = [
      await redeem(codes[0], await member(), place),
      await redeem(codes[1], await member(), place),
    ]
    const parcels = async (redemptionId: string) => {
      const { id } = await orderOf(redemptionId)
      return instance.app.db.query
        .selectFrom('shipment')
        .select(['source', 'status', 'waits_for_stock'])
        .where('order_id', '=', id)
        .execute()
    }
    expect(await parcels(first.data.id)).toEqual([
      { source: 'REDEMPTION', status: 'TO_APPROVE', waits_for_stock: false },
    ])
    expect(await parcels(second.data.id)).toMatchObject([{ waits_for_stock: true }])
    expect(await stockOf(instance, shelf)).toEqual([1, 1])
    expect(await clerk.post(`${CALL}/${first.data.id}/undo`, { reason: 'wrong child' })).toMatchObject({ code: 0 })
    expect(await parcels(first.data.id)).toMatchObject([{ status: 'CANCELLED' }])
    expect(await stockOf(instance, shelf)).toEqual([1, 0])
  })

  test.each([
    ['after 24 hours', 'It can only be undone within 24 hours'],
    ['after something was used', 'Some of the entitlements have been used; it cannot be undone'],
    ['after the goods were sent', 'The goods have been sent; it cannot be undone'],
  ])('nothing is undone %s', async (when, words) => {
    const { id: batchId, codes } = await newBatch({ grants: [grantOf('COINS', 50)] })
    const memberId = await member()
    const { data } = await redeem(codes[0], memberId)
    const { id: orderId } = await orderOf(data.id)
    const { db, clock } = instance.app
    const dayBefore = new Date(clock.now().getTime() - 24 * HOUR_MS - 1)
    if (when.includes('24'))
      await db.query
        .updateTable('redemption')
        .set({ created_at: dayBefore, redemption_no: await nextNumber({ app: instance.app, now: dayBefore }, 'E') })
        .where('id', '=', data.id)
        .execute()
    if (when.includes('used'))
      await db.write(tx =>
        spend(ownChange(instance.app, tx, clock.now(), 'test'), { memberId, kind: 'COINS', units: 1 }),
      )
    const fulfil = (state: 'SENT' | 'NOT_NEEDED') =>
      db.query.updateTable('sales_order').set({ fulfil_state: state }).where('id', '=', orderId).execute()
    if (when.includes('sent')) await fulfil('SENT')
    expect(await clerk.post(`${CALL}/${data.id}/undo`, { reason: 'wrong child' })).toMatchObject({
      code: 4006,
      msg: `This could not be done: ${words}`,
    })
    expect(await orderOf(data.id)).toMatchObject({ pay_state: 'PAID', status: 'DONE' })
    expect(await batchState(batchId)).toEqual({ used: 1, voided: 0 })
    if (when.includes('sent')) await fulfil('NOT_NEEDED')
  })

  test('a void code is worth nothing; voiding needs a reason, and a redeemed code cannot be void', async () => {
    const { id, codes } = await newBatch({ quantity: 2 })
    expect(await clerk.post(`${CALL}/void`, { code: codes[0] })).toMatchObject({ code: 4005 })
    expect(await batchState(id)).toEqual({ used: 0, voided: 0 })
    expect(await clerk.post(`${CALL}/void`, { code: codes[0], reason: 'printed twice' })).toMatchObject({ code: 0 })
    expect(await redeem(codes[0], await member())).toMatchObject({
      code: 4006,
      msg: 'This could not be done: This code is void',
    })
    await redeem(codes[1], await member())
    expect(await clerk.post(`${CALL}/void`, { code: codes[1], reason: 'printed twice' })).toMatchObject({ code: 4006 })
    expect(await batchState(id)).toEqual({ used: 1, voided: 1 })
  })

  test('the fifth wrong code in ten minutes shuts that person out for ten, and nobody else', async () => {
    const hasty = await person(instance, { grants: GRANTS })
    const { codes } = await newBatch()
    for (let n = 0; n < 4; n += 1) expect(await look(WRONG, hasty)).toMatchObject({ code: 4005 })
    // A good code neither counts nor wipes the slate.
    expect(await look(codes[0], hasty)).toMatchObject({ code: 0 })
    expect(await redeem(WRONG, await member(), {}, hasty)).toMatchObject({
      code: 4029,
      msg: expect.stringContaining('Too many wrong codes; try again in 10 min'),
    })
    expect(await look(codes[0], hasty)).toMatchObject({ code: 4029 })
    expect(await look(codes[0])).toMatchObject({ code: 0 })
    instance.clock.forward(10 * MINUTE_MS + 1)
    expect(await look(codes[0], hasty)).toMatchObject({ code: 0 })
  })

  test('of twenty wrong codes at once, four are judged', async () => {
    const hasty = await person(instance, { grants: GRANTS })
    const answers = await Promise.all(Array.from({ length: 20 }, () => look(WRONG, hasty)))
    expect(answers.filter(({ code }) => code === 4005)).toHaveLength(4)
    expect(answers.filter(({ code }) => code === 4029)).toHaveLength(16)
  })

  test('an address many wrong codes came from is slowed, not shut out', async () => {
    for (let n = 0; n < 6; n += 1) {
      const hasty = await person(instance, { grants: GRANTS })
      for (let wrong = 0; wrong < 4; wrong += 1) await look(WRONG, hasty)
    }
    const { codes } = await newBatch()
    const begun = performance.now()
    expect(await look(codes[0])).toMatchObject({ code: 0 })
    expect(performance.now() - begun).toBeGreaterThan(SLOW_MS - 20)
  })

  test('everything adds up, and no code stands in any log', async () => {
    const { codes } = await newBatch()
    expect(await redeem(codes[0], await member())).toMatchObject({ code: 0 })
    const plain = codes[0]?.replaceAll('-', '') ?? ''
    const { rows } = await instance.app.db.read.pool.query(
      `select count(*)::int as n from operation_log where diff::text like $1 or reason like $1`,
      [`%${plain}%`],
    )
    expect(rows).toEqual([{ n: 0 }])
    expect(instance.logged.filter(line => line.includes(plain) || line.includes(codes[0] ?? ''))).toEqual([])
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })
})
