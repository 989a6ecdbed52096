import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { workflow as applying } from '#areas/members/application/model.ts'
import { resource as examinations, workflow as examining } from '#areas/orders/examination/model.ts'
import { Taken } from '#areas/orders/refund-application/calculation.page.tsx'
import {
  resource as declared,
  workflow as flow,
  type RefundApplication,
} from '#areas/orders/refund-application/model.ts'
import { resource as products, workflow as selling } from '#areas/products/product/model.ts'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { type Calls, held, inTurn, refused, renderPage, type } from '../../../tools/testing/page.tsx'
import { refund } from '../../../tools/testing/page-records.ts'
import { loadTexts } from './language.ts'
import type { Row } from './list/list-state.ts'
import { QuestionRoom } from './question-room.tsx'
import { mainStep, StepButtons, useSteps } from './step.tsx'
import type { AnyWorkflow } from './step-types.ts'

const resource = declared as unknown as Resource
const workflow = flow as unknown as AnyWorkflow
const API = 'POST /api/orders/refund-application'
const OPEN = {
  approve: null,
  pay: null,
  reject: null,
  withdraw: { code: 'refund-not-yours', msg: 'Only the applicant can withdraw it' },
}

const lot = { lotId: '1', kind: 'COINS', usedUnits: 0, totalUnits: 100, leftUnits: 100, debt: 0 }
const calculation = refund('1').calculation.map(line => ({
  ...line,
  unsent: 'CANCEL' as const,
  unsentPieces: 2,
  parts: [
    { ...lot, name: '金币', units: 90 },
    { ...lot, lotId: '2', kind: 'MEMBER_DAYS', name: '会员', units: 30 },
  ],
}))
const TAKEN = 'This refund revokes金币: 90 coins revoked会员: 30 days revoked2 not sent yet: will not be sent'

const done = vi.fn()
const reloaded = vi.fn()

/** Closed to approval. */
const CLOSED = '9'

function Steps({ ids, version }: { ids: readonly string[]; version?: number | undefined }) {
  const tells = { calculation: (row: RefundApplication) => <Taken lines={row.calculation} /> }
  const ask = useSteps(resource, workflow, { done, refused: reloaded, inputs: {}, isShown: () => true, tells })
  const stepsOf = (id: string) =>
    id === CLOSED ? { ...OPEN, approve: { code: 'refund-held', msg: 'A rule holds it' } } : OPEN
  const rows = ids.map(
    id => ({ ...refund(id, { steps: stepsOf(id), provider: 'WECHAT', calculation }), version }) as unknown as Row,
  )
  return (
    <StepButtons resource={resource} workflow={workflow} row={rows[0] as Row} onStep={name => ask(name, ids, rows)} />
  )
}

function OnSale() {
  const ask = useSteps(products as unknown as Resource, selling as unknown as AnyWorkflow, {
    done,
    refused: reloaded,
    inputs: {},
    isShown: () => true,
  })
  const row = { id: '1', name: '硬笔年课', code: 'YEAR', priceFen: 129_900, labels: {}, steps: {} } as unknown as Row
  return (
    <button type="button" onClick={() => ask('putOnSale', ['1'], [row])}>
      go
    </button>
  )
}

/** Questions about what somebody examines: ones of money taken by hand, ones of another price. */
function Examining({ kinds }: { kinds: readonly string[] }) {
  const options = { done, refused: reloaded, inputs: {}, isShown: () => true }
  const ask = useSteps(examinations as unknown as Resource, examining as unknown as AnyWorkflow, options)
  const rows = kinds.map((kind, at) => {
    const given = { transactionNo: 'T-77', transferFen: 129_900, proof: [], flags: [] }
    const row = { id: String(at), kind, amountFen: 129_900, listFen: 129_900, beforeFen: 0, payChannel: null, ...given }
    return { ...row, labels: {}, steps: {} } as unknown as Row
  })
  return (
    <button
      type="button"
      onClick={() =>
        ask(
          'approve',
          rows.map(({ id }) => id),
          rows,
        )
      }
    >
      go
    </button>
  )
}

function Missing(): never {
  throw new TypeError('Failed to fetch dynamically imported module: http://x/assets/fields.js')
}

/** A step whose question tells something that does not come. */
function Lacking() {
  const tells = { calculation: () => <Missing /> }
  const ask = useSteps(resource, workflow, { done, refused: reloaded, inputs: {}, isShown: () => true, tells })
  const rows = [refund('1', { steps: OPEN, calculation }) as unknown as Row]
  return (
    <button type="button" onClick={() => ask('approve', ['1'], rows)}>
      go
    </button>
  )
}

async function open(step: string, calls: Calls = {}, ids: readonly string[] = ['1'], version?: number) {
  done.mockClear()
  reloaded.mockClear()
  const page = await renderPage(<Steps ids={ids} version={version} />, { calls })
  fireEvent.click(screen.getByRole('button', { name: step }))
  const question = await screen.findByRole('dialog')
  const label = new RegExp(`^${step}`)
  return { page, question: within(question), confirm: within(question).getByRole('button', { name: label }) }
}
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('the steps of a record', () => {
  test('are buttons: the first open one stands out, a dangerous one is marked and stands last', async () => {
    await renderPage(<Steps ids={['1']} />)
    const [approve, pay, withdraw, reject] = screen.getAllByRole('button') as [HTMLElement, ...HTMLElement[]]
    expect([approve, pay, withdraw, reject].map(button => button?.textContent)).toEqual([
      'Approve refund',
      'Pay refund',
      'Withdraw',
      'Reject',
    ])
    expect(approve.className).toContain('primary')
    expect(reject?.className).toContain('dangerous')
    expect(withdraw?.className).not.toContain('primary')
  })

  test('that are closed stay visible, cannot be pressed, and say why on hover', async () => {
    await renderPage(<Steps ids={['1']} />)
    const closed = screen.getByRole('button', { name: 'Withdraw' })
    expect((closed as HTMLButtonElement).disabled).toBe(true)
    // A browser tells a disabled button of a pointer, not of a mouse.
    fireEvent.pointerEnter(closed)
    expect((await screen.findByRole('tooltip')).textContent).toBe('Only the applicant can withdraw it')
    expect((screen.getByRole('button', { name: 'Reject' }) as HTMLButtonElement).disabled).toBe(false)
  })

  test('the person does not hold are not there', async () => {
    const row = refund('1', { steps: { withdraw: null } }) as unknown as Row
    await renderPage(<StepButtons resource={resource} workflow={workflow} row={row} onStep={() => {}} />)
    expect(screen.getAllByRole('button').map(button => button.textContent)).toEqual(['Withdraw'])
  })

  test('that leave the way of the record never stand out, not even alone', async () => {
    const row = refund('1', { steps: { withdraw: null } }) as unknown as Row
    await renderPage(<StepButtons resource={resource} workflow={workflow} row={row} onStep={() => {}} />)
    expect(screen.getByRole('button', { name: 'Withdraw' }).className).not.toContain('primary')
  })
})

describe('taking a step', () => {
  test('asks first, says what follows, and then calls it by its name', async () => {
    const { page, question, confirm } = await open('Approve refund', { [`${API}/1/approve`]: () => null })
    expect(question.getByText('The cashier pays it next.')).toBeTruthy()
    expect(page.sent()).toEqual([])
    fireEvent.click(confirm)
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(page.sent(`${API}/1/approve`).map(({ body }) => body)).toEqual([{}])
    expect(await screen.findByText(/^Submitted successfully · Refund approved · R20/)).toBeTruthy()
    await gone()
  })

  test('names the record, the person, the money, what it is for and should be, and what is taken back for it before anything is done', async () => {
    const { question } = await open('Approve refund')
    await waitFor(() => expect(document.querySelector('.inkstone-matter')).not.toBeNull())
    const facts = [...document.querySelectorAll('.inkstone-matter > div')].map(({ textContent }) => textContent)
    expect(facts).toEqual([
      'Refund no.R2026030200001',
      'Member李小墨138****8000',
      'Amount (¥)128.00',
      'Refund methodOriginal payment method',
      'Paid throughWeChat Pay',
      'Order202603020000000005硬笔年课',
      'Suggested amount (¥)128.00',
      TAKEN,
    ])
    expect(question.getByRole('button', { name: 'Approve refund ¥128.00' })).toBeTruthy()
  })

  test.each([
    ['of money taken by hand', ['OFFLINE'], 'The order becomes paid and its entitlements are granted.'],
    ['of another price', ['PRICE', 'PRICE'], 'The new price applies and the order awaits payment.'],
    ['of both', ['OFFLINE', 'PRICE'], /^Offline payment: .* Price change: /],
  ])('tells what follows in the case %s, and in no other', async (_name, kinds, told) => {
    await renderPage(<Examining kinds={kinds} />)
    fireEvent.click(screen.getByRole('button', { name: 'go' }))
    expect(within(await screen.findByRole('dialog')).getByText(told)).toBeTruthy()
  })

  test('of money taken by hand shows the number it came under', async () => {
    await renderPage(<Examining kinds={['OFFLINE']} />)
    fireEvent.click(screen.getByRole('button', { name: 'go' }))
    await waitFor(() => expect(document.querySelector('.inkstone-matter')?.textContent).toContain('T-77'))
  })

  test('that pays names who gives the money back, and no fact that is missing', async () => {
    await open('Pay refund')
    await waitFor(() => expect(document.querySelector('.inkstone-matter')).not.toBeNull())
    const facts = [...document.querySelectorAll('.inkstone-matter > div')].map(({ textContent }) => textContent)
    expect(facts.slice(3, 5)).toEqual(['Refund methodOriginal payment method', 'Paid throughWeChat Pay'])
    expect(facts.at(-1)).toBe(TAKEN)
    expect(facts.join()).not.toContain('finance')
    expect(document.querySelector('.ant-modal-confirm')?.textContent).toContain('WeChat Pay returns the money')
  })

  test('that is easily taken back is done at once, and offers the way back with the word that it is done', async () => {
    const path = 'POST /api/products/product/1'
    await loadTexts('products/product')
    const page = await renderPage(<OnSale />, {
      grants: { 'product-list': ['list', 'putOnSale'] },
      calls: { [`${path}/putOnSale`]: () => null, [`${path}/putOnSale/undo`]: () => null },
    })
    fireEvent.click(screen.getByRole('button', { name: 'go' }))
    fireEvent.click(screen.getByRole('button', { name: 'go' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(page.sent(`${path}/putOnSale`)).toHaveLength(1)
    expect(await screen.findByText('Undone: Put on sale · 硬笔年课')).toBeTruthy()
    expect(page.sent(`${path}/putOnSale/undo`)).toHaveLength(1)
  })

  test.each([
    ['Approve refund', 'You can undo this within 24 hours, until something else happens to it.'],
    ['Pay refund', 'This cannot be undone: the request goes to the payment provider at once.'],
  ])('%s: the question says whether there is a way back', async (step, told) => {
    const { question } = await open(step)
    expect(question.getByText(told)).toBeTruthy()
  })

  test('leads from its notice to the record', async () => {
    const { page, confirm } = await open('Approve refund', { [`${API}/1/approve`]: () => null })
    fireEvent.click(confirm)
    fireEvent.click(await screen.findByRole('button', { name: 'View' }))
    expect(page.opened).toEqual(['/order/refundApply?open=1'])
  })

  test('is called off without a call', async () => {
    const { page, question } = await open('Approve refund')
    fireEvent.click(question.getByRole('button', { name: 'Cancel' }))
    await gone()
    expect(page.sent()).toEqual([])
  })

  test('that needs a reason opens its button only once one is written', async () => {
    const { page, question, confirm } = await open('Reject', { [`${API}/1/reject`]: () => null })
    const reason = await question.findByLabelText('Reason')
    const isClosed = () => (question.getByRole('button', { name: 'Reject ¥128.00' }) as HTMLButtonElement).disabled
    expect(isClosed()).toBe(true)
    type(reason, '   ')
    await waitFor(() => expect(isClosed()).toBe(true))
    type(reason, '  Already refunded in cash ')
    await waitFor(() => expect(isClosed()).toBe(false))
    fireEvent.click(confirm)
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(page.sent(`${API}/1/reject`).map(({ body }) => body)).toEqual([{ reason: 'Already refunded in cash' }])
  })

  test('that is refused says why, keeps the question with its reason, and shows how the row stands now', async () => {
    const { question, confirm } = await open('Reject', {
      [`${API}/1/reject`]: () => refused(CODES.rule, 'Refused: It is withdrawn already'),
    })
    type(await question.findByLabelText('Reason'), 'Twice asked')
    await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false))
    fireEvent.click(confirm)
    expect(await screen.findByText('It is withdrawn already')).toBeTruthy()
    expect(screen.queryByRole('dialog')).not.toBeNull()
    expect((question.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('Twice asked')
    expect([done.mock.calls.length, reloaded.mock.calls.length]).toEqual([0, 1])
  })

  test('shows what is wrong with the reason at the reason', async () => {
    const { question, confirm } = await open('Reject', {
      [`${API}/1/reject`]: () => refused(CODES.validation, 'Invalid: reason', { fields: { reason: 'Say more' } }, 422),
    })
    const reason = await question.findByLabelText('Reason')
    type(reason, 'No')
    await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false))
    fireEvent.click(confirm)
    const words = await question.findByText('Say more')
    expect(words.closest('.ant-form-item')?.contains(reason)).toBe(true)
  })

  test('that others may agree to leads from its refusal to where that is asked for, with what was entered', async () => {
    const instead = '/members/apply?create=1&with.kind=GIFT&with.quantity=40'
    const data = { fields: { reason: 'Too much' }, instead }
    const { page, question, confirm } = await open('Reject', {
      [`${API}/1/reject`]: () => refused(CODES.validation, 'Invalid: reason', data, 422),
    })
    const reason = await question.findByLabelText('Reason')
    const send = async (text: string) => {
      type(reason, text)
      await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false))
      fireEvent.click(confirm)
      return question.findByRole('button', { name: 'Apply for it' })
    }
    await send('No')
    type(reason, 'Another value')
    await waitFor(() => expect(question.queryByRole('button', { name: 'Apply for it' })).toBeNull())
    fireEvent.click(await send('No again'))
    await gone()
    expect(page.opened).toEqual([instead])
  })

  test('is sent once however often its button is pressed', async () => {
    const answer = held<null>()
    const { page, confirm } = await open('Approve refund', { [`${API}/1/approve`]: answer.answer })
    fireEvent.click(confirm)
    await waitFor(() => expect(confirm.className).toContain('loading'))
    fireEvent.click(confirm)
    answer.give(null)
    await gone()
    expect(page.sent()).toHaveLength(1)
  })

  test.each([
    ['for one row', ['1'], `${API}/1/approve`],
    ['for many rows', ['1', '2'], `${API}/steps/approve`],
  ])(
    'that got no answer is asked again under the same key, %s; after an answer the next one is new',
    async (_, ids, call) => {
      const answers = inTurn(
        () => Promise.reject(new TypeError('Failed to fetch')),
        () => refused(CODES.rule, 'Refused: not now'),
        () => [],
      )
      const { page, confirm } = await open('Approve refund', { [call]: answers }, ids)
      const keys = () => page.sent(call).map(({ headers }) => headers['idempotency-key'])
      for (const times of [1, 2, 3]) {
        await waitFor(() => expect(confirm.className).not.toContain('loading'))
        fireEvent.click(confirm)
        await waitFor(() => expect(keys()).toHaveLength(times))
      }
      expect(keys()[0]).toMatch(/./)
      expect(keys()[1]).toBe(keys()[0])
      expect(keys()[2]).not.toBe(keys()[0])
      await gone()
    },
  )

  test('that got no answer is the same one when it is asked about anew, until its record is another', async () => {
    const call = `${API}/1/approve`
    const lost = () => Promise.reject(new TypeError('Failed to fetch'))
    const keys: unknown[] = []
    for (const version of [7, 7, 8]) {
      const { page, question, confirm } = await open('Approve refund', { [call]: lost }, ['1'], version)
      fireEvent.click(confirm)
      await waitFor(() => expect(reloaded).toHaveBeenCalled())
      keys.push(page.sent(call)[0]?.headers['idempotency-key'])
      fireEvent.click(question.getByRole('button', { name: 'Cancel' }))
      await gone()
    }
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('for many rows is one call, and hands on what became of each', async () => {
    const results = [
      { id: '1', result: 'done', msg: null },
      { id: '2', result: 'refused', msg: 'Refused: not yours' },
    ]
    const { page, confirm } = await open('Approve refund', { [`${API}/steps/approve`]: () => results }, ['1', '2'])
    expect(document.querySelector('.inkstone-matter p')?.textContent).toBe('2 selected · ¥256.00 in all')
    expect(confirm.textContent).toBe('Approve refund ¥256.00')
    fireEvent.click(confirm)
    await waitFor(() => expect(done).toHaveBeenCalledWith(results))
    expect(page.sent().map(({ body }) => body)).toEqual([{ ids: ['1', '2'] }])
  })

  test('for many rows names those it will be taken for, and apart from them, with the reason, those it will not', async () => {
    await open('Approve refund', {}, ['1', CLOSED, '2'])
    const matter = document.querySelector('.inkstone-matter')
    expect(matter?.querySelector('p')?.textContent).toBe('2 of 3 selected will be handled · ¥256.00 in all')
    const named = [...(matter?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent?.slice(0, 14))
    expect(named).toEqual(['R2026030200001', 'R2026030200002'])
    expect(matter?.querySelector('.inkstone-matter-closed')?.textContent).toBe(
      '1 of them will be skipped: A rule holds itR2026030200009',
    )
  })

  test('whose question lacks a part of it says so, cannot be taken, and leaves the page standing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const page = await renderPage(
      <QuestionRoom>
        <Lacking />
      </QuestionRoom>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'go' }))
    expect(await screen.findByText('The page could not be loaded')).toBeTruthy()
    const confirm = screen.getByRole('button', { name: /^Approve refund/ })
    await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(true))
    expect(screen.getByText('go')).toBeTruthy()
    expect(page.sent()).toEqual([])
  })

  test('is no longer asked for once its page has gone', async () => {
    const { page } = await open('Approve refund')
    page.show(null)
    await gone()
  })
})

test('a step that ends in one of two states is the one its record asks for', () => {
  const row = { id: '1', state: 'PENDING', needsL2: true, steps: { approve: null, reject: null } } as unknown as Row
  expect(mainStep(applying as unknown as AnyWorkflow, row)).toBe('approve')
})
