import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { resource as declared, workflow as flow } from '#areas/orders/refund-application/model.ts'
import { CODES } from '#kit/model/contract.ts'
import type { Resource } from '#kit/model/resource.ts'
import { type Calls, held, refused, renderPage, type } from '../../../tools/testing/page.tsx'
import { refund } from '../../../tools/testing/page-records.ts'
import type { Row } from './list/list-state.ts'
import { type AnyWorkflow, StepButtons, useSteps } from './step.tsx'

const resource = declared as unknown as Resource
const workflow = flow as unknown as AnyWorkflow
const API = 'POST /api/orders/refund-application'
const OPEN = {
  approve: null,
  reject: null,
  withdraw: { code: 'refund-not-yours', msg: 'Only the applicant can withdraw' },
}

const done = vi.fn()
const reloaded = vi.fn()

function Steps({ ids }: { ids: readonly string[] }) {
  const ask = useSteps(resource, workflow, { done, refused: reloaded, inputs: {}, isShown: () => true })
  const row = refund('1', { steps: OPEN }) as unknown as Row
  return <StepButtons resource={resource} workflow={workflow} row={row} onStep={name => ask(name, ids)} />
}

async function open(step: string, calls: Calls = {}, ids: readonly string[] = ['1']) {
  done.mockClear()
  reloaded.mockClear()
  const page = await renderPage(<Steps ids={ids} />, { calls })
  fireEvent.click(screen.getByRole('button', { name: step }))
  const question = await screen.findByRole('dialog')
  return { page, question: within(question), confirm: within(question).getByRole('button', { name: step }) }
}
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

describe('the steps of a record', () => {
  test('are buttons: the first open one stands out, a dangerous one is marked and stands last', async () => {
    await renderPage(<Steps ids={['1']} />)
    const [approve, withdraw, reject] = screen.getAllByRole('button') as [HTMLElement, HTMLElement, HTMLElement]
    expect([approve, withdraw, reject].map(button => button.textContent)).toEqual([
      'Approve refund',
      'Withdraw',
      'Reject',
    ])
    expect(approve.className).toContain('primary')
    expect(reject.className).toContain('dangerous')
    expect(withdraw.className).not.toContain('primary')
  })

  test('that are closed stay visible, cannot be pressed, and say why on hover', async () => {
    await renderPage(<Steps ids={['1']} />)
    const closed = screen.getByRole('button', { name: 'Withdraw' })
    expect((closed as HTMLButtonElement).disabled).toBe(true)
    // A browser tells a disabled button of a pointer, not of a mouse.
    fireEvent.pointerEnter(closed)
    expect((await screen.findByRole('tooltip')).textContent).toBe('Only the applicant can withdraw')
    expect((screen.getByRole('button', { name: 'Reject' }) as HTMLButtonElement).disabled).toBe(false)
  })

  test('the person does not hold are not there', async () => {
    const row = refund('1', { steps: { withdraw: null } }) as unknown as Row
    await renderPage(<StepButtons resource={resource} workflow={workflow} row={row} onStep={() => {}} />)
    expect(screen.getAllByRole('button').map(button => button.textContent)).toEqual(['Withdraw'])
  })
})

describe('taking a step', () => {
  test('asks first, says what follows, and then calls it by its name', async () => {
    const { page, question, confirm } = await open('Approve refund', { [`${API}/1/approve`]: () => null })
    expect(question.getByText('Finance or the cashier goes on from here.')).toBeTruthy()
    expect(page.sent()).toEqual([])
    fireEvent.click(confirm)
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(page.sent(`${API}/1/approve`).map(({ body }) => body)).toEqual([{}])
    expect(await screen.findByText('Submitted successfully')).toBeTruthy()
    await gone()
  })

  test('is called off without a call', async () => {
    const { page, question } = await open('Approve refund')
    fireEvent.click(question.getByRole('button', { name: 'Cancel' }))
    await gone()
    expect(page.sent()).toEqual([])
  })

  test('that needs a reason opens its button only once one is written', async () => {
    const { page, question, confirm } = await open('Reject', { [`${API}/1/reject`]: () => null })
    const reason = question.getByLabelText('Reason')
    const isClosed = () => (question.getByRole('button', { name: 'Reject' }) as HTMLButtonElement).disabled
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
    type(question.getByLabelText('Reason'), 'Twice asked')
    await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false))
    fireEvent.click(confirm)
    expect(await screen.findByText('It is withdrawn already')).toBeTruthy()
    expect(screen.queryByRole('dialog')).not.toBeNull()
    expect((question.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('Twice asked')
    expect([done.mock.calls.length, reloaded.mock.calls.length]).toEqual([0, 1])
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

  test('for many rows is one call, and hands on what became of each', async () => {
    const results = [
      { id: '1', result: 'done', msg: null },
      { id: '2', result: 'refused', msg: 'Refused: not yours' },
    ]
    const { page, confirm } = await open('Approve refund', { [`${API}/steps/approve`]: () => results }, ['1', '2'])
    expect(screen.getByRole('dialog', { name: 'Approve refund · 2 selected' })).toBeTruthy()
    fireEvent.click(confirm)
    await waitFor(() => expect(done).toHaveBeenCalledWith(results))
    expect(page.sent().map(({ body }) => body)).toEqual([{ ids: ['1', '2'] }])
  })

  test('is no longer asked for once its page has gone', async () => {
    const { page } = await open('Approve refund')
    page.show(null)
    await gone()
  })
})
