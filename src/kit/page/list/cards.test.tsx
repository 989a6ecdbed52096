import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import { Page as Types } from '#areas/system/dictionary/page.tsx'
import { type Calls, held, paged, press, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls, dictionaryType, refund } from '../../../../tools/testing/page-records.ts'

const LIST = 'GET /api/orders/refund-application'
const viewport = (width: number) =>
  (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM.setViewport({ width })

const open = (calls: Calls, grants = ['list', 'approve']) =>
  renderPage(<Refunds />, {
    grants: { 'order-refundApply': grants },
    calls: { ...commonCalls, [`${LIST}/counts`]: () => ({}), ...calls },
  })
const cards = () => [...document.querySelectorAll<HTMLElement>('.ant-card')]
const ROWS = { [LIST]: () => paged([refund('2', { steps: { approve: null } }), refund('1')]) }

describe('below 768 px', () => {
  beforeEach(() => viewport(767))
  afterEach(() => viewport(1024))

  test('rows are cards with the columns that matter', async () => {
    await open(ROWS)
    await screen.findByText('R2026030200002')
    expect(document.querySelector('.inkstone-table')).toBeNull()
    expect(cards()).toHaveLength(2)
    const labels = [...(cards()[0] as HTMLElement).querySelectorAll('.ant-descriptions-item-label')]
    expect(labels.map(({ textContent }) => textContent)).toEqual([
      'Status',
      'Order',
      'Member',
      'Amount (¥)',
      'Suggested amount (¥)',
    ])
  })

  test('a card leaves out what its record does not have', async () => {
    const types = [
      { ...dictionaryType('2'), note: '' },
      { ...dictionaryType('3'), note: 'For shelves' },
    ]
    await renderPage(<Types />, { superAdmin: true, calls: { 'GET /api/system/dictionary': () => paged(types) } })
    await screen.findByText('For shelves')
    expect(cards().map(card => card.textContent?.includes('Note'))).toEqual([false, true])
  })

  test('a tap anywhere on a card opens its record, as a click on a row does', async () => {
    const page = await open({ ...ROWS, [`${LIST}/2`]: () => refund('2') })
    await screen.findByText('R2026030200002')
    const [first] = cards() as [HTMLElement]
    fireEvent.click(within(first).getByLabelText('R2026030200002'))
    expect(page.address()).toBe('')
    fireEvent.click(first.querySelector('.ant-descriptions-item-label') as Element)
    expect(page.address()).toBe('open=2')
  })

  test('everything a row can do is still in reach', async () => {
    const page = await open({ ...ROWS, [`${LIST}/2`]: () => refund('2') })
    await screen.findByText('R2026030200002')
    const [first] = cards() as [HTMLElement]
    fireEvent.click(within(first).getByLabelText('R2026030200002'))
    expect(await screen.findByText('1 selected')).toBeTruthy()
    press('Approve refund', first)
    await waitFor(() => expect(document.querySelector('.ant-modal-confirm')).not.toBeNull())
    press('R2026030200002', first)
    expect(page.address()).toBe('open=2')
  })

  test('what is folded away stands in the head of its card: a card without anything else to press has no line for that', async () => {
    await renderPage(<Types />, {
      superAdmin: true,
      calls: { 'GET /api/system/dictionary': () => paged([dictionaryType('2')]) },
    })
    await screen.findByText('Type 2')
    const [card] = cards() as [HTMLElement]
    expect(card.querySelector('.ant-card-body > .ant-space')).toBeNull()
    press('More', card.querySelector('.ant-card-extra') as HTMLElement)
    expect((await screen.findByRole('menu')).textContent).toBe('EditDelete')
  })

  test('nothing is chosen where nothing can be done with many', async () => {
    await open(ROWS, ['list'])
    await screen.findByText('R2026030200002')
    expect(document.querySelector('.ant-card input[type=checkbox]')).toBeNull()
  })

  test('cards that no longer answer the question stand back until the new ones are there', async () => {
    const next = held<object>()
    const page = await open({
      [LIST]: ({ query }) => (query.current === '2' ? next.answer() : paged([refund('2')], 11)),
    })
    await screen.findByText('R2026030200002')
    const isOld = () => document.querySelector('.inkstone-old .inkstone-card') !== null
    expect(isOld()).toBe(false)
    page.go('current=2')
    await waitFor(() => expect(isOld()).toBe(true))
    next.give(paged([refund('1')], 11))
    await screen.findByText('R2026030200001')
    expect(isOld()).toBe(false)
  })

  test('an empty list and one still being read say so too', async () => {
    await open({ [LIST]: () => paged([]) })
    expect(await screen.findByText(/^When a member wants a refund/)).toBeTruthy()
    await open({ [LIST]: held().answer })
    expect(document.querySelector('.ant-skeleton')).not.toBeNull()
  })
})

test('from 768 px on rows are a table', async () => {
  viewport(768)
  await open(ROWS)
  await screen.findByText('R2026030200002')
  expect(document.querySelector('.inkstone-table')).not.toBeNull()
  viewport(1024)
})
