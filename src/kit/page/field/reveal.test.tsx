import { act, screen, waitFor, within } from '@testing-library/react'
import { Activity } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import {
  button,
  type Calls,
  findButton,
  paged,
  press,
  refused,
  renderPage,
  type,
} from '../../../../tools/testing/page.tsx'
import { commonCalls, refund } from '../../../../tools/testing/page-records.ts'

const LIST = 'GET /api/orders/refund-application'
const REVEAL = 'POST /api/orders/refund-application/2/reveal'
const WHOLE = '13800138000'
const OFFLINE = refund('2', { route: 'OFFLINE', payeeName: '李*', payeeAccount: '***6789' })

async function show(search: string, calls: Calls = {}, grants = ['list', 'detail', 'reveal'], page = <Refunds />) {
  const shown = await renderPage(page, {
    search,
    grants: { 'order-refundApply': grants },
    calls: {
      ...commonCalls,
      [LIST]: () => paged([OFFLINE]),
      [`${LIST}/counts`]: () => ({}),
      [`${LIST}/2`]: () => OFFLINE,
      [REVEAL]: () => ({ value: WHOLE }),
      ...calls,
    },
  })
  await screen.findAllByText('138****8000')
  return shown
}
const cell = () => document.querySelector('td[data-field=memberId]') as HTMLElement
const fact = () =>
  [...document.querySelectorAll('.ant-drawer .inkstone-facts dt')].find(({ textContent }) => textContent === 'Member')
    ?.nextElementSibling as HTMLElement
const asking = () => document.querySelector('.ant-popover:not(.ant-popover-hidden)') as HTMLElement

async function reveal(place: () => HTMLElement, reason = 'Call back') {
  await waitFor(() => expect(place()).toBeTruthy())
  await waitFor(() => press('Show in full', place()))
  await waitFor(() => expect(asking()?.textContent).toContain('Why do you need to see it? This is logged.'))
  expect(button('Show in full', asking()).disabled).toBe(true)
  type(within(asking()).getByLabelText('Reason'), reason)
  press('Show in full', asking())
}

describe.each([
  ['in a row of the list', '', cell],
  ['in the detail', 'open=2', fact],
])('a masked value %s', (_, search, place) => {
  test('is shown in full where it stands, for a reason, and can be read but not copied', async () => {
    const page = await show(search)
    await reveal(place)
    await waitFor(() => expect(page.sent(REVEAL)).toHaveLength(1))
    await waitFor(() => expect(place().textContent).toBe(`李小墨${WHOLE}`))
    expect(page.sent(REVEAL).map(({ body }) => body)).toEqual([{ field: 'memberId', reason: 'Call back' }])
    expect(findButton('Copy', place())).toBeUndefined()
    // A click on what it is about opens no record.
    expect(page.address()).toBe(search)
  })

  test('is masked again after a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await show(search)
    await reveal(place)
    await waitFor(() => expect(place().textContent).toContain(WHOLE))
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(place().textContent).toContain(WHOLE)
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(place().textContent).toBe('李小墨138****8000')
  })

  test('is masked again at once on request', async () => {
    await show(search)
    await reveal(place)
    await waitFor(() => press('Hide', place()))
    await waitFor(() => expect(place().textContent).toBe('李小墨138****8000'))
  })
})

test('whoever has looked stands in the history of the open record at once', async () => {
  const page = await show('open=2')
  const HAPPENED = 'GET /api/orders/refund-application/2/timeline'
  await waitFor(() => expect(page.sent(HAPPENED)).toHaveLength(1))
  await reveal(fact)
  await waitFor(() => expect(page.sent(HAPPENED)).toHaveLength(2))
})

test('a value that was shown is masked again when somebody looks at another tab', async () => {
  const inTab = (mode: 'visible' | 'hidden') => (
    <Activity mode={mode}>
      <Refunds />
    </Activity>
  )
  const page = await show('', {}, undefined, inTab('visible'))
  await reveal(cell)
  await waitFor(() => expect(cell().textContent).toContain(WHOLE))
  page.show(inTab('hidden'))
  page.show(inTab('visible'))
  await waitFor(() => expect(cell().textContent).toBe('李小墨138****8000'))
})

test('a value stays masked when the server refuses, and what is wrong with the reason stands below it', async () => {
  await show('', { [REVEAL]: () => refused(CODES['too-many'], 'Too many: 60 a day', null, 429) })
  await reveal(cell)
  expect(await screen.findByText('60 a day')).toBeTruthy()
  expect(cell().textContent).toBe('李小墨138****8000')
  await show('', {
    [REVEAL]: () => refused(CODES.validation, 'Invalid: reason', { fields: { reason: 'Say a little more' } }, 422),
  })
  await reveal(cell)
  expect(await within(asking()).findByText('Say a little more')).toBeTruthy()
})

test('a masked value is offered to nobody without the right', async () => {
  await show('open=2', {}, ['list', 'detail'])
  expect(findButton('Show in full')).toBeUndefined()
})
