import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StatisticAnswer } from '#kit/model/statistic.ts'
import { findBroken } from '#kit/server/change/invariants.ts'
import type { Tx } from '#kit/server/database/database.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { brought, partnerOf, settle } from '../../../../tools/testing/partners.ts'
import { refunded } from '../../../../tools/testing/refunds.ts'
import type { DistributionOrder } from './model.ts'

const PATH = '/channel/distribution-order'
const READS = { disOrder: ['list', 'detail'], channelCpa: ['list', 'detail', 'confirm'] }

let instance: TestInstance
let [boss, other, seller]: (Caller & { orgId: string })[] = []
let manager: Caller
beforeAll(async () => {
  instance = await openTestInstance({ clock: stoppedClock(new Date('2026-05-02T02:00:00Z')) })
  boss = await person(instance, { grants: READS })
  other = await person(instance, { grants: { ...READS, 'member-list': ['own'] }, scope: 'SELF' })
  manager = await person(instance, { superAdmin: true })
  seller = await person(instance, { grants: READS, scope: 'SELF' })
})
afterAll(async () => expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([]))

type Person = Caller & { orgId: string }
const two = () => [boss as Person, other as Person] as const
let nth = 0
const newChannel = () => `BROUGHT_${++nth}`
const order = (channel: string, day: string, paidFen: number, from = channel) =>
  brought(instance, { channel, day, paidFen, seller: seller as Person, from })
const found = async (query: string, who = boss as Caller) => {
  const { data } = await who.get<{ records: DistributionOrder[]; total: number }>(`${PATH}?${query}&size=100`)
  return data.records
}
const one = async (orderId: string) => (await found(`orderId=${orderId}`))[0]
const giveBack = (id: string, fen: number, day: string) =>
  refunded(instance, id, {
    askedAt: `${day}T08:00:00+08:00`,
    endedAt: `${day}T12:00:00+08:00`,
    status: 'PAID',
    amounts: [fen],
  })

const waiting = async (tx: Tx) => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
  return rows.length
}

describe("a partner's order", () => {
  test('stands there once it is paid, and waits for its month to be settled', async () => {
    const channel = newChannel()
    const partnerId = await partnerOf(instance, channel, two(), { kind: 'SHARE', worth: 100 })
    const id = await order(channel, '2026-04-05', 20_000)
    expect(await one(id)).toMatchObject({
      ...{ partnerId, entry: 'WAITING', kind: null, paidFen: 20_000, commissionFen: 0, statementId: null, channel },
    })
    await order('NOBODYS', '2026-04-05', 20_000)
    expect(await found(`partnerId=${partnerId}`)).toHaveLength(1)
  })

  test('is worth nothing once the platform that sold it paid it back by itself, and counts that once where it is entered here too', async () => {
    const channel = newChannel()
    const partnerId = await partnerOf(instance, channel, two(), { kind: 'SHARE', worth: 100 })
    const [whole, part, later, unbound] = [
      await order(channel, '2026-03-05', 20_000),
      await order(channel, '2026-03-06', 30_000),
      await order(channel, '2026-03-07', 50_000),
      await order(channel, '2026-03-08', 70_000),
    ]
    const { query } = instance.app.db
    const backThere = (orderId: string, fen: number | null, day: string) =>
      query
        .insertInto('platform_order')
        .values({
          ...{ platform: 'DOUYIN', order_no: `DY${orderId}`, status: 'REFUNDED', order_id: orderId },
          ...{ refund_state: 'REFUNDED', refunded_fen: fen, refunded_at: `${day}T12:00:00+08:00` },
          created_at: '2026-03-01T00:00:00Z',
        })
        .execute()
    // Nothing said how much: the whole.
    await backThere(whole, null, '2026-03-10')
    await backThere(part, 10_000, '2026-03-10')
    await giveBack(part, 10_000, '2026-03-12')
    // Told of under the shop's own number alone, whose person it has not named.
    await sql`
      with sold as (update sales_order set source = 'DOUYIN' where id = ${unbound} returning order_no)
      insert into platform_order (platform, order_no, status, refund_state, refunded_at, created_at)
      select 'DOUYIN', order_no, 'REFUNDED', 'REFUNDED', '2026-03-10T12:00:00+08:00', '2026-03-08T12:00:00+08:00' from sold`.execute(
      query,
    )
    const march = await settle(instance, partnerId, '2026-03')
    const worth = async () => (await found(`partnerId=${partnerId}`)).map(row => [row.entry, row.commissionFen]).sort()
    expect(await worth()).toEqual([
      ['COUNTED', 2_000],
      ['COUNTED', 5_000],
      ['REFUNDED', 0],
      ['REFUNDED', 0],
    ])
    expect(await (boss as Caller).post(`/channel/statement/${march}/confirm`, { confirmedName: '王' })).toMatchObject({
      code: 0,
    })
    await backThere(later, 50_000, '2026-05-01')
    await settle(instance, partnerId, '2026-04')
    expect(await worth()).toEqual([
      ['COUNTED', 0],
      ['COUNTED', 2_000],
      ['REFUNDED', 0],
      ['REFUNDED', 0],
    ])
    // They were never told of as platforms tell.
    await query.deleteFrom('platform_order').execute()
  })

  test('of somebody under whose number another was a member before is worth nothing: nobody has brought that person anew', async () => {
    const channel = newChannel()
    const partnerId = await partnerOf(instance, channel, two(), { kind: 'FIRST_ORDER', worth: 3_000 })
    const [again, fresh] = [await order(channel, '2026-04-05', 20_000), await order(channel, '2026-04-06', 20_000)]
    const { query } = instance.app.db
    const before = await order('NOBODYS', '2025-04-05', 20_000)
    // The number they were a lead by; they go by another one since.
    const { rows } = await sql<{ id: string }>`
      insert into lead (phone, source, channel, came_by, consent, status, member_id, registered_at, ended_at, last_touch_at, created_at)
      select m.phone, 'APP', 'NOBODYS', 'IMPORT', 'FORM', 'DEAL', b.member_id, b.paid_at, b.paid_at, b.paid_at, b.paid_at
      from sales_order a join member m on m.id = a.member_id, sales_order b where a.id = ${again} and b.id = ${before} returning id`.execute(
      query,
    )
    await settle(instance, partnerId, '2026-04')
    expect(await one(again)).toMatchObject({ entry: 'OLD_MEMBER', commissionFen: 0 })
    expect(await one(fresh)).toMatchObject({ entry: 'COUNTED', commissionFen: 3_000 })
    await query.deleteFrom('lead').where('id', '=', String(rows[0]?.id)).execute()
  })

  test('says how it was judged, by which rule and on which statement, with its lines below', async () => {
    const channel = newChannel()
    const partnerId = await partnerOf(instance, channel, two(), { kind: 'SHARE', worth: 100, cap: 1 })
    const [counted, over, old] = [
      await order(channel, '2026-04-05', 20_000),
      await order(channel, '2026-04-06', 30_000),
      await order(channel, '2026-04-07', 40_000, 'OTHER'),
    ]
    const statementId = await settle(instance, partnerId, '2026-04')
    expect(await one(counted)).toMatchObject({
      ...{ entry: 'COUNTED', kind: 'SHARE', sharePermille: 100, priceFen: null, commissionFen: 2_000, statementId },
    })
    expect(await one(over)).toMatchObject({ entry: 'OVER_CAP', commissionFen: 0, statementId })
    expect(await one(old)).toMatchObject({ entry: 'OLD_MEMBER', commissionFen: 0, statementId })
    const { id = '' } = (await one(counted)) ?? {}
    const lines = await (boss as Caller).get<{ records: object[] }>(`${PATH}/${id}/lines`)
    expect(lines.data.records).toMatchObject([{ entry: 'COUNTED', amountFen: 2_000, statementId }])
  })

  test('loses what was refunded, before and after it was settled', async () => {
    const channel = newChannel()
    const partnerId = await partnerOf(instance, channel, two(), { kind: 'SHARE', worth: 100 })
    const [before, after] = [await order(channel, '2026-03-05', 20_000), await order(channel, '2026-03-06', 50_000)]
    await giveBack(before, 5_000, '2026-03-10')
    const march = await settle(instance, partnerId, '2026-03')
    expect(await one(before)).toMatchObject({ commissionFen: 1_500 })
    await (boss as Caller).post(`/channel/statement/${march}/confirm`, { confirmedName: '王会计' })
    await giveBack(after, 10_000, '2026-05-01')
    const april = await settle(instance, partnerId, '2026-04')
    expect(await one(after)).toMatchObject({ entry: 'COUNTED', commissionFen: 4_000, statementId: march })
    const { id = '' } = (await one(after)) ?? {}
    const { data } = await (boss as Caller).get<{ records: object[] }>(`${PATH}/${id}/lines`)
    expect(data.records).toMatchObject([
      { entry: 'COUNTED', amountFen: 5_000, statementId: march },
      { entry: 'TAKEN_BACK', amountFen: -1_000, statementId: april },
    ])
  })

  test('that earns by two rules shows what both come to', async () => {
    const channel = newChannel()
    const terms = [
      { kind: 'SHARE', worth: 100 },
      { kind: 'FIRST_ORDER', worth: 3_000 },
    ] as const
    const partnerId = await partnerOf(instance, channel, two(), ...terms)
    const id = await order(channel, '2026-04-05', 20_000)
    await settle(instance, partnerId, '2026-04')
    expect(await one(id)).toMatchObject({ entry: 'COUNTED', commissionFen: 5_000 })
  })

  test('is among those of a partner who brought the member, whichever way the order came', async () => {
    const channel = newChannel()
    const partnerId = await partnerOf(instance, channel, two(), { kind: 'FIRST_ORDER', worth: 3_000 })
    const id = await order('SHOP', '2026-04-05', 20_000, channel)
    expect(await one(id)).toBeUndefined()
    await settle(instance, partnerId, '2026-04')
    expect(await one(id)).toMatchObject({
      partnerId,
      channel: 'SHOP',
      kind: 'FIRST_ORDER',
      priceFen: 3_000,
      commissionFen: 3_000,
    })
  })

  test('that concerns two partners is a row with each of them, and one order in the sum', async () => {
    const [sale, first] = [newChannel(), newChannel()]
    const selling = await partnerOf(instance, sale, two(), { kind: 'SHARE', worth: 100 })
    const bringing = await partnerOf(instance, first, two(), { kind: 'FIRST_ORDER', worth: 3_000 })
    const id = await order(sale, '2026-04-09', 20_000, first)
    await giveBack(id, 5_000, '2026-04-10')
    await settle(instance, bringing, '2026-04')
    expect(await found(`orderId=${id}`)).toHaveLength(2)
    const { data } = await manager.get<StatisticAnswer>(
      '/channel/distribution-count?from=2026-04-09&to=2026-04-09&dimension=partner',
    )
    const each = { orders: 1, amount: 20_000, refunded: 5_000 }
    const told = new Map(data.rows.map(({ key, values }) => [key, values.paid]))
    expect([told.get(selling), told.get(bringing)]).toMatchObject([each, each])
    const sum = data.totals.paid?.now
    expect(sum).toMatchObject(each)
    expect(sum?.net).toBe(15_000 - Number(sum?.commission))
  })

  test('adds nothing known to the commission of its day before the first is settled, which is not to say it is nothing', async () => {
    const [channel, day] = [newChannel(), '2026-04-23']
    const partnerId = await partnerOf(instance, channel, two(), { kind: 'SHARE', worth: 100 })
    await order(channel, day, 20_000)
    const told = async (name: string) => {
      const { data } = await manager.get<StatisticAnswer>(`/channel/${name}?from=${day}&to=${day}`)
      return Object.values(data.totals)[0]?.now
    }
    expect(await told('distribution-count')).toMatchObject({ open: 1, commission: null, share: null, net: 20_000 })
    expect(await told('channel-count')).toMatchObject({ commission: null })
    await settle(instance, partnerId, '2026-04')
    expect(await told('distribution-count')).toMatchObject({ open: 0, commission: 2_000, share: 0.1, net: 18_000 })
    expect(await told('channel-count')).toMatchObject({ commission: 2_000 })
  })

  test('is seen by whoever the member belongs to, and goes along into other hands', async () => {
    const channel = newChannel()
    await partnerOf(instance, channel, two(), { kind: 'SHARE', worth: 100 })
    const id = await order(channel, '2026-04-05', 20_000)
    expect(await found(`orderId=${id}`, seller)).toHaveLength(1)
    expect(await found(`orderId=${id}`, other)).toHaveLength(0)
    const { memberId } = (await one(id)) as DistributionOrder
    const given = { newOwnerId: other?.id, reason: '换人' }
    expect(await manager.post(`/members/member/${memberId}/assignOwner`, given)).toMatchObject({ code: 0 })
    expect(await found(`orderId=${id}`, other)).toHaveLength(1)
    expect(await found(`orderId=${id}`, seller)).toHaveLength(0)
  })

  test('that is refunded while its month is settled says so afterwards', async () => {
    const channel = newChannel()
    const partnerId = await partnerOf(instance, channel, two(), { kind: 'FIRST_ORDER', worth: 3_000 })
    const id = await order('SHOP', '2026-04-05', 20_000, channel)
    const { query } = instance.app.db
    const giving = (fen: number) => ({ refunded_fen: fen })
    let settling = Promise.resolve('')
    await query.transaction().execute(async tx => {
      await tx.updateTable('sales_order').set(giving(5_000)).where('id', '=', id).execute()
      let isDone = false
      settling = settle(instance, partnerId, '2026-04').finally(() => {
        isDone = true
      })
      // Until it waits for us, or has not cared.
      while (!isDone && (await waiting(tx)) === 0) await setTimeout(20)
    })
    await settling
    expect(await one(id)).toMatchObject({ entry: 'COUNTED', refundedFen: 5_000 })
    // Nobody was given anything after all.
    await query.updateTable('sales_order').set(giving(0)).where('id', '=', id).execute()
    expect(await one(id)).toMatchObject({ refundedFen: 0 })
  })
})
