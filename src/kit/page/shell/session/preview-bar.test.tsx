import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { frameCalls, openConsole } from '../../../../../tools/testing/console.tsx'
import { press } from '../../../../../tools/testing/page.tsx'
import { lookAfresh } from './look-afresh.ts'

// It loads the page anew, which nothing but a browser can.
vi.mock('./look-afresh.ts', () => ({ lookAfresh: vi.fn() }))

test('whoever looks at the console as a role does is told so on every page, until when, and ends it there', async () => {
  const calls = frameCalls()
  const preview = { roleId: '7', name: 'Cashiers', until: '2026-03-01T06:03:00.000Z' }
  const info = calls['GET /api/auth/userInfo'] as () => object
  const page = await openConsole({
    path: '/dashboard',
    calls: {
      ...calls,
      'GET /api/auth/userInfo': () => ({ ...info(), preview }),
      'POST /api/auth/preview/end': () => null,
    },
  })
  await screen.findByText('Previewing as “Cashiers”: you can only look. Ends by 14:03')
  press('End preview')
  await waitFor(() => expect(lookAfresh).toHaveBeenCalled())
  expect(page.sent('POST /api/auth/preview/end')).toHaveLength(1)
})
