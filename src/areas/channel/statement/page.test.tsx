import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Resource } from '#kit/model/resource.ts'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { resource, workflow } from './model.ts'
import { Page } from './page.tsx'

const API = '/api/channel/statement'
const steps = { approve: null, reckon: null }
const rows = ['7', '8'].map(id =>
  sampleRow(resource as unknown as Resource, {
    ...{ id, steps },
    periodFrom: '2026-10-01',
    status: 'CHANNEL_CONFIRMED',
  }),
)

test('whoever decides on statements is asked about them by their month, as the page names it', async () => {
  await renderPage(<Page />, {
    superAdmin: true,
    calls: {
      ...commonCalls,
      [`GET ${API}`]: () => paged(rows),
      [`GET ${API}/counts`]: () => ({}),
      'GET /api/common/reference/app-channel': () => [],
    },
  })
  const matter = () => document.querySelector('.ant-modal-confirm .inkstone-matter')?.textContent
  fireEvent.click((await screen.findAllByRole('button', { name: 'Approve' }))[0] as HTMLElement)
  await waitFor(() => expect(matter()).toContain('2026-10'))
  expect(matter()).not.toContain('2026-10-01')
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(matter()).toBeUndefined())

  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  fireEvent.click(within(await screen.findByRole('toolbar')).getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(matter()).toContain('2 selected'))
  expect(matter()).toContain('2026-10')
  expect(matter()).not.toContain('2026-10-01')
})

test('who calculates a statement again is told whether its sum moved, from what to what, and that a code sent before is void', async () => {
  const draft = (totalFen: number, linkState = 'ASKED') =>
    sampleRow(resource as unknown as Resource, {
      ...{ id: '7', steps: { reckon: null }, statementNo: 'C202610-0007', status: 'DRAFT', totalFen, linkState },
    })
  let [sum, link] = [10_000, 'ASKED']
  await renderPage(<Page />, {
    superAdmin: true,
    calls: {
      ...commonCalls,
      [`GET ${API}`]: () => paged([draft(10_000)]),
      [`GET ${API}/counts`]: () => ({}),
      [`GET ${API}/7`]: () => draft(sum, link),
      [`POST ${API}/7/reckon`]: () => null,
      'GET /api/common/reference/app-channel': () => [],
    },
  })
  const again = async () => {
    fireEvent.click((await screen.findAllByRole('button', { name: /Calculate again/ }))[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: /Calculate again/ }))
  }
  await again()
  expect((await screen.findByText(/the total is still ¥100\.00/)).textContent).not.toContain('code')
  sum = 12_550
  link = 'SENT'
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await again()
  const moved = await screen.findByText(/the total moved from ¥100\.00 to ¥125\.50/)
  expect(moved.textContent).toContain('the code the partner was sent no longer works')
})

test('a statement that came to nothing went from draft to paid, and past nobody who confirms or approves', () => {
  const way = (confirmedVia: string | null) =>
    workflow.path?.(sampleRow(resource as unknown as Resource, { confirmedVia }) as never)
  expect(way('NOTHING_DUE')).toEqual(['status.DRAFT', 'status.PAID'])
  expect(way('LINK')).toHaveLength(4)
  expect(way(null)).toHaveLength(4)
})
