import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../../tools/testing/page.tsx'
import { Page } from './page.tsx'

const API = '/api/products/code-batch'

const batch = {
  ...{ id: '2', batchNo: 'B20260302001', name: 'Spring', buyer: 'A school', quantity: 5, made: 0, used: 0, voided: 0 },
  ...{ unitPriceFen: 9_900, perPerson: 1, validFrom: '2026-01-01', validTo: '2099-12-31', status: 'DRAFT' },
  grants: [
    {
      ...{ kind: 'MEMBER_DAYS', quantity: 30, validDays: null, sharePermille: 1_000 },
      ...{ packageId: null, kitId: null, name: 'Membership' },
    },
  ],
  ...{ applicantId: '1', l1By: null, expiresAt: null, endedAt: null, exportedBy: null, exportedAt: null },
  ...{ confirmedAt: null, createdAt: '2026-03-02T00:00:00Z', version: 1, labels: {}, steps: { approve: null } },
}

test('whoever approves a batch sees what a code and all of them cost, until when it counts and what it gives', async () => {
  await loadTexts('products/code-batch')
  await renderPage(<Page />, {
    path: '/product/exchange',
    grants: { 'product-exchange': ['list', 'approve'] },
    calls: {
      [`GET ${API}`]: () => ({ records: [batch], total: 1, current: 1, size: 20 }),
      [`GET ${API}/counts`]: () => ({}),
      'GET /api/common/reference/staff': () => [],
    },
  })
  await screen.findByText('B20260302001')
  fireEvent.click(screen.getByText('Approve'))
  const matter = () => document.querySelector('.ant-modal-confirm .inkstone-matter')?.textContent
  await waitFor(() => expect(matter()).toContain('¥99.00 each, ¥495.00 in all'))
  expect(matter()).toContain('2099-12-31')
  expect(matter()).toMatch(/Membership.*30/)
})
