import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { CODES } from '#kit/model/contract.ts'
import { inTurn, paged, press, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Received } from './received.page.tsx'

const message = (id: string, more: object) => ({
  id,
  title: `Message ${id}`,
  templateId: null,
  channel: 'SMS',
  kind: 'NOTICE',
  status: 'DELIVERED',
  cause: null,
  memberId: '70',
  staffId: null,
  partnerId: null,
  phone: '138****8000',
  email: null,
  body: '',
  digest: '',
  about: '',
  isTest: false,
  attempt: 1,
  result: '',
  scheduledAt: null,
  sentAt: '2026-03-02T06:00:00.000Z',
  endedAt: '2026-03-02T06:01:00.000Z',
  stateSince: '2026-03-02T06:01:00.000Z',
  createdAt: '2026-03-02T06:00:00.000Z',
  version: 1,
  labels: {},
  steps: {},
  waiting: null,
  ...more,
})

test('of each message to a member stands in a sentence why it may not have come', async () => {
  const rows = [
    message('1', { status: 'FAILED', cause: 'SWITCHED_OFF', result: 'MK:0001' }),
    message('2', { status: 'FAILED', cause: 'TOO_LATE', kind: 'CODE' }),
    message('3', { status: 'WITHHELD', cause: 'NO_CONSENT', kind: 'MARKETING' }),
    message('4', { templateId: '5', labels: { templateId: { name: 'Class tomorrow' } } }),
  ]
  const page = await renderPage(<Received memberId="70" />, {
    grants: { message: ['list'] },
    calls: { ...commonCalls, 'GET /api/system/message': () => paged(rows) },
  })
  await screen.findByText(/switched off, suspended or out of reach \(MK:0001\)/)
  expect(screen.getByText('The code did not arrive: Code expired. The recipient can request a new one.')).toBeTruthy()
  expect(
    screen.getByText(
      'Not sent: the recipient has not agreed to marketing messages. Under 14 the guardian has to; record it under the member’s “Consent”.',
    ),
  ).toBeTruthy()
  expect(screen.getByText(/The provider reports delivery at 2026-03-02 14:01/)).toBeTruthy()
  expect(page.sent('GET /api/system/message')[0]?.query).toMatchObject({ memberId: '70' })
  // Each with what it was written by, and the way it went.
  expect(screen.getByText('Class tomorrow')).toBeTruthy()
  expect(screen.getAllByText('Text message')).toHaveLength(4)
  // Without the right to open a message, none is a link.
  expect(screen.queryByRole('link')).toBeNull()
})

const MESSAGES = 'GET /api/system/message'

test('whoever may open messages comes from the tab to the one that is asked about', async () => {
  await renderPage(<Received memberId="70" />, {
    grants: { message: ['list', 'detail'] },
    calls: { ...commonCalls, [MESSAGES]: () => paged([message('31', {})]) },
  })
  const link = await screen.findByRole('link', { name: 'Message 31' })
  expect(link.getAttribute('href')).toMatch(/^#.*\/31$/)
})

test('a member who was told much is read page by page, ten at a time and the newest first as the list has them', async () => {
  const rows = (from: number, count: number) => Array.from({ length: count }, (_, nth) => message(`${from - nth}`, {}))
  const page = await renderPage(<Received memberId="70" />, {
    grants: { message: ['list'] },
    calls: { ...commonCalls, [MESSAGES]: ({ query }) => paged(query.current === '2' ? rows(2, 2) : rows(12, 10), 12) },
  })
  await screen.findByText('Message 12')
  expect(screen.queryByText('Message 2')).toBeNull()
  fireEvent.click(screen.getByRole('listitem', { name: '2' }))
  await screen.findByText('Message 2')
  expect(page.sent(MESSAGES).map(({ query }) => [query.memberId, query.current, query.size])).toEqual([
    ['70', '1', '10'],
    ['70', '2', '10'],
  ])
})

test('of what waits for its hour, has not been read, or nobody knows about it says so', async () => {
  const rows = [
    message('1', { status: 'SCHEDULED', cause: 'QUIET_HOURS', sentAt: null, scheduledAt: '2026-03-02T23:00:00.000Z' }),
    message('2', { status: 'UNKNOWN', cause: 'NO_ANSWER' }),
  ]
  await renderPage(<Received memberId="70" />, {
    grants: { message: ['list'] },
    calls: { ...commonCalls, [MESSAGES]: () => paged(rows) },
  })
  expect(await screen.findByText(/2026-03-03 07:00/)).toBeTruthy()
  expect(screen.getByText(/2026-03-02 14:01/)).toBeTruthy()
})

test('what could not be read is asked for again', async () => {
  await renderPage(<Received memberId="70" />, {
    grants: { message: ['list'] },
    calls: {
      ...commonCalls,
      [MESSAGES]: inTurn(
        () => refused(CODES['not-found'], 'Not found: gone'),
        () => paged([message('9', {})]),
      ),
    },
  })
  await waitFor(() => press('Try again'))
  expect(await screen.findByText('Message 9')).toBeTruthy()
})

test('what is under way is asked for again until it has ended, and then no more', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    const page = await renderPage(<Received memberId="70" />, {
      grants: { message: ['list'] },
      calls: {
        ...commonCalls,
        [MESSAGES]: inTurn(
          () => paged([message('1', { status: 'SENDING', endedAt: null })]),
          () => paged([message('1', {})]),
        ),
      },
    })
    await screen.findByText(/waiting for its delivery report/)
    await act(() => vi.advanceTimersByTimeAsync(5_100))
    await screen.findByText(/The provider reports delivery/)
    await act(() => vi.advanceTimersByTimeAsync(20_000))
    expect(page.sent(MESSAGES)).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})
