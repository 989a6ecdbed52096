import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Page } from '#areas/orders/order/page.tsx'
import { resource as consultants } from '#areas/sales/consultant/model.ts'
import { Page as Consultants } from '#areas/sales/consultant/page.tsx'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls, order } from '../../../../tools/testing/page-records.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { loadTexts } from '../language.ts'
import { useLeftOut } from './left-out.ts'

/** As wide as so many columns of one width. */
let room = 0
const COLUMN = 100

beforeEach(() => {
  useLeftOut.setState({ lists: {} })
  const columns = (table: Element) => new Set([...table.querySelectorAll('td[data-field]')].map(fieldOf)).size
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(function (this: Element) {
    return columns(this) * COLUMN
  })
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => room * COLUMN)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(() => COLUMN)
})
afterEach(() => vi.restoreAllMocks())

const fieldOf = (cell: Element) => cell.getAttribute('data-field')
const cells = () => [...document.querySelectorAll('td[data-field]')].map(fieldOf)
const below = (field: string) =>
  [...document.querySelectorAll(`td[data-field=${field}] [data-field]`)].map(part => part.textContent)

async function open(columns: number, part: object = {}) {
  room = columns
  await renderPage(<Page />, {
    superAdmin: true,
    calls: {
      ...commonCalls,
      'GET /api/orders/order': () => paged([order('1', { payState: 'PAID', fulfilState: 'WAITING', ...part })]),
      'GET /api/orders/order/counts': () => ({}),
    },
  })
  await screen.findByText('硬笔年课')
}

describe('a list in a narrow window', () => {
  test('an order tells its day below its number and its fulfilment below its state when they have no room of their own', async () => {
    await open(5)
    expect(cells()).toEqual(['orderNo', 'memberId', 'productName', 'amountFen', 'payState'])
    expect(below('payState')).toEqual(['Awaiting shipment'])
    expect(below('orderNo')).toEqual([expect.stringMatching(/\d\d:\d\d$/)])
  })

  test('what is missing has no line below: a dash under another value tells nothing', async () => {
    await open(5, { fulfilState: null })
    expect(below('payState')).toEqual([])
    expect(below('orderNo')).toHaveLength(1)
  })

  test('a figure below another says which it is, and anything else stands there by itself', async () => {
    room = 8
    await loadTexts('sales/consultant')
    const row = sampleRow(consultants as never, { received: 12, dailyCap: 30, unspoken: 5, openCap: null })
    await renderPage(<Consultants />, {
      superAdmin: true,
      calls: {
        ...commonCalls,
        'GET /api/sales/consultant': () => paged([row]),
        'GET /api/sales/consultant/counts': () => ({}),
        'GET /api/sales/consultant/allocation/left': () => ({ count: 0, since: null, came: [] }),
      },
    })
    await waitFor(() => expect(below('received')).toEqual(['Daily limit 30']))
    expect(below('unspoken')).toEqual([])
    expect(below('staffId')).toEqual(['Named orgId'])
  })

  test('where there is room each has its own column, and nothing is told twice', async () => {
    await open(7)
    expect(cells().slice(4)).toEqual(['payState', 'fulfilState', 'createdAt'])
    expect([...below('payState'), ...below('orderNo')]).toEqual([])
  })
})
