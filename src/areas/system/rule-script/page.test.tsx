import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Page } from './page.tsx'

const LIST = 'GET /api/system/rule-script'
const SCRIPT = {
  version: 1,
  type: 'boolean_script',
  source: 'return true',
  note: null,
  usedBy: [],
  createdAt: '2026-11-01T02:00:00.000Z',
  labels: {},
  steps: {},
}

test('a script that is published shows which edition runs, and one that is not shows none', async () => {
  await renderPage(<Page />, {
    superAdmin: true,
    calls: {
      ...commonCalls,
      [LIST]: () =>
        paged([
          { ...SCRIPT, id: '1', nodeId: 'isRisky', name: 'Risky', status: 'PUBLISHED', edition: 7 },
          { ...SCRIPT, id: '2', nodeId: 'isNew', name: 'Fresh', status: 'DRAFT', edition: 0 },
        ]),
      [`${LIST}/counts`]: () => ({}),
    },
  })
  const edition = async (name: string) =>
    (await screen.findByText(name)).closest('tr')?.querySelector('[data-field="edition"]')?.textContent
  expect(await edition('Risky')).toBe('7')
  expect(await edition('Fresh')).toBe('–')
})
