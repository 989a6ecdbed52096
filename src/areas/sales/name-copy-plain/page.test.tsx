import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, paged, renderPage, type } from '../../../../tools/testing/page.tsx'
import { sampleRow } from '../../../../tools/testing/sample-row.ts'
import { resource } from './model.ts'
import { Page } from './page.tsx'

const API = '/api/sales/name-copy-plain'
const SHEET = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 210 297"></svg>'
const file = (name: string) =>
  new Response('%PDF-', { headers: { filename: encodeURIComponent(name), 'content-type': 'application/pdf' } })

async function open(actions: readonly string[], calls: Calls = {}, search = '') {
  await Promise.all(['sales/name-copy-plain', 'sales/name-sheet', 'kit/page/form'].map(loadTexts))
  return renderPage(<Page />, {
    path: '/sale/name_copy_noqrcode',
    search,
    grants: { 'sale-nameCopyNoQr': actions },
    calls: {
      [`GET ${API}`]: () => ({ records: [], total: 0, current: 1, size: 20 }),
      [`POST ${API}/preview`]: () => ({ pages: [SHEET, SHEET] }),
      [`POST ${API}/make`]: () => ({ id: '7' }),
      [`POST ${API}/7/pdf`]: () => file('林小满.pdf'),
      [`POST ${API}/7/picture`]: () => file('林小满.png'),
      [`GET ${API}/pack`]: () => ({ taskId: '3' }),
      'GET /api/common/reference/staff': () => [],
      ...calls,
    },
  })
}

test('whoever types a name sees the sheet a moment later, page by page', async () => {
  const page = await open(['list', 'make', 'print'])
  type(await screen.findByLabelText('Name'), '林小满')
  const sheet = await screen.findByRole('img', { name: 'Copybook of 林小满, page 1 of 2' })
  expect(sheet.getAttribute('src')).toBe(`data:image/svg+xml,${encodeURIComponent(SHEET)}`)
  expect(page.sent(`POST ${API}/preview`).at(-1)?.body).toEqual({
    name: '林小满',
    leadPhone: null,
    age: 'MIDDLE',
    grid: 'TIAN',
    lines: 1,
  })
  expect(page.sent(`POST ${API}/make`)).toHaveLength(0)
})

test('PDF and picture of one sheet are one sheet in the log; another name is another', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  const page = await open(['list', 'make', 'print'])
  type(await screen.findByLabelText('Name'), '林小满')
  fireEvent.click(screen.getByRole('button', { name: 'Download PDF' }))
  await waitFor(() => expect(page.sent(`POST ${API}/7/pdf`)).toHaveLength(1))
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Download picture' }).hasAttribute('disabled')).toBe(false),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Download picture' }))
  await waitFor(() => expect(page.sent(`POST ${API}/7/picture`)).toHaveLength(1))
  expect(page.sent(`POST ${API}/make`).map(({ body }) => body)).toHaveLength(1)
})

test('whoever got no answer and asks again for the same sheet makes one, and another sheet is another', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  let isLost = true
  const page = await open(['list', 'make', 'print'], {
    [`POST ${API}/make`]: () => (isLost ? Promise.reject(new TypeError('Failed to fetch')) : { id: '7' }),
  })
  const take = async (nth: number) => {
    // While one is fetched it is called otherwise.
    fireEvent.click(await screen.findByRole('button', { name: 'Download PDF' }))
    await waitFor(() => expect(page.sent(`POST ${API}/make`)).toHaveLength(nth))
  }
  type(await screen.findByLabelText('Name'), '林小满')
  await take(1)
  isLost = false
  await take(2)
  await waitFor(() => expect(page.sent(`POST ${API}/7/pdf`)).toHaveLength(1))
  type(screen.getByLabelText('Name'), '林小雨')
  await take(3)
  const [lost, again, other] = page.sent(`POST ${API}/make`).map(({ headers }) => headers['idempotency-key'])
  expect(again).toBe(lost)
  expect(other).not.toBe(lost)
})

test('a name that cannot be drawn is told at its field, and no sheet is shown', async () => {
  const refused = { code: CODES.validation, msg: 'Not possible: ', data: { fields: { name: 'No shape for 𪚥' } } }
  await open(['list', 'make', 'print'], {
    [`POST ${API}/preview`]: () => new Response(JSON.stringify(refused), { status: 422 }),
  })
  type(await screen.findByLabelText('Name'), '李𪚥')
  await screen.findByText('No shape for 𪚥')
  expect(screen.getByText('Correct what is marked red to see the copybook here')).toBeDefined()
  expect(screen.queryByRole('img', { name: /Copybook of/ })).toBeNull()
})

test('while a sheet is on its way nobody is asked for the name that is there, and where it does not come, that is said', async () => {
  let answer: (value: unknown) => void = () => {}
  await open(['list', 'make', 'print'], {
    [`POST ${API}/preview`]: () => new Promise(resolve => (answer = resolve)),
  })
  expect(await screen.findByText('Enter a name to see its copybook here')).toBeDefined()
  type(screen.getByLabelText('Name'), '林小满')
  await waitFor(() => expect(screen.queryByText('Enter a name to see its copybook here')).toBeNull())
  await waitFor(() => expect(screen.getByRole('region', { name: 'Preview' }).getAttribute('aria-busy')).toBe('true'))
  answer(Promise.reject(new TypeError('Failed to fetch')))
  await screen.findByText('The preview did not come; change anything to try again')
})

test('a sheet that was made is seen in its record once somebody asks for it, and not before', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  const row = sampleRow(resource as never, { id: '7', name: '林*满' })
  const page = await open(
    ['list', 'detail', 'print'],
    { [`GET ${API}`]: () => paged([row]), [`GET ${API}/7`]: () => row },
    'open=7',
  )
  const look = await screen.findByRole('button', { name: 'View copybook' })
  expect(page.sent(`POST ${API}/7/picture`)).toHaveLength(0)
  fireEvent.click(look)
  await screen.findByRole('img', { name: 'First page of this copybook' })
  expect(page.sent(`POST ${API}/7/picture`)).toHaveLength(1)
})

test('whoever may only look has the list alone', async () => {
  await open(['list'])
  await screen.findByText(/Enter a name above/)
  expect(screen.queryByLabelText('Name')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Download all as zip' })).toBeNull()
})

test('all that the filter matches is packed by a task, which is found under the tasks', async () => {
  const page = await open(['list', 'print'])
  fireEvent.click(await screen.findByRole('button', { name: 'Download all as zip' }))
  await waitFor(() => expect(page.sent(`GET ${API}/pack`)).toHaveLength(1))
  fireEvent.click(await screen.findByRole('button', { name: 'Open tasks' }))
  expect(page.opened).toEqual(['/account/settings/exports'])
})
