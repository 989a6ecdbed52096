import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { Page as CoinGoods } from '#areas/products/coin-goods/page.tsx'
import { Page as Products } from '#areas/products/product/page.tsx'
import { button, paged, press, renderPage } from '../../../../tools/testing/page.tsx'

const LIST = 'GET /api/products/product'
const LINKS = 'POST /api/common/file/links'
const KEEP = 'PUT /api/account/preference'
const PICTURE = '00000000-0000-4000-8000-000000000001'

const product = (id: string, picture: string[] = []) => ({
  id,
  name: `Course ${id}`,
  code: `C-${id}`,
  priceFen: 129_900,
  listFen: 169_900,
  grants: [],
  commissionPermille: 0,
  mayWait: false,
  status: 'ON_SALE',
  sold: 7,
  sort: 0,
  note: '',
  picture,
  createdAt: '2026-03-01T06:03:00.000Z',
  version: 1,
  labels: {},
  steps: { takeOffSale: null },
})
const viewport = (width: number) =>
  (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM.setViewport({ width })

const open = (options: { search?: string; preference?: Record<string, unknown> } = {}) =>
  renderPage(<Products />, {
    grants: { 'product-list': ['list', 'detail', 'takeOffSale'] },
    ...options,
    calls: {
      [LIST]: () => paged([product('2', [PICTURE]), product('1')]),
      [`${LIST}/counts`]: () => ({}),
      'GET /api/common/view': () => ({ views: [], mayShare: false }),
      'POST /api/common/view': () => ({ id: '9' }),
      [`${LIST}/2`]: () => product('2', [PICTURE]),
      [LINKS]: () => ({ [PICTURE]: '/picture.png' }),
      [`POST /api/common/file/${PICTURE}/link`]: () => ({ url: '/picture.png' }),
      [KEEP]: () => ({}),
    },
  })
const pieces = () => [...document.querySelectorAll<HTMLElement>('.inkstone-piece')]
const standing = () => waitFor(() => expect(pieces()).toHaveLength(2))
const key = (name: string) => fireEvent.keyDown(document.body, { key: name })

describe('rows as pictures', () => {
  afterEach(() => viewport(1024))

  test('are chosen beside the tools, remembered, and part of the address', async () => {
    const page = await open()
    await screen.findByText('Course 2')
    expect(document.querySelector('.inkstone-table')).not.toBeNull()
    fireEvent.click(await screen.findByLabelText('Pictures'))
    await standing()
    expect(page.address()).toBe('body=gallery')
    expect(page.sent(KEEP).map(({ body }) => body)).toEqual([{ 'body.product-list': 'gallery' }])
    expect(document.querySelector('.inkstone-table')).toBeNull()
    fireEvent.click(screen.getByLabelText('Table'))
    await waitFor(() => expect(document.querySelector('.inkstone-table')).not.toBeNull())
    expect(page.address()).toBe('')
    expect(page.sent(KEEP).at(-1)?.body).toEqual({ 'body.product-list': null })
    expect(page.sent(LIST)).toHaveLength(1)
  })

  test('come back for whoever chose them last', async () => {
    const page = await open({ preference: { 'body.product-list': 'gallery' } })
    await standing()
    expect(page.address()).toBe('body=gallery')
  })

  test('show picture, name, state, price, facts and what may be done; one call asks for all pictures', async () => {
    const page = await open({ search: 'body=gallery' })
    await standing()
    const [first, second] = pieces() as [HTMLElement, HTMLElement]
    await waitFor(() => expect(first.querySelector('img')?.getAttribute('src')).toBe('/picture.png'))
    expect(second.querySelector('img')).toBeNull()
    expect(page.sent(LINKS).map(({ body }) => body)).toEqual([{ ids: [PICTURE], size: 'small' }])
    for (const text of ['Course 2', 'On sale', '1,299.00', 'C-2', '7']) expect(first.textContent).toContain(text)
    expect(button('More', first)).toBeTruthy()
  })

  test('are walked, chosen and opened by the same keys as a table', async () => {
    const page = await open({ search: 'body=gallery' })
    await standing()
    key('j')
    await waitFor(() => expect(pieces()[0]?.className).toContain('inkstone-piece-cursor'))
    key('x')
    expect(await screen.findByText('1 selected')).toBeTruthy()
    expect(pieces()[0]?.className).toContain('inkstone-piece-chosen')
    key('j')
    fireEvent.click(screen.getByLabelText('Select Course 1'))
    expect(await screen.findByText('2 selected')).toBeTruthy()
    key('k')
    key('Enter')
    await waitFor(() => expect(page.address()).toContain('open=2'))
  })

  test('are kept in a view, with what was asked', async () => {
    const page = await open({ search: 'status=ON_SALE&body=gallery' })
    await standing()
    press('Views')
    fireEvent.change(await screen.findByLabelText('View name'), { target: { value: 'Shop window' } })
    press('Save these filters')
    await waitFor(() => expect(page.sent('POST /api/common/view')).toHaveLength(1))
    expect(page.sent('POST /api/common/view')[0]?.body).toMatchObject({ query: 'status=ON_SALE&body=gallery' })
  })

  test('are cards on a phone, whatever was chosen', async () => {
    viewport(390)
    await open({ search: 'body=gallery' })
    await waitFor(() => expect(document.querySelectorAll('.inkstone-card')).toHaveLength(2))
    expect(pieces()).toHaveLength(0)
  })

  test('are there for the goods of the coin mall too', async () => {
    await renderPage(<CoinGoods />, {
      grants: { 'product-coin': ['list', 'detail'] },
      search: 'body=gallery',
      calls: {
        'GET /api/products/coin-goods': () => paged([]),
        'GET /api/products/coin-goods/counts': () => ({}),
        'GET /api/common/reference/base-product': () => [],
        'GET /api/common/view': () => ({ views: [], mayShare: false }),
      },
    })
    expect(await screen.findByLabelText('Pictures')).toBeTruthy()
  })
})
