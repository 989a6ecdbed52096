import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { type Calls, paged, pick, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { workflow } from './model.ts'
import { Page } from './page.tsx'
import type { Quote } from './quote.model.ts'

const COURSE = { id: '3', name: 'Brush course', note: 'BRUSH', tone: null }
const BOX = { id: '4', name: 'Ink box', note: 'BOX', tone: null }
const PRICES: Record<string, number> = { '3': 129_900, '4': 9_900 }
const RECEIVER = { orderId: '88', name: '李*', phone: '139****1234', address: '浙江省杭州市***' }

/** What the server would say: a coupon of ¥50, goods in the box. */
function quoteOf(query: Readonly<Record<string, string | string[]>>): Quote {
  const lines = String(query.products ?? '')
    .split(',')
    .filter(Boolean)
    .map(part => {
      const [productId = '', quantity] = part.split('x')
      const listFen = (PRICES[productId] ?? 0) * Number(quantity)
      return { productId, quantity: Number(quantity), listFen, amountFen: listFen }
    })
  const listFen = lines.reduce((sum, line) => sum + line.listFen, 0)
  const couponFen = query.couponId ? 5_000 : 0
  return {
    lines,
    listFen,
    priceFen: listFen,
    couponFen,
    couponRefusal: null,
    dueFen: listFen - couponFen,
    hasGoods: lines.some(({ productId }) => productId === '4'),
    receivers: query.memberId ? [RECEIVER] : [],
  }
}

const calls: Calls = {
  ...commonCalls,
  'GET /api/orders/order': () => paged([]),
  'GET /api/orders/order/counts': () => ({}),
  'GET /api/orders/order/quote': ({ query }) => quoteOf(query),
  'GET /api/products/coupon/held': () => [
    { id: '9', couponId: '1', name: '¥50 off', status: 'UNUSED', validTo: '2026-12-31' },
  ],
  'GET /api/common/reference/product': ({ query }) =>
    [COURSE, BOX].filter(({ id }) => query.ids === undefined || String(query.ids).split(',').includes(id)),
}
const drawer = () => document.querySelector('.ant-drawer-open') as HTMLElement
const field = (name: string) => within(drawer()).getByLabelText(name) as HTMLInputElement
const isAsked = (name: string) => within(drawer()).queryByLabelText(name) !== null
const isRequired = (name: string) =>
  [...drawer().querySelectorAll('label.ant-form-item-required')].some(label => label.textContent === name)

async function openOrder() {
  const page = await renderPage(<Page />, { search: 'create=1&with.memberId=70', superAdmin: true, calls })
  await screen.findByLabelText('Product', { selector: '.ant-drawer input' })
  return page
}

describe('an order taken by hand', () => {
  test('shows list prices and what is due, fills in the amount, and leaves it alone once the person has changed it', async () => {
    await openOrder()
    await pick(field('Product'), 'Brush course')
    await waitFor(() => expect(drawer().textContent).toContain('List price ¥1,299.00 · Due ¥1,299.00'))
    expect(field('Amount').value).toBe('1,299.00')
    await pick(field('Coupon'), '¥50 off')
    await waitFor(() => expect(field('Amount').value).toBe('1,249.00'))
    type(field('Amount'), '1000')
    type(field('Quantity'), '2')
    await waitFor(() => expect(drawer().textContent).toContain('Due ¥2,548.00'))
    expect(field('Amount').value).toBe('1000')
  })

  test('asks where to only when something is sent, and then needs to know; an earlier address will do', async () => {
    const page = await openOrder()
    expect(isRequired('Products')).toBe(true)
    await pick(field('Product'), 'Brush course')
    await waitFor(() => expect(drawer().textContent).toContain('Due ¥1,299.00'))
    expect(isAsked('Recipient')).toBe(false)
    await pick(field('Product'), 'Ink box')
    await waitFor(() => expect(isRequired('Recipient')).toBe(true))
    expect(isRequired('Province')).toBe(true)
    await pick(field('Earlier address'), '139****1234')
    await waitFor(() => expect(isAsked('Recipient')).toBe(false))
    expect(page.sent('GET /api/orders/order/quote').at(-1)?.query).toEqual({ memberId: '70', products: '4x1' })
  })
})

test.each([
  ['GOODS', ['payState.UNPAID', 'payState.PAID', 'fulfilState.SENT', 'fulfilState.DONE']],
  ['COINS', ['payState.UNPAID', 'payState.PAID']],
])('the way of an unpaid order of %s tells whether anything will be sent', (kind, way) => {
  const unpaid = { payState: 'UNPAID', fulfilState: 'NOT_NEEDED', lines: [{ grants: [{ kind }] }] }
  expect(workflow.path?.(unpaid as never)).toEqual(way)
})
