import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NOTHING_IN_COMMON } from '#engines/audience/model.ts'
import { loadTexts } from '#kit/page/language.ts'
import { type Answer, button, inTurn, press, refused, renderPage } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { IssueModal } from './issue.page.tsx'

const PHONE = '13800138000'
const REACH = { members: 9, repeated: 1, invalid: 0, strangers: 2, toIssue: 6, limit: 1, usedUp: 2 }
const ISSUE = 'POST /api/products/coupon/5/issue'
const NOBODY = { done: [], over: [], failed: [] }

/** The form with a number somebody pasted. */
async function pasted(issue: Answer) {
  await loadTexts('products/coupon')
  await loadTexts('engines/audience')
  const page = await renderPage(<IssueModal couponId="5" onClose={() => {}} />, {
    superAdmin: true,
    calls: {
      ...commonCalls,
      'GET /api/common/reference/coupon': () => [],
      'POST /api/products/coupon/reach': () => REACH,
      [ISSUE]: issue,
    },
  })
  fireEvent.click(screen.getByText('A group of members'))
  const by = await screen.findByRole('combobox', { name: /Choose members/ })
  fireEvent.mouseDown(by)
  fireEvent.click(await screen.findByText('By numbers', { selector: '.ant-select-item-option-content' }))
  fireEvent.change(await screen.findByPlaceholderText(/One mobile number per line/), { target: { value: PHONE } })
  return page
}

test('a coupon goes to an audience as a campaign does: counted before by the same form, and sent as it was counted', async () => {
  const page = await pasted(() => NOBODY)
  expect(await screen.findByText('Goes to 6 members')).toBeTruthy()
  expect(screen.getByText('1 has as many as one member may: left out')).toBeTruthy()
  expect(screen.getByText('2 left out, as there are not enough coupons')).toBeTruthy()
  expect(screen.getByText(/2 numbers of nobody among your members/)).toBeTruthy()
  const wish = { audienceBy: 'NUMBERS', ...NOTHING_IN_COMMON, numbers: PHONE }
  await waitFor(() =>
    expect(page.sent('POST /api/products/coupon/reach').at(-1)?.body).toEqual({ ...wish, couponId: '5' }),
  )
  press('Issue')
  await waitFor(() => expect(page.sent(ISSUE)[0]?.body).toEqual({ audience: wish }))
})

test('what nobody answered is sent again as the same call, so that nobody gets it twice; what was refused is another', async () => {
  const page = await pasted(
    inTurn(
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => refused(4006, 'This could not be done: This coupon is stopped'),
      () => NOBODY,
    ),
  )
  const fail = async (told: RegExp) => {
    press('Issue')
    expect(await screen.findAllByText(told)).not.toEqual([])
    await waitFor(() => expect(button('Issue').className).not.toContain('loading'))
  }
  await fail(/The coupon could not be issued/)
  await fail(/This coupon is stopped/)
  press('Issue')
  await waitFor(() => expect(page.sent(ISSUE)).toHaveLength(3))
  const [lost, again, anew] = page.sent(ISSUE).map(({ headers }) => headers['idempotency-key'])
  expect(again).toBe(lost)
  expect(anew).not.toBe(again)
})
