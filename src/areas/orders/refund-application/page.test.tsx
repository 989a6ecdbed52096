import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { paged, refused, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls } from '../../../../tools/testing/page-records.ts'
import { Calculation } from './calculation.page.tsx'
import { Page } from './page.tsx'

const LIST = 'GET /api/orders/refund-application'
const CREATE = 'POST /api/orders/refund-application'
const LINE = {
  lineId: '1',
  name: 'A year of brush',
  paidFen: 36_500,
  takenFen: 0,
  usedFen: 0,
  goodsFen: 0,
  suggestedFen: 36_500,
  inWindow: false,
  unsentPieces: 0,
  unsentFen: 0,
  unsent: null,
}
const days = (units: number) => ({
  lotId: '7',
  kind: 'MEMBER_DAYS',
  name: 'Membership',
  usedUnits: 0,
  totalUnits: 365,
  leftUnits: 365,
  units,
  debt: 0,
})

/** What the server would say of ¥365 that were paid for as many days. */
function suggestionOf(amountFen: number) {
  const parts = [days(Math.floor(amountFen / 100))]
  return {
    suggestedFen: 36_500,
    leftFen: 36_500,
    windowDays: 10,
    routes: ['ORIGINAL', 'OFFLINE'],
    lines: [LINE],
    taken: amountFen > 36_500 ? null : [{ ...LINE, amountFen, parts }],
    l2Reasons: [],
  }
}

test('whoever asks for a refund is shown what it takes back before it is sent, for each amount, and when it is more than is left', async () => {
  const page = await renderPage(<Page />, {
    search: 'create=1&with.orderId=5',
    superAdmin: true,
    calls: {
      ...commonCalls,
      [LIST]: () => paged([]),
      [`${LIST}/counts`]: () => ({}),
      [`${LIST}/suggestion`]: ({ query }) => suggestionOf(Number(query.amountFen ?? 0)),
    },
  })
  const amount = await screen.findByLabelText('Amount', { selector: '.ant-drawer input' })
  const drawer = () => document.querySelector('.ant-drawer-open')?.textContent
  for (const [yuan, told] of [
    ['182.50', 'This refund revokesMembership: 182'],
    ['0.99', 'No entitlements are revoked'],
    ['365.01', 'More than the ¥365.00 that can still be refunded'],
  ] as const) {
    type(amount, yuan)
    await waitFor(() => expect(drawer()).toContain(told))
  }
  expect(page.sent(CREATE)).toEqual([])
})

const asking = (search: string, suggestion: () => unknown) =>
  renderPage(<Page />, {
    search: `create=1&${search}`,
    superAdmin: true,
    calls: {
      ...commonCalls,
      [LIST]: () => paged([]),
      [`${LIST}/counts`]: () => ({}),
      [`${LIST}/suggestion`]: suggestion,
    },
  })
const drawn = () => document.querySelector('.ant-drawer-open')
const itemOf = (label: string) =>
  [...(drawn()?.querySelectorAll('.ant-form-item') ?? [])].find(
    item => item.querySelector('label')?.textContent === label,
  )

test('an order that gives nothing back is told so as soon as it is chosen, where it was chosen', async () => {
  await asking('with.orderId=5', () => refused(4006, 'Refused: this order has not been paid'))
  await waitFor(() => expect(itemOf('Order')?.textContent).toContain('this order has not been paid'))
})

test('only the ways the money of this order can go back are offered, the usual one first', async () => {
  const page = await asking('with.orderId=5&with.route=PLATFORM', () => suggestionOf(0))
  await waitFor(() => expect(itemOf('Refund method')?.textContent).toContain('Original'))
  const select = itemOf('Refund method')?.querySelector('.ant-select') as Element
  fireEvent.mouseDown(select)
  await waitFor(() => {
    const offered = [...document.querySelectorAll('.ant-select-item-option')].map(({ textContent }) => textContent)
    expect(offered).toHaveLength(2)
    expect(offered.join()).not.toContain('latform')
  })
  expect(page.sent(CREATE)).toEqual([])
})

test.each([
  [10, 'Within 10 days of payment and hardly used'],
  [1, 'Within 1 day of payment and hardly used'],
])('hardly used is said of as many days as the terms of the refund have: %i', async (windowDays, words) => {
  await asking('with.orderId=5', () => ({ ...suggestionOf(0), windowDays, lines: [{ ...LINE, inWindow: true }] }))
  await waitFor(() => expect(drawn()?.textContent).toContain(words))
})

test('the way to the suggestion stands as a sum: what was used says how much of what, and is taken off only where the terms deduct it', async () => {
  const used = { ...LINE, usedFen: 2_000, suggestedFen: 34_500, amountFen: 34_500 }
  const parts = [{ ...days(0), usedUnits: 20 }]
  await loadTexts('engines/entitlement')
  await loadTexts('orders/refund-application')
  const { container, show } = await renderPage(<Calculation lines={[{ ...used, parts }]} windowDays={7} />)
  const figures = () =>
    [...container.querySelectorAll('dl > div')].map(figure =>
      [...figure.children].map(({ textContent }) => textContent).join(' '),
    )
  expect(container.textContent).toContain('Membership: 20 days of 365 days used')
  expect(figures()).toEqual(['Paid (¥) 365.00', 'Used (¥) − 20.00', 'Suggested (¥) = 345.00', 'This refund (¥) 345.00'])
  show(<Calculation lines={[{ ...used, inWindow: true, suggestedFen: 36_500, parts }]} windowDays={7} />)
  expect(figures()).toEqual(expect.arrayContaining(['Used (¥) 20.00', 'Suggested (¥) = 365.00']))
  show(<Calculation lines={[{ ...used, takenFen: 36_000, suggestedFen: 0, parts }]} windowDays={7} />)
  expect(figures()).toEqual(expect.arrayContaining(['Refunded or in progress (¥) − 360.00', 'Suggested (¥) 0.00']))
})
