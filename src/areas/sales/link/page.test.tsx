import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Calls, paged, pick, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { resource } from './model.ts'
import { Page } from './page.tsx'

const API = '/api/sales/link'
const ROW = sampleRow(resource as never, { code: 'abcd2345', leads: 3, orders: 2, amountFen: 73_000, shortOrders: 1 })
const DISCOUNT = {
  ...{ id: '5', requestNo: 'Q2026111800001', productId: '3', productName: 'Brush course' },
  ...{ priceFen: 114_300, usableUntil: '2026-12-02' },
}
const calls: Calls = {
  ...commonCalls,
  [`GET ${API}`]: () => paged([ROW]),
  [`GET ${API}/counts`]: () => ({}),
  [`GET ${API}/discounts`]: () => [DISCOUNT],
  [`GET ${API}/terms`]: () => ({ mostDays: 30 }),
  'GET /api/common/reference/product': () => [{ id: '3', name: 'Brush course', note: 'BRUSH', tone: null }],
}

test('each figure of a link leads to the rows it is made of', async () => {
  await renderPage(<Page />, { superAdmin: true, calls })
  const leads = await screen.findByRole('link', { name: 'Leads 3' })
  expect(leads.getAttribute('href')).toBe('#/sale/salvage?linkId=7')
  const orders = '#/order/list?payState=PAID&linkId=7'
  expect(screen.getByRole('link', { name: 'Paid orders 2' }).getAttribute('href')).toBe(orders)
  expect(screen.getByRole('link', { name: 'Paid 730.00' }).getAttribute('href')).toBe(orders)
})

test('whoever chooses a discount sells the product it was agreed to for', async () => {
  await renderPage(<Page />, { search: 'create=1', superAdmin: true, calls })
  const field = await screen.findByLabelText('Discount', { selector: '.ant-drawer input' })
  await waitFor(() => expect(field.hasAttribute('disabled')).toBe(false))
  await pick(field, 'Brush course · ¥1,143.00 · until 2026-12-02 · Q2026111800001')
  const drawer = document.querySelector('.ant-drawer-open') as HTMLElement
  await within(drawer).findByText('Brush course')
})

test('for how long a price can be locked is said before a day is chosen', async () => {
  await renderPage(<Page />, { search: 'create=1', superAdmin: true, calls })
  await screen.findByText(/^30 days at most from the day the link is created/)
  const day = await screen.findByLabelText('Valid to', { selector: '.ant-drawer input' })
  expect(day.closest('.ant-form-item')?.textContent).toContain('30 days at most')
})
