import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, paged, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { resource } from './model.ts'
import { Page } from './page.tsx'
import type { AllocationView, Left, Simulated } from './rules.model.ts'

const API = '/api/sales/consultant'
const LEFT: Left = {
  count: 12,
  since: '2026-11-18T02:00:00Z',
  came: [{ source: 'DOUYIN', channel: 'DOUYIN_LIVE', product: 'Brush course', count: 12 }],
}
const RULE = {
  ...{ key: 'some', name: 'Brush only', sources: [], channels: [], products: ['3'], validFrom: null, validUntil: null },
  lines: [{ staffId: '5', weight: null, isFallback: false }],
}
const VIEW: AllocationView = {
  ...{ edition: '4', note: '', by: 'Lin', at: '2026-11-17T02:00:00Z', waiting: [], firstDay: '2026-11-10' },
  set: { rules: [RULE], holidays: [], warnMinutes: 15 },
  consultants: [{ id: '5', name: 'An', team: 'Team 1', isOn: true, weight: 10 }],
  products: [{ id: '3', name: 'Brush course', isOnSale: true }],
}
const calls = (left: Left): Calls => ({
  ...commonCalls,
  [`GET ${API}`]: () => paged([sampleRow(resource as never, {})]),
  [`GET ${API}/counts`]: () => ({}),
  [`GET ${API}/allocation/left`]: () => left,
  [`GET ${API}/allocation`]: () => VIEW,
  'GET /api/common/reference/department/tree': () => ({ nodes: [], isWhole: true }),
})

test('a manager reads how many leads no rule takes, and one button begins the rule for them', async () => {
  await renderPage(<Page />, { superAdmin: true, calls: calls(LEFT) })
  await screen.findByText(/^12 leads wait that no rule takes/)
  expect(screen.getByText(/Brush course: 12/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Add a rule for them' }))
  // Behind the others, and open: only its people are missing.
  expect(await screen.findByDisplayValue('All other leads')).toBeDefined()
  expect(screen.getByText('1. Brush only')).toBeDefined()
  expect(screen.getByText('2. All other leads')).toBeDefined()
})

test('a rule nobody is named in is told in words and not sent; what buttons changed is asked about before it is left', async () => {
  await loadTexts('kit/page/form')
  const page = await renderPage(<Page />, { superAdmin: true, calls: calls(LEFT) })
  fireEvent.click(await screen.findByText('Add a rule for them'))
  await screen.findByDisplayValue('All other leads')
  fireEvent.click(screen.getByText('Put in force'))
  await screen.findByText('Choose a consultant in every line of rule “All other leads”')
  expect(page.sent(`POST ${API}/allocation`)).toEqual([])
  fireEvent.keyDown(document.querySelector('.ant-modal') as Element, { key: 'Escape', code: 'Escape', keyCode: 27 })
  expect((await screen.findAllByText('Discard unsaved changes?')).length).toBeGreaterThan(0)
})

test('where every lead is taken nothing is said of it, nor to who may not change the rules', async () => {
  const none = { count: 0, since: null, came: [] }
  const page = await renderPage(<Page />, { superAdmin: true, calls: calls(none) })
  await screen.findByRole('button', { name: 'Rules and simulator' })
  expect(screen.queryByText(/no rule takes/)).toBeNull()
  expect(page.sent(`GET ${API}/allocation/left`).length).toBeLessThanOrEqual(1)
  const looking = await renderPage(<Page />, { grants: { 'sale-list': ['list'] }, calls: calls(LEFT) })
  expect(looking.sent(`GET ${API}/allocation/left`)).toEqual([])
})

test('a day is replayed beside how it went: who would have had how many, the waits, and which limits were met', async () => {
  await loadTexts('kit/page/form')
  const day = { given: 5, waiting: 1, minutes: 2.5, longest: 9, dayFull: 3, openFull: 0 }
  const told: Simulated = {
    ...{ day: '2026-11-17', leads: 6, moved: 2, isReproduced: true },
    real: day,
    would: { ...day, given: 6, waiting: 0, dayFull: 0, openFull: 4 },
    people: [
      { id: '5', name: 'An', real: 5, would: 6, full: { real: { day: 3, open: 0 }, would: { day: 0, open: 4 } } },
    ],
  }
  const none = { count: 0, since: null, came: [] }
  const simulate = `POST ${API}/allocation/simulate`
  const page = await renderPage(<Page />, { superAdmin: true, calls: { ...calls(none), [simulate]: () => told } })
  fireEvent.click(await screen.findByRole('button', { name: 'Rules and simulator' }))
  fireEvent.click(await screen.findByRole('tab', { name: 'Simulator' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Simulate' }))
  const cellsOf = async (name: string) =>
    [...((await screen.findByRole('cell', { name })).closest('tr') as HTMLTableRowElement).cells].map(
      cell => cell.textContent,
    )
  expect(await cellsOf('An')).toEqual(['An', '5', '6', '+1', '3 → 0', '0 → 4'])
  expect(await cellsOf('Still waiting')).toEqual(['Still waiting', '1', '0'])
  expect(await cellsOf('Passed over: daily limit')).toEqual(['Passed over: daily limit', '3', '0'])
  expect(await cellsOf('Passed over: limit of not contacted')).toEqual([
    'Passed over: limit of not contacted',
    '0',
    '4',
  ])
  expect(page.sent(simulate)[0]?.body).toMatchObject({ set: VIEW.set })
})
