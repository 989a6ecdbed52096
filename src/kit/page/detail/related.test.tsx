import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Page as Kits } from '#areas/logistics/goods-kit/page.tsx'
import { Page as Members } from '#areas/members/member/page.tsx'
import { Page as Orders } from '#areas/orders/order/page.tsx'
import { type Calls, paged, press, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls, order, refund } from '../../../../tools/testing/page-records.ts'

const LIST = 'GET /api/members/member'
const MEMBER = {
  id: '70',
  name: '李小墨',
  phone: '138****8000',
  guardianName: '李*',
  level: 'MEMBER',
  status: 'ACTIVE',
  membershipEndsOn: '2026-03-10',
  coins: -30,
  ownerId: null,
  ownerSince: null,
  teacherId: null,
  source: 'APP',
  channel: 'OTHER',
  tags: [],
  lastCheckInAt: null,
  lastWorkAt: null,
  createdAt: '2026-03-01T06:03:00.000Z',
  risks: { openRefunds: 2, openRefundFen: 12_800, sameWechat: 0 },
  contact: { lastAt: '2026-03-01T06:03:00.000Z', nextAt: '2026-03-02T06:00:00.000Z' },
  consent: { ageGroup: 'UNDER_14', missing: ['VOICE', 'VIDEO'] },
  version: 3,
  labels: {},
  steps: {},
}

const open = (grants: Record<string, readonly string[]>, search: string, calls: Calls = {}) =>
  renderPage(<Members />, {
    search,
    grants,
    calls: {
      ...commonCalls,
      [LIST]: () => paged([MEMBER]),
      [`${LIST}/counts`]: () => ({}),
      [`${LIST}/70`]: () => MEMBER,
      'GET /api/orders/order': () => paged([order('5')]),
      ...calls,
    },
  })
const READ = ['list', 'detail']
const tabs = () => screen.getAllByRole('tab').map(tab => tab.textContent)

test('the sides of a member are those whose page the person may list', async () => {
  await open({ 'member-list': READ, 'order-list': READ }, 'open=70')
  await screen.findByRole('tab', { name: 'Orders' })
  expect(tabs()).toEqual(expect.arrayContaining(['Details', 'Entitlements', 'Follow-ups', 'Owner history', 'Orders']))
  expect(tabs()).not.toContain('Refunds')
  expect(screen.getByText('The member owes 30 coins that were spent before a refund took them back')).toBeTruthy()
  expect(screen.getByText('Open refunds: 2, ¥128.00 in all')).toBeTruthy()
  expect(screen.getByText('Contact overdue since')).toBeTruthy()
})

test('the head of a member is one call beside its timeline, and a side is asked for when somebody looks at it', async () => {
  const page = await open({ 'member-list': READ, 'order-list': READ, 'opus-list': READ }, 'open=70', {
    [`${LIST}/70/follow-up`]: () => [],
  })
  const asked = () => page.sent().flatMap(({ name }) => (/member.70|orders.order|work/.test(name) ? [name] : []))
  fireEvent.click(await screen.findByRole('tab', { name: 'Follow-ups' }))
  expect(await screen.findByText('No follow-ups yet')).toBeTruthy()
  expect(asked().sort()).toEqual([`${LIST}/70`, `${LIST}/70/follow-up`, `${LIST}/70/timeline`])
})

test('a side lists what belongs to the member by the list of its own screen, and leads there', async () => {
  const page = await open({ 'member-list': READ, 'order-list': READ }, 'open=70')
  fireEvent.click(await screen.findByRole('tab', { name: 'Orders' }))
  const row = await screen.findByText('202603020000000005')
  expect(page.sent('GET /api/orders/order').map(({ query }) => query)).toEqual([
    expect.objectContaining({ memberId: '70', size: '10' }),
  ])
  fireEvent.click(within(row.closest('tr') as HTMLElement).getByRole('button', { name: 'View' }))
  expect(page.opened).toEqual(['/order/list/5'])
})

test('an order has tabs of its own followers, each declared by whoever owns them and read when it is looked at', async () => {
  const row = { ...order('5'), lines: [] }
  const page = await renderPage(<Orders />, {
    search: 'open=5',
    grants: { 'order-list': READ, 'order-refundApply': READ },
    calls: {
      ...commonCalls,
      'GET /api/orders/order': () => paged([row]),
      'GET /api/orders/order/counts': () => ({}),
      'GET /api/orders/order/5': () => row,
      'GET /api/orders/refund-application': () => paged([refund('9')]),
    },
  })
  fireEvent.click(await screen.findByRole('tab', { name: 'Refunds' }))
  expect(await screen.findByText('R2026030200009')).toBeTruthy()
  expect(page.sent('GET /api/orders/refund-application').map(({ query }) => query.orderId)).toEqual(['5'])
  // Parcels are the logistics people's.
  expect(tabs()).not.toContain('Parcels')
})

test('an edit shows a masked value behind an empty input, and sends it only when something was entered', async () => {
  const page = await open({ 'member-list': [...READ, 'update'] }, 'edit=70', {
    'PUT /api/members/member/70': () => null,
  })
  const guardian = (await screen.findByLabelText('Guardian', { selector: '.ant-drawer input' })) as HTMLInputElement
  expect([guardian.value, guardian.placeholder]).toEqual(['', '李*'])
  type(screen.getByLabelText('Name', { selector: '.ant-drawer input' }), '李墨')
  press('Save member')
  await waitFor(() => expect(page.sent('PUT /api/members/member/70')).toHaveLength(1))
  expect(page.sent('PUT /api/members/member/70')[0]?.body).toEqual({ name: '李墨', tags: [], version: 3 })
})

test('a record of which everything known stands above opens on what hangs on it, not on an empty side', async () => {
  const kit = {
    id: '3',
    name: '入门礼盒',
    code: 'KIT-3',
    parts: [{ baseProductId: '1', name: '字帖', unit: '本', quantity: 2 }],
    weightG: 900,
    status: 'PUBLISHED',
    edition: 2,
    publishedAt: null,
    createdAt: '2026-03-01T06:03:00.000Z',
    usedBy: [],
    version: 3,
    labels: {},
    steps: {},
  }
  const KITS = 'GET /api/logistics/goods-kit'
  await renderPage(<Kits />, {
    search: 'open=3',
    grants: { 'logistics-product': READ },
    calls: {
      ...commonCalls,
      [KITS]: () => paged([kit]),
      [`${KITS}/counts`]: () => ({}),
      [`${KITS}/3`]: () => kit,
      [`${KITS}/3/editions`]: () => [],
    },
  })
  const story = within(await screen.findByRole('dialog'))
  const shown = await story.findByRole('tab', { selected: true })
  await waitFor(() => expect(shown.textContent).toBe('Editions'))
  expect(story.getAllByRole('tab').map(tab => tab.textContent)).toEqual(['Editions', 'Details'])
})
