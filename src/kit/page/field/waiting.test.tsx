import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import type { Waiting } from '#kit/model/waiting.ts'
import { paged, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls, refund } from '../../../../tools/testing/page-records.ts'

const HOUR_MS = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
const within = (hours: number, of: number) => ({ since: ago(hours), dueAt: ago(hours - of) })
const waiting = (more: Partial<Waiting>): Waiting => ({
  field: 'status',
  step: 'approve',
  who: 'a manager',
  since: null,
  dueAt: null,
  ...more,
})

describe('a state that waits for somebody', () => {
  test('says for whom and for how long, and in words how it stands with its time', async () => {
    await renderPage(<Refunds />, {
      grants: { 'order-refundApply': ['list', 'approve'] },
      calls: {
        ...commonCalls,
        'GET /api/orders/refund-application/counts': () => ({}),
        'GET /api/orders/refund-application': () =>
          paged([
            refund('1', { steps: {}, waiting: waiting(within(5.5, 24)) }),
            refund('2', { steps: {}, waiting: waiting({ who: 'finance', ...within(17.5, 24) }) }),
            refund('3', { steps: {}, waiting: waiting({ who: '张三 (Applicant)', ...within(60.5, 24) }) }),
            refund('4', { steps: { approve: null }, waiting: waiting({ since: ago(1.5) }) }),
            refund('5', { steps: {}, waiting: null }),
            refund('6', { steps: {}, waiting: waiting({ why: 'Waiting for stock', ...within(60.5, 24) }) }),
          ]),
      },
    })
    await screen.findByText('R2026030200006')
    await waitFor(() => expect(document.querySelectorAll('.inkstone-waiting')).toHaveLength(5))
    const told = [...document.querySelectorAll('tr[data-row-key]')].map(
      line => line.querySelector('.inkstone-waiting')?.textContent?.replaceAll('\u00a0', ' ') ?? null,
    )
    expect(told).toEqual([
      'a manager · 5 hr',
      'finance · 17 hr · due soon',
      '张三 (Applicant) · 2 days · overdue',
      'you · 1 hr',
      null,
      // A rule keeps everybody from it: that is what it waits for, and its time runs.
      'Waiting for stock · 2 days · overdue',
    ])
    const words = [...document.querySelectorAll('.inkstone-waiting [role="img"]')]
    expect(words.map(icon => icon.getAttribute('aria-label'))).toEqual([
      'Waiting for a manager',
      'Waiting for finance',
      'Waiting for 张三 (Applicant)',
      'Waiting for you',
      'Waiting for stock',
    ])
  })
})
