import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { Page } from '#areas/orders/refund-count/page.tsx'
import type { StatisticAnswer, Values } from '#kit/model/statistic.ts'
import { button, type Calls, findButton, pick, press, refused, renderPage } from '../../../../tools/testing/page.tsx'

const CALL = 'GET /api/orders/refund-count'
const NONE: Values = {
  orders: 0,
  amount: 0,
  orderRate: null,
  amountRate: null,
  medianHours: null,
  retentionRate: null,
  failureRate: null,
}
const some = (values: Values): Values => ({ ...NONE, ...values })

const answer = (given: Partial<StatisticAnswer> = {}): StatisticAnswer => ({
  from: '2026-05-01',
  to: '2026-05-02',
  interval: 'day',
  dimension: 'time',
  basis: 'finished',
  filters: {},
  asOf: '2026-05-03T04:05:06.000Z',
  previous: { from: '2026-04-29', to: '2026-04-30' },
  totals: {
    finished: {
      now: some({ orders: 12, amount: 123_456, orderRate: 0.05 }),
      before: some({ orders: 10, amount: 0, orderRate: 0.06 }),
    },
    cohort: { now: some({ orders: 7 }), before: NONE },
  },
  columns: [],
  rows: ['2026-05-01', '2026-05-02'].map((day, index) => ({
    key: day,
    label: day,
    from: day,
    to: day,
    values: { finished: some({ orders: 6 + index, amount: 61_728 }), cohort: some({ orders: 3 }) },
    cells: [],
  })),
  ...given,
})

const RIGHTS = { 'order-refundCount': ['list', 'export'], 'order-refundApply': ['list'] }
const open = (search = '', calls: Calls = { [CALL]: () => answer() }, grants: Record<string, string[]> = RIGHTS) =>
  renderPage(<Page />, { search, calls, grants })
const links = () => [...document.querySelectorAll('a')].map(link => link.getAttribute('aria-label'))

describe('a statistic', () => {
  test('asks for what its address says, and nothing its address does not say', async () => {
    const page = await open('from=2026-05-01&to=2026-05-02&basis=cohort&channel=LINK&measure=amount')
    await screen.findByText('¥1,234.56')
    expect(page.sent(CALL).map(({ query }) => query)).toEqual([
      { from: '2026-05-01', to: '2026-05-02', basis: 'cohort', channel: 'LINK' },
    ])
  })

  test('shows each measure with its change, and what it is by the other basis', async () => {
    await open()
    const card = (await screen.findByText('Refunded orders', { selector: '.ink-card button' })).closest('li')
    expect(card?.textContent).toContain('12')
    expect(card?.textContent).toContain('▲ 20%')
    expect(screen.getByText('▲ 20%').title).toBe('▲ 20%. Previous period: 2026-04-29 – 2026-04-30')
    expect(card?.textContent).toContain('Refunds of orders paid in the period 7')
    expect(card?.querySelector('.ink-bad')).not.toBeNull()
    const rate = screen.getByText('Refund rate by orders', { selector: '.ink-card button' }).closest('li')
    expect(rate?.textContent).toContain('▼ 1 pp')
    expect(rate?.querySelector('.ink-good')).not.toBeNull()
    expect(document.body.textContent).toContain('Data as of 2026-05-03 12:05:06')
  })

  test('writes changes as the language on screen writes figures', async () => {
    const finished = { now: some({ orders: 11, orderRate: 0.055 }), before: some({ orders: 9, orderRate: 0.087 }) }
    await renderPage(<Page />, {
      calls: { [CALL]: () => answer({ totals: { finished } }) },
      grants: RIGHTS,
      language: 'pt-BR',
    })
    await screen.findByText('▲ 22,2%')
    await screen.findByText('▼ 3,2 p.p.')
  })

  test('says what a measure means, with denominator and basis, to whoever reaches it by keyboard', async () => {
    await open()
    await screen.findByText('¥1,234.56')
    fireEvent.focus(button('What "Refund rate by orders" means'))
    await screen.findByText(/Refunded orders ÷ orders paid in the period/)
    await screen.findByText(/Applications that ended/)
  })

  test('leads from a number to its rows', async () => {
    const page = await open()
    await screen.findByText('¥1,234.56')
    fireEvent.click(screen.getByLabelText('2026-05-02, Refunded orders: 7, open the records'))
    expect(page.opened).toEqual(['/order/refundApply?status=PAID&endedAtBegin=2026-05-02&endedAtEnd=2026-05-02'])
  })

  test('leads nowhere for whoever may not list those rows, and offers no export without the right', async () => {
    await open('', { [CALL]: () => answer() }, { 'order-refundCount': ['list'] })
    await screen.findByText('¥1,234.56')
    expect(links()).toEqual([])
    expect(findButton('Export')).toBeUndefined()
  })

  test('keeps what is chosen in the address', async () => {
    const page = await open()
    fireEvent.click(await screen.findByText('Retention rate', { selector: '.ink-card button' }))
    expect(page.address()).toBe('measure=retentionRate')
    await pick(screen.getByLabelText('Interval'), 'Weekly')
    await pick(screen.getByLabelText('Basis'), 'Refunds of orders paid in the period')
    expect(page.address()).toBe('measure=retentionRate&interval=week&basis=cohort')
    await waitFor(() => expect(page.sent(CALL).at(-1)?.query).toEqual({ interval: 'week', basis: 'cohort' }))
  })

  test('is drawn as a line that the arrow keys follow and Enter opens', async () => {
    const page = await open()
    const chart = await screen.findByRole('slider')
    fireEvent.focus(chart)
    expect(chart.getAttribute('aria-valuetext')).toBe(
      '2026-05-02 Refunds that ended in the period: 7, Refunds of orders paid in the period: 3',
    )
    fireEvent.keyDown(chart, { key: 'ArrowLeft' })
    expect(chart.getAttribute('aria-valuetext')).toContain('2026-05-01')
    fireEvent.keyDown(chart, { key: 'Enter' })
    expect(page.opened).toEqual(['/order/refundApply?status=PAID&endedAtBegin=2026-05-01&endedAtEnd=2026-05-01'])
  })

  test('by anything but time is drawn as bars, the longest first', async () => {
    const rows = ['LINK', 'DOUYIN'].map((key, index) => ({
      key,
      label: key,
      from: '2026-05-01',
      to: '2026-05-02',
      values: { finished: some({ orders: 1 + index }), cohort: NONE },
      cells: [],
    }))
    await open('dimension=channel', { [CALL]: () => answer({ dimension: 'channel', rows }) })
    await screen.findByText('Refunded orders by channel')
    expect([...document.querySelectorAll('.ink-bar-label')].map(label => label.textContent)).toEqual(['DOUYIN', 'LINK'])
    expect(document.querySelector('.ink-line-chart')).toBeNull()
  })

  test.each(['to=9999-12-31', 'from=0000-01-01', 'from=abc&to=2026-02-31', 'interval=century&dimension=zzz&basis=zzz'])(
    'of an address nobody can mean (%s) stands, and says what the server says of it',
    async address => {
      const words = 'Parameters not valid: Choose dates between 2000-01-01 and 2100-12-31'
      await open(address, { [CALL]: () => refused(4000, words, null, 400) })
      await screen.findByText(words)
      await waitFor(() => expect(document.querySelector('.ant-picker-range')).not.toBeNull())
    },
  )

  test('without numbers says so, and one that failed can be asked again', async () => {
    const nothing = { now: NONE, before: NONE }
    await open('', { [CALL]: () => answer({ totals: { finished: nothing, cohort: nothing } }) })
    await screen.findByText(/No data for this period/)
    const page = await open('', { [CALL]: () => refused(5003, 'Temporarily unavailable: later', null, 503) })
    await screen.findByText('Temporarily unavailable: later')
    press('Try again')
    await waitFor(() => expect(page.sent(CALL)).toHaveLength(2))
  })
})

const viewport = (width: number) =>
  (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM.setViewport({ width })

describe('a statistic below 768 px', () => {
  afterEach(() => viewport(1024))

  test('has a card for each row with all its numbers, and each leads to its records', async () => {
    viewport(390)
    const page = await open()
    const row = (await screen.findByText('2026-05-02', { selector: 'h3' })).closest('section')
    expect([...(row?.querySelectorAll('dl > div') ?? [])].map(({ textContent }) => textContent).slice(0, 3)).toEqual([
      'Refunded orders7',
      'Refunded amount¥617.28',
      'Refund rate by orders–',
    ])
    expect(document.querySelector('table')).toBeNull()
    fireEvent.click(screen.getByLabelText('2026-05-02, Refunded orders: 7, open the records'))
    expect(page.opened).toEqual(['/order/refundApply?status=PAID&endedAtBegin=2026-05-02&endedAtEnd=2026-05-02'])
  })
})
