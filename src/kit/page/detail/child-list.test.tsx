import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { child as numbers } from '#areas/members/number-import/numbers/model.ts'
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

  test('is found by a number of its own, whole or by its end, asked by a call of its own and never in an address', async () => {
    await loadTexts('members/number-import/numbers')
    const NUMBERS = 'GET /api/members/number-import/5/numbers'
    const number = {
      ...{ id: '7', batchId: '5', rowNo: 2, phone: '199****0007', reached: 'IMPORTED', result: 'OPEN', heldBy: null },
      ...{ contactedAt: null, addedAt: null, ownerId: null, labels: {}, steps: {}, waiting: null },
    }
    const FIND = 'POST /api/members/number-import/5/numbers/find-by-phone'
    const page = await renderPage(<ChildList child={numbers} id="5" />, {
      grants: { 'member-salePhone': ['detail'] },
      calls: {
        [NUMBERS]: ({ query }) => paged(query.nobody === undefined ? [number] : []),
        [`${NUMBERS}/counts`]: () => ({}),
        'GET /api/common/reference/staff': () => [],
        [FIND]: ({ body }) => ({ field: 'id', ids: (body as { phone: string }).phone === '4321' ? [] : ['7'] }),
      },
    })
    const type = (text: string) => {
      const box = screen.getByRole('searchbox', { name: 'Search' })
      fireEvent.change(box, { target: { value: text } })
      fireEvent.keyDown(box, { key: 'Enter', code: 'Enter', keyCode: 13 })
      fireEvent.keyUp(box, { key: 'Enter', code: 'Enter', keyCode: 13 })
    }
    const asked = () => page.sent(NUMBERS).at(-1)?.query
    await waitFor(() => expect(page.sent(NUMBERS)).toHaveLength(1))
    type('138 0013 8000')
    await waitFor(() => expect(asked()).toMatchObject({ id: '7' }))
    type('4321')
    await waitFor(() => expect(asked()).toMatchObject({ nobody: '1' }))
    await waitFor(() => expect(screen.queryByText('199****0007')).toBeNull())
    expect(page.sent(FIND).map(({ body }) => body)).toEqual([{ phone: '13800138000' }, { phone: '4321' }])
    type('')
    expect(await screen.findByText('199****0007')).toBeTruthy()
    type('138')
    expect(await screen.findByText(/its last four digits/)).toBeTruthy()
    expect(page.sent(FIND)).toHaveLength(2)
  })
})
