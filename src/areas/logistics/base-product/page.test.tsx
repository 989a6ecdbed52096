import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { Page } from './page.tsx'

const API = '/api/logistics/base-product'
const NOTHING_WAITS = {
  code: 'kit:step-wrong-state',
  msg: 'The status is "No count to confirm", which does not allow this',
}

const product = (id: string, given: object) => ({
  ...{ id, sku: `SKU-${id}`, name: `Pen ${id}`, unit: 'box', onHand: 10, locked: 0, available: 10, warnAt: 1 },
  ...{ isLow: false, costFen: 100, valueFen: 100, createdAt: '2026-03-02T00:00:00Z', version: 1, labels: {} },
  ...given,
})
const open = { approveCheck: null, stockIn: null, rejectCheck: null }
const closed = { approveCheck: NOTHING_WAITS, stockIn: null, rejectCheck: NOTHING_WAITS }

test('while a count waits it is what a product asks for, and whoever decides sees what was counted, the difference and by whom, and decides on that count', async () => {
  const decided: unknown[] = []
  await loadTexts('logistics/base-product')
  await renderPage(<Page />, {
    path: '/logistics/baseProduct',
    grants: { 'base-product': ['list', 'detail', 'stockIn', 'approveCheck', 'rejectCheck'] },
    calls: {
      [`GET ${API}`]: () => ({
        records: [product('2', { steps: open, askedId: '9', onHand: 12 }), product('1', { steps: closed })],
        total: 2,
        current: 1,
        size: 20,
      }),
      [`POST ${API}/2/approveCheck`]: ({ body }) => {
        decided.push(body)
        return null
      },
      [`GET ${API}/2/checks`]: () => [
        {
          ...{ id: '9', counted: 7, book: 10, note: 'month end', status: 'WAITING' },
          ...{ applicant: '刘颖', decider: null, at: '2026-03-02T00:00:00Z' },
        },
      ],
    },
  })
  await screen.findByText('SKU-2')
  const row = (id: string) => within(document.querySelector(`tr[data-row-key="${id}"]`) as HTMLElement)
  expect(row('1').queryByText('Approve count')).toBeNull()
  expect(row('1').getByText('Add stock')).toBeTruthy()
  fireEvent.click(row('2').getByText('Approve count'))
  const matter = () => document.querySelector('.ant-modal-confirm .inkstone-matter')?.textContent
  await waitFor(() => expect(matter()).toContain('Counted 7 · Recorded 10 · Difference −3'))
  expect(matter()).toContain('Counted by 刘颖')
  expect(matter()).toContain('month end')
  fireEvent.click(
    within(document.querySelector('.ant-modal-confirm') as HTMLElement).getByRole('button', { name: 'Approve count' }),
  )
  await waitFor(() => expect(decided).toEqual([{ askedId: '9' }]))
})
