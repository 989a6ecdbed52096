import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { resource } from '#areas/sales/sales-count/model.ts'
import { Page } from '#areas/sales/sales-count/page.tsx'
import type { StatisticAnswer, Values } from '#kit/model/statistic.ts'
import {
  button,
  type Calls,
  type PageOptions,
  paged,
  press,
  renderPage,
  type,
} from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'

const NUMBERS = 'GET /api/sales/sales-count/numbers'
const LIST = 'GET /api/sales/sales-count'

const VALUES: Values = {
  ...{ leads: 12, promptRate: 0.5, addedRate: 0.4, trials: 3, deals: 2, dealRate: 0.2 },
  ...{ amount: 1_000, refunded: 0, net: 1_000, perHead: 500, contacted: 8, added: 4, keen: 2 },
}
const answer: StatisticAnswer = {
  from: '2026-05-01',
  to: '2026-05-31',
  interval: 'day',
  dimension: 'seller',
  basis: 'received',
  filters: {},
  asOf: '2026-06-01T04:05:06.000Z',
  previous: { from: '2026-03-31', to: '2026-04-30' },
  totals: { received: { now: VALUES, before: VALUES } },
  columns: [],
  rows: [
    { key: '8', label: 'Wang Fang', from: '2026-05-01', to: '2026-05-31', values: { received: VALUES }, cells: [] },
  ],
}
const LEAD = { id: '70', name: 'Li Xiaomo', note: '138****8000', tone: null }
const ROW = sampleRow(resource as never, { leadId: '70', labels: { leadId: LEAD } })
const CALLS: Calls = {
  ...commonCalls,
  [NUMBERS]: () => answer,
  [LIST]: () => paged([ROW]),
  [`${LIST}/7`]: () => ROW,
  [`${LIST}/counts`]: () => null,
}
const MAY = { 'sale-count': ['list', 'detail'], 'order-list': ['list'] }
const open = (options: PageOptions = {}) =>
  renderPage(<Page />, { path: '/sale/count', calls: CALLS, grants: MAY, ...options })

const turnTo = async (name: 'Numbers' | 'Rows') => fireEvent.click(await screen.findByText(name))
/** A list says how many rows there are. */
const isList = () => screen.findByText('1-1 of 1')

describe('a list that stands behind its numbers', () => {
  test('begins with the numbers, asked for beside the list, and asks for no rows before somebody wants them', async () => {
    const page = await open({ search: 'from=2026-05-01&to=2026-05-31' })
    await screen.findByText('Leads in', { selector: '.ink-card button' })
    expect(page.sent(NUMBERS).map(({ query }) => query)).toEqual([{ from: '2026-05-01', to: '2026-05-31' }])
    expect(page.sent(LIST)).toEqual([])
  })

  test('is opened by a number, as rows of the same screen; a number of another list opens that one', async () => {
    const page = await open()
    fireEvent.click(await screen.findByLabelText('Wang Fang, Deals: 2, open the records'))
    fireEvent.click(screen.getByLabelText('Wang Fang, Sales: 10.00, open the records'))
    const [own, orders] = page.opened.map(path => new URL(path, 'http://console.test'))
    expect(own?.pathname).toBe('/sale/count')
    expect(Object.fromEntries(own?.searchParams ?? [])).toEqual({
      ...{ reached: 'DEAL', sinceBegin: '2026-05-01', sinceEnd: '2026-05-31', soldBy: '8', body: 'rows' },
    })
    expect([orders?.pathname, orders?.searchParams.has('body')]).toEqual(['/order/list', false])
  })

  test('shows the rows of the period and the filters of the numbers, and the numbers of those rows again', async () => {
    const page = await open({ search: 'from=2026-05-01&to=2026-05-31&channel=OTHER&channel=SCHOOL&dimension=channel' })
    await turnTo('Rows')
    await isList()
    expect(page.address()).toBe('channel=OTHER&channel=SCHOOL&sinceBegin=2026-05-01&sinceEnd=2026-05-31&body=rows')
    expect(page.sent(LIST).at(-1)?.query).toMatchObject({
      ...{ channel: ['OTHER', 'SCHOOL'], sinceBegin: '2026-05-01', sinceEnd: '2026-05-31' },
    })
    await turnTo('Numbers')
    await screen.findByText('Leads in', { selector: '.ink-card button' })
    expect(page.address()).toBe('channel=OTHER&channel=SCHOOL&from=2026-05-01&to=2026-05-31')
  })

  test('leaves what the numbers cannot be asked by behind: rows of any time are numbers of the usual period', async () => {
    const page = await open({ search: 'reached=DEAL&query=Li&body=rows' })
    await isList()
    await turnTo('Numbers')
    await waitFor(() => expect(page.sent(NUMBERS).map(({ query }) => query)).toEqual([{}]))
    expect(page.address()).toBe('')
  })

  test('stays the list while it is filtered, sorted and turned', async () => {
    const page = await open({ search: 'body=rows&reached=DEAL&current=2' })
    await isList()
    const since = [...document.querySelectorAll('th')].find(cell => cell.textContent === 'Got at') as HTMLElement
    fireEvent.click(since)
    await waitFor(() => expect(page.address()).toContain('sort=since'))
    expect(new URLSearchParams(page.address()).get('body')).toBe('rows')
    expect(page.sent(LIST).at(-1)?.query).not.toHaveProperty('body')
    expect(page.sent(NUMBERS)).toEqual([])
  })

  test('keeps a view of its rows as a view of rows', async () => {
    const VIEW = 'POST /api/common/view'
    const page = await open({ search: 'body=rows&reached=DEAL', calls: { ...CALLS, [VIEW]: () => ({ id: '1' }) } })
    await isList()
    await waitFor(() => button('Views'))
    press('Views')
    type(await screen.findByLabelText('View name'), 'Won')
    press('Save these filters')
    await waitFor(() => expect(page.sent(VIEW)[0]?.body).toMatchObject({ query: 'reached=DEAL&body=rows' }))
    await screen.findByText('View saved')
  })

  const preference = { 'view.sale-count': { id: '1', query: 'reached=DEAL&body=rows' } }
  const calls = { ...CALLS, 'PUT /api/account/preference': () => ({}) }

  test('begins with the view of rows its reader chose, and the numbers can still be turned to', async () => {
    const page = await open({ preference, calls })
    await isList()
    expect(page.address()).toBe('reached=DEAL&body=rows')
    await turnTo('Numbers')
    await screen.findByText('Leads in', { selector: '.ink-card button' })
    expect(page.address()).toBe('')
  })

  test('does not begin with it where somebody asked for other numbers, or for one record', async () => {
    const numbers = await open({ preference, calls, search: 'channel=OTHER' })
    await screen.findByText('Leads in', { selector: '.ink-card button' })
    expect(numbers.address()).toBe('channel=OTHER')
    const record = await open({ preference, calls, path: '/sale/count/7' })
    await waitFor(() => expect(record.sent(`${LIST}/7`)).toHaveLength(1))
    expect(record.address()).toBe('')
  })

  test('shows one of its records under its own address, with the way to the lead', async () => {
    const page = await open({ path: '/sale/count/7', grants: { ...MAY, sale: [], 'sale-salvage': ['list'] } })
    await waitFor(() => button('Open the lead'))
    expect(page.sent(NUMBERS)).toEqual([])
    press('Open the lead')
    expect(page.opened).toEqual(['/sale/salvage/70'])
  })

  test('does not lead to a lead that is another’s by now', async () => {
    const grants = { ...MAY, sale: [], 'sale-salvage': ['list'] }
    const another = { ...CALLS, [`${LIST}/7`]: () => ({ ...ROW, seesLead: false }) }
    await open({ path: '/sale/count/7', grants, calls: another })
    await waitFor(() => expect(button('Open the lead').disabled).toBe(true))
  })
})
