import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { periodOf } from '#engines/settlement/period.model.ts'
import { digestOf, openStatement, reckon } from '#engines/settlement/server.ts'
import type { Change } from '#kit/server/app.ts'
import { phoneHash } from '#kit/server/change/erasure-proof.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { beginRun } from '#kit/server/work/job.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { somebodyWaits } from '../../../../tools/testing/locks.ts'
import { refunded, sold } from '../../../../tools/testing/refunds.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import type { Statement } from './model.ts'
import { jobs } from './server.ts'
import { sourceOf } from './source.server.ts'

const PATH = '/channel/statement'
const PAGE = 'channelCpa'
const READS = ['list', 'detail']
const DAY_MS = 86_400_000

let instance: TestInstance
let [keeper, finance, cashier]: (Caller & { orgId: string })[] = []
beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date('2026-05-02T02:00:00Z')) })
  keeper = await person(instance, { grants: { [PAGE]: [...READS, 'confirm', 'reckon', 'deduct', 'correct'] } })
  finance = await person(instance, { grants: { [PAGE]: [...READS, 'confirm', 'approve', 'reject'] } })
  cashier = await person(instance, { grants: { [PAGE]: [...READS, 'approve', 'pay'] } })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

const query = () => instance.app.db.query
let nth = 0

type Terms = {
  kind: 'REGISTERED' | 'ACTIVATED' | 'FIRST_ORDER' | 'SHARE'
  worth: number
  from?: string
  freeze?: number
  deduction?: number
}

/** A partner with a channel of its own, and what it is paid by. */
async function partner(...terms: Terms[]): Promise<{ id: string; channel: string }> {
  nth += 1
  const channel = `PARTNER_${nth}`
  const { id } = await query()
    .insertInto('partner')
    .values({ name: `合作方${nth}`, company: '公司', channel, platform: 'WEB' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { kind, worth, from = '2026-01-01', freeze = 0, deduction = 0 } of terms)
    await query()
      .insertInto('settlement_price')
      .values({
        ...{
          partner_id: id,
          kind,
          valid_from: from,
          freeze_days: freeze,
          deduction_permille: deduction,
          reason: '测试',
        },
        ...(kind === 'SHARE' ? { share_permille: worth } : { price_fen: worth }),
        status: 'APPROVED',
        ...{ applicant_id: keeper?.id ?? '', l1_by: finance?.id ?? '', ended_at: '2026-01-01T00:00:00Z' },
      })
      .execute()
  return { id, channel }
}

let phones = PHONES.test + 80_000
async function member(channel: string, day: string, phone?: string): Promise<string> {
  phones += 1
  const { id } = await query()
    .insertInto('member')
    .values({
      name: '林小满',
      phone: phone ?? phoneAt(phones),
      source: 'APP',
      channel,
      created_at: `${day}T10:00:00+08:00`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function order(channel: string, day: string, paidFen: number, from = channel): Promise<string> {
  const id = await sold(instance, {
    paidAt: `${day}T10:00:00+08:00`,
    paidFen,
    seller: keeper as Caller & { orgId: string },
    channel,
  })
  await sql`update member m set channel = ${from}, created_at = ${`${day}T09:00:00+08:00`} from sales_order o where o.id = ${id} and m.id = o.member_id`.execute(
    query(),
  )
  return id
}
const giveBack = (id: string, fen: number, day: string) =>
  refunded(instance, id, {
    askedAt: `${day}T08:00:00+08:00`,
    endedAt: `${day}T12:00:00+08:00`,
    status: 'PAID',
    amounts: [fen],
  })

/** What the job does when a month is over, of any month. */
const make = (partnerId: string, month: string): Promise<string> =>
  instance.changing(async change => {
    const statement = await openStatement(change, partnerId, periodOf(`${month}-15`))
    await reckon(change, sourceOf(instance.app), statement)
    return statement.id
  })
const nightly = (change: Change) =>
  (jobs[0] as (typeof jobs)[number]).work(
    change,
    beginRun([], new AbortController().signal, () => {}),
  )
const openLast = () => instance.changing(nightly)
const found = async (id: string) => (await (keeper as Caller).get<Statement>(`${PATH}/${id}`)).data
const lines = async (id: string) => {
  type Line = { entry: string; amountFen: number; note: string }
  const { data } = await (keeper as Caller).get<{ records: Line[] }>(`${PATH}/${id}/lines?size=100`)
  return data.records.map(({ entry, amountFen }) => `${entry} ${amountFen}`).sort()
}
const step = (by: Caller | undefined, id: string, name: string, body: object = {}) =>
  (by as Caller).post(`${PATH}/${id}/${name}`, body)
const confirm = (id: string, by = keeper as Caller) => step(by, id, 'confirm', { confirmedName: '王会计' })

test('a price that was called off before it began opens no statement, and nothing is judged by it', async () => {
  const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_200, from: '2026-04-02' })
  await query().updateTable('settlement_price').set({ valid_to: '2026-04-01' }).where('partner_id', '=', id).execute()
  await member(channel, '2026-04-03')
  await openLast()
  const statements = query().selectFrom('settlement_statement').select('id').where('partner_id', '=', id)
  expect(await statements.execute()).toEqual([])
  expect(await lines(await make(id, '2026-04'))).toEqual([])
})

describe('a statement', () => {
  test('counts who registered by the partner in its month, and says of each other why not', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    await member(channel, '2026-03-01')
    await member(channel, '2026-03-31')
    await member(channel, '2026-04-01')
    const staffPhone = phoneAt(PHONES.test + 89_999)
    await query()
      .updateTable('staff')
      .set({ phone: staffPhone })
      .where('id', '=', cashier?.id ?? '')
      .execute()
    await member(channel, '2026-03-10', staffPhone)
    const made = await make(id, '2026-03')
    expect(await lines(made)).toEqual(['COUNTED 1000', 'COUNTED 1000', 'OWN_STAFF 0'])
    expect(await found(made)).toMatchObject({
      ...{
        status: 'DRAFT',
        counted: 2,
        notCounted: 1,
        totalFen: 2_000,
        periodFrom: '2026-03-01',
        periodTo: '2026-03-31',
      },
    })
  })

  test('is drafted one at a time, and a month is settled once', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    await member(channel, '2026-03-21')
    const march = await make(id, '2026-03')
    await expect(make(id, '2026-04')).rejects.toThrow('settlement_statement_draft')
    await confirm(march)
    await expect(make(id, '2026-03')).rejects.toThrow(/settlement_statement_(no|once)/)
    expect(await found(await make(id, '2026-04'))).toMatchObject({ totalFen: 0 })
  })

  test('pays a share of what new members paid, takes a refund within the freeze off, and one after it back on the next statement', async () => {
    const { id, channel } = await partner({ kind: 'SHARE', worth: 100, freeze: 15 })
    await order(channel, '2026-03-05', 20_000)
    await order(channel, '2026-03-05', 70_000, 'OTHER')
    const within = await order(channel, '2026-03-06', 30_000)
    const after = await order(channel, '2026-03-07', 50_000)
    await giveBack(within, 30_000, '2026-03-10')
    const march = await make(id, '2026-03')
    expect(await lines(march)).toEqual(['COUNTED 2000', 'COUNTED 5000', 'OLD_MEMBER 0', 'REFUNDED 0'])
    await confirm(march)
    await giveBack(after, 10_000, '2026-05-01')
    await order(channel, '2026-04-06', 40_000)
    // Its freeze is not over by the second of May.
    await order(channel, '2026-04-25', 99_000)
    const april = await make(id, '2026-04')
    expect(await lines(april)).toEqual(['COUNTED 4000', 'FROZEN 0', 'TAKEN_BACK -1000'])
    expect(await found(april)).toMatchObject({ totalFen: 3_000 })
    expect(await found(march)).toMatchObject({ totalFen: 7_000 })
  })

  test('that would fall below nothing goes on to the next one', async () => {
    const { id, channel } = await partner({ kind: 'FIRST_ORDER', worth: 3_000, deduction: 100 })
    const first = await order(channel, '2026-02-05', 20_000)
    const february = await make(id, '2026-02')
    expect(await found(february)).toMatchObject({ totalFen: 2_700, adjustedFen: -300 })
    await confirm(february)
    await giveBack(first, 20_000, '2026-04-20')
    const march = await make(id, '2026-03')
    expect(await lines(march)).toEqual(['CARRIED 2700', 'DEDUCTION 300', 'TAKEN_BACK -3000'])
    // Asked again it says the same.
    expect(await step(keeper, march, 'reckon')).toMatchObject({ code: 0 })
    expect(await found(march)).toMatchObject({ totalFen: 0 })
    await confirm(march)
    await order(channel, '2026-04-06', 40_000)
    const april = await make(id, '2026-04')
    expect(await lines(april)).toEqual(['CARRIED -2700', 'COUNTED 3000', 'DEDUCTION -300'])
    expect(await found(april)).toMatchObject({ totalFen: 0 })
  })

  test('is put right on the next one once the partner agreed, and by hand while it is a draft', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    await member(channel, '2026-03-05')
    const march = await make(id, '2026-03')
    expect(await step(keeper, march, 'correct', { direction: 'ADD', amountFen: 500, reason: '漏计' })).toMatchObject({
      code: 4006,
    })
    expect(await step(keeper, march, 'deduct', { amountFen: 300, reason: '素材违规' })).toMatchObject({ code: 0 })
    expect(await found(march)).toMatchObject({ totalFen: 700, adjustedFen: -300 })
    await member(channel, '2026-03-06')
    expect(await step(keeper, march, 'reckon')).toMatchObject({ code: 0 })
    expect(await found(march)).toMatchObject({ totalFen: 1_700, counted: 2 })
    await confirm(march)
    expect(await step(keeper, march, 'reckon')).toMatchObject({ code: 4006 })
    expect(await step(keeper, march, 'correct', { direction: 'TAKE', amountFen: 200, reason: '多计' })).toMatchObject({
      code: 0,
    })
    const april = await make(id, '2026-04')
    expect(await lines(april)).toEqual(['CARRIED 200', 'CORRECTION -200'])
    expect(await found(march)).toMatchObject({ totalFen: 1_700 })
  })

  test('is confirmed, approved and paid by three people, and stays what the partner agreed to', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    await member(channel, '2026-03-05')
    const made = await make(id, '2026-03')
    expect(await confirm(made, finance)).toMatchObject({ code: 0 })
    expect(await step(finance, made, 'approve')).toMatchObject({ code: 4006 })
    expect(await step(cashier, made, 'approve')).toMatchObject({ code: 0 })
    expect(await step(cashier, made, 'pay', { transferNo: 'T1' })).toMatchObject({ code: 4006 })
    const other = await person(instance, { grants: { [PAGE]: [...READS, 'pay'] } })
    expect(await step(other, made, 'pay', { transferNo: null })).toMatchObject({ code: 4005 })
    expect(await step(other, made, 'pay', { transferNo: 'T1' })).toMatchObject({ code: 0 })
    expect(await found(made)).toMatchObject({
      status: 'PAID',
      transferNo: 'T1',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    await sql`update settlement_line set amount_fen = amount_fen + 1 where statement_id = ${made}`.execute(query())
    const broken = (await findBroken(instance.app.db, instance.catalogue)).map(({ name }) => name)
    expect(broken).toContain('a statement is still what its partner agreed to')
    expect(broken).toContain('what is settled is worth what its lines on statements come to')
    await sql`update settlement_line set amount_fen = amount_fen - 1 where statement_id = ${made}`.execute(query())
  })

  test('is neither approved nor paid by whoever took something off it, or added to it, by hand', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    await member(channel, '2026-03-05')
    const made = await make(id, '2026-03')
    const both = await person(instance, {
      grants: { [PAGE]: [...READS, 'deduct', 'correct', 'approve', 'pay', 'reject'] },
    })
    expect(await step(both, made, 'deduct', { amountFen: 100, reason: '素材违规' })).toMatchObject({ code: 0 })
    await confirm(made)
    const told = { code: 4006, msg: expect.stringContaining('by hand') }
    expect(await step(both, made, 'approve')).toMatchObject(told)
    expect(await step(cashier, made, 'approve')).toMatchObject({ code: 0 })
    expect(await step(both, made, 'pay', { transferNo: 'HAND-1' })).toMatchObject(told)
    expect(await step(both, made, 'correct', { direction: 'ADD', amountFen: 9_000, reason: '漏计' })).toMatchObject({
      code: 0,
    })
    const next = await make(id, '2026-04')
    expect(await lines(next)).toEqual(['CORRECTION 9000'])
    await confirm(next)
    expect(await step(both, next, 'approve')).toMatchObject(told)
    expect(await step(finance, next, 'approve')).toMatchObject({ code: 0 })
  })

  test('is paid by a transfer of its own: one number pays one statement, however it is written', async () => {
    const payer = await person(instance, { grants: { [PAGE]: [...READS, 'pay'] } })
    const agreed = async () => {
      const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
      await member(channel, '2026-03-05')
      const made = await make(id, '2026-03')
      await confirm(made)
      await step(finance, made, 'approve')
      return made
    }
    const [one, two] = [await agreed(), await agreed()]
    const pay = (made: string, transferNo: string) => step(payer, made, 'pay', { transferNo })
    expect(await pay(one, 'icbc 2026-0501-77')).toMatchObject({ code: 0 })
    const { statementNo } = await found(one)
    expect(await pay(two, 'ＩＣＢＣ２０２６０５０１７７')).toMatchObject({
      code: 4005,
      data: { fields: { transferNo: expect.stringContaining(statementNo) } },
    })
    expect(await pay(two, '--')).toMatchObject({ code: 4005 })
    const both = await Promise.all([pay(two, 'ICBC 20260502'), pay(await agreed(), 'ICBC20260502')])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 4005])
  })

  test('counts nobody who had an account before: closed and come again, or under the number that account had', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    const [gone, moved] = [await member('OTHER', '2025-03-01'), await member('OTHER', '2025-03-01')]
    const phones = await query().selectFrom('member').select('phone').where('id', 'in', [gone, moved]).execute()
    const [freed, left] = phones.map(({ phone }) => String(phone)) as [string, string]
    await query().updateTable('member').set({ phone: null, status: 'CLOSED' }).where('id', '=', gone).execute()
    await query()
      .insertInto('erasure')
      .values({ member_id: gone, phone_hash: phoneHash(instance.app.env, freed), erased_at: '2025-04-01T00:00:00Z' })
      .execute()
    await query()
      .updateTable('member')
      .set({ phone: phoneAt(PHONES.test + 89_990) })
      .where('id', '=', moved)
      .execute()
    await query()
      .insertInto('member_application')
      .values({
        ...{
          application_no: 'A2026030500001',
          kind: 'PHONE',
          member_id: moved,
          new_phone: left,
          reason: '换号',
          needs_l2: false,
        },
        ...{ status: 'APPROVED', applicant_id: keeper?.id ?? '', l1_by: finance?.id ?? '' },
        created_at: '2025-03-01T00:00:00Z',
        ended_at: '2025-03-02T00:00:00Z',
      })
      .execute()
    await member(channel, '2026-03-05', freed)
    await member(channel, '2026-03-06', left)
    await member(channel, '2026-03-07')
    expect(await lines(await make(id, '2026-03'))).toEqual(['COUNTED 1000', 'OLD_MEMBER 0', 'OLD_MEMBER 0'])
    await query().deleteFrom('member_application').where('member_id', '=', moved).execute()
  })

  test('calculated again without news is the same to the letter, whatever the rules take off it', async () => {
    const { id, channel } = await partner({ kind: 'FIRST_ORDER', worth: 3_000, deduction: 100 })
    await order(channel, '2026-03-05', 20_000)
    const made = await make(id, '2026-03')
    const digest = () => instance.app.db.write(tx => digestOf({ tx }, made))
    const before = await digest()
    expect(await step(keeper, made, 'reckon')).toMatchObject({ code: 0 })
    expect(await digest()).toBe(before)
    await order(channel, '2026-03-06', 20_000)
    expect(await step(keeper, made, 'reckon')).toMatchObject({ code: 0 })
    expect(await digest()).not.toBe(before)
  })

  test('goes back to a draft with a reason, unless a later month stands', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    await member(channel, '2026-03-05')
    const made = await make(id, '2026-03')
    await confirm(made)
    expect(await step(finance, made, 'reject', { reason: '明细不符' })).toMatchObject({ code: 0 })
    expect(await found(made)).toMatchObject({ status: 'DRAFT', digest: null, confirmedBy: null })
    await confirm(made)
    await make(id, '2026-04')
    expect(await step(finance, made, 'reject', { reason: '明细不符' })).toMatchObject({ code: 4006 })
  })

  test('of a person another partner is paid for, or whose channel was corrected to its own by hand, says so', async () => {
    const [one, two] = [
      await partner({ kind: 'REGISTERED', worth: 1_000 }),
      await partner({ kind: 'REGISTERED', worth: 2_000 }),
    ]
    const moved = await member(one.channel, '2026-03-05')
    await make(one.id, '2026-03')
    await query().updateTable('member').set({ channel: two.channel }).where('id', '=', moved).execute()
    // Corrected by hand into a partner's channel nobody is paid for: the partner did not bring them.
    const corrected = await member('OTHER', '2026-03-06')
    await sql`update member set channel = ${two.channel}, entered_channel = channel, entered_source = source,
      origin_corrected_at = ${instance.clock.now()}, origin_corrected_by_id = ${keeper?.id} where id = ${corrected}`.execute(
      query(),
    )
    const made = await make(two.id, '2026-03')
    expect(await lines(made)).toEqual(['DUPLICATE 0', 'OLD_MEMBER 0'])
  })

  test('of last month is made by itself for who has a price and no draft, once', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    await member(channel, '2026-04-05')
    expect(await openLast()).toBeGreaterThan(0)
    expect(await openLast()).toBe(0)
    const { data } = await (keeper as Caller).get<{ records: Statement[] }>(`${PATH}?partnerId=${id}`)
    expect(data.records).toMatchObject([{ periodFrom: '2026-04-01', totalFen: 1_000, status: 'DRAFT' }])
  })

  test('tells of an event that left its freeze while it was a draft once, by what became of it', async () => {
    const { id, channel } = await partner({ kind: 'SHARE', worth: 100, freeze: 15 })
    await order(channel, '2026-04-25', 99_000)
    const refundedOne = await order(channel, '2026-04-26', 50_000)
    const made = await make(id, '2026-04')
    expect(await lines(made)).toEqual(['FROZEN 0', 'FROZEN 0'])
    expect(await found(made)).toMatchObject({ counted: 0, notCounted: 2, totalFen: 0 })
    await giveBack(refundedOne, 50_000, '2026-05-02')
    instance.clock.forward(12 * DAY_MS)
    const [keeps] = [await person(instance, { grants: { [PAGE]: [...READS, 'reckon'] } })]
    expect(await step(keeps, made, 'reckon')).toMatchObject({ code: 0 })
    instance.clock.forward(-12 * DAY_MS)
    expect(await lines(made)).toEqual(['COUNTED 9900', 'REFUNDED 0'])
    expect(await found(made)).toMatchObject({ counted: 1, notCounted: 1, totalFen: 9_900 })
  })

  test('that comes to nothing is settled by itself, says so in its history, and asks nobody', async () => {
    const { id, channel } = await partner({ kind: 'SHARE', worth: 100, freeze: 15 })
    await order(channel, '2026-04-25', 99_000)
    const [silent, taken] = [
      await partner({ kind: 'REGISTERED', worth: 1_000 }),
      await partner({ kind: 'REGISTERED', worth: 1_000 }),
    ]
    await member(taken.channel, '2026-04-06')
    await openLast()
    const of = async (partnerId: string) =>
      (await (keeper as Caller).get<{ records: Statement[] }>(`${PATH}?partnerId=${partnerId}`)).data.records
    for (const settled of [...(await of(id)), ...(await of(silent.id))]) {
      expect(settled).toMatchObject({
        status: 'PAID',
        totalFen: 0,
        confirmedVia: 'NOTHING_DUE',
        approvedBy: null,
        paidBy: null,
      })
      const log = query().selectFrom('operation_log').select(['action', 'actor_id']).where('page', '=', PAGE)
      expect(await log.where('record_id', '=', settled.id).execute()).toEqual([
        { action: 'settleNothing', actor_id: null },
      ])
    }
    // What somebody takes off until nothing is left is no such thing: the partner has brought something, and is asked.
    const [draft] = await of(taken.id)
    const id0 = String(draft?.id)
    expect(draft).toMatchObject({ status: 'DRAFT', totalFen: 1_000 })
    expect(await step(keeper, id0, 'deduct', { amountFen: 1_300, reason: '素材违规' })).toMatchObject({ code: 0 })
    expect(await lines(id0)).toEqual(['CARRIED 300', 'COUNTED 1000', 'DEDUCTION -1300'])
    await openLast()
    expect(await of(taken.id)).toMatchObject([{ status: 'DRAFT', totalFen: 0, confirmedVia: null }])
    await confirm(id0, finance)
    await step(cashier, id0, 'approve')
    const payer = await person(instance, { grants: { [PAGE]: [...READS, 'pay'] } })
    expect(await step(payer, id0, 'pay', { transferNo: null })).toMatchObject({ code: 0 })
    // What waited for the end of its freeze is paid by the next one.
    instance.clock.forward(31 * DAY_MS)
    await openLast()
    instance.clock.forward(-31 * DAY_MS)
    expect((await of(id)).map(({ periodFrom, status, totalFen }) => [periodFrom, status, totalFen])).toEqual([
      ['2026-05-01', 'DRAFT', 9_900],
      ['2026-04-01', 'PAID', 0],
    ])
  })

  test('that came to nothing when the night found it stays a draft where it comes to something in that moment', async () => {
    const { id, channel } = await partner({ kind: 'REGISTERED', worth: 1_000 })
    const made = await make(id, '2026-04')
    expect(await found(made)).toMatchObject({ status: 'DRAFT', totalFen: 0 })
    await member(channel, '2026-04-05')
    const { app } = instance
    // Not among the changes that stand in line: those look for drafts anew once it is their turn.
    const beside = app.db.query.transaction()
    let night: Promise<number> | undefined
    await app.db.write(async tx => {
      await reckon({ tx, now: app.clock.now() }, sourceOf(app), { id: made, partnerId: id, periodTo: '2026-04-30' })
      night = beside.execute(other => nightly(ownChange(app, other, app.clock.now(), 'test')))
      await somebodyWaits(text => sql.raw(text).execute(tx))
    })
    await night
    expect(await found(made)).toMatchObject({ status: 'DRAFT', totalFen: 1_000, confirmedVia: null })
  })

  test('made by several at once is made once, and one order is paid for once', async () => {
    const { id, channel } = await partner({ kind: 'SHARE', worth: 100 })
    await order(channel, '2026-03-05', 20_000)
    const made = await Promise.allSettled(Array.from({ length: 6 }, () => make(id, '2026-03')))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { n } = await query()
      .selectFrom('settlement_line')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('partner_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(1)
  })
})
