import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { FIGURES } from '#kit/page/live.ts'
import { useToldOffline } from '#kit/page/reach.ts'
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

let client: QueryClient
function WithClient() {
  client = useQueryClient()
  return <Page />
}

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

  test('says how much of the month is over beside the target, and no deals of who had no leads', async () => {
    const told = { ...chart, people: [{ ...who('3', 'Cy', 20_00, null), leads: 0, deals: 0 }] }
    await renderPage(<Page />, { search: 'month=2026-11', calls: { [CALL]: () => told }, grants: RIGHTS })
    expect(await screen.findByText('60.0% of the month is over')).toBeDefined()
    const people = await part('Consultants')
    expect(people.getByTitle(/come without a lead/).textContent).toBe('–')
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
    // What figures mean is written beside them: nobody can point at one there.
    expect(within(wall).getByText('Target ¥300')).toBeDefined()
    expect(within(wall).getAllByText('Sales · Target reached')).toHaveLength(2)
    fireEvent.keyDown(document, { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Wall screen' })).toBeNull())
    expect(page.sent(CALL).length).toBeGreaterThan(0)
  })
})

describe('the wall', () => {
  beforeEach(() => loadTexts('sales/chart'))
  afterEach(() => {
    act(() => useToldOffline.setState({ isTold: false }))
    vi.useRealTimers()
    Reflect.deleteProperty(navigator, 'wakeLock')
  })

  /** Days stay as they are: it may be a minute to midnight. */
  const holdTime = () =>
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    })
  const hang = async (search = 'month=2026-11&wall=1') => {
    const page = await renderPage(<WithClient />, { search, calls: { [CALL]: () => chart }, grants: RIGHTS })
    await screen.findByRole('region', { name: 'Wall screen' })
    return page
  }

  test('asks again when it is told that figures are others, and not while it is told nothing', async () => {
    holdTime()
    const page = await hang()
    await act(() => vi.advanceTimersByTimeAsync(10 * 60_000))
    expect(page.sent(CALL)).toHaveLength(1)
    await act(async () => {
      await client.invalidateQueries({ queryKey: [FIGURES, 'sale-chart'] })
    })
    expect(page.sent(CALL)).toHaveLength(2)
  })

  test('says of when its figures are while nothing can be told, and tries the connection anew by itself', async () => {
    holdTime()
    await hang()
    const reconnect = vi.fn()
    act(() => useToldOffline.setState({ isTold: true, reconnect }))
    expect(screen.getByRole('alert').textContent).toContain('figures as of 2026-11-18')
    await act(() => vi.advanceTimersByTimeAsync(65_000))
    expect(reconnect).toHaveBeenCalledTimes(2)
    act(() => useToldOffline.setState({ isTold: false }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('keeps the screen awake, also after its window was out of sight, and lets go of it at the end', async () => {
    const release = vi.fn(async () => {})
    const request = vi.fn(async () => ({ release }))
    Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } })
    const page = await hang()
    expect(request).toHaveBeenCalledWith('screen')
    fireEvent(document, new Event('visibilitychange'))
    expect(request).toHaveBeenCalledTimes(2)
    page.unmount()
    await waitFor(() => expect(release).toHaveBeenCalled())
  })
})
