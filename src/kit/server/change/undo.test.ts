import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Member } from '#areas/members/member/model.ts'
import type { RefundApplication } from '#areas/orders/refund-application/model.ts'
import { spend } from '#engines/entitlement/server.ts'
import { buy, enrol, grantOf, offer } from '../../../../tools/testing/commerce.ts'
import { makeKit, sell, shelve, stockOf } from '../../../../tools/testing/goods.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { refundBody } from '../../../../tools/testing/refunds.ts'
import { findBroken } from './invariants.ts'
import { ownChange } from './operation.ts'

const MEMBERS = '/members/member'
const REFUNDS = '/orders/refund-application'
const APPROVAL = '/logistics/shipment-approval'
const DAY_MS = 24 * 3_600_000

type Line = { id: string; action: string; undoes: string | null; mayUndo: boolean }

let instance: TestInstance
let [clerk, colleague, asker]: (Caller & { orgId: string })[] = []
const clock = stoppedClock(new Date('2026-03-10T02:00:00Z'))
const GRANTS = {
  'member-list': ['list', 'detail', 'reveal', 'own', 'tag', 'freeze', 'unfreeze', 'assignOwner', 'noteFollowUp'],
  'order-refundApply': ['list', 'detail', 'approve', 'reject', 'withdraw', 'create'],
  'order-examineSend': ['list', 'detail', 'approve', 'reject'],
  'order-sendGoods': ['list', 'detail', 'print', 'hold', 'release'],
  'order-list': ['list', 'detail', 'sendAgain'],
}

beforeAll(async () => {
  instance = await openTestInstance({ clock })
  clerk = await person(instance, { grants: GRANTS })
  colleague = await person(instance, { grants: GRANTS })
  asker = await person(instance, { grants: GRANTS })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

const me = () => clerk as Caller
const undo = (path: string, id: string, step: string, by = me()) => by.post(`${path}/${id}/${step}/undo`)
const lines = async (path: string, id: string, by = me()) => (await by.get<Line[]>(`${path}/${id}/timeline`)).data
const told = (answer: { msg: string }) => answer.msg.slice(answer.msg.indexOf(': ') + 2)

describe('a step that is taken back', () => {
  const freeze = async () => {
    const id = await enrol(instance, { ownerId: clerk?.id ?? null })
    expect(await me().post(`${MEMBERS}/${id}/freeze`, { reason: 'by mistake' })).toMatchObject({ code: 0 })
    return id
  }
  const statusOf = async (id: string) => (await me().get<Member>(`${MEMBERS}/${id}`)).data.status

  test('cannot be taken back once its values are erased, and its story is still told', async () => {
    const id = await freeze()
    await sql`select erase_log(array['member-list'], ${id}::bigint)`.execute(instance.app.db.query)
    const [frozen] = await lines(MEMBERS, id)
    expect(frozen).toMatchObject({ action: 'freeze', diff: { status: [null, null] }, mayUndo: false })
    expect(told(await undo(MEMBERS, id, 'freeze'))).toBe(
      'Something else has happened since, so this can no longer be undone',
    )
  })

  test('leaves the record as it was, and both lines in its story, one pointing at the other', async () => {
    const id = await freeze()
    const [frozen] = await lines(MEMBERS, id)
    expect(frozen).toMatchObject({ action: 'freeze', mayUndo: true })
    expect(await undo(MEMBERS, id, 'freeze')).toMatchObject({ code: 0 })
    expect(await statusOf(id)).toBe('ACTIVE')
    const [back, first] = await lines(MEMBERS, id)
    expect(back).toMatchObject({ action: 'takeBack', undoes: frozen?.id, mayUndo: false })
    expect(first).toMatchObject({ action: 'freeze', mayUndo: false })
  })

  test('is taken back once, however many press at the same moment', async () => {
    const id = await freeze()
    const answers = await Promise.all([1, 2, 3].map(() => undo(MEMBERS, id, 'freeze')))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await lines(MEMBERS, id)).filter(({ undoes }) => undoes !== null)).toHaveLength(1)
  })

  test('is taken back by whoever took it, and by nobody else', async () => {
    const id = await freeze()
    expect((await lines(MEMBERS, id, colleague)).some(({ mayUndo }) => mayUndo)).toBe(false)
    expect(told(await undo(MEMBERS, id, 'freeze', colleague))).toBe('Only the person who did this can undo it')
    expect(await statusOf(id)).toBe('FROZEN')
  })

  test('stays once something else has happened to the record', async () => {
    const id = await freeze()
    await colleague?.post(`${MEMBERS}/${id}/tag`, { addTags: ['RENEWAL'], removeTags: [] })
    expect((await lines(MEMBERS, id)).some(({ mayUndo }) => mayUndo)).toBe(false)
    expect(told(await undo(MEMBERS, id, 'freeze'))).toBe(
      'Something else has happened since, so this can no longer be undone',
    )
  })

  test('is taken back though a colleague has looked at the record meanwhile', async () => {
    const id = await freeze()
    const look = await colleague?.post(`${MEMBERS}/${id}/reveal`, { field: 'phone', reason: 'a call' })
    expect(look).toMatchObject({ code: 0 })
    expect((await lines(MEMBERS, id)).map(({ action, mayUndo }) => [action, mayUndo])).toEqual([
      ['reveal', false],
      ['freeze', true],
    ])
    expect(await undo(MEMBERS, id, 'freeze')).toMatchObject({ code: 0 })
  })

  test('stays after a day', async () => {
    const id = await freeze()
    clock.forward(DAY_MS + 1)
    expect(told(await undo(MEMBERS, id, 'freeze'))).toBe(
      'More than 24 hours have passed, so this can no longer be undone',
    )
    expect(await statusOf(id)).toBe('FROZEN')
  })

  test('is not taken back by whoever lost the right to it', async () => {
    const id = await freeze()
    const reader = await person(instance, { grants: { 'member-list': ['list', 'detail'] } })
    expect(await undo(MEMBERS, id, 'freeze', reader)).toMatchObject({ code: 4003 })
  })

  test('puts back what it changed and nothing else: tags as they were', async () => {
    const id = await enrol(instance, { ownerId: clerk?.id ?? null })
    await me().post(`${MEMBERS}/${id}/tag`, { addTags: ['RENEWAL'], removeTags: [] })
    await me().post(`${MEMBERS}/${id}/tag`, { addTags: [], removeTags: ['RENEWAL'] })
    expect(await undo(MEMBERS, id, 'tag')).toMatchObject({ code: 0 })
    expect((await me().get<Member>(`${MEMBERS}/${id}`)).data.tags).toEqual(['RENEWAL'])
  })

  test('hands a member back with everything that hangs on it', async () => {
    const id = await enrol(instance, { ownerId: clerk?.id ?? null, orgId: clerk?.orgId ?? null })
    const { orderId } = await buy(instance, id, await offer(instance, [grantOf('COINS', 100, 1_000)]))
    const { query } = instance.app.db
    const since = new Date('2025-01-02T03:04:05Z')
    await query.updateTable('member').set({ owner_since: since }).where('id', '=', id).execute()
    const body = { newOwnerId: colleague?.id, reason: 'by mistake' }
    expect(await me().post(`${MEMBERS}/${id}/assignOwner`, body)).toMatchObject({ code: 0 })
    expect(await undo(MEMBERS, id, 'assignOwner')).toMatchObject({ code: 0 })
    const order = await query.selectFrom('sales_order').select('owner_id').where('id', '=', orderId).executeTakeFirst()
    const { data } = await me().get<Member>(`${MEMBERS}/${id}`)
    expect([data.ownerId, order?.owner_id]).toEqual([clerk?.id, clerk?.id])
    expect(new Date(String(data.ownerSince))).toEqual(since)
  })

  test('is refused without naming a field: there is no form to name it in', async () => {
    const id = await enrol(instance, { ownerId: asker?.id ?? null, orgId: clerk?.orgId ?? null })
    const body = { newOwnerId: colleague?.id, reason: 'by mistake' }
    expect(await me().post(`${MEMBERS}/${id}/assignOwner`, body)).toMatchObject({ code: 0 })
    const { query } = instance.app.db
    await query
      .updateTable('staff')
      .set({ status: 'DISABLED' })
      .where('id', '=', asker?.id ?? '')
      .execute()
    const answer = await undo(MEMBERS, id, 'assignOwner')
    await query
      .updateTable('staff')
      .set({ status: 'ENABLED' })
      .where('id', '=', asker?.id ?? '')
      .execute()
    expect(answer).toMatchObject({ code: 4006, data: null })
  })
})

describe('a decision on a refund that is taken back', () => {
  const ask = async () => {
    const memberId = await enrol(instance, { ownerId: asker?.id ?? null })
    const { orderId } = await buy(instance, memberId, await offer(instance, [grantOf('COINS', 100, 1_000)]))
    const answer = await asker?.post<{ id: string }>(REFUNDS, refundBody(orderId, 10_000))
    expect(answer).toMatchObject({ code: 0 })
    return { id: answer?.data.id as string, orderId, memberId }
  }
  const read = async (id: string) => (await me().get<RefundApplication>(`${REFUNDS}/${id}`)).data
  const reserved = async (orderId: string) =>
    Number(
      (
        await instance.app.db.query
          .selectFrom('sales_order')
          .select('reserved_fen')
          .where('id', '=', orderId)
          .executeTakeFirstOrThrow()
      ).reserved_fen,
    )

  test('waits for an approval again, from whomever it comes', async () => {
    const { id } = await ask()
    expect(await me().post(`${REFUNDS}/${id}/approve`)).toMatchObject({ code: 0 })
    expect(await undo(REFUNDS, id, 'approve')).toMatchObject({ code: 0 })
    expect(await read(id)).toMatchObject({ status: 'SUBMITTED', l1By: null })
    expect(await colleague?.post(`${REFUNDS}/${id}/approve`)).toMatchObject({ code: 0 })
  })

  test('holds its money and what it would take back once more', async () => {
    const { id, orderId } = await ask()
    await me().post(`${REFUNDS}/${id}/reject`, { reason: 'by mistake' })
    expect(await reserved(orderId)).toBe(0)
    expect(await undo(REFUNDS, id, 'reject')).toMatchObject({ code: 0 })
    expect([await reserved(orderId), (await read(id)).status, (await read(id)).endedAt]).toEqual([
      10_000,
      'SUBMITTED',
      null,
    ])
  })

  test('stays when the member has spent meanwhile what it would take back', async () => {
    const { id, memberId } = await ask()
    await me().post(`${REFUNDS}/${id}/reject`, { reason: 'by mistake' })
    await instance.app.db.write(tx =>
      spend(ownChange(instance.app, tx, clock.now(), 'test'), { memberId, kind: 'COINS', units: 100 }),
    )
    expect(told(await undo(REFUNDS, id, 'reject'))).toContain('has used entitlements')
    expect((await read(id)).status).toBe('REJECTED')
  })

  test('stays when the provider has paid after all', async () => {
    const { id, orderId } = await ask()
    await me().post(`${REFUNDS}/${id}/reject`, { reason: 'by mistake' })
    const { refundNo } = await read(id)
    await sql`
      insert into provider_refund (refund_no, payment_id, amount_fen, status, created_at, finished_at)
      select ${refundNo}, p.id, 10000, 'SUCCESS', now(), now() from payment p where p.order_id = ${orderId}`.execute(
      instance.app.db.query,
    )
    expect(told(await undo(REFUNDS, id, 'reject'))).toContain('paid this refund after all')
    await sql`delete from provider_refund where refund_no = ${refundNo}`.execute(instance.app.db.query)
  })

  test('stays when the money has been asked for again meanwhile', async () => {
    const { id, orderId } = await ask()
    await me().post(`${REFUNDS}/${id}/reject`, { reason: 'by mistake' })
    const whole = refundBody(orderId, 36_500)
    expect(await asker?.post(REFUNDS, whole)).toMatchObject({ code: 0 })
    expect(await undo(REFUNDS, id, 'reject')).not.toMatchObject({ code: 0 })
    expect((await read(id)).status).toBe('REJECTED')
  })
})

describe('a decision on a parcel that is taken back', () => {
  const parcel = async () => {
    const good = await shelve(instance, 3)
    const { parcelId, orderId } = await sell(instance, { kitId: await makeKit(instance, [{ id: good, quantity: 2 }]) })
    return { good, parcelId, orderId }
  }
  const statusOf = async (id: string) =>
    (await instance.app.db.query.selectFrom('shipment').select('status').where('id', '=', id).executeTakeFirst())
      ?.status

  test('hides nothing of how long it has waited', async () => {
    const { parcelId } = await parcel()
    const since = async () => (await me().get<{ stateSince: string }>(`${APPROVAL}/${parcelId}`)).data.stateSince
    const before = await since()
    await me().post(`${APPROVAL}/${parcelId}/approve`)
    expect(Date.parse(await since())).toBeGreaterThan(Date.parse(before))
    await undo(APPROVAL, parcelId, 'approve')
    expect(await since()).toBe(before)
  })

  test('holds its goods on the shelf again', async () => {
    const { good, parcelId } = await parcel()
    await me().post(`${APPROVAL}/${parcelId}/reject`, { reason: 'by mistake' })
    expect(await stockOf(instance, good)).toEqual([3, 0])
    expect(await undo(APPROVAL, parcelId, 'reject')).toMatchObject({ code: 0 })
    expect([await stockOf(instance, good), await statusOf(parcelId)]).toEqual([[3, 2], 'TO_APPROVE'])
  })

  test('stays when the goods were asked for once more', async () => {
    const { parcelId, orderId } = await parcel()
    await me().post(`${APPROVAL}/${parcelId}/reject`, { reason: 'by mistake' })
    expect(await me().post(`/orders/order/${orderId}/sendAgain`)).toMatchObject({ code: 0 })
    expect(told(await undo(APPROVAL, parcelId, 'reject'))).toBe('The goods have been requested again')
  })

  test('waits for approval again, until its label is printed', async () => {
    const { parcelId } = await parcel()
    await me().post(`${APPROVAL}/${parcelId}/approve`)
    expect(await undo(APPROVAL, parcelId, 'approve')).toMatchObject({ code: 0 })
    expect(await statusOf(parcelId)).toBe('TO_APPROVE')
    await me().post(`${APPROVAL}/${parcelId}/approve`)
    await instance.app.db.query
      .updateTable('shipment')
      .set({ printed_at: clock.now() })
      .where('id', '=', parcelId)
      .execute()
    expect(told(await undo(APPROVAL, parcelId, 'approve'))).toBe(
      'The label has been printed; hold the shipment at the shipping desk',
    )
  })
})
