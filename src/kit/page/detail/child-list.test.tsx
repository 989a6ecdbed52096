import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { child } from '#areas/products/code-batch/codes/model.ts'
import { paged, press, renderPage } from '../../../../tools/testing/page.tsx'
import { loadTexts } from '../language.ts'
import { ChildList } from './child-list.tsx'

const CODES = 'GET /api/products/code-batch/5/codes'
const code = (id: string, last4: string) => ({
  id,
  batchId: '5',
  last4,
  status: 'UNUSED',
  member: null,
  redeemedAt: null,
  labels: {},
  steps: {},
  waiting: null,
})

async function show(actions: readonly string[], fixed = {}) {
  await loadTexts('products/code-batch')
  return renderPage(<ChildList child={child} id="5" fixed={fixed} />, {
    grants: { 'product-exchange': actions },
    calls: {
      [CODES]: ({ query }) => paged(query.status === 'VOID' ? [] : [code('1', 'ABCD'), code('2', 'EFGH')], 25),
      [`${CODES}/counts`]: () => ({ UNUSED: 20, VOID: 5 }),
      [`${CODES}/download`]: () => new Response('PK', { headers: { 'content-disposition': 'attachment' } }),
    },
  })
}

describe('what belongs to a record', () => {
  test('is asked for below its address, with tabs that say how many stand in each state', async () => {
    const page = await show(['detail'])
    expect(await screen.findByText('ABCD')).toBeTruthy()
    expect(await screen.findByText('Void 5')).toBeTruthy()
    fireEvent.click(screen.getByText('Void 5'))
    expect(await screen.findByText('Codes appear here once the batch is approved.')).toBeTruthy()
    expect(page.sent(CODES).at(-1)?.query).toMatchObject({ status: 'VOID', current: '1', size: '10' })
  })

  test('comes in pages', async () => {
    const page = await show(['detail'])
    await screen.findByText('ABCD')
    fireEvent.click(screen.getByTitle('3'))
    await waitFor(() => expect(page.sent(CODES).at(-1)?.query).toMatchObject({ current: '3' }))
  })

  test('is exported by whoever may export the record, and nobody else is shown the button', async () => {
    const page = await show(['detail', 'export'])
    await screen.findByText('ABCD')
    press('Export')
    await waitFor(() => expect(page.sent(`${CODES}/download`)).toHaveLength(1))
    await show(['detail'])
    await screen.findByText('ABCD')
    expect(screen.queryByLabelText('Export')).toBeNull()
  })

  test('is only the part its place is about, where that is said', async () => {
    const page = await show(['detail'], { status: ['UNUSED'] })
    await screen.findByText('ABCD')
    expect(page.sent(CODES)[0]?.query).toMatchObject({ status: 'UNUSED' })
    expect(screen.queryByText(/^Void/)).toBeNull()
  })
})
