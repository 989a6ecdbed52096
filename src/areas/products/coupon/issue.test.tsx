import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { press, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { IssueModal } from './issue.page.tsx'

const PHONE = '13800138000'
const REACH = { members: 9, repeated: 1, invalid: 0, strangers: 2, toIssue: 6, limit: 1, usedUp: 2 }

test('a coupon goes to an audience as a campaign does: counted before by the same form, and sent as it was counted', async () => {
  await loadTexts('products/coupon')
  await loadTexts('engines/audience')
  const page = await renderPage(<IssueModal couponId="5" onClose={() => {}} />, {
    superAdmin: true,
    calls: {
      ...commonCalls,
      'GET /api/common/reference/coupon': () => [],
      'POST /api/products/coupon/reach': () => REACH,
      'POST /api/products/coupon/5/issue': () => ({ done: [], over: [], failed: [] }),
    },
  })
  fireEvent.click(screen.getByText('A group of members'))
  const by = await screen.findByRole('combobox', { name: /Choose members/ })
  fireEvent.mouseDown(by)
  fireEvent.click(await screen.findByText('By numbers', { selector: '.ant-select-item-option-content' }))
  fireEvent.change(await screen.findByPlaceholderText(/One mobile number per line/), { target: { value: PHONE } })
  expect(await screen.findByText('Goes to 6 members')).toBeTruthy()
  expect(screen.getByText('1 has as many as one member may: left out')).toBeTruthy()
  expect(screen.getByText('2 left out, as there are not enough coupons')).toBeTruthy()
  expect(screen.getByText(/2 numbers of nobody among your members/)).toBeTruthy()
  const wish = { audienceBy: 'NUMBERS', levels: [], channels: [], tags: [], ofOwnerId: null, numbers: PHONE }
  await waitFor(() =>
    expect(page.sent('POST /api/products/coupon/reach').at(-1)?.body).toEqual({ ...wish, couponId: '5' }),
  )
  press('Issue')
  await waitFor(() => expect(page.sent('POST /api/products/coupon/5/issue')[0]?.body).toEqual({ audience: wish }))
})
