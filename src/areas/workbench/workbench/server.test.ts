import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBroken } from '#kit/server/invariants.ts'
import { openTestInstance, person, stoppedClock, type TestInstance } from '../../../../tools/testing/instance.ts'
import { placeOrder } from '../../../../tools/testing/records.ts'
import { type DayFigures, type Figures, summaryOf } from './model.ts'

const LISTS = { 'order-list': ['list'] }
// 16:30 UTC is half past midnight in Shanghai: the day of the 16th has begun.
const NOW = new Date('2026-11-15T16:30:00Z')

describe('the figures of the workbench', () => {
  let instance: TestInstance

  beforeAll(async () => {
    instance = await openTestInstance({ clock: stoppedClock(NOW) })
  })
  afterAll(async () => {
    expect(await findBroken(instance.app.db, instance.app.catalogue)).toEqual([])
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
