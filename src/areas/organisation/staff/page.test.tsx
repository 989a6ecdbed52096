import { fireEvent, screen, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { type Calls, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Page } from './page.tsx'
import { withOnePrimary } from './positions-input.page.tsx'

const PATH = '/api/organisation/staff'
const row = {
  id: '7',
  name: '赵离',
  staffNo: 'S00007',
  account: 'zhaoli',
  orgId: '2',
  positionId: '3',
  managerId: null,
  gender: 'F',
  phone: '138****8000',
  email: null,
  birthday: null,
  employment: 'ACTIVE',
  leftOn: null,
  status: 'ENABLED',
  createdAt: '2026-03-01T06:03:00.000Z',
  version: 1,
  labels: {},
  steps: { leave: null, handOver: null },
  waiting: null,
}
const CALLS: Calls = {
  ...commonCalls,
  [`GET ${PATH}`]: () => ({ records: [row], total: 1, totalAt: '2026-03-01T06:03:00.000Z' }),
  [`GET ${PATH}/counts`]: () => ({ ACTIVE: 1 }),
  [`GET ${PATH}/7/belongings`]: () => [
    { what: 'Members', count: 12, moves: true },
    { what: 'Departments · Manager', count: 1, moves: false },
  ],
  [`POST ${PATH}`]: () => ({ id: '8', account: 'linxiaoman', name: '林小满', password: 'k7mxq-aaaaa' }),
  'GET /api/common/reference/position': () => [{ id: '3', name: '销售顾问', note: 'SALES', tone: 'ENABLED' }],
  'GET /api/common/reference/department/tree': () => ({ nodes: [], isWhole: true }),
}
beforeAll(() => loadTexts('organisation/staff'))
const open = (search = '') => renderPage(<Page />, { superAdmin: true, search, calls: CALLS })

describe('the staff page', () => {
  test('says before a departure what goes into other hands, and what does not', async () => {
    await open()
    const listed = (await screen.findByText('赵离')).closest('tr') as HTMLElement
    fireEvent.click(within(listed).getByRole('button', { name: 'More' }))
    fireEvent.click(await screen.findByText('Record departure'))
    const question = await screen.findByRole('dialog')
    expect(await within(question).findByText('Goes to that colleague')).toBeTruthy()
    expect(within(question).getByText('Members').textContent).toContain('12')
    expect(within(question).getByText(/Does not move/)).toBeTruthy()
  })
})

test('choosing another primary position makes the first an additional one, and one stays when it is taken away', () => {
  const [a, b] = [
    { positionId: '1', isPrimary: true },
    { positionId: '2', isPrimary: false },
  ]
  const chosen = withOnePrimary([a, { ...b, isPrimary: true }], [a, b])
  expect(chosen.map(({ isPrimary }) => isPrimary)).toEqual([false, true])
  expect(withOnePrimary([b], [a, b])).toEqual([{ positionId: '2', isPrimary: true }])
})
