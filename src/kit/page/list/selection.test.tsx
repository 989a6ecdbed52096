import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import { resource as dictionary } from '#areas/system/dictionary/model.ts'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import { button, type Calls, held, paged, press, refused, renderPage, type } from '../../../../tools/testing/page.tsx'
import { commonCalls, dictionaryType, refund } from '../../../../tools/testing/page-records.ts'
import { ListPage } from './list-page.tsx'

const TYPES = 'GET /api/system/dictionary'
const REFUNDS = 'GET /api/orders/refund-application'
const REFUSAL = { code: 'refund-own-application', msg: 'You cannot approve your own refund' }

const openTypes = async (calls: Calls = {}) => {
  const page = await renderPage(<Dictionary />, {
    superAdmin: true,
    calls: {
      [TYPES]: ({ query }) =>
        paged(query.current === '1' ? [dictionaryType('3'), dictionaryType('2')] : [dictionaryType('1')], 11),
      ...calls,
    },
  })
  await screen.findByText('Type 3')
  return page
}
const ORDERS = { order: ['list'], 'order-list': ['list', 'detail'] }
const openRefunds = async (grants: readonly string[], calls: Calls = {}, others: Record<string, string[]> = ORDERS) => {
  const page = await renderPage(<Refunds />, {
    grants: { 'order-refundApply': grants, ...others },
    calls: {
      ...commonCalls,
      [REFUNDS]: () =>
        paged([
          refund('2', {
            steps: { approve: null, reject: null, withdraw: { code: 'x', msg: 'Only the applicant can withdraw it' } },
          }),
          refund('1', { steps: { approve: REFUSAL, reject: REFUSAL, withdraw: null } }),
        ]),
      [`${REFUNDS}/counts`]: () => ({}),
      ...calls,
    },
  })
  await screen.findByText('R2026030200002')
  return page
}
const row = (id: string) => document.querySelector(`tr[data-row-key="${id}"]`) as HTMLElement
const tick = (id: string) => fireEvent.click(row(id).querySelector('input[type=checkbox]') as Element)
const isTicked = (id: string) => (row(id).querySelector('input[type=checkbox]') as HTMLInputElement).checked
const question = () => document.querySelector('.ant-modal-confirm') as HTMLElement | null
const asked = () => waitFor(() => expect(question()).not.toBeNull())
const answered = () => waitFor(() => expect(question()).toBeNull())
const bar = () => document.querySelector('[role=toolbar]') as HTMLElement | null
const barStands = () => waitFor(() => expect(bar()).not.toBeNull())
const openMenu = async (id: string) => {
  press('More', row(id))
  return waitFor(() => {
    const menu = document.querySelector('.ant-dropdown:not(.ant-dropdown-hidden)') as HTMLElement
    expect(menu).not.toBeNull()
    return menu
  })
}
const choose = async (id: string, deed: string) => fireEvent.click(within(await openMenu(id)).getByText(deed))

describe('deleting a row', () => {
  const DELETE = 'DELETE /api/system/dictionary/2'

  test('asks, is sent while the question waits, and ends with a word and a fresh list', async () => {
    const answer = held<null>()
    const page = await openTypes({ [DELETE]: answer.answer })
    expect(question()).toBeNull()
    await choose('2', 'Delete')
    await asked()
    expect(question()?.textContent).toContain('Delete this item? It cannot be recovered')
    expect(page.sent(DELETE)).toHaveLength(0)
    press('Delete', question() as HTMLElement)
    await waitFor(() => expect(question()?.querySelector('.ant-btn-loading')).not.toBeNull())
    answer.give(null)
    await answered()
    expect(await screen.findByText('Deleted successfully')).toBeTruthy()
    await waitFor(() => expect(page.sent(TYPES)).toHaveLength(2))
  })

  test('is called off without a call', async () => {
    const page = await openTypes()
    await choose('2', 'Delete')
    await asked()
    press('Cancel', question() as HTMLElement)
    await answered()
    expect(page.sent().map(({ name }) => name)).toEqual([TYPES])
  })

  test('that is refused says why', async () => {
    await openTypes({ [DELETE]: () => refused(CODES.rule, 'Refused: A built-in dictionary cannot be deleted') })
    await choose('2', 'Delete')
    await asked()
    press('Delete', question() as HTMLElement)
    expect(await screen.findByText('A built-in dictionary cannot be deleted')).toBeTruthy()
  })
})

describe('selected rows', () => {
  test('are kept from page to page, counted, and deleted together', async () => {
    const page = await openTypes({ 'DELETE /api/system/dictionary/3,1': () => null })
    expect(bar()).toBeNull()
    tick('3')
    fireEvent.click(screen.getByTitle('2'))
    await screen.findByText('Type 1')
    tick('1')
    await barStands()
    expect(within(bar() as HTMLElement).getByText('2 selected, 1 on this page')).toBeTruthy()
    fireEvent.click(screen.getByTitle('1'))
    await screen.findByText('Type 3')
    expect([isTicked('3'), isTicked('2')]).toEqual([true, false])
    press('Delete 2 × dictionary type', bar() as HTMLElement)
    await asked()
    press('Delete 2 × dictionary type', question() as HTMLElement)
    await answered()
    expect(page.sent('DELETE /api/system/dictionary/3,1')).toHaveLength(1)
    await waitFor(() => expect(bar()).toBeNull())
  })

  test('are let go by one click', async () => {
    await openTypes()
    tick('3')
    await barStands()
    press('Clear selection')
    expect(bar()).toBeNull()
    expect(isTicked('3')).toBe(false)
  })

  test('are asked about together with how many will be handled and how much money that is, without those left out', async () => {
    const open = { approve: null }
    await openRefunds(['list', 'approve'], {
      [REFUNDS]: () =>
        paged([
          refund('3', { steps: open, amountFen: 7_200 }),
          refund('2', { steps: open }),
          refund('1', { steps: { approve: REFUSAL } }),
        ]),
    })
    for (const id of ['3', '2', '1']) tick(id)
    await barStands()
    press('Approve refund', bar() as HTMLElement)
    await asked()
    await waitFor(() => expect(question()?.textContent).toContain('2 of 3 selected will be handled · ¥200.00 in all'))
    expect(button('Approve refund ¥200.00', question() as HTMLElement)).toBeTruthy()
  })

  test('take a step together, and what became of each is shown', async () => {
    const STEP = 'POST /api/orders/refund-application/steps/reject'
    const page = await openRefunds(['list', 'approve', 'reject'], {
      [STEP]: () => [
        { id: '2', result: 'done', msg: null },
        { id: '1', result: 'refused', msg: 'Refused: You cannot approve your own refund' },
      ],
    })
    tick('2')
    tick('1')
    await barStands()
    expect([...(bar() as HTMLElement).querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual([
      'Approve refund',
      'Reject',
      'Clear selection',
    ])
    press('Reject', bar() as HTMLElement)
    await asked()
    type(await screen.findByLabelText('Reason', { selector: 'textarea' }), 'Not refundable')
    expect(question()?.textContent).toContain('1 of 2 selected will be handled')
    await waitFor(() => expect(button('Reject ¥128.00', question() as HTMLElement).disabled).toBe(false))
    press('Reject ¥128.00', question() as HTMLElement)
    expect(await screen.findByText('1 done, 1 not done')).toBeTruthy()
    expect(page.sent(STEP).map(({ body }) => body)).toEqual([{ ids: ['2', '1'], reason: 'Not refundable' }])
    const results = screen.getByText('1 done, 1 not done').closest('.ant-modal') as HTMLElement
    expect([...results.querySelectorAll('tbody tr[data-row-key]')].map(line => line.textContent)).toEqual([
      'R2026030200001李小墨138****8000128.00Original payment methodNot doneRefused: You cannot approve your own refund',
      'R2026030200002李小墨138****8000128.00Original payment methodDone',
    ])
    await waitFor(() => expect(bar()).toBeNull())
    expect([...results.querySelectorAll('.ant-modal-footer button')].map(({ textContent }) => textContent)).toEqual([
      'Close',
    ])
    press('Close', results)
    await waitFor(() => expect(screen.queryByText('1 done, 1 not done')).toBeNull())
  })

  test('lead from each that was refused to where it can be asked for, and what became of the others stays', async () => {
    const instead = '/members/apply?create=1&with.kind=GIFT&with.memberId=1'
    const page = await openRefunds(['list', 'approve'], {
      'POST /api/orders/refund-application/steps/approve': () => [
        { id: '2', result: 'done', msg: null },
        { id: '1', result: 'refused', msg: 'Refused: Too much', instead },
      ],
    })
    tick('2')
    tick('1')
    await barStands()
    press('Approve refund', bar() as HTMLElement)
    await asked()
    press('Approve refund ¥128.00', question() as HTMLElement)
    const results = (await screen.findByText('1 done, 1 not done')).closest('.ant-modal') as HTMLElement
    expect(within(results).getAllByText('Apply for it')).toHaveLength(1)
    press('Apply for it', results)
    expect(page.opened).toEqual([instead])
    expect(screen.getByText('1 done, 1 not done')).toBeTruthy()
  })

  test('stay selected when a step could not be taken at all', async () => {
    await openRefunds(['list', 'approve'], {
      'POST /api/orders/refund-application/steps/approve': () => Promise.reject(new TypeError('offline')),
    })
    tick('2')
    tick('1')
    await barStands()
    press('Approve refund', bar() as HTMLElement)
    await asked()
    press('Approve refund ¥128.00', question() as HTMLElement)
    expect(await screen.findByText('Submit failed')).toBeTruthy()
    expect(within(bar() as HTMLElement).getByText('2 selected')).toBeTruthy()
  })
})

test('a step that none of the chosen rows is open to is closed, and says why', async () => {
  await openRefunds(['list', 'approve'])
  tick('1')
  await barStands()
  const approve = button('Approve refund', bar() as HTMLElement)
  expect(approve.disabled).toBe(true)
  fireEvent.pointerEnter(approve)
  expect(await screen.findByText(REFUSAL.msg)).toBeTruthy()
})

describe('what is chosen', () => {
  test('belongs to its filter: another tab or filter begins with nothing chosen', async () => {
    const page = await openRefunds(['list', 'approve'])
    tick('2')
    await barStands()
    expect(within(bar() as HTMLElement).getByText('1 selected')).toBeTruthy()
    page.go('status=PAID')
    await waitFor(() => expect(bar()).toBeNull())
    page.go('')
    await waitFor(() => expect(row('2')).toBeTruthy())
    expect(bar()).toBeNull()
  })

  test('on another page is told: how many are chosen, and how many are in sight', async () => {
    const page = await openRefunds(['list', 'approve'], {
      'GET /api/orders/refund-application': ({ query }) => paged([refund(query.current === '2' ? '9' : '2')], 30),
    })
    tick('2')
    await barStands()
    page.go('current=2')
    expect(await within(bar() as HTMLElement).findByText('1 selected, 0 on this page')).toBeTruthy()
  })
})

describe('the actions of a row', () => {
  test('begin with the one its state asks for; the others are under "more", closed ones with their reason', async () => {
    await openRefunds(['list', 'approve', 'reject', 'withdraw'])
    const links = (id: string) => [...row(id).querySelectorAll('.ant-btn-link')].map(({ textContent }) => textContent)
    expect(links('2')).toEqual(['Approve refund'])
    // Giving up is never what a row offers first, also where the step its state asks for is another's to take.
    expect(links('1')).toEqual(['Approve refund'])
    const menu = await openMenu('1')
    const items = [...menu.querySelectorAll('[role=menuitem]')] as HTMLElement[]
    expect(items.map(item => [item.textContent, item.getAttribute('aria-disabled') === 'true'])).toEqual([
      ['Reject', true],
      ['Withdraw', false],
    ])
    fireEvent.mouseEnter(within(menu).getByText('Reject'))
    expect((await screen.findByRole('tooltip', { hidden: true })).textContent).toBe(
      'You cannot approve your own refund',
    )
  })

  test('show the step a rule keeps the row from, closed, with its reason', async () => {
    await openRefunds(['list', 'approve', 'reject'], {
      [REFUNDS]: () => paged([refund('2', { steps: { approve: REFUSAL, reject: REFUSAL } })]),
    })
    const approve = button('Approve refund', row('2'))
    expect(approve.disabled).toBe(true)
    fireEvent.pointerEnter(approve)
    expect(await screen.findByText(REFUSAL.msg)).toBeTruthy()
    expect((await openMenu('2')).textContent).not.toContain('Approve refund')
  })

  const openLinked = async (grants: Record<string, string[]>) => {
    const links = () => [{ text: 'Its order', path: '/order/list?open=5' }]
    const page = await renderPage(<ListPage resource={dictionary} links={links} />, {
      grants: { dictionary: ['list', 'update', 'delete'], ...grants },
      calls: { [TYPES]: () => paged([dictionaryType('2')]) },
    })
    await screen.findByText('Type 2')
    return page
  }

  test('lead to other screens, in a tab of their own', async () => {
    const page = await openLinked(ORDERS)
    await choose('2', 'Its order')
    expect(page.opened).toEqual(['/order/list?open=5'])
  })

  test('lead to no screen the person may not see', async () => {
    await openLinked({})
    const menu = await openMenu('2')
    expect(menu.textContent).toContain('Delete')
    expect(menu.textContent).not.toContain('Its order')
  })

  test('leave the rest of the row to open it: by a click anywhere else, and not while words are marked', async () => {
    const page = await openTypes({ 'GET /api/system/dictionary/2': () => dictionaryType('2') })
    fireEvent.click(row('2').querySelector('input[type=checkbox]') as Element)
    vi.spyOn(window, 'getSelection').mockReturnValue({ toString: () => 'marked' } as never)
    fireEvent.click(row('2').querySelectorAll('td')[1] as Element)
    expect(page.address()).toBe('')
    vi.mocked(window.getSelection).mockRestore()
    fireEvent.click(row('2').querySelectorAll('td')[1] as Element)
    expect(page.address()).toBe('open=2')
    page.go('')
    await choose('2', 'Edit')
    expect(page.address()).toBe('edit=2')
  })
})

describe('all that match', () => {
  const TOLD = 'GET /api/orders/refund-application/steps/approve'
  const CONFIRM = 'POST /api/orders/refund-application/steps/approve/matching'
  const told = (more: object = {}) => ({
    count: 1_284,
    closed: [{ msg: 'You cannot approve your own refund', count: 3 }],
    sumFen: 1_234_500,
    upTo: '9000',
    seal: 'a'.repeat(64),
    ...more,
  })
  const many = {
    [REFUNDS]: () =>
      paged([refund('2', { steps: { approve: null } }), refund('1', { steps: { approve: null } })], 1_284),
  }
  const chooseAll = async () => {
    tick('2')
    tick('1')
    fireEvent.click(await screen.findByText('Select all 1,284 that match'))
    expect(await screen.findByText('All 1,284 that match are selected')).toBeTruthy()
  }

  test('are offered once the page is chosen, and a step for them tells count and sum and is done in the background', async () => {
    const page = await openRefunds(['list', 'approve'], { ...many, [TOLD]: told, [CONFIRM]: () => ({ taskId: '5' }) })
    tick('2')
    await screen.findByText('1 selected')
    expect(screen.queryByText('Select all 1,284 that match')).toBeNull()
    tick('2')
    await chooseAll()
    press('Approve refund', bar() as HTMLElement)
    await asked()
    await waitFor(() =>
      expect(question()?.textContent).toContain('1,281 of the 1,284 that match will be handled · ¥12,345.00 in all'),
    )
    expect(question()?.textContent).toContain('3 of them will be skipped: You cannot approve your own refund')
    press('Approve refund ¥12,345.00', question() as HTMLElement)
    await answered()
    expect(page.sent(CONFIRM).map(({ body }) => body)).toEqual([{ search: {}, upTo: '9000', seal: 'a'.repeat(64) }])
    expect(await screen.findByText('Working on 1,281 in the background: Approve refund')).toBeTruthy()
    press('My tasks')
    expect(page.opened).toEqual(['/account/settings/exports'])
    await waitFor(() => expect(bar()).toBeNull())
  })

  test('that have changed since they were told are told anew, and nothing is done before another yes', async () => {
    let asks = 0
    const page = await openRefunds(['list', 'approve'], {
      ...many,
      [TOLD]: () => {
        asks += 1
        return asks === 1 ? told() : told({ count: 1_285, sumFen: 1_235_000, seal: 'b'.repeat(64) })
      },
      [CONFIRM]: ({ body }) =>
        (body as { seal: string }).seal.startsWith('a')
          ? refused(CODES.conflict, 'Changed: What matches has just changed.')
          : { taskId: '5' },
    })
    await chooseAll()
    press('Approve refund', bar() as HTMLElement)
    await asked()
    await waitFor(() => expect(question()?.textContent).toContain('1,284 that match'))
    press('Approve refund ¥12,345.00', question() as HTMLElement)
    await waitFor(() => expect(question()?.textContent).toContain('1,285 that match'))
    expect(page.sent(CONFIRM)).toHaveLength(1)
    await waitFor(() => expect(question()?.querySelector('.ant-btn-loading')).toBeNull())
    press('Approve refund ¥12,350.00', question() as HTMLElement)
    await answered()
    expect(page.sent(CONFIRM)).toHaveLength(2)
  })

  test('beyond ten thousand are not offered, and the button says why', async () => {
    await openRefunds(['list', 'approve'], {
      [REFUNDS]: () => paged([refund('2', { steps: { approve: null } })], 10_001),
    })
    tick('2')
    const offer = await screen.findByText('Select all 10,001 that match')
    expect((offer.closest('button') as HTMLButtonElement).disabled).toBe(true)
  })
})
