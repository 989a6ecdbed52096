import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage } from '../../../tools/testing/page.tsx'
import { commonCalls } from '../../../tools/testing/page-records.ts'
import { NumbersInput } from './numbers-input.page.tsx'

function Held() {
  const [numbers, setNumbers] = useState('')
  return <NumbersInput screen="members/campaign" id="numbers" value={numbers} onChange={setNumbers} />
}

test('a file fills in its numbers whole, and names each row that gave none with the reason', async () => {
  await loadTexts('engines/audience')
  const phones = Array.from({ length: 300 }, (_, nth) => `138${String(nth).padStart(8, '0')}`)
  const refused = Array.from({ length: 6 }, (_, nth) => ({ no: nth + 2, why: 'INVALID', first: null }))
  await renderPage(<Held />, {
    calls: {
      ...commonCalls,
      'POST /api/members/campaign/numbers-file': () => ({
        phones,
        refused: [...refused, { no: 9, why: 'REPEATED', first: 8 }],
      }),
    },
  })
  expect(screen.getByText(/At most 20000 numbers at once/)).toBeTruthy()
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  expect(input.accept).toBe('.xlsx,.csv,.txt')
  fireEvent.change(input, { target: { files: [new File(['x'], 'list.xlsx')] } })
  expect(await screen.findByText('list.xlsx: 300 numbers read')).toBeTruthy()
  expect((document.querySelector('textarea') as HTMLTextAreaElement).value.split('\n')).toEqual(phones)
  expect(screen.getByText('7 rows were not taken:')).toBeTruthy()
  expect(screen.getAllByText('Not a mobile number')).toHaveLength(5)
  fireEvent.click(screen.getByRole('listitem', { name: '2' }))
  expect(await screen.findByText('The same number as in row 8')).toBeTruthy()
})
