import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { paged, press, renderPage } from '../../../../tools/testing/page.tsx'
import { isSaidShown, type NumberBatch } from './model.ts'
import { Numbers } from './numbers.page.tsx'

const NUMBERS = 'GET /api/members/number-import/5/numbers'
const BATCH = {
  id: '5',
  newRows: 46,
  allocated: 40,
  contacted: 12,
  added: 8,
  registered: 5,
  paid: 2,
  givenTo: [
    { id: '71', name: '林顾问', count: 30 },
    { id: '72', name: '陈顾问', count: 10 },
  ],
} as unknown as NumberBatch

test('each step of a list, and each of the hands its numbers are in, shows the numbers it counts', async () => {
  await Promise.all(['members/number-import', 'members/number-import/numbers'].map(texts => loadTexts(texts)))
  const page = await renderPage(<Numbers batch={BATCH} />, {
    grants: { 'member-salePhone': ['detail'] },
    calls: {
      'GET /api/common/reference/staff': () => [],
      [NUMBERS]: () => paged([]),
      [`${NUMBERS}/counts`]: () => ({}),
    },
  })
  const asked = () => page.sent(NUMBERS).at(-1)?.query
  await waitFor(() => expect(asked()).not.toHaveProperty('reached'))
  expect(await screen.findByLabelText('Progress')).toBeTruthy()
  press('Contacted 12')
  await waitFor(() => expect(asked()).toMatchObject({ reached: ['CONTACTED', 'ADDED', 'REGISTERED', 'PAID'] }))
  // What a figure is about is chosen by the figure.
  expect(screen.queryByLabelText('Progress')).toBeNull()
  press('Paid 2')
  await waitFor(() => expect(asked()).toMatchObject({ reached: 'PAID' }))
  expect(screen.getByRole('button', { name: 'Paid 2' }).getAttribute('aria-pressed')).toBe('true')
  press('陈顾问 10')
  await waitFor(() => expect(asked()).toMatchObject({ heldBy: '72' }))
  expect(asked()).not.toHaveProperty('reached')
})

test.each([
  ['what shows consent only where people agreed', 'evidence', { marketing: 'AGREED' }, 'required'],
  ['nothing that shows consent where they did not', 'evidence', { marketing: 'NOT_AGREED' }, false],
  ['a department as long as no colleague gets them all', 'dealToId', { giveToId: undefined }, true],
  ['no department where one colleague does', 'dealToId', { giveToId: '7' }, false],
] as const)('a list of numbers asks for %s', (_, field, entered, shown) => {
  expect(isSaidShown(field, entered)).toBe(shown)
})
