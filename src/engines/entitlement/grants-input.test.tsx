import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { pick, press, renderPage, type } from '../../../tools/testing/page.tsx'
import { GrantsInput } from './grants-input.page.tsx'
import type { Grant } from './model.ts'

const PACKAGE = { id: '5', name: 'Brush for beginners', note: null, tone: null }
let held: readonly Grant[] = []

function Grants() {
  const [grants, setGrants] = useState<Grant[]>([])
  held = grants
  return <GrantsInput value={grants} onChange={setGrants} />
}

async function give(...kinds: string[]) {
  await loadTexts('engines/entitlement')
  await renderPage(<Grants />, { calls: { 'GET /api/common/reference/course-package': () => [PACKAGE] } })
  for (const kind of kinds) await pick(await screen.findByLabelText('Add entitlement'), kind)
}
const shares = () => held.map(({ sharePermille }) => sharePermille)

describe('the grants of a product', () => {
  test('stand in columns under headings', async () => {
    await give('Coins')
    for (const heading of ['Entitlement', 'Name', 'Quantity', 'Days valid', 'Value share'])
      expect(screen.getByText(heading, { selector: '.inkstone-lines-head span' })).toBeTruthy()
  })

  test('make a whole of the price in percent by themselves: the last one takes the rest, and all can be evened out', async () => {
    await give('Coins', 'Lessons', 'Membership days')
    expect(shares()).toEqual([1000, 0, 0])
    const [first] = screen.getAllByLabelText('Value share')
    type(first as Element, '12.5')
    expect(shares()).toEqual([125, 0, 875])
    expect(screen.getAllByLabelText('Value share').map(input => (input as HTMLInputElement).value)).toEqual([
      '12.5',
      '0.0',
      '87.5',
    ])
    press('Even out')
    expect(shares()).toEqual([333, 333, 334])
    expect(screen.getByText('100%')).toBeTruthy()
    press('Delete')
    expect(shares()).toEqual([333, 667])
  })

  test('that come to more than the price say so in percent', async () => {
    await give('Coins', 'Lessons', 'Membership days')
    const [first, second] = screen.getAllByLabelText('Value share') as [HTMLElement, HTMLElement]
    type(first, '70')
    type(second, '40.5')
    expect(shares()).toEqual([700, 405, 0])
    expect(screen.getByText('Value shares add up to 110.5%; they must make 100%')).toBeTruthy()
  })

  test('are called what their course is called, until a person names them', async () => {
    await give('Course package')
    await pick(screen.getByLabelText('Course package', { selector: 'input' }), 'Brush for beginners')
    await waitFor(() => expect(held[0]).toMatchObject({ packageId: '5', name: 'Brush for beginners' }))
  })
})
