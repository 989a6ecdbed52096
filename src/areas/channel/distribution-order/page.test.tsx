import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Resource } from '#kit/model/resource.ts'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { resource } from './model.ts'
import { Page } from './page.tsx'

const API = '/api/channel/distribution-order'
const order = (id: string, part: string) =>
  sampleRow(resource as unknown as Resource, { ...{ id, part, commissionFen: 0 }, paidFen: 9_900, refundedFen: 0 })

test('an order tells its commission once it is settled, also where that is nothing, and none before', async () => {
  await renderPage(<Page />, {
    superAdmin: true,
    calls: {
      ...commonCalls,
      [`GET ${API}`]: () => paged([order('1', 'OPEN'), order('2', 'NOT_COUNTED')]),
      [`GET ${API}/counts`]: () => ({}),
      'GET /api/common/reference/app-channel': () => [],
    },
  })
  await screen.findAllByText('99.00')
  const told = [...document.querySelectorAll('td[data-field=commissionFen]')].map(cell => cell.textContent)
  expect(told).toEqual(['–', '0.00'])
})
