import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Calls, paged, pick, press, refused, renderPage, type } from '../../../../tools/testing/page.tsx'
import type { OfferedRole, OneTime } from './model.ts'
import { Page } from './page.tsx'

const PATH = '/api/system/user'
const MADE: OneTime = { id: '8', account: 'lilei', name: 'Li Lei', password: 'Xk4-one-time' }
const ROLES: OfferedRole[] = [{ id: '2', name: 'Order readers', why: null }]
const CALLS: Calls = {
  [`GET ${PATH}`]: () => paged([]),
  [`GET ${PATH}/counts`]: () => ({}),
  [`GET ${PATH}/roles`]: () => ROLES,
  'GET /api/common/reference/department': () => [{ id: '4', name: 'Sales', note: null, tone: null }],
  'GET /api/common/reference/department/tree': () => ({
    nodes: [{ id: '4', parentId: null, name: 'Sales', beside: null, children: 0 }],
    isWhole: true,
  }),
  'GET /api/common/reference/position': () => [{ id: '3', name: 'Consultant', note: 'SALES', tone: 'ENABLED' }],
}
const open = (calls: Calls = {}) =>
  renderPage(<Page />, {
    search: 'with.hire=1',
    calls: { ...CALLS, ...calls },
    grants: { 'iam-user': ['list', 'create'] },
  })

test('somebody new is asked for with a position, and what is wrong with the phone is said beside it', async () => {
  const fields = { phone: 'Enter a mobile number of 11 digits' }
  const page = await open({
    [`POST ${PATH}`]: ({ body }) =>
      (body as { phone: string }).phone === '1' ? refused(4005, 'Invalid', { fields }) : MADE,
  })
  const form = await screen.findByRole('dialog')
  type(await within(form).findByLabelText('Name'), 'Li Lei')
  type(within(form).getByLabelText('Account'), 'lilei')
  type(within(form).getByLabelText('Phone'), '1')
  await pick(await within(form).findByLabelText('Department'), 'Sales')
  press('Create account', form)
  await within(form).findByText(/Primary position$/, { selector: '.ant-form-item-explain-error' })
  expect(page.sent(`POST ${PATH}`)).toEqual([])
  await pick(within(form).getByLabelText('Primary position'), 'Consultant')
  press('Create account', form)
  await within(form).findByText('Enter a mobile number of 11 digits')
  type(within(form).getByLabelText('Phone'), '13800138000')
  press('Create account', form)
  await within(form).findByText(MADE.password)
  await waitFor(() =>
    expect(page.sent(`POST ${PATH}`).at(-1)?.body).toEqual({
      ...{ name: 'Li Lei', account: 'lilei', orgId: '4', positionId: '3', phone: '13800138000', roleIds: [] },
    }),
  )
})
