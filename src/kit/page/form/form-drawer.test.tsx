import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { Form } from 'antd'
import { Activity } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { resource as orders } from '#areas/orders/order/model.ts'
import { resource as refunds } from '#areas/orders/refund-application/model.ts'
import { Page as Refunds } from '#areas/orders/refund-application/page.tsx'
import { Page as Dictionary } from '#areas/system/dictionary/page.tsx'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import {
  button,
  type Calls,
  held,
  inTurn,
  paged,
  pick,
  press,
  refused,
  renderPage,
  type,
} from '../../../../tools/testing/page.tsx'
import { commonCalls, dictionaryType, refund } from '../../../../tools/testing/page-records.ts'
import { loadTexts } from '../language.ts'
import { noteReach } from '../reach.ts'
import { FormFields } from './fields.tsx'
import { FormDrawer } from './form-drawer.tsx'

const LIST = 'GET /api/system/dictionary'
const ADD = 'POST /api/system/dictionary'
const CREATE = 'Create dictionary type'

function Sending({ onSent }: { onSent(values: object): void }) {
  return (
    <Form onFinish={onSent}>
      <FormFields resource={refunds as unknown as Resource} fields={['proof']} inputs={{}} isShown={() => true} />
      <button type="submit">go</button>
    </Form>
  )
}

async function openForm(calls: Calls = {}, search = 'create=1') {
  const page = await renderPage(<Dictionary />, {
    search,
    superAdmin: true,
    calls: { [LIST]: () => paged([]), ...calls },
  })
  await screen.findByLabelText('Name', { selector: '.ant-drawer input' })
  return page
}
const drawer = () => document.querySelector('.ant-drawer-open') as HTMLElement | null
const field = (name: string) => within(drawer() as HTMLElement).getByLabelText(name) as HTMLInputElement
const isSending = (name: string) => button(name).className.includes('loading')
const pressNext = (name: string) => waitFor(() => press(name))
const closed = () => waitFor(() => expect(drawer()).toBeNull())
const fill = (name = 'Pens', code = 'PEN') => {
  type(field('Name'), name)
  type(field('Code'), code)
}

describe('a form passes through its states', () => {
  test('it opens, is sent, and is closed with a word of success and a fresh list', async () => {
    const answer = held<object>()
    const page = await renderPage(<Dictionary />, {
      superAdmin: true,
      calls: { [LIST]: () => paged([]), [ADD]: answer.answer },
    })
    expect(drawer()).toBeNull()
    await pressNext('Add')
    expect(page.address()).toBe('create=1')
    await screen.findByLabelText('Code', { selector: '.ant-drawer input' })
    // Its heading says what its button does.
    expect(drawer()?.querySelector('.ant-drawer-title')?.textContent).toBe(CREATE)
    expect(isSending(CREATE)).toBe(false)
    fill()
    press(CREATE)
    await waitFor(() => expect(isSending(CREATE)).toBe(true))
    answer.give({ id: '1' })
    await closed()
    expect(await screen.findByText('Added successfully')).toBeTruthy()
    expect(page.address()).toBe('')
    expect(page.sent(ADD).map(({ body }) => body)).toEqual([{ name: 'Pens', code: 'PEN', note: '', items: [] }])
    await waitFor(() => expect(page.sent(LIST)).toHaveLength(2))
  })

  test('a failed one is open again, with all that was typed and the server’s words', async () => {
    await openForm({ [ADD]: () => refused(CODES.rule, 'Refused: Not on Sundays') })
    fill()
    press(CREATE)
    expect(await screen.findByText('Not on Sundays')).toBeTruthy()
    expect(isSending(CREATE)).toBe(false)
    expect([field('Name').value, field('Code').value]).toEqual(['Pens', 'PEN'])
  })

  test('one that does not reach the server says so, keeps all that was typed, and is sent once there is a connection again', async () => {
    const page = await openForm({
      [ADD]: inTurn(
        () => Promise.reject(new TypeError('Failed to fetch')),
        () => ({ id: '1' }),
      ),
    })
    fill()
    press(CREATE)
    expect(await screen.findByText('Add failed')).toBeTruthy()
    expect(screen.getByText('The server cannot be reached. Try again once you are back online.')).toBeTruthy()
    expect(within(drawer() as HTMLElement).getByText(/^No connection to the server/)).toBeTruthy()
    expect([field('Name').value, field('Code').value]).toEqual(['Pens', 'PEN'])
    expect(Object.values({ ...sessionStorage }).join()).toContain('Pens')

    await waitFor(() => expect(isSending(CREATE)).toBe(false))
    press(CREATE)
    await closed()
    const keys = page.sent(ADD).map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([keys[0], keys[0]])
  })

  test('one whose answer does not come in time says that', async () => {
    await openForm({ [ADD]: () => Promise.reject(new DOMException('', 'TimeoutError')) })
    fill()
    press(CREATE)
    expect(await screen.findByText('The server took too long to answer. Please try again.')).toBeTruthy()
    act(() => noteReach(true))
    expect(screen.queryByText(/^No connection to the server/)).toBeNull()
  })

  test('it cannot be left while it is being sent', async () => {
    await openForm({ [ADD]: held().answer })
    fill()
    press(CREATE)
    await waitFor(() => expect(isSending(CREATE)).toBe(true))
    press('Cancel')
    expect(drawer()).not.toBeNull()
    expect(screen.queryByText('Discard unsaved changes?')).toBeNull()
  })

  test('cancelling empties it after 200 ms, not before', async () => {
    const page = await openForm()
    fill()
    const { id } = field('Name')
    const name = () => (document.getElementById(id) as HTMLInputElement).value
    press('Cancel')
    await waitFor(() => button('Discard'))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    press('Discard')
    expect(page.address()).toBe('')
    act(() => void vi.advanceTimersByTime(199))
    expect(name()).toBe('Pens')
    act(() => void vi.advanceTimersByTime(1))
    expect(name()).toBe('')
  })
})

describe('what was typed', () => {
  test('is not lost by leaving: the form asks, and stays when told to', async () => {
    const page = await openForm()
    expect(page.isUnsaved()).toBe(false)
    fill()
    expect(page.isUnsaved()).toBe(true)
    fireEvent.keyDown(drawer() as HTMLElement, { key: 'Escape', code: 'Escape', keyCode: 27 })
    await pressNext('Keep editing')
    await waitFor(() => expect(screen.queryByText('If you leave now, what you entered will be lost.')).toBeNull())
    expect(field('Name').value).toBe('Pens')
    press('Cancel')
    await pressNext('Discard')
    await closed()
    expect(page.isUnsaved()).toBe(false)
  })

  test('is still there after a look at another tab', async () => {
    const inTab = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Dictionary />
      </Activity>
    )
    const page = await renderPage(inTab('visible'), {
      search: 'create=1',
      superAdmin: true,
      calls: { [LIST]: () => paged([]) },
    })
    await screen.findByLabelText('Name', { selector: '.ant-drawer input' })
    fill()
    page.show(inTab('hidden'))
    page.show(inTab('visible'))
    expect([field('Name').value, field('Code').value]).toEqual(['Pens', 'PEN'])
    expect(page.isUnsaved()).toBe(true)
  })

  test('into an edit is still there after a look at another tab, whatever the record has become meanwhile', async () => {
    const inTab = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Dictionary />
      </Activity>
    )
    const READ = 'GET /api/system/dictionary/7'
    const page = await renderPage(inTab('visible'), {
      search: 'edit=7',
      superAdmin: true,
      calls: {
        [LIST]: () => paged([]),
        [READ]: inTurn(
          () => dictionaryType('7', { name: 'Pens', note: 'old', version: 4 }),
          () => dictionaryType('7', { name: 'Pens', note: 'theirs', version: 5 }),
        ),
      },
    })
    await screen.findByLabelText('Name', { selector: '.ant-drawer input' })
    type(field('Note'), 'mine')
    page.show(inTab('hidden'))
    await act(() => new Promise(resolve => setTimeout(resolve, 50)))
    page.show(inTab('visible'))
    // Longer than a form that was closed stays.
    await act(() => new Promise(resolve => setTimeout(resolve, 600)))
    expect(field('Note').value).toBe('mine')
    expect(screen.queryByText(/^Restored what you typed/)).toBeNull()
    expect(page.sent(READ)).toHaveLength(1)
  })

  test('is asked for by nobody when nothing was typed', async () => {
    await openForm()
    press('Cancel')
    await closed()
    expect(screen.queryByText('Discard unsaved changes?')).toBeNull()
  })

  test('is saved, and then no longer unsaved', async () => {
    const page = await openForm({ [ADD]: () => ({ id: '1' }) })
    fill()
    press(CREATE)
    await closed()
    expect(page.isUnsaved()).toBe(false)
  })
})

describe('what is wrong with a field', () => {
  const errorOf = (name: string) =>
    field(name).closest('.ant-form-item')?.querySelector('.ant-form-item-explain-error')?.textContent

  test('is that a file of it is still on its way: the form is not sent without it', async () => {
    const file = held<object>()
    const shown = vi.fn()
    await loadTexts('kit/page/form')
    await renderPage(<Sending onSent={shown} />, { calls: { 'POST /api/common/upload': file.answer } })
    fireEvent.change(document.querySelector('input[type=file]') as Element, {
      target: { files: [new File(['x'], 'receipt.png', { type: 'image/png' })] },
    })
    expect(await screen.findByText('receipt.png')).toBeTruthy()
    press('go')
    expect(await screen.findByText('A file is still being uploaded. Submit once it is there.')).toBeTruthy()
    expect(shown).not.toHaveBeenCalled()
    file.give({ id: 'f-1', name: 'receipt.png' })
    await waitFor(() => expect(screen.queryByText(/still being uploaded/)).toBeNull())
    press('go')
    await waitFor(() => expect(shown).toHaveBeenCalledWith({ proof: ['f-1'] }))
  })

  test('is said beside it before anything is sent', async () => {
    const page = await openForm()
    type(field('Name'), 'Pens')
    press(CREATE)
    await waitFor(() => expect(errorOf('Code')).toBe('Please enter: Code'))
    expect(errorOf('Name')).toBeUndefined()
    expect(page.sent(ADD)).toEqual([])
  })

  test('comes from the server to the same place', async () => {
    await openForm({
      [ADD]: () => refused(CODES.validation, 'Invalid: code', { fields: { code: 'This code is taken' } }, 422),
    })
    fill()
    press(CREATE)
    await waitFor(() => expect(errorOf('Code')).toBe('This code is taken'))
  })

  test('inside an entry stands beside the entries', async () => {
    await openForm({
      [ADD]: () => refused(CODES.validation, 'Invalid: items', { fields: { 'items.0.value': 'Too long' } }, 422),
    })
    fill()
    press(CREATE)
    const entries = await waitFor(() => screen.getByText('Line 1: Too long').closest('.ant-form-item') as HTMLElement)
    expect(within(entries).getByText('Entries')).toBeTruthy()
  })

  test('of an amount: a third decimal is refused, not rounded', async () => {
    const page = await renderPage(<Refunds />, {
      search: 'create=1&with.orderId=5',
      superAdmin: true,
      calls: {
        ...commonCalls,
        'GET /api/orders/refund-application': () => paged([refund('1')]),
        'GET /api/orders/refund-application/counts': () => ({ SUBMITTED: 1 }),
        'GET /api/orders/refund-application/suggestion': () => ({
          suggestedFen: 0,
          leftFen: 0,
          routes: ['ORIGINAL', 'OFFLINE'],
          lines: [],
          taken: [],
          l2Reasons: [],
        }),
        'POST /api/orders/refund-application': () => ({ id: '2' }),
        'GET /api/orders/refund-application/2': () => refund('2'),
      },
    })
    await screen.findByLabelText('Amount', { selector: '.ant-drawer input' })
    await pick(field('Reason'), 'No time')
    type(field('Amount'), '12.345')
    await screen.findByText('Use suggested amount')
    press('Apply for refund')
    await waitFor(() => expect(errorOf('Amount')).toBe('Enter an amount with at most two decimals'))
    type(field('Amount'), '12.34')
    press('Apply for refund')
    await closed()
    // The number is the console's to give: whoever asked learns it, and gets there.
    expect(await screen.findByText('Added successfully · R2026030200002')).toBeTruthy()
    press('View')
    expect(page.opened).toEqual(['/order/refundApply?open=2'])
    expect(page.sent('POST /api/orders/refund-application').map(({ body }) => body)).toEqual([
      {
        orderId: '5',
        amountFen: 1234,
        deviation: '',
        reason: 'NO_TIME',
        route: 'ORIGINAL',
        payee: null,
        payeeName: null,
        payeeAccount: null,
        note: '',
        unsent: [],
      },
    ])
    expect(page.address()).toBe('')
  })
})

describe('sending', () => {
  const keys = (page: Awaited<ReturnType<typeof openForm>>) =>
    page.sent(ADD).map(({ headers }) => headers['idempotency-key'])

  test('twice from one opening carries one key, and another opening another', async () => {
    const lost = () => Promise.reject(new TypeError('timeout'))
    const page = await openForm({ [ADD]: inTurn(lost, () => ({ id: '1' })) })
    fill()
    press(CREATE)
    await screen.findByText('Add failed')
    press(CREATE)
    await closed()
    press('Add')
    await waitFor(() => expect(field('Name').value).toBe(''))
    fill('Paper', 'PAPER')
    press(CREATE)
    await waitFor(() => expect(page.sent(ADD)).toHaveLength(3))
    const [first, second, third] = keys(page)
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    await closed()
  })

  test('is done by Enter: the button below belongs to the form', async () => {
    await openForm()
    expect(button(CREATE).type).toBe('submit')
    expect(button(CREATE).form).toBe(field('Name').closest('form'))
  })

  test('is done by Ctrl-Enter too, from where Enter begins a line, and once however often it is pressed', async () => {
    const answer = held<object>()
    const page = await openForm({ [ADD]: answer.answer })
    fill()
    for (const _ of [1, 2, 3]) fireEvent.keyDown(field('Note'), { key: 'Enter', ctrlKey: true })
    await waitFor(() => expect(isSending(CREATE)).toBe(true))
    fireEvent.keyDown(field('Note'), { key: 'Enter', metaKey: true })
    answer.give({ id: '1' })
    await closed()
    expect(page.sent(ADD)).toHaveLength(1)
  })
})

test.each([
  ['zh-CN', '新建订单', '提交退款申请'],
  ['zh-TW', '新建訂單', '提交退款申請'],
  ['en-US', 'Create order', 'Apply for refund'],
  ['pt-BR', 'Criar pedido', 'Solicitar reembolso'],
] as const)('the button of a form says what it does, in %s', async (language, order, refundWords) => {
  for (const [resource, words] of [
    [orders, order],
    [refunds, refundWords],
  ] as const) {
    const props = { inputs: {}, isShown: () => true, shows: {}, record: undefined, initial: {}, open: true }
    await renderPage(
      <FormDrawer
        {...props}
        resource={{ ...(resource as unknown as Resource), create: ['note'], asks: {} }}
        onClose={() => {}}
        onDone={() => {}}
      />,
      { calls: commonCalls, language },
    )
    await waitFor(() => button(words))
  }
})

test('whoever is paid by hand has to be named: account, name and relation are marked, and asked for before sending', async () => {
  await renderPage(<Refunds />, {
    search: 'create=1&with.orderId=5&with.route=OFFLINE',
    superAdmin: true,
    calls: {
      ...commonCalls,
      'GET /api/orders/refund-application': () => paged([]),
      'GET /api/orders/refund-application/counts': () => ({}),
      'GET /api/orders/refund-application/suggestion': () => ({
        suggestedFen: 0,
        leftFen: 0,
        routes: ['OFFLINE'],
        lines: [],
        taken: [],
        l2Reasons: [],
      }),
    },
  })
  const isMarked = (name: string) => field(name).closest('.ant-form-item')?.querySelector('.ant-form-item-required')
  await waitFor(() => expect(isMarked('Payee')).toBeTruthy())
  expect([isMarked("Payee's name"), isMarked("Payee's account")].every(Boolean)).toBe(true)
  press('Apply for refund')
  await screen.findByText("Please enter: Payee's account")
})

test.each([
  ['left empty', () => true],
  ['not asked for', (field: string) => field !== 'ownerId'],
])('what a record may lack is sent as none when it is %s', async (_name, isShown) => {
  const resource = { ...orders, create: ['productName', 'ownerId'], asks: {}, edit: [] } as unknown as Resource
  const page = await renderPage(
    <FormDrawer
      resource={resource}
      inputs={{}}
      isShown={isShown}
      shows={{}}
      record={undefined}
      initial={{}}
      open
      onClose={() => {}}
      onDone={() => {}}
    />,
    { calls: { ...commonCalls, 'POST /api/orders/order': () => ({ id: '1' }) } },
  )
  type(await screen.findByLabelText('Product'), 'Brush course')
  press('Create order')
  await waitFor(() =>
    expect(page.sent('POST /api/orders/order').map(({ body }) => body)).toEqual([
      { productName: 'Brush course', ownerId: null },
    ]),
  )
})

describe('an edit', () => {
  const RECORD = dictionaryType('7', { name: 'Pens', version: 4 })
  const calls = { 'GET /api/system/dictionary/7': () => RECORD, 'PUT /api/system/dictionary/7': () => null }

  test('begins with the record as it stands on the server, and sends the version it read', async () => {
    const page = await openForm(calls, 'edit=7')
    expect(field('Name').value).toBe('Pens')
    expect(within(drawer() as HTMLElement).queryByLabelText('Code')).toBeNull()
    type(field('Name'), 'Ink')
    press('Save dictionary type')
    await closed()
    expect(await screen.findByText('Edited successfully')).toBeTruthy()
    expect(page.sent('PUT /api/system/dictionary/7').map(({ body }) => body)).toEqual([
      { name: 'Ink', note: '', items: [], version: 4 },
    ])
    expect(page.address()).toBe('')
  })

  test('of a record that is gone is said, and leaves the address', async () => {
    const page = await renderPage(<Dictionary />, {
      search: 'edit=7',
      superAdmin: true,
      calls: {
        [LIST]: () => paged([]),
        'GET /api/system/dictionary/7': () => refused(CODES['not-found'], 'Not found: it is gone', null, 404),
      },
    })
    expect(await screen.findByText('it is gone')).toBeTruthy()
    await waitFor(() => expect(page.address()).toBe(''))
    expect(drawer()).toBeNull()
  })

  test('is not opened by an address for somebody without the right', async () => {
    const page = await renderPage(<Dictionary />, {
      search: 'edit=7&create=1',
      grants: { dictionary: ['list', 'detail'] },
      calls: { [LIST]: () => paged([RECORD]) },
    })
    await screen.findByText('Pens')
    expect(page.sent().map(({ name }) => name)).toEqual([LIST])
    expect(drawer()).toBeNull()
  })
})
