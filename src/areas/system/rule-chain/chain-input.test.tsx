import { fireEvent, screen } from '@testing-library/react'
import { Form } from 'antd'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadTexts } from '#kit/page/language.ts'
import { press, renderPage } from '../../../../tools/testing/page.tsx'
import { ChainInput } from './chain-input.page.tsx'
import type { KnownNames, Tried } from './model.ts'

beforeAll(() => loadTexts('engines/rule'))

const KNOWN: KnownNames = {
  nodes: [
    { id: 'score', name: '评分', type: 'common' },
    { id: 'isRisky', name: '高风险', type: 'boolean' },
  ],
  chains: [],
}
const TRY = 'POST /api/system/rule-chain/try'
const STEP = { chainId: '(draft)', place: 5, tag: null, input: '{}', error: null }
const TRIED: Tried = {
  error: null,
  facts: '{"risk":8}',
  steps: [{ ...STEP, nodeId: 'score', ms: 4, output: '{"risk":8}' }],
}
const open = (source: string) =>
  renderPage(
    <Form initialValues={{ source }}>
      <Form.Item name="source" label="Rule">
        <ChainInput />
      </Form.Item>
    </Form>,
    {
      calls: { 'GET /api/system/rule-chain/known': () => KNOWN, [TRY]: () => TRIED },
      grants: { 'liteflow-chain': ['detail', 'try'] },
    },
  )
const text = () => screen.getByLabelText<HTMLTextAreaElement>('Rule').value

describe('writing a chain', () => {
  test('tells a mistake where it is, and one press writes what was meant', async () => {
    await open('THEN(scroe)')
    expect(await screen.findByText('Line 1, column 6')).toBeTruthy()
    expect(screen.getByText('There is no node or chain with the ID “scroe”')).toBeTruthy()
    press('Fix')
    expect(text()).toBe('THEN(score)')
    expect(screen.queryByText('Line 1, column 6')).toBeNull()
  })

  test('tells what is wrong with a word beside what is wrong with the brackets', async () => {
    await open('THEN(scroe, if(isRisky, score)')
    expect(await screen.findByText('There is no node or chain with the ID “scroe”')).toBeTruthy()
    expect(screen.getByText('Keywords are case-sensitive: “if”')).toBeTruthy()
    expect(screen.getByText('“)” is missing here')).toBeTruthy()
  })

  test('shows how it is built, and writes it as everybody does', async () => {
    await open('IF( isRisky,score )')
    expect(await screen.findByText('IF')).toBeTruthy()
    press('Tidy up')
    expect(text()).toBe('IF(isRisky, score)')
  })

  test('puts a node where the caret stands', async () => {
    await open('THEN(score, )')
    const field = screen.getByLabelText<HTMLTextAreaElement>('Rule')
    field.setSelectionRange(12, 12)
    fireEvent.click(await screen.findByTitle('评分'))
    expect(text()).toBe('THEN(score, score)')
  })

  test('shows each step of a run', async () => {
    const page = await open('THEN(score)')
    fireEvent.change(await screen.findByLabelText('Data for the test run (JSON)'), {
      target: { value: '{"amount":80}' },
    })
    press('Test run')
    expect(await screen.findByText('Finished after 1 step')).toBeTruthy()
    expect(page.sent(TRY).map(({ body }) => body)).toEqual([{ source: 'THEN(score)', facts: '{"amount":80}' }])
  })
})
