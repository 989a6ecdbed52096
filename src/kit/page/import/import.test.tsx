import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { resource as shipment } from '#areas/logistics/shipment/model.ts'
import { resource } from '#areas/system/dictionary/model.ts'
import { CODES } from '#kit/model/contract.ts'
import { text } from '#kit/model/field.ts'
import type { Shape } from '#kit/model/resource.ts'
import {
  button,
  type Calls,
  findButton,
  inTurn,
  pick,
  press,
  refused,
  renderPage,
} from '../../../../tools/testing/page.tsx'
import { loadTexts } from '../language.ts'
import { ImportButton } from './import-button.tsx'
import type { Batch, Offer } from './use-import.ts'

const PATH = '/api/system/dictionary/import'
const GRANTS = { dictionary: ['list', 'import', 'undoImport'] }

const batch = (part: Partial<Batch> = {}): Batch => ({
  id: '7',
  title: 'types.xlsx',
  state: 'UPLOADED',
  allRows: 0,
  goodRows: 0,
  badRows: 0,
  doneRows: 0,
  failedRows: 0,
  progress: 0,
  taskId: null,
  by: 'Tester',
  isMine: true,
  error: null,
  createdAt: '2026-03-01T06:03:00.000Z',
  ...part,
})
const CHECKED = batch({ state: 'CHECKED', allRows: 5, goodRows: 3, badRows: 2 })
const DONE = batch({ state: 'DONE', allRows: 5, goodRows: 3, badRows: 2, doneRows: 3 })
const offer = (...records: Batch[]): Offer => ({
  columns: [
    { field: 'code', isRequired: true },
    { field: 'name', isRequired: true },
    { field: 'note', isRequired: false },
  ],
  canUndo: true,
  records,
  total: records.length,
})
const UPLOADED = {
  id: '7',
  head: ['Code', 'Was ist es', ''],
  sample: [
    ['PEN', 'Pens', 'x'],
    ['INK', 'Inks', ''],
  ],
  mapping: { code: 0 },
  before: { by: '陈文员', at: '2026-03-01T06:03:00.000Z', rows: 12 },
}
const ROWS = {
  head: UPLOADED.head,
  records: [
    {
      no: 4,
      cells: ['pen', 'Pens', ''],
      faults: [
        { column: 'Code', reason: 'Wrong format' },
        { column: null, reason: 'Already in use' },
      ],
    },
  ],
}

async function openImport(
  calls: Calls,
  earlier: Batch[] = [],
  grants: Record<string, string[]> = GRANTS,
  asks?: Shape,
) {
  const page = await renderPage(<ImportButton resource={resource} {...(asks && { asks })} />, {
    grants,
    calls: {
      [`GET ${PATH}`]: () => offer(...earlier),
      [`POST ${PATH}`]: () => UPLOADED,
      [`GET ${PATH}/7`]: () => batch(),
      [`GET ${PATH}/7/rows`]: () => ROWS,
      ...calls,
    },
  })
  press('Import')
  await screen.findByText('Earlier imports')
  return page
}
const give = (name: string) => {
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  fireEvent.change(input, { target: { files: [new File(['x'], name)] } })
}
const openEarlier = async () => {
  await waitFor(() => button('Open types.xlsx'))
  press('Open types.xlsx')
}

describe('the way of a file', () => {
  test('begins for those who may import, and is not there for others', async () => {
    await renderPage(<ImportButton resource={resource} />, { grants: { dictionary: ['list'] } })
    expect(findButton('Import')).toBeUndefined()
  })

  test('is called by what the file holds, where that is not the record itself', async () => {
    await renderPage(<ImportButton resource={shipment} />, {
      grants: { [shipment.screen.key]: ['list', 'import'] },
      calls: { 'GET /api/logistics/shipment/import': () => offer() },
    })
    await loadTexts('logistics/shipment')
    press('Import')
    expect(await screen.findByText('Import · tracking numbers')).toBeTruthy()
  })

  test('names its columns: guessed ones stand there, the others are chosen with an example beside them', async () => {
    let isChecked = false
    const page = await openImport({
      [`GET ${PATH}/7`]: () => (isChecked ? CHECKED : batch()),
      [`POST ${PATH}/7/check`]: () => {
        isChecked = true
        return null
      },
    })
    give('types.xlsx')
    await screen.findByText('PEN, INK')
    expect(screen.getByText(/^This file was imported by 陈文员 on 2026-03-01 14:03:00 \(12 rows\)/)).toBeTruthy()
    const body = page.sent(`POST ${PATH}`)[0]?.body as FormData | undefined
    expect(body?.get('file')).toBeInstanceOf(File)
    await pick(screen.getByLabelText('Name'), 'Was ist es')
    await screen.findByText('Pens, Inks')
    press('Check all rows')
    await screen.findByText('With errors 2')
    expect(page.sent(`POST ${PATH}/7/check`)[0]?.body).toEqual({ mapping: { code: 0, name: 1 } })
  })

  test('says beside the field which column is missing', async () => {
    const fields = { name: 'Required: choose its column' }
    await openImport({
      [`POST ${PATH}/7/check`]: () =>
        refused(CODES.validation, 'Please check your entries: Required: choose its column', { fields }, 422),
    })
    give('types.xlsx')
    await screen.findByText('PEN, INK')
    press('Check all rows')
    await waitFor(() => expect(document.querySelector('.ant-form-item-explain-error')?.textContent).toBe(fields.name))
  })

  test('asks what is said of the whole file, checks nothing before it is, and says beside it what is refused', async () => {
    const fields = { 'said.note': 'Say more' }
    const page = await openImport(
      {
        [`POST ${PATH}/7/check`]: () =>
          refused(CODES.validation, 'Please check your entries: Say more', { fields }, 422),
      },
      [],
      GRANTS,
      { note: text(50) },
    )
    give('types.xlsx')
    await screen.findByText('PEN, INK')
    press('Check all rows')
    await screen.findByText('Please enter: Note')
    expect(page.sent(`POST ${PATH}/7/check`)).toEqual([])
    fireEvent.change(screen.getByRole('textbox', { name: 'Note' }), { target: { value: 'from the school' } })
    press('Check all rows')
    await screen.findByText('Say more', { selector: '.ant-form-item-explain-error' })
    expect(page.sent(`POST ${PATH}/7/check`)[0]?.body).toEqual({
      mapping: { code: 0 },
      said: { note: 'from the school' },
    })
  })

  test('a file that cannot be read is refused, and another one can be given', async () => {
    await openImport({
      [`POST ${PATH}`]: () =>
        refused(CODES.validation, 'Please check your entries: This file cannot be read', null, 422),
    })
    give('types.doc')
    expect(await screen.findByText('This file cannot be read')).toBeTruthy()
    expect(screen.getByText('Earlier imports')).toBeTruthy()
  })

  test('shows bad rows with their reasons first, good ones beside them, and runs the good ones', async () => {
    const page = await openImport(
      {
        [`GET ${PATH}/7`]: inTurn(
          () => CHECKED,
          () => DONE,
        ),
        [`POST ${PATH}/7/run`]: () => null,
      },
      [CHECKED],
    )
    await openEarlier()
    await screen.findByText('Wrong format')
    // Row, column and reason each in a column of its own, a line for each fault.
    const lines = [...document.querySelectorAll('tbody tr.ant-table-row')].map(line =>
      [...line.querySelectorAll('td')].filter(cell => cell.rowSpan > 0).map(cell => cell.textContent),
    )
    expect(lines).toEqual([
      ['4', 'Code', 'Wrong format', 'pen', 'Pens', '–'],
      ['–', 'Already in use'],
    ])
    fireEvent.click(screen.getByText('Ready 3'))
    await waitFor(() =>
      expect(page.sent(`GET ${PATH}/7/rows`).map(({ query }) => query)).toEqual([
        { kind: 'bad', current: '1' },
        { kind: 'good', current: '1' },
      ]),
    )
    press('Import 3 rows')
    expect(await screen.findByText(/3 rows imported, 2 not imported/)).toBeTruthy()
    expect(page.sent(`POST ${PATH}/7/run`)).toHaveLength(1)
  })

  test('without a good row cannot be run', async () => {
    const none = { ...CHECKED, goodRows: 0, badRows: 5 }
    await openImport({ [`GET ${PATH}/7`]: () => none }, [none])
    await openEarlier()
    await waitFor(() => expect(button('Import 0 rows').disabled).toBe(true))
  })

  test('shows how far it is and can be stopped; then it goes on where it stopped', async () => {
    const running = batch({ state: 'RUNNING', allRows: 10, goodRows: 10, progress: 4, taskId: '9' })
    const stopped = batch({ state: 'STOPPED', allRows: 10, goodRows: 10, doneRows: 6, error: null })
    const page = await openImport(
      {
        [`GET ${PATH}/7`]: inTurn(
          () => running,
          () => stopped,
        ),
        'POST /api/common/task/9/cancel': () => null,
        [`POST ${PATH}/7/run`]: () => null,
      },
      [running],
    )
    await openEarlier()
    expect(await screen.findByText(/4 rows processed/)).toBeTruthy()
    press('Stop')
    expect(await screen.findByText(/6 rows imported, 4 not imported/)).toBeTruthy()
    press('Continue')
    await waitFor(() => expect(page.sent(`POST ${PATH}/7/run`)).toHaveLength(1))
  })

  test('ends with the rows left out as a file, and is undone after a question', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
    const page = await openImport(
      {
        [`GET ${PATH}/7`]: () => DONE,
        [`GET ${PATH}/7/errors`]: () => new Response('sheet', { headers: { filename: 'errors.xlsx' } }),
        [`POST ${PATH}/7/undo`]: () => null,
      },
      [DONE],
    )
    await openEarlier()
    await screen.findByText(/3 rows imported/)
    press('Download rows not imported')
    await waitFor(() => expect(click).toHaveBeenCalledOnce())
    press('Undo import')
    await screen.findAllByText('Undo the 3 rows of this import?')
    expect(page.sent(`POST ${PATH}/7/undo`)).toEqual([])
    press('Undo import', document.querySelector('.ant-modal-confirm') as HTMLElement)
    await waitFor(() => expect(page.sent(`POST ${PATH}/7/undo`)).toHaveLength(1))
  })

  test('of somebody else shows neither rows nor their file; undoing is a right of its own', async () => {
    const theirs = { ...DONE, isMine: false, by: 'Chief' }
    const page = await openImport({ [`GET ${PATH}/7`]: () => theirs }, [theirs], { dictionary: ['list', 'import'] })
    await openEarlier()
    await screen.findByText(/3 rows imported/)
    expect(findButton('Download rows not imported')).toBeUndefined()
    expect(findButton('Undo import')).toBeUndefined()
    expect(page.sent(`GET ${PATH}/7/rows`)).toEqual([])
  })

  test('says why what was begun did not come to its end', async () => {
    const kept = { ...DONE, error: 'PEN was changed since' }
    await openImport({ [`GET ${PATH}/7`]: () => kept }, [kept])
    await openEarlier()
    expect(await screen.findByText('PEN was changed since')).toBeTruthy()
  })
})
