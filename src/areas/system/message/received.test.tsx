import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
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
    message('4', {}),
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
  // Without the right to open a message, none is a link.
  expect(screen.queryByRole('link')).toBeNull()
})
