import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Page } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import { inTurn, paged, press, refused, renderPage, type } from '../../../../tools/testing/page.tsx'
import { dictionaryType } from '../../../../tools/testing/page-records.ts'

const SAVE = 'PUT /api/system/dictionary/7'
const READ = dictionaryType('7', { name: 'Pens', note: 'old', version: 4 })
const ENTRY = { label: 'Red', value: 'RED', colour: null, enabled: true }
const NEWEST = { ...READ, name: 'Brushes', note: 'old', items: [ENTRY], version: 6 }

/** Somebody saves version 4 after a colleague has made version 6 of it. */
async function runIntoConflict() {
  const conflict = () => refused(CODES.conflict, 'Conflict: changed', { fields: {}, current: NEWEST }, 409)
  const page = await renderPage(<Page />, {
    search: 'edit=7',
    superAdmin: true,
    calls: {
      'GET /api/system/dictionary': () => paged([]),
      'GET /api/system/dictionary/7': () => READ,
      [SAVE]: inTurn(conflict, () => null),
    },
  })
  type(await screen.findByLabelText('Name', { selector: '.ant-drawer input' }), 'Ink')
  press('Save')
  const notice = within(
    (await screen.findByText('Somebody changed this meanwhile')).closest('.ant-alert') as HTMLElement,
  )
  return { page, notice }
}
const name = () => (document.querySelector('.ant-drawer input') as HTMLInputElement).value
const lastSave = (page: Awaited<ReturnType<typeof runIntoConflict>>['page']) => page.sent(SAVE).at(-1)?.body
const saved = () => waitFor(() => expect(document.querySelector('.ant-drawer-open')).toBeNull())

describe('when a colleague was quicker', () => {
  test('both versions stand side by side, field by field, as people read them', async () => {
    const { notice } = await runIntoConflict()
    const lines = notice.getAllByRole('row', { hidden: true }).map(row =>
      within(row)
        .queryAllByRole('cell', { hidden: true })
        .map(cell => cell.textContent),
    )
    expect(lines.filter(cells => cells.length > 0)).toEqual([
      ['Name', 'Ink', 'Brushes'],
      ['Entries', '–', 'Red · RED'],
    ])
    expect(name()).toBe('Ink')
  })

  test('one may go on with one’s own: it is saved over the newest', async () => {
    const { page } = await runIntoConflict()
    press('Go on with mine')
    expect(screen.queryByText('Somebody changed this meanwhile')).toBeNull()
    expect(name()).toBe('Ink')
    press('Save')
    await saved()
    expect(lastSave(page)).toEqual({ name: 'Ink', note: 'old', items: [], version: 6 })
  })

  test('one may take the newest and go on from there', async () => {
    const { page } = await runIntoConflict()
    press('Take the newest')
    expect(name()).toBe('Brushes')
    fireEvent.click(screen.getByText('Add entry'))
    press('Save')
    await saved()
    expect(lastSave(page)).toMatchObject({ name: 'Brushes', version: 6, items: [ENTRY, { label: '' }] })
  })
})
