import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Form } from 'antd'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { press, renderPage } from '../../../../tools/testing/page.tsx'
import type { Tried } from './model.ts'
import { SourceInput } from './source-input.page.tsx'

beforeAll(() => loadTexts('engines/rule'))

const TRY = 'POST /api/system/rule-script/try'
const KNOWN = {
  facts: [
    { name: 'amountFen', title: 'Amount (fen)', kind: 'whole', fields: [] },
    { name: 'reason', title: 'Code of the reason', kind: 'text', fields: [] },
  ],
  added: ['risk'],
}
const open = (tried: Tried, actions: string[] = ['list', 'try']) =>
  renderPage(
    <Form initialValues={{ type: 'boolean_script', source: '' }}>
      <Form.Item name="type" hidden>
        <input />
      </Form.Item>
      <Form.Item name="source" label="Script">
        <SourceInput />
      </Form.Item>
    </Form>,
    {
      calls: { [TRY]: () => tried, 'GET /api/system/rule-script/known': () => KNOWN },
      grants: { 'liteflow-script': actions },
    },
  )

describe('writing a script', () => {
  test('begins with an example of its type, and shows what it answers', async () => {
    const page = await open({ answer: 'true', ms: 3, error: null })
    press('Insert an example')
    expect(screen.getByLabelText<HTMLTextAreaElement>('Script').value).toBe('return facts.amountFen > 100000')
    fireEvent.change(screen.getByLabelText('Data for the test run (JSON)'), { target: { value: '{"amount":1}' } })
    press('Run test')
    expect(await screen.findByText('Answered in 3 ms')).toBeTruthy()
    expect(page.sent(TRY).map(({ body }) => body)).toEqual([
      { type: 'boolean_script', source: 'return facts.amountFen > 100000', facts: '{"amount":1}' },
    ])
  })

  test('tells a fact nobody hands in where it stands, and writes the one that was meant', async () => {
    await open({ answer: null, ms: 0, error: null })
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Script' })
    fireEvent.change(field, { target: { value: 'return facts.risk > 1 &&\n  facts.amuontFen > 5' } })
    expect(await screen.findByText('Line 2, column 9')).toBeTruthy()
    expect(screen.getByText('No event hands in the fact “amuontFen”')).toBeTruthy()
    press('Use “amountFen”')
    expect(field.value).toBe('return facts.risk > 1 &&\n  facts.amountFen > 5')
    expect(screen.queryByText('Line 2, column 9')).toBeNull()
  })

  test('offers what is known of records and what may be called: arrows choose, Enter takes, Escape leaves it', async () => {
    await open({ answer: null, ms: 0, error: null })
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Script' })
    const type = (value: string) => fireEvent.change(field, { target: { value, selectionStart: value.length } })
    const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent?.trim())
    type('return facts.')
    await waitFor(() => expect(options()).toEqual(['amountFen Amount (fen)', 'reason Code of the reason']))
    fireEvent.keyDown(field, { key: 'ArrowDown' })
    expect(screen.getByRole('option', { selected: true }).id).toBe(field.getAttribute('aria-activedescendant'))
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(field.value).toBe('return facts.reason')
    expect(options()).toEqual([])

    type('return facts.reason === defaultContext.g')
    expect(options()).toEqual(['getData reads one fact'])
    fireEvent.keyDown(field, { key: 'Escape' })
    expect([options(), field.getAttribute('aria-activedescendant')]).toEqual([[], null])
    fireEvent.keyDown(field, { key: ' ', ctrlKey: true })
    expect(options()).toEqual(['getData reads one fact'])
  })

  test('leaves the keys to an input method while it composes', async () => {
    await open({ answer: null, ms: 0, error: null })
    const field = screen.getByLabelText<HTMLTextAreaElement>('Script')
    fireEvent.change(field, { target: { value: 'fac', selectionStart: 3 } })
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    expect(field.value).toBe('fac')
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(field.value).toBe('facts')
  })

  test('says in which line it failed', async () => {
    await open({ answer: null, ms: 100, error: { code: 'time', message: 'interrupted', line: 2 } })
    press('Run test')
    expect(await screen.findByText('Stopped: it took too long')).toBeTruthy()
    expect(screen.getByText('Line 2: interrupted')).toBeTruthy()
  })

  test('is all there is for those who may not try it', async () => {
    await open({ answer: null, ms: 0, error: null }, ['list'])
    expect(screen.queryByText('Run test')).toBeNull()
  })
})
