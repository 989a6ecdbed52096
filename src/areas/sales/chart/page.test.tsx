import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { press, renderPage } from '../../../../tools/testing/page.tsx'
import { type Chart, HOURS, type Ranked, WEEKDAYS } from './model.ts'
import { Page } from './page.tsx'

const CALL = 'GET /api/sales/chart'
const RIGHTS = { 'sale-chart': ['list'], 'sale-count': ['list'], 'sale-operate': ['list'], 'sale-list': ['list'] }

const who = (id: string, name: string, amount: number, targetFen: number | null): Ranked => {
  const team = { team: 'Team 1', teamId: '9' }
  return {
    id,
    name,
    ...team,
    consultantId: targetFen === null ? null : `c${id}`,
    amount,
    targetFen,
    leads: 4,
    deals: 1,
  }
}
const week = WEEKDAYS.map((_, day) => Array.from({ length: HOURS }, (_none, hour) => (day === 0 && hour === 9 ? 7 : 0)))
const chart: Chart = {
  month: '2026-11',
  from: '2026-11-01',
  to: '2026-11-18',
  asOf: '2026-11-18T02:00:00.000Z',
  amount: 150_00,
  net: 140_00,
  targetFen: 300_00,
  funnel: [
    { measure: 'leads', count: 8 },
    { measure: 'deals', count: 2 },
  ],
  people: [who('1', 'An', 100_00, 300_00), who('2', 'Bo', 50_00, null)],
  teams: [{ ...who('9', 'Team 1', 150_00, 300_00), team: null, teamId: null, consultantId: null }],
  hours: week,
}
const open = (search = 'month=2026-11', grants: Record<string, string[]> = RIGHTS) =>
  renderPage(<Page />, { search, calls: { [CALL]: () => chart }, grants })
const part = async (name: string) => within(await screen.findByRole('region', { name }))

describe('the sales board', () => {
  beforeEach(() => loadTexts('sales/chart'))

  test('shows money against the target, and leads from each figure to where it comes from', async () => {
    await open()
    const amount = await screen.findByRole('link', { name: 'Sales ¥150.00' })
    expect(amount.getAttribute('href')).toBe('#/sale/count?from=2026-11-01&to=2026-11-18&measure=amount')
    expect(screen.getByRole('link', { name: 'Target reached 50.0%' }).getAttribute('href')).toBe('#/sale/list')
    const people = await part('Consultants')
    expect(people.getByRole('link', { name: 'An Sales ¥100.00' }).getAttribute('href')).toContain('soldBy=1')
    expect(people.getByRole('link', { name: 'An Target reached 33.3%' }).getAttribute('href')).toBe('#/sale/list/c1')
    const teams = await part('Teams')
    expect(teams.getByRole('link', { name: 'Team 1 Sales ¥150.00' }).getAttribute('href')).toContain(
      'soldBy=1&soldBy=2',
    )
  })

  test('leads nowhere the person may not look', async () => {
    await open('month=2026-11', { 'sale-chart': ['list'] })
    await screen.findByRole('region', { name: 'Consultants' })
    expect(document.querySelectorAll('.ink-statistic a')).toHaveLength(0)
  })

  test('shows the hours at which something was done, and no others', async () => {
    await open()
    const heat = await part('Activity by hour')
    expect(heat.getAllByRole('columnheader').map(head => head.textContent)).toEqual(['Weekday', '9'])
  })

  test('fills the screen on a wall, with nothing to click but the way out, and Escape leads back', async () => {
    const page = await open()
    await screen.findByRole('region', { name: 'Consultants' })
    press('Wall screen')
    const wall = await screen.findByRole('region', { name: 'Wall screen' })
    expect(within(wall).queryAllByRole('link')).toHaveLength(0)
    expect(within(wall).getAllByText('An')).toHaveLength(1)
    expect(within(wall).getAllByRole('button')).toHaveLength(1)
    fireEvent.keyDown(document, { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Wall screen' })).toBeNull())
    expect(page.sent(CALL).length).toBeGreaterThan(0)
  })
})
