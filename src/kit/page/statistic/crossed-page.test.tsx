import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Page } from '#areas/analysis/order-count/page.tsx'
import type { StatisticAnswer, Values } from '#kit/model/statistic.ts'
import { type Calls, renderPage } from '../../../../tools/testing/page.tsx'

const CALL = 'GET /api/analysis/order-count'
const values = (amount: number, more: Values = {}): Values => ({
  amount,
  paid: amount / 100,
  average: 100,
  placed: 10,
  payRate: 0.8,
  refunded: 0,
  net: amount,
  placedPaid: 8,
  placedKept: 6,
  ...more,
})
const DAYS = ['2026-05-01', '2026-05-02']
const answer = (given: Partial<StatisticAnswer> = {}): StatisticAnswer => ({
  from: '2026-05-01',
  to: '2026-05-02',
  interval: 'day',
  dimension: 'time',
  across: 'channel',
  basis: 'happened',
  filters: {},
  asOf: '2026-05-02T04:05:06.000Z',
  previous: { from: '2026-04-29', to: '2026-04-30' },
  totals: { happened: { now: values(1_000), before: values(800) } },
  columns: [
    { key: 'LINK', label: 'Link', isRest: false, values: values(700) },
    { key: null, label: 'Others', isRest: true, values: values(300) },
  ],
  rows: DAYS.map((day, nth) => ({
    key: day,
    label: day,
    from: day,
    to: day,
    values: { happened: values(500) },
    cells: [values(300 + 100 * nth), values(200 - 100 * nth)],
  })),
  ...given,
})
const RIGHTS = { 'analyse-order-count': ['list', 'export'], 'order-list': ['list'], 'order-refundApply': ['list'] }
const open = (calls: Calls = { [CALL]: () => answer() }) =>
  renderPage(<Page />, { search: 'across=channel', calls, grants: RIGHTS })

describe('a statistic by two dimensions', () => {
  test('stands as a grid with the sums of both, shaded by size, one tab stop that arrows move', async () => {
    const page = await open()
    const grid = await screen.findByRole('grid')
    const lines = [...grid.querySelectorAll('tr')].map(line => [...line.children].map(cell => cell.textContent))
    expect(lines).toEqual([
      ['Date', 'Link', 'Others', 'Total'],
      ['2026-05-01', '3.00', '2.00', '5.00'],
      ['2026-05-02', '4.00', '1.00', '5.00'],
      ['Total', '7.00', '3.00', '10.00'],
    ])
    expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
    const first = screen.getByLabelText('2026-05-01, Link, Amount received: 3.00, open the records')
    first.focus()
    fireEvent.keyDown(first, { key: 'ArrowDown' })
    const below = screen.getByLabelText('2026-05-02, Link, Amount received: 4.00, open the records')
    expect(document.activeElement).toBe(below)
    expect(below.closest('td')?.className).toBe('ink-shade-6')
    fireEvent.keyDown(below, { key: 'ArrowRight' })
    expect(document.activeElement?.textContent).toBe('1.00')
    fireEvent.click(below)
    expect(page.opened).toEqual(['/order/list?payState=PAID&paidAtBegin=2026-05-02&paidAtEnd=2026-05-02&channel=LINK'])
  })

  test('is drawn as columns of parts over time, read aloud part by part, and a day that is not over says so', async () => {
    await open()
    const chart = await screen.findByRole('slider')
    expect(chart.querySelectorAll('rect.ink-part')).toHaveLength(4)
    expect(chart.querySelectorAll('rect.ink-open')).toHaveLength(2)
    fireEvent.focus(chart)
    expect(chart.getAttribute('aria-valuetext')).toBe('2026-05-02 (so far) Link: ¥4.00, Others: ¥1.00')
    fireEvent.keyDown(chart, { key: 'ArrowLeft' })
    expect(chart.getAttribute('aria-valuetext')).toBe('2026-05-01 Link: ¥3.00, Others: ¥2.00')
  })

  test('with something less than nothing is drawn as lines: parts of a whole it is not', async () => {
    const rows = answer().rows.map(row => ({ ...row, cells: [values(-100), values(200)] }))
    await open({ [CALL]: () => answer({ rows }) })
    const chart = await screen.findByRole('slider')
    expect(chart.querySelectorAll('rect.ink-part')).toHaveLength(0)
    expect(chart.querySelectorAll('path.ink-line')).toHaveLength(2)
    // The axis reaches as far down as they do.
    expect([...chart.querySelectorAll('.ink-axes g text')].map(tick => tick.textContent)).toContain('-1')
  })
})

describe('a statistic by department', () => {
  test('stands as the tree does, each line leading to its rows, and says that lines include one another', async () => {
    const row = (key: string, level: number, amount: number) => ({
      ...{ key, label: key, level, from: '2026-05-01', to: '2026-05-02' },
      ...{ values: { happened: values(amount) }, cells: [] },
    })
    // The smaller one first: as it stands, not by size.
    const rows = [row('Sales', 0, 1_000), row('South', 1, 300), row('North', 1, 700)]
    const told = answer({ dimension: 'department', across: undefined, columns: [], rows })
    const page = await renderPage(<Page />, {
      search: 'dimension=department',
      calls: { [CALL]: () => told },
      grants: RIGHTS,
    })
    await screen.findByText(/Each line includes the lines below it/)
    const bars = [...document.querySelectorAll('.ink-bar-label')].map(({ textContent }) => textContent)
    expect(bars).toEqual(['Sales', 'South', 'North'])
    fireEvent.click(screen.getByLabelText('North, Orders paid in the period: 7, open the records'))
    expect(page.opened).toEqual([
      '/order/list?payState=PAID&paidAtBegin=2026-05-01&paidAtEnd=2026-05-02&soldOrgId=North',
    ])
  })
})

describe('a number made of two lists', () => {
  test('offers both by their names', async () => {
    const page = await open()
    fireEvent.click(await screen.findByLabelText('Net revenue: ¥10.00, open the records'))
    fireEvent.click(await screen.findByText('Refunded amount', { selector: '.ant-dropdown-menu-title-content' }))
    expect(page.opened).toEqual(['/order/refundApply?status=PAID&endedAtBegin=2026-05-01&endedAtEnd=2026-05-02'])
  })
})

describe('a course', () => {
  test('tells each step with its share of the one before and of the first, and leads to its rows', async () => {
    await open()
    const list = (await screen.findByText('What became of the orders placed')).closest('section')?.querySelector('ol')
    expect([...(list?.children ?? [])].map(step => step.textContent)).toEqual([
      'Orders placed in the period10',
      'Paid880.0% of the previous step',
      'Not fully refunded675.0% of the previous step · 60.0% of the first',
    ])
    expect(list?.querySelectorAll('a')).toHaveLength(3)
  })

  test('tells no share of a step nobody reached', async () => {
    const none = values(0, { placed: 0, placedPaid: 0, placedKept: 0 })
    await open({ [CALL]: () => answer({ totals: { happened: { now: none, before: none } } }) })
    const list = (await screen.findByText('What became of the orders placed')).closest('section')?.querySelector('ol')
    expect(list?.textContent).not.toContain('%')
  })
})
