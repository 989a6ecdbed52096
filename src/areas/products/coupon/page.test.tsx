import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { addDays, dayOf } from '#kit/model/time.ts'
import { loadTexts } from '#kit/page/language.ts'
import { paged, press, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Page } from './page.tsx'

const TODAY = dayOf(new Date())

const coupon = (change: object) => ({
  id: '1',
  name: '¥50 off',
  kind: 'CASH',
  amountFen: 5_000,
  permille: null,
  thresholdFen: 0,
  scope: 'ALL',
  productIds: [],
  validity: 'FIXED',
  validFrom: '2026-01-01',
  validTo: TODAY,
  validDays: null,
  total: 10,
  taken: 0,
  used: 0,
  perPerson: 1,
  status: 'ACTIVE',
  createdAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  labels: {},
  steps: {},
  ...change,
})

test.each([
  ['open until its last day is over', {}, undefined],
  ['closed once it is over', { validTo: addDays(TODAY, -1) }, 'This coupon has expired'],
  ['closed while it is stopped', { status: 'STOPPED' }, 'This coupon is no longer issued'],
])('issuing a coupon is %s, and says why', async (_, change, why) => {
  await loadTexts('products/coupon')
  await renderPage(<Page />, {
    superAdmin: true,
    calls: {
      ...commonCalls,
      'GET /api/products/coupon': () => paged([coupon(change)]),
      'GET /api/products/coupon/counts': () => ({}),
    },
  })
  const row = (await screen.findByText('¥50 off')).closest('tr') as HTMLElement
  press('More', row)
  const item = await waitFor(() => screen.getByRole('menuitem', { name: 'Issue' }))
  expect(item.getAttribute('aria-disabled') === 'true').toBe(why !== undefined)
  if (why === undefined) return
  fireEvent.pointerEnter(screen.getByText('Issue', { selector: '[role=menuitem] span' }))
  fireEvent.mouseEnter(screen.getByText('Issue', { selector: '[role=menuitem] span' }))
  expect(await screen.findByText(why)).toBeTruthy()
})
