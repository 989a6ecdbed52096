import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { renderPage, type } from '../../../../tools/testing/page.tsx'
import { Page } from './page.tsx'

const API = '/api/members/application'

const ALL = { 'member-list': ['gift', 'update'] }

async function openForm(search: string, others: Record<string, string[]> = ALL) {
  await loadTexts('members/application')
  return renderPage(<Page />, {
    path: '/members/apply',
    search,
    grants: { 'apply-list': ['list', 'create'], ...others },
    calls: {
      [`GET ${API}`]: () => ({ records: [], total: 0, current: 1, size: 20 }),
      [`GET ${API}/counts`]: () => ({}),
      [`POST ${API}`]: () => ({ id: '7' }),
      'GET /api/common/reference/member': () => [{ id: '5', name: '单雨桐', note: '139****0001', tone: null }],
      'GET /api/common/reference/staff': () => [],
      'GET /api/common/reference/coupon': () => [],
    },
  })
}

const asked = () => [...document.querySelectorAll('.ant-drawer label[title]')].map(label => label.getAttribute('title'))

test.each([
  ['with.kind=GIFT&with.giftKind=DAYS', ['Type', 'Member', 'Gift', 'Quantity', 'Reason']],
  ['with.kind=GIFT&with.giftKind=COUPON', ['Type', 'Member', 'Gift', 'Coupon', 'Reason']],
  ['with.kind=PAUSE', ['Type', 'Member', 'Paused from', 'Days to pause', 'Reason']],
  ['with.kind=PHONE', ['Type', 'Member', 'New phone', 'Proof', 'Reason']],
  ['with.kind=CLOSE', ['Type', 'Member', 'Proof', 'Reason']],
])('each kind of application has a form of its own: %s', async (given, fields) => {
  await openForm(`create=1&${given}`)
  await screen.findByText('Submit application')
  await waitFor(() => expect(asked()).toEqual(fields))
})

test('what was refused elsewhere arrives filled in, and leaves as figures', async () => {
  const page = await openForm('create=1&with.kind=GIFT&with.memberId=5&with.giftKind=DAYS&with.quantity=40')
  type(await screen.findByLabelText('Reason'), '直播课中断')
  fireEvent.click(screen.getByRole('button', { name: 'Submit application' }))
  await waitFor(() => expect(page.sent(`POST ${API}`)).toHaveLength(1))
  expect(page.sent(`POST ${API}`)[0]?.body).toEqual({
    kind: 'GIFT',
    memberId: '5',
    giftKind: 'DAYS',
    quantity: 40,
    couponId: null,
    newPhone: null,
    pauseFrom: null,
    pauseDays: null,
    proof: [],
    reason: '直播课中断',
  })
})

test('a pause says before it is asked for what becomes of the membership, and leaves as a day and a number of days', async () => {
  const page = await openForm('create=1&with.kind=PAUSE&with.memberId=5&with.pauseFrom=2026-12-01&with.pauseDays=30')
  await screen.findByText(/no membership days pass, and the membership ends that many days later/)
  type(await screen.findByLabelText('Reason'), '期末停课')
  fireEvent.click(screen.getByRole('button', { name: 'Submit application' }))
  await waitFor(() => expect(page.sent(`POST ${API}`)).toHaveLength(1))
  expect(page.sent(`POST ${API}`)[0]?.body).toMatchObject({ kind: 'PAUSE', pauseFrom: '2026-12-01', pauseDays: 30 })
})

test.each([
  ['who may give', ['gift'], ['Extra gift']],
  ['who may change members', ['update'], ['New phone', 'Pause membership', 'Close account']],
  ['who may do both', ['gift', 'update'], ['Extra gift', 'New phone', 'Pause membership', 'Close account']],
])('the form offers %s only what that person may apply for', async (_who, held, kinds) => {
  await openForm('create=1', { 'member-list': held })
  await screen.findByText('Submit application')
  fireEvent.mouseDown(document.querySelector('.ant-drawer .ant-select') as Element)
  const offered = () =>
    [...document.querySelectorAll('.ant-select-item-option-content')].map(({ textContent }) => textContent)
  await waitFor(() => expect(offered()).toEqual(kinds))
})

test.each([
  ['that person may not apply for', 'CLOSE'],
  ['there is none of', 'HOLIDAY'],
])('an address that asks for what %s leaves the type to be chosen, and shows no code', async (_why, kind) => {
  await openForm(`create=1&with.kind=${kind}&with.memberId=5`, { 'member-list': ['gift'] })
  await screen.findByText('Submit application')
  await waitFor(() => expect(asked()).toEqual(['Type', 'Member', 'Reason']))
  expect(document.querySelector('.ant-drawer')?.textContent).not.toContain(kind)
})

test('who may apply for nothing is offered no form, whatever the address asks for', async () => {
  await openForm('create=1&with.kind=GIFT', {})
  await screen.findByLabelText('Refresh')
  expect(screen.queryByText('Add')).toBeNull()
  expect(screen.queryByText('Submit application')).toBeNull()
})
