import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import { button, type Calls, paged, press, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls, refund } from '../../../../tools/testing/page-records.ts'

const LIST = 'GET /api/orders/refund-application'
const records = ['3', '2', '1'].map(id => refund(id, { steps: { withdraw: null } }))

const open = (search = '', calls: Calls = {}) =>
  renderPage(<Refunds />, {
    path: '/order/refundApply/2',
    search,
    grants: { 'order-refundApply': ['list', 'detail', 'withdraw'] },
    calls: {
      ...commonCalls,
      [LIST]: () => paged(records),
      ...Object.fromEntries(records.map(record => [`${LIST}/${record.id}`, () => record])),
      ...calls,
    },
  })

test('a record on a page to itself is told as in its drawer, names its tab and asks for no list', async () => {
  const page = await open()
  expect(await screen.findByText('R2026030200002')).toBeTruthy()
  await waitFor(() => expect(page.title()).toBe('R2026030200002'))
  expect(screen.getByText('Awaiting manager', { selector: '.inkstone-record header *' })).toBeTruthy()
  expect(screen.getByRole('list', { name: 'Progress' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Withdraw' })).toBeTruthy()
  expect(document.querySelector('.ant-drawer-open')).toBeNull()
  expect(page.sent(LIST)).toEqual([])
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
})

test('a page opened from a list steps to its neighbours there, in the same tab and by the same question', async () => {
  const page = await open('of=list&status=SUBMITTED')
  await screen.findByText('R2026030200002')
  await waitFor(() => expect(button('Next').disabled).toBe(false))
  expect(page.sent(LIST)[0]?.query).toMatchObject({ status: 'SUBMITTED' })
  press('Next')
  press('Previous')
  expect(page.opened).toEqual([
    '/order/refundApply/1?of=list&status=SUBMITTED',
    '/order/refundApply/3?of=list&status=SUBMITTED',
  ])
})

test('a step on the page is taken and shows the record as it stands then', async () => {
  const page = await open('', { 'POST /api/orders/refund-application/2/withdraw': () => null })
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw' }))
  const question = within(await screen.findByRole('dialog', { name: /withdraw/i }))
  fireEvent.click(question.getByRole('button', { name: /^Withdraw/ }))
  await waitFor(() => expect(page.sent(`${LIST}/2`)).toHaveLength(2))
})

test('the page of a record outside of what one may see says that it does not exist', async () => {
  await open('', { [`${LIST}/2`]: () => refused(CODES['not-found'], 'Not found: It does not exist', null, 404) })
  expect(await screen.findByText('Not found: It does not exist')).toBeTruthy()
  // Nothing is named behind the way back.
  expect(document.querySelector('.inkstone-record > header')?.textContent).not.toContain('/')
})
