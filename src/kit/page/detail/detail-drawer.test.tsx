import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Activity, type ReactNode } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import { resource as dictionary } from '#areas/system/dictionary/model.ts'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import {
  button,
  type Calls,
  findButton,
  inTurn,
  paged,
  press,
  refused,
  renderPage,
  type,
} from '../../../../tools/testing/page.tsx'
import { commonCalls, dictionaryType, refund } from '../../../../tools/testing/page-records.ts'
import { ListPage } from '../list/list-page.tsx'

const LIST = 'GET /api/orders/refund-application'
const STEPS = { approve: { code: 'refund-own-application', msg: 'You cannot approve your own refund' }, withdraw: null }
const ALL = ['list', 'detail', 'approve', 'withdraw', 'reveal']

async function open(id: string, calls: Calls = {}, grants: readonly string[] = ALL, page: ReactNode = <Refunds />) {
  const records = ['3', '2', '1'].map(number => refund(number, { steps: STEPS }))
  const shown = await renderPage(page, {
    search: `open=${id}`,
    grants: { 'order-refundApply': grants, order: ['list'], 'order-list': ['list', 'detail'] },
    calls: {
      ...commonCalls,
      [LIST]: () => paged(records),
      [`${LIST}/counts`]: () => ({}),
      ...Object.fromEntries(records.map(record => [`${LIST}/${record.id}`, () => record])),
      ...calls,
    },
  })
  await waitFor(() => expect(drawer()).not.toBeNull())
  return shown
}
const drawer = () => document.querySelector('.ant-drawer-open') as HTMLElement | null
const inside = () => within(drawer() as HTMLElement)
const title = () => drawer()?.querySelector('.ant-drawer-title')?.textContent
const facts = () =>
  Object.fromEntries(
    [...(drawer() as HTMLElement).querySelectorAll('.inkstone-facts dt')].map(label => [
      label.textContent,
      label.nextElementSibling?.textContent,
    ]),
  )

const entry = (id: string, action: string, actor: string, diff: Record<string, [unknown, unknown]>) => ({
  id,
  at: '2025-11-02T02:00:00.000Z',
  actor,
  action,
  diff,
  reason: null,
  undoes: null,
})

const OwnSide = ({ row }: { row: { name: string } }) => <p>side of {row.name}</p>

describe('the detail of a record', () => {
  test('is opened by the address: title, state and every fact in words', async () => {
    await open('2')
    await waitFor(() => expect(title()).toBe('R2026030200002Awaiting manager'))
    expect(facts()).toMatchObject({
      Order: '202603020000000005硬笔年课',
      Member: '李小墨138****8000',
      'Amount (¥)': '128.00',
      Reason: 'No time',
      'Requested by': '王芳wangfang',
    })
    expect(await inside().findByText('1,299.00')).toBeTruthy()
    expect(Object.keys(facts())).not.toContain('field.id')
  })

  test('begins with at most six facts, says nothing twice and folds what has no value', async () => {
    await open('2')
    await waitFor(() => expect(title()).toContain('R2026030200002'))
    const first = [...(drawer() as HTMLElement).querySelectorAll('.inkstone-facts-main dt')].map(
      name => name.textContent,
    )
    expect(first).toEqual(['Member', 'Amount (¥)', 'Refund method', 'Order', 'Suggested amount (¥)', 'Reason'])
    const names = () =>
      [...(drawer() as HTMLElement).querySelectorAll('.inkstone-facts dt')].map(name => name.textContent)
    expect(new Set(names()).size).toBe(names().length)
    expect(names()).not.toContain('Refund no.')
    expect(names()).not.toContain("Payee's account")
    fireEvent.click(inside().getByText(/^Empty fields \(\d+\)$/))
    expect(names()).toContain("Payee's account")
    fireEvent.click(inside().getByText('Hide empty fields'))
    expect(names()).not.toContain("Payee's account")
  })

  test('tells the way of the record: who passed what and when, for whom it waits now, and what is to come', async () => {
    await open('2', {
      [`${LIST}/2`]: () =>
        refund('2', {
          status: 'L1_APPROVED',
          waiting: { field: 'status', step: 'pay', who: 'cashier', since: '2026-03-02T06:00:00.000Z', dueAt: null },
        }),
      [`${LIST}/2/timeline`]: () => [
        entry('12', 'approve', '赵强', { status: ['SUBMITTED', 'L1_APPROVED'] }),
        entry('11', 'create', '王芳', {}),
      ],
    })
    const stages = () =>
      within(screen.getByRole('list', { name: 'Progress' }))
        .getAllByRole('listitem')
        .map(stage => stage.textContent)
    await waitFor(() => expect(stages()[1]).toContain('Waiting for cashier'))
    expect(stages()).toEqual([
      expect.stringMatching(/^1 \/ 4 · Awaiting manager王芳/),
      expect.stringMatching(/^2 \/ 4 · .*Waiting for cashier/),
      '3 / 4 · Paying out',
      '4 / 4 · Refunded',
    ])
    expect(screen.getByRole('list', { name: 'Progress' }).querySelector('[aria-current=step]')?.textContent).toContain(
      '2 / 4',
    )
  })

  test('is not told by what was taken back: who asked stays who asked, and who decided last decided', async () => {
    await open('2', {
      [`${LIST}/2`]: () => refund('2', { status: 'L1_APPROVED' }),
      [`${LIST}/2/timeline`]: () => [
        entry('14', 'approve', '孙丽', { status: ['SUBMITTED', 'L1_APPROVED'] }),
        { ...entry('13', 'takeBack', '赵强', { status: ['L1_APPROVED', 'SUBMITTED'] }), undoes: '12' },
        entry('12', 'approve', '赵强', { status: ['SUBMITTED', 'L1_APPROVED'] }),
        entry('11', 'create', '王芳', {}),
      ],
    })
    const path = await screen.findByRole('list', { name: 'Progress' })
    await waitFor(() => expect(path.textContent).toContain('王芳'))
    const [asked, decided] = within(path).getAllByRole('listitem')
    expect([asked?.textContent, decided?.textContent]).toEqual([
      expect.stringContaining('王芳'),
      expect.stringContaining('孙丽'),
    ])
    expect(path.textContent).not.toContain('赵强')
  })

  test('that left its way shows how far it came and where it ended, and nothing it will not reach', async () => {
    await open('2', {
      [`${LIST}/2`]: () => refund('2', { status: 'REJECTED' }),
      [`${LIST}/2/timeline`]: () => [
        entry('12', 'reject', '赵强', { status: ['SUBMITTED', 'REJECTED'] }),
        entry('11', 'create', '王芳', {}),
      ],
    })
    await waitFor(() => expect(title()).toContain('Rejected'))
    await waitFor(() =>
      expect(
        within(screen.getByRole('list', { name: 'Progress' }))
          .getAllByRole('listitem')
          .map(stage => stage.textContent?.slice(0, 21)),
      ).toEqual(['1 / 2 · Awaiting mana', '2 / 2 · Rejected赵强 20']),
    )
  })

  test('shows the proof large, beside the decision and behind no tab', async () => {
    await open('2', {
      [`${LIST}/2`]: () => refund('2', { status: 'PAID', proof: ['0198c0de-0000-7000-8000-000000000001'] }),
      'POST /api/common/file/0198c0de-0000-7000-8000-000000000001/link': () => ({ url: '/proof.png' }),
    })
    const picture = await screen.findByRole('img', { name: 'Picture 1' })
    expect(picture.closest('.inkstone-pictures')).not.toBeNull()
    expect(picture.closest('.inkstone-evidence')?.closest('[role=tabpanel]')).toBeNull()
  })

  test('steps to its neighbours without closing, as far as the list goes', async () => {
    const page = await open('3')
    await waitFor(() => expect(title()).toContain('R2026030200003'))
    expect(button('Previous', drawer() as HTMLElement).disabled).toBe(true)
    press('Next', drawer() as HTMLElement)
    expect(page.address()).toBe('open=2')
    await waitFor(() => expect(title()).toContain('R2026030200002'))
    press('Next', drawer() as HTMLElement)
    await waitFor(() => expect(title()).toContain('R2026030200001'))
    expect(button('Next', drawer() as HTMLElement).disabled).toBe(true)
    press('Previous', drawer() as HTMLElement)
    expect(page.address()).toBe('open=2')
  })

  test('begins anew with another record: what was opened in one is not open in the next', async () => {
    await open('3')
    await waitFor(() => expect(title()).toContain('R2026030200003'))
    const unfold = () => fireEvent.click(inside().getByText(/^Empty fields \(\d+\)$/))
    const isUnfolded = () => inside().queryByText('Hide empty fields') !== null
    press('Next', drawer() as HTMLElement)
    await waitFor(() => expect(title()).toContain('R2026030200002'))
    unfold()
    expect(isUnfolded()).toBe(true)
    press('Previous', drawer() as HTMLElement)
    await waitFor(() => expect(title()).toContain('R2026030200003'))
    expect(isUnfolded()).toBe(false)
  })

  test('stands as it was left after a morning in other tabs', async () => {
    const inTab = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Refunds />
      </Activity>
    )
    const page = await open('2', {}, ALL, inTab('visible'))
    await waitFor(() => expect(title()).toContain('R2026030200002'))
    fireEvent.click(inside().getByText(/^Empty fields \(\d+\)$/))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      page.show(inTab('hidden'))
      await act(() => vi.advanceTimersByTimeAsync(4 * 3_600_000))
      page.show(inTab('visible'))
      expect(inside().queryByText('Hide empty fields')).not.toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  test('stands on the side somebody looked at once its edit is saved', async () => {
    const page = await renderPage(<ListPage resource={dictionary} tabs={[{ name: 'title', Show: OwnSide }]} />, {
      search: 'open=7',
      superAdmin: true,
      calls: {
        'GET /api/system/dictionary': () => paged([dictionaryType('7', { name: 'Pens' })]),
        'GET /api/system/dictionary/7': inTurn(
          ...[0, 1].map(() => () => dictionaryType('7', { name: 'Pens', version: 4 })),
          () => dictionaryType('7', { name: 'Ink', version: 5 }),
        ),
        'PUT /api/system/dictionary/7': () => null,
      },
    })
    const side = () => inside().getAllByRole('tab').at(-1) as HTMLElement
    await waitFor(() => expect(inside().getAllByRole('tab').length).toBeGreaterThan(1))
    fireEvent.click(side())
    press('Edit', drawer() as HTMLElement)
    const note = await screen.findByLabelText('Note', { selector: 'textarea' })
    type(note, 'new')
    press('Save dictionary type')
    await waitFor(() => expect(page.address()).toBe('open=7'))
    expect(await screen.findByText('side of Ink')).toBeTruthy()
    expect(side().getAttribute('aria-selected')).toBe('true')
  })

  test('is closed by Escape, and the address with it', async () => {
    const page = await open('2')
    await waitFor(() => expect(title()).toContain('R2026030200002'))
    fireEvent.keyDown(drawer() as HTMLElement, { key: 'Escape', code: 'Escape', keyCode: 27 })
    await waitFor(() => expect(drawer()).toBeNull())
    expect(page.address()).toBe('')
  })

  test('has the steps the person holds, a closed one with its reason, and the ways to other screens', async () => {
    const page = await open('2', { 'POST /api/orders/refund-application/2/withdraw': () => null })
    await waitFor(() => expect(inside().queryByText('Withdraw')).not.toBeNull())
    const approve = button('Approve refund', drawer() as HTMLElement)
    expect(approve.disabled).toBe(true)
    fireEvent.pointerEnter(approve)
    expect(await screen.findByText('You cannot approve your own refund')).toBeTruthy()
    expect(inside().getByRole('link', { name: '202603020000000005' }).getAttribute('href')).toBe('#/order/list/5')
    // Nobody without the members' page is led to it.
    expect(inside().queryByRole('link', { name: '李小墨' })).toBeNull()
    expect(findButton('Edit', drawer() as HTMLElement)).toBeUndefined()

    press('Withdraw', drawer() as HTMLElement)
    fireEvent.click(await screen.findByRole('button', { name: 'Withdraw ¥128.00' }))
    await waitFor(() => expect(page.sent(`${LIST}/2`)).toHaveLength(2))
  })

  test('is looked at again while the server is at work on it, and its list once that has ended', async () => {
    const page = await open('2', {
      [`${LIST}/2`]: inTurn(
        () => refund('2', { status: 'PAYING' }),
        () => refund('2', { status: 'PAID' }),
      ),
    })
    await waitFor(() => expect(title()).toContain('Paying out'))
    const before = page.sent(LIST).length
    await waitFor(() => expect(title()).toBe('R2026030200002Refunded'), { timeout: 4_000 })
    await waitFor(() => expect(page.sent(LIST)).toHaveLength(before + 1))
  })

  test('is not looked at for ever: after a minute nobody may be sitting there', async () => {
    const page = await open('2', { [`${LIST}/2`]: () => refund('2', { status: 'PAYING' }) })
    await waitFor(() => expect(title()).toContain('Paying out'))
    const looks = () => page.sent(`${LIST}/2`).length
    const before = looks()
    const later = Date.now() + 61_000
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    // The next look may be on its way already; after it there is none, where there would be one every two seconds.
    await new Promise(resolve => setTimeout(resolve, 2_500))
    const last = looks()
    expect([before, before + 1]).toContain(last)
    await new Promise(resolve => setTimeout(resolve, 4_500))
    expect(looks()).toBe(last)
    vi.restoreAllMocks()
  })

  test('that is gone says so, and can be tried again', async () => {
    const gone = () => refused(CODES['not-found'], 'Not found: It does not exist', null, 404)
    await open('2', { [`${LIST}/2`]: inTurn(gone, () => refund('2')) })
    expect(await screen.findByText('Not found: It does not exist')).toBeTruthy()
    press('Try again', drawer() as HTMLElement)
    await waitFor(() => expect(title()).toContain('R2026030200002'))
  })

  test('that a step took to another list is left, and its list shown', async () => {
    const gone = () => refused(CODES['not-found'], 'Not found: It does not exist', null, 404)
    const page = await open('2', {
      'POST /api/orders/refund-application/2/withdraw': () => null,
      [`${LIST}/2`]: inTurn(() => refund('2', { steps: STEPS }), gone),
    })
    await waitFor(() => expect(inside().queryByText('Withdraw')).not.toBeNull())
    press('Withdraw', drawer() as HTMLElement)
    fireEvent.click(await screen.findByRole('button', { name: 'Withdraw ¥128.00' }))
    await waitFor(() => expect(page.address()).toBe(''))
  })

  test('leads to its form where the person may change it', async () => {
    const record = dictionaryType('7', { items: [{ label: 'Red', value: 'RED', colour: null, enabled: true }] })
    const page = await renderPage(<Dictionary />, {
      search: 'open=7',
      superAdmin: true,
      calls: {
        ...commonCalls,
        'GET /api/system/dictionary': () => paged([record]),
        'GET /api/system/dictionary/7': () => record,
      },
    })
    expect(await screen.findByText('Red · RED')).toBeTruthy()
    press('Edit', drawer() as HTMLElement)
    expect(page.address()).toBe('open=7&edit=7')
  })
})

describe('the timeline', () => {
  const line = (id: string, action: string, more: object = {}) => ({
    id,
    at: '2025-11-01T02:00:00.000Z',
    actor: '王芳',
    action,
    diff: {},
    reason: null,
    undoes: null,
    mayUndo: false,
    ...more,
  })
  const show = async (answer: () => unknown) => {
    await open('2', { [`${LIST}/2/timeline`]: answer })
    await screen.findByText('History')
  }

  test('tells who did what and when, why, and what changed from what to what', async () => {
    await show(() => [
      {
        id: '12',
        at: '2025-11-02T02:00:00.000Z',
        actor: '赵强',
        action: 'reject',
        diff: { status: ['SUBMITTED', 'REJECTED'], amountFen: [12_800, 10_000], money: [null, {}] },
        reason: 'Course is finished',
        undoes: null,
        mayUndo: false,
      },
      line('11', 'create'),
    ])
    await screen.findByText('Course is finished', { exact: false })
    const entries = [...document.querySelectorAll('.ant-timeline-item')].map(entry => entry.textContent)
    expect(entries[0]).toContain('Reject · 赵强 · 2025-11-02 10:00')
    expect(entries[0]).toContain('Reason: Course is finished')
    expect(entries[0]).toContain('Status: Awaiting manager → Rejected')
    expect(entries[0]).toContain('Amount: 128.00 → 100.00')
    expect(entries[0]).not.toContain('money')
    expect(entries[1]).toContain('王芳 · 2025-11-01 10:00')
  })

  test('shows what was taken back struck out, with who did so, and offers to take back what still can be', async () => {
    const lines = [
      line('13', 'approve', { mayUndo: true }),
      line('12', 'takeBack', { undoes: '11' }),
      line('11', 'approve'),
    ]
    const page = await open('2', {
      [`${LIST}/2/timeline`]: () => lines,
      'POST /api/orders/refund-application/2/approve/undo': () => null,
    })
    fireEvent.click(await screen.findByText('History'))
    await screen.findByText('Undone: Approve refund')
    expect([...document.querySelectorAll('.ant-timeline-item s')].map(({ textContent }) => textContent)).toEqual([
      'Approve refund',
    ])
    press('Undo', drawer() as HTMLElement)
    await waitFor(() => expect(page.sent(`${LIST}/2/timeline`)).toHaveLength(2))
    expect(page.sent('POST /api/orders/refund-application/2/approve/undo')).toHaveLength(1)
  })

  test('says when nothing has happened, and when it could not be read', async () => {
    await show(() => [])
    expect(await screen.findByText('No history yet')).toBeTruthy()
    await show(() => refused(CODES.unavailable, 'Unavailable: later', null, 503))
    expect(await screen.findByText('Unavailable: later')).toBeTruthy()
  })
})

test('nothing is offered to be shown in full where nothing is hidden', async () => {
  await open('2', { [`${LIST}/2`]: () => refund('2', { labels: {} }) })
  await waitFor(() => expect(title()).toContain('R2026030200002'))
  expect(findButton('Show in full', drawer() as HTMLElement)).toBeUndefined()
})
