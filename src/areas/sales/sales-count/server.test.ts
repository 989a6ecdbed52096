import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive } from '#engines/lead/server.ts'
import type { StatisticAnswer, Values } from '#kit/model/statistic.ts'
import { announce } from '#kit/server/change/announce.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { sendEvent } from '../../../../tools/testing/live.ts'
import { PHONES, phoneAt } from '../../../demo/builders.server.ts'
import { memberPaid } from '../../members/member/paying.server.ts'

const PATH = '/sales/sales-count'
const SELLS = [
  'list',
  'detail',
  'claim',
  'contact',
  'followUp',
  'markAdded',
  'markIntent',
  'giveBack',
  'lose',
  'assign',
]
const SEES = { 'sale-count': ['list', 'detail', 'export'], 'sale-salvageCount': ['list'], 'sale-salvage': SELLS }
const MINUTE_MS = 60_000

let instance: TestInstance
let boss: Caller
let an: Caller & { orgId: string }
let bo: Caller & { orgId: string }
const clock = stoppedClock(new Date('2026-11-16T02:00:00Z'))
beforeAll(async () => {
  instance = await openTestInstance({ clock })
  boss = await person(instance, { grants: { ...SEES, 'order-list': ['list'], 'order-refundApply': ['list'] } })
  an = await person(instance, { grants: SEES, scope: 'SELF', name: 'An' })
  bo = await person(instance, { grants: SEES, scope: 'SELF', name: 'Bo' })
})
afterAll(async () => {
  expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
})

let counter = PHONES.test + 640_000
const call = { contactKind: 'PHONE', content: '介绍了体验课', level: null, nextAt: null, picture: [] }

/** A lead that comes into somebody's hands now, or waits in the pool. */
async function leadOf(owner: { id: string; orgId: string } | null): Promise<string> {
  counter += 1
  const phone = phoneAt(counter)
  const came = { phone, name: null, source: 'APP', channel: 'STORE', consent: 'SELF', cameBy: 'FORM' as const }
  const whose = owner && { id: owner.id, orgId: owner.orgId }
  const [arrived] = await instance.changing(change => arrive(change, [{ ...came, key: phone, owner: whose }]))
  return String(arrived?.leadId)
}
const spansOf = async (leadId: string) =>
  (
    await sql<{ owner: string; reached: string; prompt: boolean; end: string | null }>`
      select owner_id as owner, reached, prompt, end_kind as end from lead_owner where lead_id = ${leadId} order by id`.execute(
      instance.app.db.query,
    )
  ).rows
async function step(who: Caller, leadId: string, name: string, body: object = {}) {
  const { data } = await boss.get<{ version: number }>(`/sales/salvage/${leadId}`)
  expect(await who.post(`/sales/salvage/${leadId}/${name}`, { version: data.version, ...body })).toMatchObject({
    code: 0,
  })
}
/** The person of the newest lead registers, and pays. */
async function paysFirst(paidFen: number): Promise<void> {
  const phone = phoneAt(counter)
  await sendEvent(instance, 'app', {
    type: 'member.registered',
    data: { phone, name: '林小满', source: 'APP', channel: 'STORE' },
  })
  await instance.inbox.sweep()
  const member = instance.app.db.query.selectFrom('member').select('id').where('phone', '=', phone)
  const { id: memberId } = await member.executeTakeFirstOrThrow()
  await instance.changing(change => announce(change, memberPaid, { memberId, paidFen }))
}
const numbers = async (who: Caller): Promise<Values> =>
  (await who.get<StatisticAnswer>(`${PATH}/numbers`)).data.totals.received?.now ?? {}

describe('what becomes of a lead', () => {
  test('is told of the hands it was in: who spoke first, who added it, who was given it afterwards', async () => {
    const lead = await leadOf(an)
    clock.forward(29 * MINUTE_MS)
    await step(an, lead, 'contact', call)
    await step(an, lead, 'markAdded')
    await step(boss, lead, 'assign', { newOwnerId: bo.id })
    clock.forward(31 * MINUTE_MS)
    await step(bo, lead, 'contact', call)
    expect(await spansOf(lead)).toEqual([
      { owner: an.id, reached: 'ADDED', prompt: true, end: 'MOVED' },
      { owner: bo.id, reached: 'CONTACTED', prompt: false, end: null },
    ])
  })

  test('is taken back with the step that was a mistake', async () => {
    const lead = await leadOf(an)
    await step(an, lead, 'contact', call)
    await step(an, lead, 'markIntent', { level: 'A' })
    expect(await spansOf(lead)).toMatchObject([{ reached: 'INTENT' }])
    expect(await an.post(`/sales/salvage/${lead}/markIntent/undo`, {})).toMatchObject({ code: 0 })
    expect(await spansOf(lead)).toMatchObject([{ reached: 'CONTACTED' }])
  })

  test('ends with the first payment, which counts for whoever had it then', async () => {
    const lead = await leadOf(bo)
    const before = await numbers(bo)
    await paysFirst(199_00)
    expect(await spansOf(lead)).toMatchObject([{ reached: 'DEAL', end: 'DEAL' }])
    expect((await numbers(bo)).deals).toBe((before.deals ?? 0) + 1)
    const { data } = await bo.get<{ records: { dealFen: number; daysToDeal: number }[] }>(`${PATH}?endKind=DEAL`)
    expect(data.records).toMatchObject([{ dealFen: 199_00, daysToDeal: 0 }])
  })
})

describe('what is claimed out of a pool', () => {
  test('is one claim, whatever was a mistake in between, and a deal of whoever claimed it', async () => {
    const lead = await leadOf(null)
    await sql`
      insert into lead_pool_member (pool_id, staff_id) select pool_id, ${an.id} from lead where id = ${lead}`.execute(
      instance.app.db.query,
    )
    const claims = async () => {
      const { data } = await boss.get<StatisticAnswer>('/sales/salvage-count')
      const { claimed, contacted, sameDay, revenue, returned } = data.totals.claimed?.now ?? {}
      return { claimed, contacted, sameDay, revenue, returned }
    }
    const none = { claimed: 0, contacted: 0, sameDay: 0, revenue: 0, returned: 0 }
    expect(await claims()).toEqual(none)
    await step(an, lead, 'claim')
    await step(an, lead, 'contact', call)
    clock.forward(MINUTE_MS)
    await step(an, lead, 'lose', { endReason: 'TOO_DEAR' })
    expect(await an.post(`/sales/salvage/${lead}/lose/undo`, {})).toMatchObject({ code: 0 })
    expect(await claims()).toEqual({ ...none, claimed: 1, contacted: 1 })
    await paysFirst(50_00)
    expect(await spansOf(lead)).toMatchObject([{ owner: an.id, reached: 'DEAL' }])
    expect(await claims()).toEqual({ ...none, claimed: 1, contacted: 1, sameDay: 1, revenue: 50_00 })
  })
})

describe('the numbers', () => {
  test('are of what a consultant had, and whoever sees everybody sees them all', async () => {
    const [own, others, all] = await Promise.all([numbers(an), numbers(bo), numbers(boss)])
    expect((own.leads ?? 0) + (others.leads ?? 0)).toBe(all.leads)
    const { rows } = await sql<{ n: string }>`
      select count(*) as n from lead_owner where contacted_at <= since + interval '30 minutes'`.execute(
      instance.app.db.query,
    )
    expect(Math.round((all.promptRate ?? 0) * (all.leads ?? 0))).toBe(Number(rows[0]?.n))
  })

  test('say nothing of money to who may not list orders', async () => {
    expect(await numbers(an)).toMatchObject({ amount: null, refunded: null, net: null, perHead: null })
    expect((await numbers(boss)).amount).toBe(0)
  })

  test('stay with who had the leads when another takes over the work', async () => {
    const lead = await leadOf(an)
    await step(boss, lead, 'assign', { newOwnerId: bo.id })
    const { data } = await boss.get<{ total: number }>(`${PATH}?leadId=${lead}&soldBy=${an.id}`)
    expect(data.total).toBe(1)
  })

  test('lead on to a lead only for who may see it now', async () => {
    const lead = await leadOf(an)
    const seen = async (who: Caller, whose: Caller) => {
      const { data } = await who.get<{ records: { id: string }[] }>(`${PATH}?leadId=${lead}&soldBy=${whose.id}`)
      return (await who.get<{ seesLead: boolean }>(`${PATH}/${data.records[0]?.id}`)).data.seesLead
    }
    expect(await seen(an, an)).toBe(true)
    await step(boss, lead, 'assign', { newOwnerId: bo.id })
    expect([await seen(an, an), await seen(bo, bo), await seen(boss, an)]).toEqual([false, true, true])
    expect(await an.get(`/sales/salvage/${lead}`)).toMatchObject({ code: 4004 })
  })
})
