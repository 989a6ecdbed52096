import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/change/invariants.ts'
import { enrol } from '../../../../tools/testing/commerce.ts'
import {
  type Caller,
  openTestInstance,
  person,
  stoppedClock,
  type TestInstance,
} from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { periodOf } from './measures.server.ts'
import { type DayFigures, type Figures, MEASURES, summaryOf } from './model.ts'

const LISTS = { 'order-list': ['list'] }
// 16:30 UTC is half past midnight in Shanghai: the day of the 16th has begun.
const NOW = new Date('2026-11-15T16:30:00Z')

describe('the figures of the workbench', () => {
  let instance: TestInstance

  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.catalogue)).toEqual([])
  })

  const at = (id: string, createdAt: string, paidAt: string | null) =>
    instance.app.db.query
      .updateTable('sales_order')
      .set({ created_at: createdAt, paid_at: paidAt })
      .where('id', '=', id)
      .execute()
  const figuresOf = async (
    grants: Record<string, string[]>,
    scope: 'SELF' | 'ALL',
    orders: (id: string, orgId: string) => Promise<void>,
  ) => {
    const viewer = await person(instance, { grants, scope })
    await orders(viewer.id, viewer.orgId)
    return (await viewer.get<Figures>('/workbench/workbench')).data.orders
  }

  test('a day begins at midnight in Shanghai, and money counts on the day it came in', async () => {
    const days = await figuresOf(LISTS, 'SELF', async (ownerId, orgId) => {
      await at(
        await placeOrder(instance, { paidFen: 500, ownerId, orgId }),
        '2026-11-15T15:59:59Z',
        '2026-11-15T16:00:00Z',
      )
      await at(await placeOrder(instance, { paidFen: 0, ownerId, orgId }), '2026-11-15T16:00:00Z', null)
    })
    expect(days?.slice(-2)).toEqual([
      { day: '2026-11-15', placed: 1, paidFen: 0 },
      { day: '2026-11-16', placed: 1, paidFen: 500 },
    ])
    expect(days).toHaveLength(14)
    expect(days?.[0]?.day).toBe('2026-11-03')
  })

  test('nobody sees in a figure what the list would not show', async () => {
    const stranger = await person(instance, { grants: LISTS })
    await at(
      await placeOrder(instance, { paidFen: 900, ownerId: stranger.id, orgId: stranger.orgId }),
      '2026-11-15T17:00:00Z',
      '2026-11-15T17:00:00Z',
    )
    const own = await figuresOf(LISTS, 'SELF', async () => {})
    expect(own?.every(({ placed, paidFen }) => placed === 0 && paidFen === 0)).toBe(true)
  })

  test('somebody who may not list orders gets no figures of them', async () => {
    expect(await figuresOf({}, 'ALL', async () => {})).toBeNull()
  })
})

describe('the figures a role is measured by', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
  })
  const bench = async (who: Caller) => (await who.get<Figures>('/workbench/workbench')).data
  const paid = async (who: { id: string; orgId: string }, paidFen: number, paidAt: string) => {
    const id = await placeOrder(instance, { paidFen, ownerId: who.id, orgId: who.orgId })
    await instance.app.db.query.updateTable('sales_order').set({ paid_at: paidAt }).where('id', '=', id).execute()
  }

  test('a seller sees his own paid orders of the month against the same days of the last, a manager the department', async () => {
    const seller = await person(instance, { grants: LISTS, scope: 'SELF' })
    const colleague = await person(instance, { grants: LISTS, scope: 'SELF', orgId: seller.orgId })
    const manager = await person(instance, { grants: LISTS, scope: 'DEPARTMENT', orgId: seller.orgId })
    await paid(seller, 500, '2026-11-02T02:00:00Z')
    await paid(seller, 300, '2026-10-16T15:59:59Z')
    await paid(seller, 9_000, '2026-10-16T16:00:00Z')
    await paid(colleague, 70, '2026-11-03T02:00:00Z')
    const [own] = (await bench(seller)).measures
    expect(own).toMatchObject({ name: 'ordersPaid', isOwn: true, count: 1, fen: 500, before: { count: 1, fen: 300 } })
    const [all] = (await bench(manager)).measures
    expect(all).toMatchObject({ name: 'ordersPaid', isOwn: false, count: 2, fen: 570 })
  })

  test('each number opens exactly the rows it counts', async () => {
    const admin = await person(instance, { superAdmin: true })
    const { measures } = await bench(admin)
    expect(measures.map(({ name }) => name)).toEqual([...MEASURES])
    for (const { name, path, count } of measures) {
      const [route, search] = path.split('?')
      const screen = instance.app.catalogue.screens.find(each => each.route === route)
      const { data } = await admin.get<{ total: number }>(`/${screen?.name}?${search}`)
      expect(data.total, name).toBe(count)
    }
  })

  test('whoever may list nothing has no figure, no shelf and no decision', async () => {
    const nobody = await person(instance)
    expect(await bench(nobody)).toEqual({
      orders: null,
      toDos: [],
      decisions: null,
      measures: [],
      lowStock: null,
      care: null,
    })
  })

  test('a teacher sees by name whom to speak with today, whose days end and who hands in nothing, and neither who is paused nor anybody else’s', async () => {
    const grants = { 'member-list': ['list', 'detail', 'noteFollowUp'] }
    const teacher = await person(instance, { grants, scope: 'SELF' })
    const other = await person(instance, { grants, scope: 'SELF' })
    const pupil = async (name: string, endsOn: string, workAt: string, teacherId = teacher.id) => {
      const id = await enrol(instance)
      await instance.app.db.query
        .updateTable('member')
        .set({ name, teacher_id: teacherId, level: 'MEMBER', membership_ends_on: endsOn, last_work_at: workAt })
        .where('id', '=', id)
        .execute()
      return id
    }
    const ending = await pupil('丁一', '2026-11-20', '2026-11-15T02:00:00Z')
    const quiet = await pupil('丁二', '2027-11-20', '2026-10-01T02:00:00Z')
    const promised = await pupil('丁三', '2027-11-20', '2026-11-15T02:00:00Z')
    const spoken = await pupil('丁四', '2027-11-20', '2026-11-15T02:00:00Z')
    await pupil('丁五', '2026-11-20', '2026-10-01T02:00:00Z', other.id)
    // Paused: neither to be asked to renew nor missed.
    const paused = await pupil('丁六', '2026-11-20', '2026-10-01T02:00:00Z')
    await instance.app.db.query.updateTable('member').set({ is_paused: true }).where('id', '=', paused).execute()
    const note = (id: string, content: string, nextAt: string | null) =>
      teacher.post(`/members/member/${id}/noteFollowUp`, { followUpKind: 'PHONE', content, nextAt })
    expect(await note(promised, 'ask about the grip', '2026-11-16T02:00:00Z')).toMatchObject({ code: 0 })
    await note(spoken, 'call again', '2026-11-16T02:00:00Z')
    await note(spoken, 'called', null)
    const { care } = await bench(teacher)
    expect(care?.map(({ kind, count, members }) => [kind, count, members.map(({ id }) => id)])).toEqual([
      ['followUps', 1, [promised]],
      ['ending', 1, [ending]],
      ['quiet', 1, [quiet]],
    ])
    expect(care?.[0]?.members[0]).toMatchObject({ name: '丁三', said: 'ask about the grip' })
    const manager = await person(instance, { grants, scope: 'ALL' })
    expect((await bench(manager)).care).toBeNull()
  })

  test('what lies at or below its warning is named to whoever lists the shelf', async () => {
    const keeper = await person(instance, { grants: { 'base-product': ['list'] } })
    const shelf = (sku: string, name: string, onHand: number) =>
      instance.app.db.query
        .insertInto('base_product')
        .values({ sku, name, unit: '本', on_hand: onHand, warn_at: 10, cost_fen: 1, value_fen: 1 })
        .execute()
    await shelf('LOW-1', '字帖', 3)
    await shelf('OK-1', '毛笔', 11)
    instance.app.counts.drop('base_product')
    expect((await bench(keeper)).lowStock).toEqual({
      count: 1,
      path: '/logistics/baseProduct?isLow=true&sort=available%3Aasc',
      products: [{ id: expect.any(String), name: '字帖', unit: '本', available: 3, warnAt: 10, path: null }],
    })
  })

  test.each([
    ['2026-11-16', '2026-10-01', '2026-10-16'],
    ['2026-03-31', '2026-02-01', '2026-02-28'],
    ['2026-01-05', '2025-12-01', '2025-12-05'],
  ])('on %s the same days of the last month are %s to %s', (today, from, to) => {
    expect(periodOf('month', today, 'last')).toEqual({ from, to })
  })
})

describe('a summary', () => {
  const days = (values: readonly number[]): DayFigures[] =>
    values.map(placed => ({ day: '2026-11-01', placed, paidFen: 0 }))

  test('compares this week with the one before', () => {
    const summary = summaryOf(days([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2]), 'placed')
    expect(summary).toEqual({ today: 2, yesterday: 3, week: 15, change: 50 })
  })

  test('a week after nothing has no change to speak of', () => {
    expect(summaryOf(days([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]), 'placed').change).toBeNull()
  })
})
