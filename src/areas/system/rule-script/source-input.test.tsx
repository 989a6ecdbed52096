import { fireEvent, screen } from '@testing-library/react'
import { Form } from 'antd'
import { describe, expect, test } from 'vitest'
import { press, renderPage } from '../../../../tools/testing/page.tsx'
import type { Tried } from './model.ts'
import { SourceInput } from './source-input.page.tsx'

const TRY = 'POST /api/system/rule-script/try'
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
    { calls: { [TRY]: () => tried }, grants: { 'liteflow-script': actions } },
  )

describe('writing a script', () => {
  test('begins with an example of its type, and shows what it answers', async () => {
    const page = await open({ answer: 'true', ms: 3, error: null })
    press('Insert an example')
    expect(screen.getByLabelText<HTMLTextAreaElement>('Script').value).toBe('return facts.amount > 100000')
    fireEvent.change(screen.getByLabelText('Data for the test run (JSON)'), { target: { value: '{"amount":1}' } })
    press('Run test')
    expect(await screen.findByText('Answered in 3 ms')).toBeTruthy()
    expect(page.sent(TRY).map(({ body }) => body)).toEqual([
      { type: 'boolean_script', source: 'return facts.amount > 100000', facts: '{"amount":1}' },
    ])
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
